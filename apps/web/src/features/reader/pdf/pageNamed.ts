/** A label wins over a number: in a book, page 12 is the one that says 12. */
export function pageNamed(labels: readonly string[], typed: string): number | null {
  const name = typed.trim().toLowerCase();
  const labelled = labels.findIndex((label) => label.toLowerCase() === name);
  if (labelled >= 0) return labelled;
  const number = /^\d+$/.test(name) ? Number(name) : 0;
  return number >= 1 && number <= labels.length ? number - 1 : null;
}
