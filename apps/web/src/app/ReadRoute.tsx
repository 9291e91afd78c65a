import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "wouter";
import { itemQuery } from "../features/items/queries";
import { findItem } from "../shared/itemCache";
import { ArticleReader, kindOf } from "../shared/kinds";

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
  const Reader = (media && kindOf(media.kind).Reader) ?? ArticleReader;
  return <Reader />;
}
