import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import type { Library } from "../api/types";
import { paths } from "./paths";
import { currentStep } from "./places";
import { VIEWS } from "./views";

export interface Back {
  /** Where it leads, for a new tab and for those who look. */
  href: string;
  label: string;
  /** Goes there; with `replace`, so that a step back does not lead here again. */
  go: (replace?: boolean) => void;
}

/** The way back to where one came from; to the library for someone who came from outside. */
export function useBack(): Back {
  useHistoryState(); // Draws again on every step.
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { depth, from, inside = 0 } = currentStep();
  if (depth === 0 || from === null) {
    const go = (replace = false) => navigate(paths.home, { replace });
    return { href: paths.home, label: placeWords(paths.home), go };
  }
  const libraries = client.getQueryData<Library[]>(["libraries"]);
  // Past the places of this view: the way out of it is one step for the person.
  const go = () => window.history.go(-1 - inside);
  return { href: from, label: placeWords(from, libraries), go };
}

/** "Back to Essays": the place in words. */
export function placeWords(place: string, libraries: readonly Library[] = []): string {
  const path = place.replace(/[?#].*/, "");
  const list = VIEWS.find((one) => one.path === path);
  if (list) return `Back to ${list.name.toLowerCase()}`;
  const [, view = "", id = ""] = path.split("/");
  switch (view) {
    case "libraries": {
      const library = libraries.find((one) => one.id === decoded(id));
      return `Back to ${library?.name ?? "the library"}`;
    }
    case "tags":
      return `Back to ${decoded(id)}`;
    case "highlights":
      return "Back to highlights";
    case "search":
      return "Back to the search results";
    case "settings":
      return "Back to settings";
    case "read":
      return "Back to the article";
    case "item":
      return "Back to the item";
    default:
      return "Back";
  }
}

/** What an address stands for; one typed by hand may stand for nothing but itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
