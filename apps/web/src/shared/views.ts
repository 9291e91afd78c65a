import { Archive, BookOpenText, Inbox, Layers, type LucideIcon, Star } from "lucide-react";
import type { MediaQuery, Sort } from "../api/media";
import { paths } from "./paths";

/** A list of items that has a place of its own in the app. */
export interface View {
  path: string;
  name: string;
  icon: LucideIcon;
  /** What is in it. */
  query: MediaQuery;
  /** The order it has until another is chosen. */
  sort?: Sort;
}

export const INBOX: View = {
  path: paths.home,
  name: "Inbox",
  icon: Inbox,
  query: { archived: false },
};

export const CONTINUE: View = {
  path: paths.continueReading,
  name: "Continue reading",
  icon: BookOpenText,
  query: { state: "reading", archived: false },
  sort: "opened",
};

export const FAVOURITES: View = {
  path: paths.favourites,
  name: "Favourites",
  icon: Star,
  query: { favourite: true },
};

export const ARCHIVE: View = {
  path: paths.archive,
  name: "Archive",
  icon: Archive,
  query: { archived: true },
};

export const ALL_ITEMS: View = {
  path: paths.all,
  name: "All items",
  icon: Layers,
  query: {},
};

/** The views in the order of the sidebar. */
export const VIEWS: readonly View[] = [INBOX, CONTINUE, FAVOURITES, ARCHIVE, ALL_ITEMS];
