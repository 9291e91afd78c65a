import { useLoaded } from "../shared/useLoaded";
import { loadLists } from "./loadLists";
import { Opening } from "./Opening";

/** A list of items; who comes straight to an article does not load them first. */
export function ListRoute() {
  const ListViews = useLoaded(loadLists);
  return ListViews ? <ListViews /> : <Opening />;
}
