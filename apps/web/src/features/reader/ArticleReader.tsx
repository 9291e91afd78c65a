import type { Fragment } from "../../api/fragments";
import type { KeptPosition } from "../../api/reading";
import type { Media } from "../../api/types";
import { ArticleColumn } from "./ArticleColumn";
import { Reader } from "./Reader";

interface ArticleReaderProps {
  media: Media;
  fragment: Fragment;
  position: KeptPosition | null;
}

/** The reader of a text that is shown as a whole. */
export function ArticleReader({ media, fragment, position }: ArticleReaderProps) {
  return (
    <Reader media={media} fragment={fragment} position={position}>
      {(column) => <ArticleColumn {...column} fragment={fragment} />}
    </Reader>
  );
}
