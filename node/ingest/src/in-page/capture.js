import { markCaptions } from "./captions.js";
import { removeOtherArticles } from "./declared-body.js";
import { keepEmbeds } from "./embeds.js";
import { keepFormulas } from "./formulas.js";
import { cleanHeadings } from "./headings.js";
import {
  removeNewsletterBoxes,
  removePriceBoxes,
  removeRepeatedTitle,
  removeShareBars,
} from "./junk.js";
import { forgetForeignMarks, restore } from "./kept.js";
import { asMetadata, readDeclaration } from "./metadata.js";
import { keepPosts } from "./posts.js";
import { addStandfirst, findStandfirst } from "./standfirst.js";
import { keepTargets, shortenLocalLinks } from "./targets.js";
import { noteTitle } from "./title.js";

/**
 * What is noted of a page before Readability, for after it.
 * @typedef {{
 *   copy: Document, declared: import("./metadata.js").Declaration | null, title: string,
 *   heading: string, standfirst: string, kept: import("./kept.js").Kept[], complaints: string[],
 * }} Page
 */

/**
 * Before Readability: notes what it takes apart, and makes what it would drop something that it keeps.
 * @param {Document} copy
 * @returns {Page}
 */
export function prepare(copy) {
  /** @type {Page} */
  const page = {
    copy,
    declared: null,
    title: "",
    heading: "",
    standfirst: "",
    kept: [],
    complaints: [],
  };
  attempt(page, "metadata", () => {
    page.declared = readDeclaration(copy);
  });
  attempt(page, "title", () => {
    Object.assign(page, noteTitle(copy, page.declared));
  });
  attempt(page, "other articles", () => removeOtherArticles(copy, [page.title, page.heading]));
  attempt(page, "standfirst", () => {
    page.standfirst = findStandfirst(copy, [page.title, page.heading]);
  });
  attempt(page, "marks", () => forgetForeignMarks(copy));
  attempt(page, "targets", () => keepTargets(copy));
  attempt(page, "headings", () => cleanHeadings(copy));
  attempt(page, "share bars", () => removeShareBars(copy));
  attempt(page, "newsletter boxes", () => removeNewsletterBoxes(copy));
  attempt(page, "price boxes", () => removePriceBoxes(copy));
  attempt(page, "captions", () => markCaptions(copy));
  attempt(page, "formulas", () => keepFormulas(copy, page.kept));
  attempt(page, "posts", () => keepPosts(copy, page.kept));
  attempt(page, "embeds", () => keepEmbeds(copy, page.kept));
  return page;
}

/**
 * The last step after Readability: completes the article below `root`, and tells what is known about it.
 * @param {Page} page
 * @param {Element} root
 * @param {{title?: string | null, byline?: string | null}} article
 */
export function finish(page, root, article) {
  const title = page.title || (article.title ?? "");
  attempt(page, "repeated title", () => removeRepeatedTitle(root, [title, page.heading]));
  attempt(page, "standfirst", () => addStandfirst(root, page.standfirst));
  attempt(page, "links", () => shortenLocalLinks(root, page.copy));
  attempt(page, "restore", () => restore(root, page.kept));
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
export function attempt(page, name, step) {
  try {
    step();
  } catch (error) {
    page.complaints.push(`${name}: ${error}`.slice(0, 200));
  }
}
