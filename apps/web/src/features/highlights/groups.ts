import type { HighlightOfMedia } from "../../api/highlights";

export interface ArticleGroup {
  readonly mediaId: string;
  readonly title: string;
  readonly highlights: readonly HighlightOfMedia[];
}

/**
 * Puts highlights, given the newest first, under their articles. An article stands where its
 * newest highlight does, so pages that come later only add to the end or to a group.
 */
export function groupByArticle(highlights: readonly HighlightOfMedia[]): ArticleGroup[] {
  const groups = new Map<string, { title: string; highlights: HighlightOfMedia[] }>();
  for (const highlight of highlights) {
    const group = groups.get(highlight.media_id);
    if (group) group.highlights.push(highlight);
    else {
      const title = highlight.media_title.trim() || "Untitled";
      groups.set(highlight.media_id, { title, highlights: [highlight] });
    }
  }
  return [...groups].map(([mediaId, group]) => ({ mediaId, ...group }));
}
