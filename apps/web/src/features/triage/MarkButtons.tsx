import { useQueryClient } from "@tanstack/react-query";
import type { Media } from "../../api/types";
import { IconButton } from "../../ui/Button";
import { toggleMark } from "./actions";
import { markLook } from "./markLook";

interface MarkButtonsProps {
  media: Media;
  size: number;
}

/** Favourite and archive, for one item. */
export function MarkButtons({ media, size }: MarkButtonsProps) {
  const client = useQueryClient();
  return (["favourite", "archived"] as const).map((mark) => {
    const { label, Icon } = markLook([media], mark);
    return (
      <IconButton key={mark} label={label} onClick={() => toggleMark(client, [media], mark)}>
        <Icon size={size} aria-hidden="true" />
      </IconButton>
    );
  });
}
