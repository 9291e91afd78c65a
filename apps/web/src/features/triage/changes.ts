import type { MineChange } from "../../api/media";
import type { Media } from "../../api/types";
import { isSameTag, tagKey } from "../../shared/tags";

// What changes of items mean, without sending or showing any of it.

/** A change of several items at once. */
export type Change = Pick<Partial<Media>, "state" | "archived" | "favourite"> & TagChange;

export interface TagChange {
  addTags?: readonly string[];
  removeTags?: readonly string[];
}

const OWN = ["state", "archived", "favourite"] as const;

type Values = Pick<Partial<Media>, (typeof OWN)[number] | "tags">;

/** What an item becomes by a change. */
export function valuesAfter(item: Media, { addTags, removeTags, ...own }: Change): Values {
  if (!addTags && !removeTags) return own;
  const kept = item.tags.filter((tag) => !hasTag(removeTags, tag));
  const added = (addTags ?? []).filter((tag) => !hasTag(kept, tag));
  return { ...own, tags: [...kept, ...added].sort(byKey) };
}

/** What takes the change of an item back; null where the change makes no difference to it. */
export function inverse(item: Media, change: Change): Change | null {
  const back: Change = {};
  for (const name of OWN) {
    if (change[name] !== undefined && change[name] !== item[name]) {
      Object.assign(back, { [name]: item[name] });
    }
  }
  const lost = item.tags.filter((tag) => hasTag(change.removeTags, tag));
  const got = (change.addTags ?? []).filter((tag) => !hasTag(item.tags, tag));
  if (lost.length > 0) back.addTags = lost;
  if (got.length > 0) back.removeTags = got;
  return Object.keys(back).length > 0 ? back : null;
}

/** Items that need the same change. */
export interface Step {
  items: readonly Media[];
  change: Change;
}

/** What takes a change of several items back, in as few steps as there are different ones. */
export function stepsBack(items: readonly Media[], change: Change): Step[] {
  const steps = new Map<string, { items: Media[]; change: Change }>();
  for (const item of items) {
    const back = inverse(item, change);
    if (!back) continue;
    const after = { ...item, ...valuesAfter(item, change) };
    const step = steps.get(JSON.stringify(back)) ?? { items: [], change: back };
    step.items.push(after);
    steps.set(JSON.stringify(back), step);
  }
  return [...steps.values()];
}

/** A change as the server takes it. */
export function toRequest({ addTags, removeTags, ...own }: Change): MineChange {
  return {
    ...own,
    ...(addTags && { add_tags: [...addTags] }),
    ...(removeTags && { remove_tags: [...removeTags] }),
  };
}

function hasTag(tags: readonly string[] | undefined, tag: string): boolean {
  return tags?.some((one) => isSameTag(one, tag)) ?? false;
}

function byKey(one: string, other: string): number {
  return tagKey(one) < tagKey(other) ? -1 : 1;
}
