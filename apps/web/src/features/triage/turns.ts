import type { QueryClient } from "@tanstack/react-query";
import { refreshItems } from "../../shared/itemCache";
import { forgetPending } from "../../shared/pendingChanges";

// Someone who sorts out a list acts on one item after the other; it is loaded again when they rest.
const REST_MS = 400;

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;
let resting: ReturnType<typeof setTimeout> | undefined;

// A change is shown before it is sent. When the page is left, nothing waits for its turn any longer:
// the requests outlive the page, and the server takes them in the order in which they arrive.
let leave = () => {};
let leaving: Promise<void>;

function stay(): void {
  leaving = new Promise((resolve) => {
    leave = resolve;
  });
}

stay();
window.addEventListener("pagehide", () => leave());
// A page that comes back as it was left takes turns again.
window.addEventListener("pageshow", stay);

/** One request after the other, so that the last one to be made is the last to count. */
export function inTurn<T>(client: QueryClient, run: () => Promise<T>): Promise<T> {
  waiting += 1;
  clearTimeout(resting);
  const turn = Promise.race([last, leaving])
    .then(run)
    .finally(() => {
      waiting -= 1;
      if (waiting === 0) resting = setTimeout(() => settle(client), REST_MS);
    });
  last = turn.catch(() => {});
  return turn;
}

/** Which lists items left or came to, and where they stand there, is the server's to tell. */
function settle(client: QueryClient): void {
  forgetPending();
  refreshItems(client);
}
