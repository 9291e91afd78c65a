import type { QueryClient } from "@tanstack/react-query";
import { loadArticleReader } from "../shared/kinds";
import { beginOpening } from "../shared/opening";
import { itemToRead } from "../shared/paths";
import { loadAhead } from "../shared/useLoaded";
import { loadLists } from "./loadLists";

/**
 * What the view at this address needs is asked for at once, beside the question who the person is,
 * and before anything is drawn. Data are refused by the server to who is not signed in.
 */
export function openEarly(client: QueryClient): void {
  const id = itemToRead(window.location.pathname);
  if (id === null) {
    void loadAhead(loadLists);
    return;
  }
  beginOpening(client, id);
  void loadAhead(loadArticleReader);
}
