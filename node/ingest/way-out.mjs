#!/usr/bin/env node
/**
 * The guarded way to the web for extractors on an internal network.
 *
 *   way-out.mjs --listen HOST:PORT
 */

import { parseArgs } from "node:util";

import { Guard } from "./src/guard.mjs";
import { place, runUntilSignal } from "./src/program.mjs";
import { openWayOut } from "./src/way-out.mjs";

const { values } = parseArgs({ options: { listen: { type: "string" } } });
const guard = Guard.fromEnvironment();
process.exitCode = await runUntilSignal(
  await openWayOut({ guard, ...place(values.listen) }),
  "way out",
);
process.exit();
