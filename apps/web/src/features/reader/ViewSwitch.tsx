import { FileText, ScrollText } from "lucide-react";
import { useMemo } from "react";
import { useShortcuts } from "../../shared/shortcuts";
import { IconButton } from "../../ui/Button";
import { useStableHandlers } from "../../ui/useStableHandlers";

export const VIEWS = ["pages", "text"] as const;
/** A file as it is printed, or its text as one reads an article. */
export type View = (typeof VIEWS)[number];

export interface Views {
  readonly view: View;
  choose: (view: View) => void;
}

interface ViewSwitchProps extends Views {
  /** Before the text is shown in the other way: the place must be known for it. */
  onLeave: () => void;
}

/** Leads from pages to running text and back. */
export function ViewSwitch({ view, choose, onLeave }: ViewSwitchProps) {
  const { change } = useStableHandlers({
    change: () => {
      onLeave();
      choose(view === "text" ? "pages" : "text");
    },
  });
  useShortcuts(
    useMemo(
      () => [{ keys: ["v"], label: "Pages or running text", group: "Reading", run: change }],
      [change],
    ),
  );
  return view === "text" ? (
    <IconButton label="Show the pages" onClick={change}>
      <FileText size={20} aria-hidden="true" />
    </IconButton>
  ) : (
    <IconButton label="Show as running text" onClick={change}>
      <ScrollText size={20} aria-hidden="true" />
    </IconButton>
  );
}
