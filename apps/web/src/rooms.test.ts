import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";

// Which folders a folder may import from, besides itself. It is a ladder: nothing imports upward,
// and no two features import each other.
const BASE = ["api", "canonical", "ui", "shared"];
const MAY_IMPORT: Record<string, readonly string[]> = {
  api: [],
  canonical: [],
  ui: ["api"],
  shared: ["api", "ui"],
  "features/appearance": BASE,
  "features/auth": BASE,
  "features/exports": BASE,
  "features/libraries": BASE,
  "features/unplaced": BASE,
  "features/uploads": BASE,
  "features/items": [...BASE, "features/libraries", "features/unplaced", "features/uploads"],
  "features/tags": [...BASE, "features/libraries"],
  "features/imports": [...BASE, "features/libraries", "features/tags"],
  "features/triage": [...BASE, "features/exports", "features/items", "features/tags"],
  "features/reader": [
    ...BASE,
    "features/appearance",
    "features/items",
    "features/triage",
    "features/unplaced",
  ],
  "features/highlights": [...BASE, "features/libraries", "features/reader"],
  "features/search": [...BASE, "features/appearance", "features/items", "features/libraries"],
  "features/settings": [...BASE, "features/appearance", "features/exports"],
};

const src = import.meta.dirname;
const IMPORT = /(?:\bfrom |\bimport |\bimport\()"(\.[^"]+)"/g;
// The table of kinds names the reader of each, which is loaded only when an item is opened.
const TABLE = "shared/kinds.ts";
const STATIC_IMPORT = /(?:\bfrom |\bimport )"(\.[^"]+)"/g;

// The rule that the extractor runs too lies outside of the app, beside the cases of the article's.
const SHARED_RULE = "../../../canonical/pdf/";

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.tsx?$/.test(file),
);

function roomOf(path: string): string {
  if (path.startsWith(SHARED_RULE)) return "canonical";
  return /^(features\/[^/]+|[^/]+)\//.exec(path)?.[1] ?? "";
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), "utf8");
  const pattern = file === TABLE ? STATIC_IMPORT : IMPORT;
  return [...text.matchAll(pattern)].map(([, path = ""]) => normalize(join(dirname(file), path)));
}

it.each(Object.entries(MAY_IMPORT))("%s imports only what is below it", (room, allowed) => {
  const inside = files.filter((file) => roomOf(file) === room);
  expect(inside).not.toEqual([]);
  const upward = inside.flatMap((file) =>
    importsOf(file)
      .map(roomOf)
      .filter((target) => target && target !== room && !allowed.includes(target))
      .map((target) => `${file} imports ${target}`),
  );
  expect(upward).toEqual([]);
});

it("knows every folder", () => {
  const rooms = new Set(files.map(roomOf).filter((room) => room && room !== "app"));
  expect([...rooms].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
});
