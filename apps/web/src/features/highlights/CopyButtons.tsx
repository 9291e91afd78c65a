import { Copy } from "lucide-react";
import { useState } from "react";
import type { CopyFormat, HighlightQuery } from "../../api/highlights";
import { copyHighlights } from "../../shared/copyHighlights";
import { Button } from "../../ui/Button";
import styles from "./HighlightsPage.module.css";

const WORDS: Record<CopyFormat, string> = {
  markdown: "Copy as Markdown",
  text: "Copy as plain text",
};

/** Copies all that is listed, also what is not loaded yet. */
export function CopyButtons({ wanted }: { wanted: HighlightQuery }) {
  const [pending, setPending] = useState<CopyFormat | null>(null);
  async function copy(format: CopyFormat) {
    setPending(format);
    await copyHighlights(wanted, format);
    setPending(null);
  }
  return (
    <div className={styles.copy}>
      {(["markdown", "text"] as const).map((format) => (
        <Button
          key={format}
          look="ghost"
          pending={pending === format}
          onClick={() => void copy(format)}
        >
          <Copy size={16} aria-hidden="true" />
          {WORDS[format]}
        </Button>
      ))}
    </div>
  );
}
