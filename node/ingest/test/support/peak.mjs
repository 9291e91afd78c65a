/** How much memory a process and everything below it took at most, sampled all the time. */

import { below, share } from "../../src/processes.mjs";

export function watchPeak(pid) {
  let most = 0;
  const look = () => {
    const size = below(pid).reduce((sum, child) => sum + (share(child) ?? 0), 0);
    most = Math.max(most, size);
  };
  const timer = setInterval(look, 25);
  return () => {
    clearInterval(timer);
    return most;
  };
}
