import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { useSharedPreferences } from "../features/appearance/preferences";
import { closeExport, itemsToExport, onItemsToExport } from "../features/exports/exportDialog";
import { forgetExport } from "../features/exports/exportJob";
import { FileDrop } from "../features/items/FileDrop";
import { forgetSaves } from "../features/items/saves";
import { useLiveItems } from "../features/items/useLiveItems";
import { usePasteToSave } from "../features/items/usePasteToSave";
import { useOutboxSender } from "../features/reader/data/useOutboxSender";
import { closeDialog } from "../features/triage/dialogs";
import { TriageDialogs } from "../features/triage/TriageDialogs";
import { forgetUploads } from "../features/uploads/uploadStore";
import { isDialogOpen, isEditable } from "../shared/editable";
import { openedPart } from "../shared/opening";
import { closePanel, currentPanel, onPanelChange, openPanel } from "../shared/panels";
import { itemToRead } from "../shared/paths";
import { useUser } from "../shared/session";
import { COMMAND, runShortcut, type Shortcut, useShortcuts } from "../shared/shortcuts";
import { forgetUndo, undoLast } from "../shared/undo";
import { useLoaded } from "../shared/useLoaded";
import { useOpeningAhead } from "../shared/useOpeningAhead";
import { Announcer } from "../ui/Announcer";

const ExportDialog = lazy(async () => ({
  default: (await import("../features/exports/ExportDialog")).ExportDialog,
}));
const AddDialog = lazy(async () => ({
  default: (await import("../features/items/AddDialog")).AddDialog,
}));
const KeyboardHelp = lazy(async () => ({
  default: (await import("./KeyboardHelp")).KeyboardHelp,
}));

/** What works on every view: live changes, pasting, dropping files, keys, and their dialogs. */
export function Everywhere() {
  useOwnData();
  useSharedPreferences(useUser().id, useOpenedPreferences());
  useOutboxSender();
  useLiveItems();
  useOpeningAhead();
  usePasteToSave();
  useGlobalKeys();
  const CommandField = useCommandField();
  const exporting = useSyncExternalStore(onItemsToExport, itemsToExport);
  const panel = useSyncExternalStore(onPanelChange, currentPanel);
  return (
    <>
      <Announcer />
      <FileDrop />
      <TriageDialogs />
      <Suspense>
        {panel === "search" && CommandField && <CommandField onClose={closePanel} />}
        {panel === "add" && <AddDialog onClose={closePanel} />}
        {exporting && <ExportDialog items={exporting} />}
        {panel === "keys" && <KeyboardHelp onClose={closePanel} />}
      </Suspense>
    </>
  );
}

/** Somebody who comes straight to an item gets the preferences with it. */
function useOpenedPreferences() {
  const client = useQueryClient();
  return useCallback(async () => {
    const id = itemToRead(window.location.pathname);
    return id === null ? undefined : openedPart(client, id, "preferences");
  }, [client]);
}

let ownerId: string | null = null;

/** What is on its way belongs to the person who sent it; it waits for them, and for nobody else. */
function useOwnData(): void {
  const user = useUser();
  useEffect(() => {
    if (ownerId !== null && ownerId !== user.id) {
      forgetSaves();
      forgetUploads();
      forgetUndo();
      forgetExport();
    }
    ownerId = user.id;
    return () => {
      closePanel();
      closeDialog();
      closeExport();
    };
  }, [user.id]);
}

const loadCommandField = async () => (await import("../features/search/CommandField")).CommandField;

/** Loaded before it is asked for, so that nothing typed right after the key is lost. */
function useCommandField() {
  return useLoaded(loadCommandField);
}

function useGlobalKeys(): void {
  const shortcuts = useMemo(
    (): Shortcut[] => [
      {
        keys: ["/"],
        label: "Search, or go anywhere",
        group: "Everywhere",
        shown: `/ or ${COMMAND} K`,
        run: () => openPanel("search"),
      },
      {
        keys: ["a"],
        label: "Add an address or a file",
        group: "Everywhere",
        run: () => openPanel("add"),
      },
      { keys: ["u"], label: "Undo the last action", group: "Everywhere", run: undoLast },
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
    document.addEventListener("keydown", onCommandKey);
    return () => {
      document.removeEventListener("keydown", runShortcut);
      document.removeEventListener("keydown", onCommandKey);
    };
  }, []);
}

/** The key with Ctrl or Cmd works for those, too, who have switched single keys off. */
function onCommandKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  if (event.defaultPrevented || altKey || shiftKey || ctrlKey === metaKey) return;
  if (key.toLowerCase() !== "k" || isEditable(target) || isDialogOpen()) return;
  event.preventDefault();
  openPanel("search");
}
