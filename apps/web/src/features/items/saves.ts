import type { QueryClient } from "@tanstack/react-query";
import { ApiError, isSessionEnd } from "../../api/errors";
import { errorWords } from "../../api/errorWords";
import { addToLibrary } from "../../api/libraries";
import { fetchMedia, type Saved, saveUrl } from "../../api/media";
import type { MediaKind } from "../../api/types";
import { putNewItem, refreshItems } from "../../shared/itemCache";
import { kindOfAddress } from "../../shared/kinds";
import { expireSession } from "../../shared/session";
import { createStore } from "../../ui/store";
import { showToast } from "../../ui/toasts";
import { findAddresses } from "./pastedAddresses";
import { type SaveCounts, saveSummary } from "./saveWords";

const AT_ONCE = 4;

/** An address on its way to the server, shown as a row before the server has it. */
export interface Save {
  key: number;
  url: string;
  kind: MediaKind;
  /** The library it also goes into, besides the default one. */
  libraryId: string | null;
  /** Why it was not taken; null while it is on its way. */
  refusal: string | null;
  /** Whether sending it again may help. */
  worthRetrying: boolean;
}

type Outcome = keyof SaveCounts;

const store = createStore<readonly Save[]>([]);
// Items this page saved: what becomes of them is worth telling.
const savedHere = new Set<string>();
let nextKey = 1;

/** The saves under way or refused, newest first; for useSyncExternalStore. */
export const currentSaves = store.get;
export const onSavesChange = store.subscribe;

/** Is any address still on its way? */
export function isSaving(): boolean {
  return store.get().some((save) => save.refusal === null);
}

/** Did this page save the item? */
export function wasSavedHere(mediaId: string): boolean {
  return savedHere.has(mediaId);
}

/** Saves every address in a text and says what became of it. */
export async function saveText(
  client: QueryClient,
  text: string,
  libraryId: string | null,
): Promise<void> {
  const { addresses, rejected, leftOut } = findAddresses(text);
  const saves = addresses.map((url): Save => {
    const kind = kindOfAddress(url);
    return { key: nextKey++, url, kind, libraryId, refusal: null, worthRetrying: true };
  });
  store.set((all) => [...saves, ...all]);
  const counts: SaveCounts = { saved: 0, known: 0, refused: 0 };
  await inPool(saves, async (save) => {
    counts[await send(client, save)] += 1;
  });
  const summary = saveSummary(counts, { rejected, leftOut });
  if (summary) showToast(summary, counts.refused > 0 || saves.length === 0 ? "error" : "info");
}

/** Sends a refused save once more. */
export async function retrySave(client: QueryClient, save: Save): Promise<void> {
  change(save.key, { refusal: null });
  await send(client, save);
}

/** Gives up on a refused save. */
export function dismissSave(key: number): void {
  store.set((all) => all.filter((save) => save.key !== key));
}

/** Forgets everything, for when somebody else signs in. */
export function forgetSaves(): void {
  savedHere.clear();
  store.set(() => []);
}

async function send(client: QueryClient, save: Save): Promise<Outcome> {
  try {
    const saved = await saveUrl(save.kind, save.url);
    savedHere.add(saved.mediaId);
    await putIntoLibrary(save, saved);
    await show(client, save, saved);
    dismissSave(save.key);
    return saved.known ? "known" : "saved";
  } catch (error) {
    if (isSessionEnd(error)) expireSession(client);
    const worthRetrying = !isFinal(error);
    change(save.key, { refusal: errorWords(error), worthRetrying });
    return "refused";
  }
}

async function putIntoLibrary({ libraryId }: Save, { mediaId }: Saved): Promise<void> {
  if (!libraryId) return;
  try {
    await addToLibrary(libraryId, mediaId);
  } catch (error) {
    showToast(`Saved, but not added to this library: ${errorWords(error)}`, "error");
  }
}

async function show(client: QueryClient, save: Save, { mediaId }: Saved): Promise<void> {
  try {
    putNewItem(client, await fetchMedia(mediaId), save.libraryId);
  } catch {
    // It is saved; the lists will tell when they load again.
    refreshItems(client);
  }
}

function change(key: number, more: Partial<Save>): void {
  store.set((all) => all.map((save) => (save.key === key ? { ...save, ...more } : save)));
}

/** The server has judged the address itself: it will say the same again. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 413);
}

async function inPool<T>(tasks: readonly T[], work: (task: T) => Promise<void>): Promise<void> {
  const queue = [...tasks];
  const worker = async () => {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) await work(task);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
