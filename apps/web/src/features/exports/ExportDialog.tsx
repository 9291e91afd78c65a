import type { Media } from "../../api/types";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { ExportForm } from "./ExportForm";
import { closeExport } from "./exportDialog";

/** Exports chosen items, from wherever it is asked for. */
export function ExportDialog({ items }: { items: readonly Media[] }) {
  return (
    <Dialog title={titleFor(items)} onClose={closeExport}>
      <ExportForm mediaIds={items.map(({ id }) => id)}>
        <Button onClick={closeExport}>Close</Button>
      </ExportForm>
    </Dialog>
  );
}

function titleFor(items: readonly Media[]): string {
  const [first] = items;
  const title = items.length === 1 ? first?.title?.trim() : null;
  if (title) return `Export “${title}”`;
  return items.length === 1
    ? "Export this item"
    : `Export ${items.length.toLocaleString("en")} items`;
}
