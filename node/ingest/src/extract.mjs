/** Runs Readability inside the loaded page and turns what it finds into an article. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { unreadable } from "./errors.mjs";
import { LIMITS } from "./limits.mjs";

/**
 * @import { PageLoad } from "./page-load.mjs"
 * @typedef {Record<string, string | string[] | null>} Metadata
 * @typedef {{title: string, content: string, text: number, base: string, metadata: Metadata | null, complaints: string[]}} Extracted
 */

const require = createRequire(import.meta.url);
/** @param {string | URL} path */
const source = (path) => shrink(readFileSync(path, "utf8"));

/** Readability as the page gets it. */
export const readability = source(require.resolve("@mozilla/readability/Readability.js"));
/** The modules that run inside the page, each after those it imports. */
const IN_PAGE = [
  "state",
  "kept",
  "players",
  "embed-links",
  "formulas",
  "embeds",
  "posts",
  "targets",
  "linked-data",
  "authors",
  "title",
  "metadata",
  "headings",
  "measure",
  "names",
  "junk",
  "declared-body",
  "standfirst",
  "captions",
  "capture",
  "copy",
  "words",
  "blocks",
  "reader",
  "site",
  "article",
];
/**
 * What runs inside the page, in a world of its own that the page's scripts cannot see or change, and
 * on an inert copy of the page, so no code of the page runs. Joined into one script: modules that
 * import each other would each be a round trip.
 */
const inPage = IN_PAGE.map(inPageScript).join("\n");

/** @param {string} name */
function inPageScript(name) {
  return asScript(source(new URL(`./in-page/${name}.js`, import.meta.url)));
}

/**
 * A module as a part of that script, with a scope of its own.
 * @param {string} module
 */
function asScript(module) {
  const names = Array.from(
    module.matchAll(/^export (?:function|const) (\w+)/gm),
    ([, name]) => name,
  );
  const body = module.replace(/^import [^;]*;\n/gm, "").replace(/^export /gm, "");
  return `const {${names}} = (() => {\n${body}\nreturn {${names}}})();`;
}

/**
 * Without comments and indentation, and all ASCII: it is sent with every article.
 * @param {string} text
 */
function shrink(text) {
  return text
    .replace(/^\s*\/\*[\s\S]*?\*\//gm, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith("//"))
    .join("\n")
    .replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Readability and our functions as a variable of the page's isolated world. Always the same text: what a
 * tab compiled while it was warmed up is found by it, and need not be compiled for the article.
 */
export const libraryScript = `var nexus = (() => {${readability}\n${inPage}
return {extractArticle, warmUp}})();`;
const state = inPageScript("state");
/**
 * The little that tells how far a page is.
 * @param {string} call
 */
export const smallScript = (call) => `(() => {${state}\nreturn ${call}})()`;

/** The world of its own that all of these run in. */
export const WORLD = "nexus";
/** Runs when a document begins. */
export const watchScript = smallScript(
  `noteServed(${JSON.stringify({ textChars: LIMITS.servedTextChars, htmlChars: LIMITS.documentBytes })})`,
);

/** @type {Record<string, string>} */
const PROBLEMS = {
  empty: "no article text found on this page",
  large: "this page is too large to be read as an article",
  deep: "this page is nested too deeply to be read as an article",
};

const ROBOT_CHECK =
  /^(just a moment|attention required|access denied|verify(ing)? (that )?you are (a )?human|are you (a )?(robot|human)|robot check|please (verify|wait)|checking your browser|security check|pardon our interruption)/i;

/**
 * `{title, content, base}` of a loaded page.
 * @param {PageLoad} load
 * @param {number} deadline
 * @returns {Promise<Extracted>}
 */
export async function extractArticle(load, deadline) {
  const found = await load.read(`nexus.extractArticle(${JSON.stringify(LIMITS)})`, deadline);
  // A challenge is a title and little else; an article about robots has more to say.
  if (ROBOT_CHECK.test(found.title ?? "") && !(found.text > 1_000)) {
    throw unreadable("the site shows a robot check instead of the article");
  }
  if (found.problem) throw unreadable(PROBLEMS[found.problem]);
  for (const complaint of found.complaints) process.stderr.write(`${load.address} ${complaint}\n`);
  return found;
}

/**
 * What a page without any title is called: its address.
 * @param {string} url
 */
export function titleFromUrl(url) {
  const { hostname, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, "");
  try {
    return hostname + decodeURI(path);
  } catch {
    return hostname + path;
  }
}
