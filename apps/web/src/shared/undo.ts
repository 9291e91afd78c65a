import { announce } from "../ui/announce";
import { dismissToast, showToast } from "../ui/toasts";

type Undo = () => void;

// Further back nobody remembers what it was.
const MOST = 20;

let done: readonly Undo[] = [];

/**
 * Says what was done, with a way to take it back; the key for undo does the same. Returns how to
 * withdraw the offer, for when it turns out that nothing was done.
 */
export function offerUndo(text: string, undo: Undo): () => void {
  const withdraw = () => {
    done = done.filter((one) => one !== once);
    dismissToast(id);
  };
  const once = () => {
    withdraw();
    undo();
  };
  const id = showToast(text, "info", { label: "Undo", run: once });
  done = [...done, once].slice(-MOST);
  return withdraw;
}

/** Takes back what was done last; then what was done before that. */
export function undoLast(): void {
  const last = done.at(-1);
  announce(last ? "Undone." : "There is nothing to undo.");
  last?.();
}

/** What one person did is not for the next one to take back. */
export function forgetUndo(): void {
  done = [];
}
