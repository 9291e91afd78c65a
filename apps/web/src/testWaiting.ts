import { vi } from "vitest";

/** Whatever a test waits for comes before this; only a hang reaches it. */
export const PATIENCE_MS = 180_000 * Number(process.env.NEXUS_TEST_PATIENCE || 1);

/** Result of `check` once it no longer throws. */
export const waitUntil = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: PATIENCE_MS });
