#!/usr/bin/env node
/**
 * The guarded proxy to the web for extractors on an internal network.
 *
 *   egress-gateway.mjs --listen HOST:PORT
 */

import { parseArgs } from "node:util";
import { openEgressGateway } from "./src/egress-gateway.mjs";
import { Guard } from "./src/guard.mjs";
import { place, runUntilSignal } from "./src/program.mjs";

const { values } = parseArgs({ options: { listen: { type: "string" } } });
const guard = Guard.fromEnvironment();
process.exitCode = await runUntilSignal(
  await openEgressGateway({ guard, ...place(values.listen) }),
  "egress gateway",
);
process.exit();
