import { originalUrl } from "../../shared/originalUrl";

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
export function originalAddress(media: Parameters<typeof originalUrl>[0]): URL | null {
  const address = originalUrl(media);
  return address === null ? null : new URL(address);
}
