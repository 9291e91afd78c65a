import type { Unplaced } from "../../api/unplaced";

export interface UnplacedGroup {
  kind: "not-found" | "waiting" | "notes";
  title: string;
  /** What will become of them. */
  words: string;
  list: Unplaced[];
}

/** What there is, sorted by what can be done about it; groups with nothing in them are left out. */
export function groupUnplaced(all: readonly Unplaced[]): UnplacedGroup[] {
  const isNote = ({ quote }: Unplaced) => quote === "";
  const groups: UnplacedGroup[] = [
    {
      kind: "not-found",
      title: "Not found in the text",
      words: "These came with an import, but their words are not in the text as it is here.",
      list: all.filter((one) => !isNote(one) && one.state === "not_found"),
    },
    {
      kind: "waiting",
      title: "Waiting for the text",
      words: "They will be placed when the text is there.",
      list: all.filter((one) => !isNote(one) && one.state === "waiting"),
    },
    {
      kind: "notes",
      title: "Notes on the whole item",
      words: "They belong to no passage.",
      list: all.filter(isNote),
    },
  ];
  return groups.filter(({ list }) => list.length > 0);
}
