/** Reporter of `node --test`: one JSON line for each finished test. The gate runs failed ones again. */

import { inspect } from "node:util";

export default async function* results(events) {
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const error = data.details?.error;
    // The failed tests inside have a line of their own.
    if (error?.failureType === "subtestsFailed") continue;
    const ran =
      data.skip === undefined && data.todo === undefined && data.details?.type !== "suite";
    const passed = type === "test:pass";
    const output = error ? inspect(error.cause ?? error) : "";
    yield `${JSON.stringify({ file: data.file, name: data.name, passed, ran, output })}\n`;
  }
}
