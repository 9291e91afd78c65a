import { lazy, Suspense, useEffect, useMemo, useSyncExternalStore } from "react";
import { useSharedPreferences } from "../features/appearance/preferences";
import { FileDrop } from "../features/items/FileDrop";
import { forgetSaves } from "../features/items/saves";
import { useLiveItems } from "../features/items/useLiveItems";
import { usePasteToSave } from "../features/items/usePasteToSave";
import { useOutboxSender } from "../features/reader/data/useOutboxSender";
import { forgetUploads } from "../features/uploads/uploadStore";
import { closePanel, currentPanel, onPanelChange, openPanel } from "../shared/panels";
import { useUser } from "../shared/session";
import { runShortcut, type Shortcut, useShortcuts } from "../shared/shortcuts";
import { Announcer } from "../ui/Announcer";

const AddDialog = lazy(async () => ({
  default: (await import("../features/items/AddDialog")).AddDialog,
}));
const KeyboardHelp = lazy(async () => ({
  default: (await import("./KeyboardHelp")).KeyboardHelp,
}));

/** What works on every view: live changes, pasting, dropping files, keys, and their dialogs. */
export function Everywhere() {
  useOwnData();
  useSharedPreferences(useUser().id);
  useOutboxSender();
  useLiveItems();
  usePasteToSave();
  useGlobalKeys();
  const panel = useSyncExternalStore(onPanelChange, currentPanel);
  return (
    <>
      <Announcer />
      <FileDrop />
      <Suspense>
        {panel === "add" && <AddDialog onClose={closePanel} />}
        {panel === "keys" && <KeyboardHelp onClose={closePanel} />}
      </Suspense>
    </>
  );
}

let ownerId: string | null = null;

/** What is on its way belongs to the person who sent it; it waits for them, and for nobody else. */
function useOwnData(): void {
  const user = useUser();
  useEffect(() => {
    if (ownerId !== null && ownerId !== user.id) {
      forgetSaves();
      forgetUploads();
    }
    ownerId = user.id;
    return closePanel;
  }, [user.id]);
}

function useGlobalKeys(): void {
  const shortcuts = useMemo(
    (): Shortcut[] => [
      {
        keys: ["a"],
        label: "Add an address or a file",
        group: "Everywhere",
        run: () => openPanel("add"),
      },
      {
        keys: ["?"],
        label: "Show keyboard shortcuts",
        group: "Everywhere",
        run: () => openPanel("keys"),
      },
    ],
    [],
  );
  useShortcuts(shortcuts);
  useEffect(() => {
    document.addEventListener("keydown", runShortcut);
    return () => document.removeEventListener("keydown", runShortcut);
  }, []);
}
