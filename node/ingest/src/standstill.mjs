/**
 * Notices that this process stood still for a while: the machine slept, or everything was stopped.
 * Time limits pass meanwhile and connections break, which says nothing about the page.
 */

import { LIMITS } from "./limits.mjs";

export class Standstill {
  #last = Date.now();
  #noticed = false;
  #timer;

  /** Watches until `stop()`. */
  constructor() {
    this.#timer = setInterval(() => {
      this.#noticed = this.noticed;
      this.#last = Date.now();
    }, LIMITS.standstillMs / 10).unref();
  }

  /** Whether it happened so far. Right after it, the last look is overdue. */
  get noticed() {
    return this.#noticed || Date.now() - this.#last > LIMITS.standstillMs;
  }

  stop() {
    clearInterval(this.#timer);
  }
}

const STEPS = 10;

/**
 * Call `late` after `ms` in which this process had its turns: a time limit that a standstill does
 * not use up. Returns what calls it off.
 * @param {number} ms
 * @param {() => void} late
 */
export function limitAwake(ms, late) {
  let left = STEPS;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    late();
  }, ms / STEPS);
  return () => clearInterval(timer);
}
