import type { Library } from "../../api/types";

const byName = new Intl.Collator("en", { sensitivity: "base", numeric: true });

/** The default library first, then the others by name; equal names keep a steady order. */
export function inSidebarOrder(libraries: readonly Library[]): Library[] {
  return [...libraries].sort(
    (a, b) =>
      Number(b.is_default) - Number(a.is_default) ||
      byName.compare(a.name, b.name) ||
      byName.compare(a.id, b.id),
  );
}

/** May this person rename and delete it? The server decides; this only hides what it would refuse. */
export function canManage(library: Library): boolean {
  return library.role === "admin" && !library.is_default;
}
