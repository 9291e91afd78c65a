import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import type { Library } from "../api/types";
import { paths } from "./paths";
import { currentStep } from "./places";

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
  const [, view = "", id = ""] = place.replace(/[?#].*/, "").split("/");
  switch (view) {
    case "":
      return "Back to all items";
    case "library": {
      const library = libraries.find((one) => one.id === decodeURIComponent(id));
      return `Back to ${library?.name ?? "the library"}`;
    }
    case "highlights":
      return "Back to highlights";
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
