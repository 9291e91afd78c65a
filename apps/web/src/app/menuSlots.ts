import { exportMenuItems } from "../features/exports/menuItems";
import type { ListSlots } from "../features/items/slots";
import { triageMenuItems } from "../features/triage/menuItems";

/** What sorting out and taking along add to the menu of an item, wherever that is. */
export const MENU_SLOTS: ListSlots = {
  menuItems: (client, media) => [...triageMenuItems(client, media), ...exportMenuItems(media)],
};
