export interface Toast {
  id: number;
  kind: "info" | "error";
  text: string;
  action?: ToastAction;
}

/** Something to do about what the message says, such as undoing it. */
export interface ToastAction {
  label: string;
  run: () => void;
}

const MAX_SHOWN = 3;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function publish(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a short message at the edge of the page; returns its id. */
export function showToast(
  text: string,
  kind: Toast["kind"] = "info",
  action?: ToastAction,
): number {
  const toast = { id: nextId++, kind, text, ...(action && { action }) };
  publish([...toasts, toast].slice(-MAX_SHOWN));
  return toast.id;
}

/** Gives a message that is still shown another text. */
export function updateToast(id: number, text: string): void {
  publish(toasts.map((toast) => (toast.id === id ? { ...toast, text } : toast)));
}

/** Takes a message away. */
export function dismissToast(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id));
}

/** The messages now shown, for useSyncExternalStore. */
export function currentToasts(): readonly Toast[] {
  return toasts;
}

/** Calls back on each change; returns the function that stops it. */
export function onToastsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
