import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Unplaced } from "../../api/unplaced";
import { useUnplaced } from "../unplaced/queries";
import { highlightsQuery } from "./data/queries";

/** What has no place in the text. When the server finds some, its highlights are looked up again. */
export function useReaderUnplaced(mediaId: string): readonly Unplaced[] {
  const client = useQueryClient();
  const list = useUnplaced(mediaId);
  const waiting = list.filter(({ state }) => state === "waiting").length;
  const before = useRef(waiting);
  useEffect(() => {
    const fewer = waiting < before.current;
    before.current = waiting;
    if (fewer) void client.invalidateQueries({ queryKey: highlightsQuery(mediaId).queryKey });
  }, [client, mediaId, waiting]);
  return list;
}
