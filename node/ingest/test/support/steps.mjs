/**
 * How much work was done, in counts that are the same on every machine: V8 tells how often each
 * block of code was run.
 */

import { Session } from "node:inspector/promises";

/** Blocks run by `work()`, in files whose address contains `where`. */
export async function stepsOf(where, work) {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    await work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return blocksRun(result.filter(({ url }) => url.includes(where)));
  } finally {
    session.disconnect();
  }
}

/** The sum of all counts in V8's report on scripts. */
export const blocksRun = (scripts) =>
  scripts
    .flatMap(({ functions }) => functions)
    .flatMap(({ ranges }) => ranges)
    .reduce((sum, { count }) => sum + count, 0);
