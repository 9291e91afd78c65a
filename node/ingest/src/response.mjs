/** What the response to the page's own request means to a person. */

import { fetchFailed } from "./errors.mjs";
import { LIMITS } from "./limits.mjs";

/**
 * The failure a response amounts to, or null when it is a page worth loading.
 * @param {number} status
 * @param {Map<string, string>} headers
 */
export function judgeResponse(status, headers) {
  if (status >= 300 && status < 400) return null;
  // What the proxy itself returns when it could not connect.
  if (status >= 590 && status <= 599) return fetchFailed("the site could not be reached");
  if (headers.get("cf-mitigated") === "challenge") {
    return fetchFailed("the site shows a robot check instead of the article");
  }
  if (status >= 400) return fetchFailed(`the site returned ${status}`);
  if (status === 204 || status === 205) return fetchFailed("the site returned nothing");
  const type = (headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
  if (isFile(type)) return fetchFailed(describeType(type));
  if (/^attachment/i.test(headers.get("content-disposition") ?? "")) {
    return fetchFailed("this is a file to download, not a web page");
  }
  if (Number(headers.get("content-length")) > LIMITS.documentBytes) {
    return fetchFailed("the page is too large");
  }
  return null;
}

/** @param {string} type */
const isFile = (type) => type !== "" && type !== "text/html" && type !== "application/xhtml+xml";

/** @param {string} type */
function describeType(type) {
  if (type === "application/pdf") return "this is a PDF: upload it instead";
  if (type === "application/epub+zip") return "this is an EPUB: upload it instead";
  if (type.startsWith("image/")) return "this is an image, not an article";
  if (/^(audio|video)\//.test(type)) return "this is audio or video, not an article";
  return `this is not a web page but ${type}`;
}

/** @type {[RegExp, string][]} */
const NETWORK_ERRORS = [
  [/has been closed/, "the browser stopped while it read this page"],
  [/ERR_TOO_MANY_REDIRECTS/, "the site redirects in a circle"],
  [/ERR_CERT|ERR_SSL|ERR_BAD_SSL/, "the site has no valid certificate"],
  [/ERR_TIMED_OUT|ERR_CONNECTION_TIMED_OUT/, "the site did not respond in time"],
  [/ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH|ERR_INCOMPLETE/, "the site broke off its response"],
  [/ERR_INVALID_HTTP|ERR_RESPONSE_HEADERS|ERR_INVALID_REDIRECT/, "the site sent a broken response"],
  [/Download is starting/, "this is a file to download, not a web page"],
  [/ERR_BLOCKED|ERR_UNSAFE|ERR_DISALLOWED/, "the page led to an address that is not fetched"],
];

/**
 * A sentence for Chromium's error, which names no internals.
 * @param {string} text
 */
export function messageForNetworkError(text) {
  const known = NETWORK_ERRORS.find(([pattern]) => pattern.test(text));
  return known ? known[1] : "the site could not be reached";
}
