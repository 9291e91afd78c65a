import { useMemo, useState } from "react";
import type { Outline } from "../../../api/media";
import type { KeptPosition } from "../../../api/reading";
import type { Media } from "../../../api/types";
import { Reader } from "../Reader";
import { BookColumn } from "./BookColumn";
import { BookProgress } from "./BookProgress";
import { BookOffsets } from "./bookOffsets";
import type { BookText } from "./bookText";

interface BookReaderProps {
  media: Media;
  outline: Outline;
  position: KeptPosition | null;
}

/** The reader of a book: all of its chapters in one scroll. */
export function BookReader({ media, outline, position }: BookReaderProps) {
  const offsets = useMemo(() => new BookOffsets(outline.fragments), [outline]);
  const [book, setBook] = useState<BookText | null>(null);
  const tools = book && <BookProgress media={media} book={book} />;
  return (
    <Reader media={media} space={offsets} position={position} tools={tools} partial>
      {(column) => <BookColumn {...column} {...{ outline, offsets }} onBook={setBook} />}
    </Reader>
  );
}
