import type { CopyFormat } from "../../api/highlights";
import type { Media } from "../../api/types";
import type { Unplaced } from "../../api/unplaced";
import { originalUrl } from "../../shared/originalUrl";

/** The quote with its note and source, to be pasted elsewhere. */
export function unplacedText(one: Unplaced, media: Media, format: CopyFormat): string {
  const lines = one.quote.split("\n");
  const quote =
    format === "markdown" ? lines.map((line) => `> ${line}`).join("\n") : `“${one.quote}”`;
  const parts = [one.quote && quote, one.note, sourceOf(one, media, format)];
  return parts.filter(Boolean).join("\n\n");
}

function sourceOf({ page }: Unplaced, media: Media, format: CopyFormat): string {
  const url = originalUrl(media);
  const title = media.title?.trim() || url || "Untitled";
  const at = page ? `, p. ${page}` : "";
  if (format === "text") return [`— ${title}${at}`, url].filter(Boolean).join("\n");
  return url
    ? `— [${title.replace(/[[\]\\]/g, "\\$&")}](<${url.replace(/[<>]/g, encodeURIComponent)}>)${at}`
    : `— ${title}${at}`;
}
