/**
 * Loads one page in one context: follows it to where it ends up, waits until its text has settled,
 * and fails with a reason when it is not an article, not reachable, or not well behaved.
 */

import { fetchFailed, timedOut, unreadable } from './errors.mjs';
import { smallScript } from './extract.mjs';
import { LIMITS } from './limits.mjs';
import { judgeResponse, messageForNetworkError } from './response.mjs';

export class PageLoad {
  #page;
  #cdp;
  #egress;
  #mainFrame;
  #fail;
  #failed;
  #navigations = 0;
  #navigating = false;
  #refreshMs = 0;
  #documentRequest;
  #documentDone = false;
  #documentBytes = 0;
  #decodedBytes = 0;
  #windows = 0;

  constructor(page, cdp, egress) {
    this.#page = page;
    this.#cdp = cdp;
    this.#egress = egress;
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.#failed.catch(() => {});
  }

  /** Load `url`; afterwards the page stands still and is ready to be read. */
  async run(url, { deadline }) {
    await this.#listen();
    const start = Date.now();
    const cutOff = setTimeout(
      () => this.#documentDone && this.#egress.cutOff(),
      (deadline - start) * LIMITS.cutOffShare,
    );
    try {
      await this.#orFailed(this.#follow(url, deadline), deadline);
    } finally {
      clearTimeout(cutOff);
    }
    if (!/^https?:/.test(this.#page.url())) {
      throw fetchFailed('the page led to an address that is not a web page');
    }
  }

  /** The first of: the work, a failure of the page, the deadline. */
  async #orFailed(work, deadline) {
    work.catch(() => {});
    let timer;
    const late = new Promise((_, reject) => {
      const give = () => reject(timedOut('the page took too long to load'));
      timer = setTimeout(give, Math.max(0, deadline - Date.now()));
    });
    try {
      return await Promise.race([work, this.#failed, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #follow(url, deadline) {
    try {
      await this.#page.goto(url, { waitUntil: 'commit', timeout: 0 });
    } catch (error) {
      throw this.#networkFailure(url, error);
    }
    for (;;) {
      const seen = this.#navigations;
      await this.#page.waitForLoadState('domcontentloaded', { timeout: 0 });
      await this.#checkType();
      await this.#settle(deadline);
      if (this.#navigating) await this.#arrival(deadline);
      if (this.#navigations === seen) return;
      if (this.#navigations > LIMITS.redirects) {
        throw fetchFailed('the page keeps redirecting and never arrives');
      }
    }
  }

  #networkFailure(url, error) {
    const refused = this.#egress.refusal(url);
    if (refused) return fetchFailed(refused.message);
    if (this.#egress.exhausted) return tooLarge();
    return fetchFailed(messageForNetworkError(error.message));
  }

  async #checkType() {
    const type = await this.#evaluate('document.contentType');
    if (type && !/html/.test(type)) throw fetchFailed('this is not a web page');
  }

  /**
   * Let the page's scripts finish: its clock is moved forward, pausing while requests are under
   * way, so that text inserted seconds later is there at once and a still page costs nothing.
   */
  async #settle(deadline) {
    const { chars, dynamic } = await this.#evaluate(smallScript('textState()'));
    if (!dynamic && !this.#refreshMs) return;
    const patience = chars >= LIMITS.enoughTextChars ? LIMITS.settleReadyMs : LIMITS.settleEmptyMs;
    const budget = Math.max(LIMITS.settleVirtualMs, this.#refreshMs);
    const waited = await this.#advance('pauseIfNetworkFetchesPending', budget, patience);
    // Requests that never end must not keep the timers from firing.
    if (!waited) await this.#advance('advance', budget, Math.min(1_000, deadline - Date.now()));
  }

  async #advance(policy, budget, patience) {
    let expired;
    let timer;
    const done = new Promise((resolve) => {
      expired = () => resolve(true);
      this.#cdp.once('Emulation.virtualTimeBudgetExpired', expired);
      this.#page.once('framenavigated', expired);
      timer = setTimeout(() => resolve(false), patience);
    });
    // A page that mutates without end would otherwise hold its clock; it gets this many turns.
    const turns = { maxVirtualTimeTaskStarvationCount: 1_000 };
    try {
      await this.#cdp.send('Emulation.setVirtualTimePolicy', { policy, budget, ...turns });
      return await done;
    } finally {
      clearTimeout(timer);
      this.#cdp.off('Emulation.virtualTimeBudgetExpired', expired);
      this.#page.off('framenavigated', expired);
    }
  }

  /** A navigation has been asked for: wait until it happens or turns out not to. */
  async #arrival(deadline) {
    const seen = this.#navigations;
    await this.#cdp.send('Emulation.setVirtualTimePolicy', { policy: 'advance' });
    while (this.#navigating && this.#navigations === seen && Date.now() < deadline) {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.#page.once('framenavigated', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Evaluate in the page, in a world of its own, before the deadline. */
  evaluate(expression, deadline) {
    return this.#orFailed(this.#evaluate(expression), deadline);
  }

  async #evaluate(expression) {
    const { executionContextId } = await this.#cdp.send('Page.createIsolatedWorld', {
      frameId: this.#mainFrame,
      worldName: 'nexus',
    });
    const { result, exceptionDetails } = await this.#cdp.send('Runtime.evaluate', {
      contextId: executionContextId,
      expression,
      returnByValue: true,
    });
    if (exceptionDetails) throw unreadable('the page could not be read');
    return result.value;
  }

  async #listen() {
    const page = this.#page;
    page.on('dialog', (dialog) => dialog.dismiss().catch(() => {}));
    page.on('crash', () => this.#fail(fetchFailed('the page crashed the browser tab')));
    page.on('download', () => this.#fail(fetchFailed('this is a file to download, not a web page')));
    page.context().on('page', (other) => this.#closeWindow(other));

    const on = (event, handler) => this.#cdp.on(event, handler);
    on('Fetch.requestPaused', (event) => this.#paused(event).catch(() => {}));
    on('Network.requestWillBeSent', (event) => this.#requested(event));
    on('Network.dataReceived', (event) => this.#received(event));
    on('Network.loadingFinished', ({ requestId }) => {
      if (requestId === this.#documentRequest) this.#documentDone = true;
    });
    on('Page.frameNavigated', ({ frame }) => this.#navigated(frame));
    on('Page.frameRequestedNavigation', (event) => this.#navigationAsked(event));
    on('Page.frameScheduledNavigation', (event) => this.#navigationScheduled(event));
    on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === this.#mainFrame) this.#navigating = false;
    });

    const send = (method, params) => this.#cdp.send(method, params);
    const [{ frameTree }] = await Promise.all([
      send('Page.getFrameTree'),
      send('Page.enable'),
      send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      send('Fetch.enable', { patterns: INTERCEPTED }),
    ]);
    this.#mainFrame = frameTree.frame.id;
  }

  #closeWindow(other) {
    if (other === this.#page) return;
    this.#windows += 1;
    other.close().catch(() => {});
    if (this.#windows > LIMITS.windows) {
      this.#fail(fetchFailed('the page keeps opening windows'));
    }
  }

  /** Only what is listed in INTERCEPTED stops here; everything else goes straight to the proxy. */
  async #paused(event) {
    const { requestId, frameId, resourceType, responseStatusCode } = event;
    const main = resourceType === 'Document' && frameId === this.#mainFrame;
    if (!main) {
      await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      return;
    }
    const answered = responseStatusCode !== undefined || event.responseErrorReason !== undefined;
    const problem = answered && this.#judge(event);
    if (problem) {
      this.#fail(problem);
      await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    } else {
      await this.#cdp.send('Fetch.continueRequest', { requestId });
    }
  }

  #judge({ request, responseStatusCode, responseErrorReason, responseHeaders = [] }) {
    const refused = this.#egress.refusal(request.url);
    if (refused) return fetchFailed(refused.message);
    if (responseErrorReason) return null; // goto reports it with more detail
    const headers = new Map(responseHeaders.map(({ name, value }) => [name.toLowerCase(), value]));
    return judgeResponse(responseStatusCode, headers);
  }

  #requested({ requestId, type, frameId }) {
    if (type !== 'Document' || frameId !== this.#mainFrame) return;
    this.#documentRequest = requestId;
    this.#documentDone = false;
    this.#documentBytes = 0;
  }

  #received({ requestId, dataLength }) {
    this.#decodedBytes += dataLength;
    if (requestId === this.#documentRequest) this.#documentBytes += dataLength;
    const over =
      this.#documentBytes > LIMITS.documentBytes || this.#decodedBytes > LIMITS.decodedBytes;
    if (over) this.#fail(tooLarge());
  }

  #navigated(frame) {
    if (frame.id !== this.#mainFrame) return;
    this.#navigations += 1;
    this.#navigating = false;
    this.#refreshMs = 0;
    if (!/^(https?:|about:blank)/.test(frame.url)) {
      this.#fail(fetchFailed('the page led to an address that is not a web page'));
    }
  }

  #navigationAsked({ frameId, disposition }) {
    if (frameId === this.#mainFrame && disposition === 'currentTab') this.#navigating = true;
  }

  #navigationScheduled({ frameId, delay, url }) {
    if (frameId !== this.#mainFrame) return;
    const here = this.#page.url().split('#')[0] === url.split('#')[0];
    const ms = delay * 1_000;
    if (!here && ms <= LIMITS.settleRefreshMs) this.#refreshMs = ms + 100;
  }
}

// Frames hold no article, and the rest is heavy: none of it is fetched. The page's own document is
// looked at once, when its answer arrives.
const INTERCEPTED = [
  { resourceType: 'Document', requestStage: 'Response' },
  { resourceType: 'Image', requestStage: 'Request' },
  { resourceType: 'Media', requestStage: 'Request' },
  { resourceType: 'Font', requestStage: 'Request' },
];

const tooLarge = () => fetchFailed('the page is too large');
