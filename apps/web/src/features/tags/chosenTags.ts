import { isSameTag } from "../../shared/tags";

/** A tag of the items that are edited. */
export interface ChosenTag {
  name: string;
  /** How many of the items have it. */
  count: number;
}

export interface TagEdit {
  addTags: string[];
  removeTags: string[];
}

/** The tags of some items and how many of them have each, by name. */
export function tagsOf(items: readonly { tags: readonly string[] }[]): ChosenTag[] {
  const counts = new Map<string, number>();
  for (const { tags } of items) {
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
}

/** Puts a tag on all of the items. */
export function withTag(tags: readonly ChosenTag[], name: string, all: number): ChosenTag[] {
  const known = tags.find((tag) => isSameTag(tag.name, name));
  if (!known) return [...tags, { name, count: all }];
  return tags.map((tag) => (tag === known ? { ...tag, count: all } : tag));
}

/** Takes a tag off all of the items. */
export function withoutTag(tags: readonly ChosenTag[], name: string): ChosenTag[] {
  return tags.filter((tag) => !isSameTag(tag.name, name));
}

/** What has to change for the tags to become what was chosen; null if nothing has to. */
export function editOf(
  before: readonly ChosenTag[],
  after: readonly ChosenTag[],
  all: number,
): TagEdit | null {
  const countIn = (tags: readonly ChosenTag[], name: string) =>
    tags.find((tag) => isSameTag(tag.name, name))?.count ?? 0;
  const addTags = after
    .filter(({ name, count }) => count === all && countIn(before, name) < all)
    .map(({ name }) => name);
  const removeTags = before.map(({ name }) => name).filter((name) => countIn(after, name) === 0);
  return addTags.length + removeTags.length > 0 ? { addTags, removeTags } : null;
}
