import { Copy, FileText, Hash } from "lucide-react";
import type { CopyFormat, HighlightQuery } from "../api/highlights";
import { Menu, type MenuItem } from "../ui/Menu";
import { copyHighlights } from "./copyHighlights";

interface CopyMenuProps {
  /** Which highlights. */
  wanted: HighlightQuery;
  label: string;
}

/** A button that offers to copy highlights as Markdown or plain text. */
export function CopyMenu({ wanted, label }: CopyMenuProps) {
  return (
    <Menu
      label={label}
      icon={<Copy size={16} aria-hidden="true" />}
      items={copyItems(wanted, ["Copy as Markdown", "Copy as plain text"])}
    />
  );
}

/** The two ways to copy, for any menu. */
export function copyItems(
  wanted: HighlightQuery,
  [markdown, text]: readonly [string, string],
): MenuItem[] {
  const copy = (format: CopyFormat) => () => void copyHighlights(wanted, format);
  return [
    { label: markdown, icon: <Hash {...icon} />, onSelect: copy("markdown") },
    { label: text, icon: <FileText {...icon} />, onSelect: copy("text") },
  ];
}

const icon = { size: 16, "aria-hidden": true } as const;
