import { useCallback, useMemo } from "react";
import type { Offsets } from "../../canonical";
import { useOpenText } from "../../shared/openText";
import type { Passage } from "../../shared/paths";
import { useFind } from "./find/useFind";
import { useInsideLinks } from "./links/useInsideLinks";
import { useJumps } from "./links/useJumps";
import type { ReadingText } from "./text/readingText";
import { offsetsOfPassage, type TextSpace } from "./text/textSpace";
import { usePosition } from "./usePosition";

interface PlacesInput extends Omit<Parameters<typeof usePosition>[0], "jumps"> {
  /** The text where it can be searched: null while it is not known to be the server's. */
  searchable: ReadingText | null;
  /** Only some of the text is on the page. */
  partial: boolean;
}

/** The person's place in the text, and what leads to others: links inside it, and finding. */
export function usePlaces({ skip, searchable, partial, ...reading }: PlacesInput) {
  const { text, space } = reading;
  const jumps = useJumps(text, space);
  const { here, went, keep, isLookingUp: isVisiting } = jumps;
  const back = useMemo(() => ({ here, went }), [here, went]);
  const find = useFind({ text: searchable, jumps: back, insteadOfBrowser: partial });
  const { isFinding } = find;
  const isLookingUp = useCallback(() => isFinding() || isVisiting(), [isFinding, isVisiting]);
  const { remember, hold } = usePosition({
    ...reading,
    skip: skip || jumps.opensElsewhere,
    jumps: { isLookingUp, keep },
  });
  const onJump = (offset: number, link: HTMLAnchorElement | null, toRead = false) => {
    remember();
    jumps.jump(offset, link, toRead);
  };
  useShownPassages(reading.mediaId, space, remember, jumps.show);
  const { note, close: onClose } = useInsideLinks({ text, onJump });
  const onStay = () => {
    jumps.stay();
    remember();
  };
  return { find, remember, hold, note, onClose, onJump, canReturn: jumps.canReturn, onStay };
}

/** Lets a search lead to passages of the text that is open. */
function useShownPassages(
  mediaId: string,
  space: TextSpace | null,
  remember: () => void,
  show: (passage: Offsets) => Promise<void>,
): void {
  const open = useMemo(
    () => ({
      mediaId,
      show: (passage: Passage) => {
        const wanted = space && offsetsOfPassage(space, passage);
        if (!wanted) return;
        remember();
        void show(wanted);
      },
    }),
    [mediaId, space, remember, show],
  );
  useOpenText(open);
}
