import { markedParts } from "./markedParts";

interface MarkedTextProps {
  text: string;
  hits: readonly (readonly [number, number])[];
}

/** A text with what was found in it marked. */
export function MarkedText({ text, hits }: MarkedTextProps) {
  return markedParts(text, hits).map((part) =>
    part.hit ? <mark key={part.start}>{part.text}</mark> : part.text,
  );
}
