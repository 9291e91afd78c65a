import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "wouter";
import { itemQuery } from "../features/items/queries";
import { findItem } from "../shared/itemCache";
import { kindOf, loadArticleReader } from "../shared/kinds";
import { useLoaded } from "../shared/useLoaded";
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
  const Reader = useLoaded((media && kindOf(media.kind).loadReader) ?? loadArticleReader);
  return Reader ? <Reader /> : <Opening />;
}
