import { queryOptions, useQuery } from "@tanstack/react-query";
import { fetchTags } from "../api/tags";

export const TAGS_KEY = ["tags"] as const;

const tagsQuery = queryOptions({
  queryKey: TAGS_KEY,
  queryFn: ({ signal }) => fetchTags(signal),
});

/** The person's tags, by name. */
export function useTags() {
  return useQuery(tagsQuery);
}

/** Are they one tag to the server, which does not tell cases and compositions apart? */
export function isSameTag(one: string, other: string): boolean {
  return tagKey(one) === tagKey(other);
}

/** What spellings of one tag have in common. */
export function tagKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
