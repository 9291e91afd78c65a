import { type PassagePages, pageWords, spokenPageWords } from "./pages";

/** The page of a passage: "p. 12" to the eye, "page 12" to the ear. */
export function PageMark({ of, className }: { of: PassagePages; className?: string | undefined }) {
  const words = pageWords(of);
  if (!words) return null;
  return (
    <span className={className}>
      <span aria-hidden="true">{words}</span>
      <span className="visually-hidden">. {spokenPageWords(of)}</span>
    </span>
  );
}
