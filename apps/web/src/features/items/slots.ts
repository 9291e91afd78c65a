import type { QueryClient } from "@tanstack/react-query";
import { type ComponentType, createContext } from "react";
import type { Library, ListedMedia, Media } from "../../api/types";
import type { MenuItem } from "../../ui/Menu";

/** What other parts of the app put into every list. */
export interface ListSlots {
  /** What can be done to the ticked items; stands in the bar that says how many they are. */
  BulkActions?: ComponentType<{ ids: readonly string[]; library: Library | undefined }>;
  /** What can be done to one item, beside its menu. */
  RowActions?: ComponentType<{ media: ListedMedia; library: Library | undefined }>;
  /** What else the menu of an item offers, before all the rest. */
  menuItems?: (client: QueryClient, media: Media) => MenuItem[];
  /** Keys that act on the list's items; drawn once while a list is shown. */
  Keys?: ComponentType<{ library: Library | undefined }>;
}

export const ListSlotsContext = createContext<ListSlots>({});
