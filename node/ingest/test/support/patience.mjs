/** One limit for everything a test waits for: generous, so that only a hang reaches it. */

/** NEXUS_TEST_PATIENCE multiplies it on a slow machine. */
export const PATIENCE_MS = 180_000 * Number(process.env.NEXUS_TEST_PATIENCE || 1);

/** Result of `condition()` once it holds. */
export async function until(condition, what) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
