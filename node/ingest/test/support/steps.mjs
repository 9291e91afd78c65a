/**
 * Work done, in counts that are the same on every machine: V8 tells how often each
 * block of code was run. It counts in what it compiles from then on, and not in code that was
 * optimized while nobody counted: count before anything else of that code runs, and never stop.
 */

import { Session } from "node:inspector/promises";

/** Starts to count; `stepsOf(work)` are the blocks run by `work()` in files at `where`. */
export async function countSteps(where) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const take = async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return blocksRun(result.filter(({ url }) => url.includes(where)));
  };
  return async (work) => {
    await take(); // start counting from zero
    work();
    return take();
  };
}

/** The sum of all counts in V8's report on scripts. */
export const blocksRun = (scripts) =>
  scripts
    .flatMap(({ functions }) => functions)
    .flatMap(({ ranges }) => ranges)
    .reduce((sum, { count }) => sum + count, 0);
