/** Plain Readability on HTML as it was served, as the measure to beat: one JSON line per file. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../node/ingest/package.json", import.meta.url));
const { JSDOM, VirtualConsole } = require("jsdom");
const { Readability } = require("@mozilla/readability");

for (const path of process.argv.slice(2)) {
  const options = { url: "http://127.0.0.1/page", virtualConsole: new VirtualConsole() };
  const { document } = new JSDOM(readFileSync(path, "utf8"), options).window;
  console.log(JSON.stringify(new Readability(document).parse()?.content ?? ""));
}
