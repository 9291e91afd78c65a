import { LIMITS } from "../../api/schema";
import { dismissToast, showToast, updateToast } from "../../ui/toasts";

/** How far something that is done in several requests got. */
export interface Outcome {
  done: readonly string[];
  /** Why it went no further, if it did not. */
  error: unknown;
}

/** Sends ids in as many requests as it takes, one after the other; says how far it is. */
export async function inBatches(
  ids: readonly string[],
  send: (ids: readonly string[]) => Promise<unknown>,
): Promise<Outcome> {
  const told = ids.length > LIMITS.page_size ? showToast(progressWords(0, ids.length)) : null;
  if (told !== null) window.addEventListener("beforeunload", askFirst);
  let at = 0;
  try {
    for (; at < ids.length; at += LIMITS.page_size) {
      if (told !== null && at > 0) updateToast(told, progressWords(at, ids.length));
      await send(ids.slice(at, at + LIMITS.page_size));
    }
    return { done: ids, error: null };
  } catch (error) {
    return { done: ids.slice(0, at), error };
  } finally {
    if (told !== null) {
      window.removeEventListener("beforeunload", askFirst);
      dismissToast(told);
    }
  }
}

/** Leaving the page would end what is not sent yet, so the browser asks. */
function askFirst(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function progressWords(done: number, all: number): string {
  return `Working: ${done.toLocaleString("en")} of ${all.toLocaleString("en")} items…`;
}
