/** How the pages of one browser ended, as the browser itself reports it. */

import { LIMITS } from "./limits.mjs";
import { limitAwake } from "./standstill.mjs";

/** @import { Session } from "./devtools.mjs" */

export class Crashes {
  /** @type {Map<string, number>} */
  #signals = new Map(); // target → the signal that ended its process
  /** @type {Map<string, () => void>} */
  #waiting = new Map(); // target → called when its report comes

  /**
   * Listen from now on, over the session of the browser.
   * @param {Session} session
   */
  async listen(session) {
    session.on("Target.targetCrashed", ({ targetId, errorCode }) => {
      this.#signals.set(targetId, errorCode);
      this.#waiting.get(targetId)?.();
    });
    await session.send("Target.setDiscoverTargets", { discover: true });
  }

  /**
   * The signal that ended a page known to have crashed: its report comes a moment later.
   * @param {string} target
   */
  async signalOf(target) {
    if (!this.#signals.has(target)) await this.#report(target);
    const signal = this.#signals.get(target) ?? null;
    this.#signals.delete(target);
    return signal;
  }

  /** @param {string} target */
  async #report(target) {
    let stop = () => {};
    /** @type {Promise<void>} */
    const reported = new Promise((resolve) => {
      stop = limitAwake(LIMITS.crashReportMs, resolve);
      this.#waiting.set(target, resolve);
    });
    await reported;
    stop();
    this.#waiting.delete(target);
  }
}
