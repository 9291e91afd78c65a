import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useParams } from "wouter";
import { itemQuery } from "../features/items/queries";
import { findItem } from "../shared/itemCache";
import { kindOf, loadArticleReader } from "../shared/kinds";
import { useOpening } from "../shared/opening";
import { loadAhead, useLoaded } from "../shared/useLoaded";
import { loadLists } from "./loadLists";
import { Opening } from "./Opening";

/**
 * The reader of the item's kind. The one of articles starts while that is not known, as most items
 * are articles; it also says of what cannot be read here why that is.
 */
export function ReadRoute() {
  const { mediaId } = useParams<{ mediaId: string }>();
  const client = useQueryClient();
  // The reader fetches it; this only looks on.
  const { data } = useQuery({ ...itemQuery(mediaId), enabled: false });
  const media = data ?? findItem(client, mediaId);
  // What opens it comes at the same time as its reader.
  useOpening(mediaId, !(media && kindOf(media.kind).fileFirst));
  const Reader = useLoaded((media && kindOf(media.kind).loadReader) ?? loadArticleReader);
  useListsAhead(media !== undefined);
  return Reader ? <Reader key={mediaId} /> : <Opening />;
}

/** The way back leads to a list: it is loaded as soon as what one reads is there. */
function useListsAhead(isOpen: boolean): void {
  useEffect(() => {
    if (isOpen) void loadAhead(loadLists);
  }, [isOpen]);
}
