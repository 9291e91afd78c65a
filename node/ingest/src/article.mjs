/** One article, from its URL to what is read of it. */

import { IngestError, fetchFailed } from './errors.mjs';
import { extractArticle, titleFromUrl } from './extract.mjs';
import { Refused } from './guard.mjs';
import { LIMITS } from './limits.mjs';

/** Refuse what no browser is needed to refuse. Answers the URL as a browser writes it. */
export function checkUrl(text, guard) {
  try {
    return guard.checkUrl(text).href;
  } catch (error) {
    throw error instanceof Refused ? fetchFailed(error.message) : error;
  }
}

/** Fetch and read one article in a tab that no other has been in. */
export async function readArticle({ browser, load }, { url, timeoutMs = LIMITS.timeoutMs }) {
  const deadline = Date.now() + Math.min(timeoutMs, LIMITS.maxTimeoutMs);
  try {
    await load.run(url, { deadline });
    return await article(load, deadline);
  } catch (error) {
    if (error instanceof IngestError) throw error;
    if (!browser.isConnected()) throw fetchFailed('the browser stopped while it read this page');
    throw fetchFailed('the page could not be read');
  }
}

async function article(load, deadline) {
  const finalUrl = load.address;
  const { title, content, base } = await extractArticle(load, deadline);
  return {
    final_url: finalUrl,
    base_url: /^https?:/.test(base) ? base : finalUrl,
    title: (title || titleFromUrl(finalUrl)).slice(0, LIMITS.titleChars),
    content_html: content,
  };
}
