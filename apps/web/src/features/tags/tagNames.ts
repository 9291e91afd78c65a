import type { Tag } from "../../api/types";
import { checkName, type NameCheck } from "../../shared/names";
import { isSameTag, tagKey } from "../../shared/tags";

// More than these are not read, but typed on.
const MOST_SUGGESTED = 8;

/** A tag as the server takes it. */
export function checkTag(text: string): NameCheck {
  const check = checkName(text.normalize("NFC").replace(/\s+/g, " "));
  if ("problem" in check) return check;
  if (/[",]/.test(check.name)) return { problem: "A tag has no comma and no quotation mark." };
  if (/^\.{1,2}$/.test(check.name)) return { problem: "A tag is more than dots." };
  return check;
}

/** The tag as it was written first, where there is one of this name. */
export function knownSpelling(name: string, known: readonly Tag[]): string {
  return known.find((tag) => isSameTag(tag.name, name))?.name ?? name;
}

/** Tags that complete what is typed, those that begin with it first; with nothing, the most used. */
export function suggestTags(
  typed: string,
  known: readonly Tag[],
  chosen: readonly string[],
): string[] {
  const key = tagKey(typed.trim().replace(/\s+/g, " "));
  const free = known.filter((tag) => !chosen.some((one) => isSameTag(one, tag.name)));
  const ranked = free
    .map((tag) => ({ tag, rank: rankOf(tagKey(tag.name), key) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((one, other) => one.rank - other.rank || other.tag.count - one.tag.count);
  return ranked.slice(0, MOST_SUGGESTED).map(({ tag }) => tag.name);
}

const NO_MATCH = 3;

function rankOf(name: string, typed: string): number {
  if (name.startsWith(typed)) return 0;
  if (name.split(/[\s/_-]+/).some((word) => word.startsWith(typed))) return 1;
  return name.includes(typed) ? 2 : NO_MATCH;
}
