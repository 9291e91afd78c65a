/** What the response to the page's own request means to a person. */

import { fetchFailed, IsFile, interrupted } from "./errors.mjs";
import { LIMITS } from "./limits.mjs";

/** @import { Refused } from "./guard.mjs" */

/**
 * The failure a response amounts to, or null when it is a page worth loading.
 * @param {{url: string, method: string}} request
 * @param {number} status
 * @param {Map<string, string>} headers
 */
export function judgeResponse(request, status, headers) {
  if (status >= 300 && status < 400) return null;
  // What the proxy itself returns when it could not connect.
  if (status >= 590 && status <= 599) return fetchFailed("the site could not be reached");
  if (headers.get("cf-mitigated") === "challenge") {
    return fetchFailed("the site shows a robot check instead of the article");
  }
  if (status >= 400) return fetchFailed(`the site returned ${status}`);
  if (status === 204 || status === 205) return fetchFailed("the site returned nothing");
  const type = (headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
  if (/^(image|audio|video)\//.test(type)) return fetchFailed(describeType(type));
  if (!isPage(type)) return notAPage(describeType(type), request);
  if (/^attachment/i.test(headers.get("content-disposition") ?? "")) {
    return notAPage("this is a file to download, not a web page", request);
  }
  if (Number(headers.get("content-length")) > LIMITS.documentBytes) {
    return notAPage("the page is too large", request);
  }
  return null;
}

/**
 * The failure of an address that was refused, or null. That there is no way out is our fault.
 * @param {Refused | undefined} refused
 */
export function judgeRefusal(refused) {
  if (!refused) return null;
  return (refused.kind === "closed" ? interrupted : fetchFailed)(refused.message);
}

/**
 * What anybody may fetch at this address is not a page; it may be a file worth keeping.
 * @param {string} message
 * @param {{url?: string, method?: string}} request
 */
export function notAPage(message, { url = "", method }) {
  return method === "GET" && /^https?:/.test(url) ? new IsFile(message, url) : fetchFailed(message);
}

/** @param {string} type */
const isPage = (type) => type === "" || type === "text/html" || type === "application/xhtml+xml";

/** @param {string} type */
function describeType(type) {
  if (type.startsWith("image/")) return "this is an image, not an article";
  if (/^(audio|video)\//.test(type)) return "this is audio or video, not an article";
  return `this is not a web page but ${type}`;
}

/** @type {[RegExp, string][]} */
const NETWORK_ERRORS = [
  [/ERR_TOO_MANY_REDIRECTS/, "the site redirects in a circle"],
  [/ERR_CERT|ERR_SSL|ERR_BAD_SSL/, "the site has no valid certificate"],
  [/ERR_TIMED_OUT|ERR_CONNECTION_TIMED_OUT/, "the site did not respond in time"],
  [/ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH|ERR_INCOMPLETE/, "the site broke off its response"],
  [/ERR_INVALID_HTTP|ERR_RESPONSE_HEADERS|ERR_INVALID_REDIRECT/, "the site sent a broken response"],
  [/ERR_BLOCKED|ERR_UNSAFE|ERR_DISALLOWED/, "the page led to an address that is not fetched"],
];

/**
 * The failure that Chromium's error amounts to, in a sentence which names no internals.
 * @param {string} text
 * @param {{url?: string, method?: string}} request
 */
export function judgeNetworkError(text, request) {
  if (/has been closed/.test(text)) {
    return interrupted("the browser stopped while it read this page");
  }
  if (/Download is starting/.test(text)) {
    return notAPage("this is a file to download, not a web page", request);
  }
  const known = NETWORK_ERRORS.find(([pattern]) => pattern.test(text));
  return fetchFailed(known ? known[1] : "the site could not be reached");
}
