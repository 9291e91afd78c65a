/** Where a row stands in the list; plain values, so that rows are drawn again only if they change. */
export interface RowPlaceProps {
  measure: (row: HTMLLIElement | null) => void;
  index: number;
  /** Missing where the rows follow each other, on paper. */
  top: number | undefined;
  /** How many rows there are, -1 while nobody knows. */
  setSize: number;
}

/** The attributes of a row. */
export function rowProps({ measure, index, top, setSize }: RowPlaceProps) {
  return {
    ref: measure,
    style: { top },
    "data-index": index,
    "aria-posinset": index + 1,
    "aria-setsize": setSize,
  };
}
