import { keepEmbeds } from "./embeds.js";
import { keepFormulas } from "./formulas.js";
import { forgetForeignMarks, restore } from "./kept.js";
import { asMetadata, readDeclaration } from "./metadata.js";
import { keepPosts } from "./posts.js";
import { keepTargets, shortenLocalLinks } from "./targets.js";
import { titleOf } from "./title.js";

/**
 * What is noted of a page before Readability, for after it.
 * @typedef {{
 *   copy: Document, own: string, declared: import("./metadata.js").Declaration | null,
 *   kept: import("./kept.js").Kept[], complaints: string[],
 * }} Page
 */

/**
 * Before Readability: makes what it would drop something that it keeps.
 * @param {Document} copy
 * @returns {Page}
 */
export function prepare(copy) {
  /** @type {Page} */
  const page = { copy, own: copy.title, declared: null, kept: [], complaints: [] };
  attempt(page, "metadata", () => {
    page.declared = readDeclaration(copy);
  });
  attempt(page, "marks", () => forgetForeignMarks(copy));
  attempt(page, "targets", () => keepTargets(copy));
  attempt(page, "formulas", () => keepFormulas(copy, page.kept));
  attempt(page, "posts", () => keepPosts(copy, page.kept));
  attempt(page, "embeds", () => keepEmbeds(copy, page.kept));
  return page;
}

/**
 * The last step after Readability: completes the article below `root`, and tells what is known about it.
 * @param {Page} page
 * @param {Element} root
 * @param {{title?: string | null, byline?: string | null, dir?: string | null}} article
 */
export function finish(page, root, article) {
  attempt(page, "links", () => shortenLocalLinks(root, page.copy));
  attempt(page, "restore", () => restore(root, page.kept));
  const title = titleOf(page.copy, article.title ?? "", page.own);
  /** @type {ReturnType<typeof asMetadata> | null} */
  let metadata = null;
  attempt(page, "metadata", () => {
    metadata = page.declared && asMetadata(page.declared, article);
  });
  return { title, metadata, complaints: page.complaints };
}

/**
 * One step that may fail without failing the article. Complaints are logged, and fail tests.
 * @param {Page} page
 * @param {string} name
 * @param {() => void} step
 */
function attempt(page, name, step) {
  try {
    step();
  } catch (error) {
    page.complaints.push(`${name}: ${error}`.slice(0, 200));
  }
}
