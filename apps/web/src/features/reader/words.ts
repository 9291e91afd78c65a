const WORDS_PER_MINUTE = 230;
const CJK_PER_MINUTE = 450;
const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;

/** "8 min read". Scripts without spaces are counted by the character. */
export function readingTime(text: string): string {
  const characters = text.match(CJK)?.length ?? 0;
  const words = text.replace(CJK, " ").match(/\S+/g)?.length ?? 0;
  const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE + characters / CJK_PER_MINUTE));
  return `${minutes.toLocaleString("en")} min read`;
}

/** The address of the original page, when it is one that can be opened. */
export function originalAddress(media: {
  canonical_url: string | null;
  canonical_source_url: string | null;
  requested_url: string | null;
}): URL | null {
  for (const address of [media.canonical_source_url, media.requested_url, media.canonical_url]) {
    if (!address || !URL.canParse(address)) continue;
    const url = new URL(address);
    if (url.protocol === "https:" || url.protocol === "http:") return url;
  }
  return null;
}
