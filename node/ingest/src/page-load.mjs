/**
 * Loads one page in one context: follows it to where it ends up, waits until its text has settled,
 * and fails with a reason when it is not an article, not reachable, or not well behaved.
 */

import { setTimeout as pause } from "node:timers/promises";

import { fetchFailed, IngestError, timedOut, unreadable } from "./errors.mjs";
import { libraryScript, smallScript, WORLD, watchScript } from "./extract.mjs";
import { LIMITS } from "./limits.mjs";
import { Navigation } from "./navigation.mjs";
import { judgeNetworkError, judgeRefusal, judgeResponse, notAPage } from "./response.mjs";

/**
 * @import { Session } from "./devtools.mjs"
 * @import { Page } from "./page.mjs"
 * @import { Protocol } from "../node_modules/playwright-core/types/protocol.js"
 * @import { Egress } from "./egress.mjs"
 */

// What stops at us before it is sent. Frames hold no article, and the rest is heavy: only the
// page's own document goes on, everything not listed goes straight to the proxy.
/** @type {Protocol.Network.ResourceType[]} */
const INTERCEPTED = ["Document", "Image", "Media", "Font"];

// The page's clock runs ahead while nothing is under way, and stands still while something is.
const WITH_NETWORK = "pauseIfNetworkFetchesPending";

const DOWNLOAD = "Download is starting";

export class PageLoad {
  /** @type {Session} */
  #cdp;
  #egress;
  #navigation;
  /** @type {(error: Error) => void} */
  #fail = () => {};
  /** @type {Promise<never>} */
  #failed;
  #windows = 0;

  /**
   * @param {Page} page
   * @param {Egress} egress
   */
  constructor({ session, target }, egress) {
    this.#cdp = session;
    this.#egress = egress;
    this.#navigation = new Navigation(session, target);
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.#failed.catch(() => {});
  }

  /** Listen to the page. It has loaded nothing yet. */
  async prepare() {
    const cdp = this.#cdp;
    const crashed = fetchFailed("the page crashed the browser tab");
    cdp.on("Inspector.targetCrashed", () => this.#fail(crashed));
    cdp.on("Page.javascriptDialogOpening", () =>
      cdp.tell("Page.handleJavaScriptDialog", { accept: false }),
    );
    cdp.on("Page.downloadWillBegin", () => this.#fail(this.#networkFailure(DOWNLOAD)));
    // Comes in order with what the page is asked; the windows themselves appear when they like.
    cdp.on("Page.windowOpen", () => this.#countWindow());
    this.#egress.onExhausted = () => this.#fail(tooLarge());
    cdp.on("Fetch.requestPaused", (event) => this.#paused(event).catch(() => {}));
    await Promise.all([
      cdp.send("Page.setLifecycleEventsEnabled", { enabled: true }),
      cdp.send("Network.enable", { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      cdp.send("Network.setBypassServiceWorker", { bypass: true }),
      cdp.send("Fetch.enable", { patterns: INTERCEPTED.map((resourceType) => ({ resourceType })) }),
      cdp.send("Page.addScriptToEvaluateOnNewDocument", { source: watchScript, worldName: WORLD }),
    ]);
  }

  /** After `prepare()`, while there is no page yet. Its process stays the same. */
  async warmUp() {
    await this.#evaluate("nexus.warmUp()", libraryScript);
  }

  /**
   * Load `url` after `prepare()`, and `read` it when it stands still. A page that moves on while it
   * is read, because its scripts were late, is read again where it then is.
   * @template T
   * @param {string} url
   * @param {{deadline: number, read: (load: PageLoad) => Promise<T>}} options
   */
  async run(url, { deadline, read }) {
    this.#cdp.send("Page.navigate", { url }).then(
      ({ isDownload, errorText }) => {
        const problem = isDownload ? DOWNLOAD : errorText;
        if (problem) this.#fail(this.#networkFailure(problem));
      },
      (error) => this.#fail(this.#networkFailure(error.message)),
    );
    for (;;) {
      await this.#arrive(deadline);
      const { document } = this.#navigation;
      try {
        return await read(this);
      } catch (error) {
        if (!(await this.#movesOnFrom(document))) throw error;
      }
    }
  }

  /**
   * Whether another document has come, or comes now: the error of reading may be ahead of it.
   * @param {string | undefined} document
   */
  async #movesOnFrom(document) {
    const navigation = this.#navigation;
    const give = Date.now() + LIMITS.moveOnMs;
    while (document === navigation.document && Date.now() < give) {
      await Promise.race([navigation.change(), pause(give - Date.now())]);
    }
    return document !== navigation.document;
  }

  /** @param {number} deadline */
  async #arrive(deadline) {
    const cutOff = setTimeout(
      () => this.#navigation.received && this.#egress.cutOff(),
      (deadline - Date.now()) * LIMITS.cutOffShare,
    );
    try {
      await this.#before(deadline, this.#follow(deadline));
    } finally {
      clearTimeout(cutOff);
    }
    if (!/^https?:/.test(this.#navigation.shown) || !this.address) {
      throw fetchFailed("the page led to an address that is not a web page");
    }
  }

  /** The address that served the page, after redirects: the article's identity. */
  get address() {
    return this.#navigation.address ?? "";
  }

  /**
   * What a call of our functions returns in the page, before the deadline.
   * @param {string} call
   * @param {number} deadline
   */
  read(call, deadline) {
    return this.#before(deadline, this.#evaluate(call, libraryScript));
  }

  /**
   * The first of: the work, a failure of the page, the deadline.
   * @template T
   * @param {number} deadline
   * @param {Promise<T>} work
   * @returns {Promise<T>}
   */
  async #before(deadline, work) {
    work.catch(() => {});
    let timer;
    const late = new Promise((_, reject) => {
      const give = () => reject(timedOut("the page took too long to load"));
      timer = setTimeout(give, Math.max(0, deadline - Date.now()));
    });
    try {
      return await Promise.race([work, this.#failed, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {number} deadline */
  async #follow(deadline) {
    const navigation = this.#navigation;
    for (;;) {
      while (!navigation.parsed || navigation.leaving) await this.#change();
      const { document } = navigation;
      const stayed = await this.#settle(deadline).then(() => true, ignoreLeaving);
      if (stayed && document === navigation.document && !navigation.leaving) return;
      // Its clock may stand still, and the next document could not load with it.
      const budget = LIMITS.arriveVirtualMs;
      await this.#cdp.send("Emulation.setVirtualTimePolicy", { policy: WITH_NETWORK, budget });
    }
  }

  async #change() {
    const navigation = this.#navigation;
    await navigation.change();
    if (navigation.documentTooLarge) throw notAPage("the page is too large", navigation);
    if (navigation.tooLarge) throw tooLarge();
    if (navigation.unreachable) throw this.#networkFailure("");
    if (navigation.count > LIMITS.redirects) {
      throw fetchFailed("the page keeps redirecting and never arrives");
    }
  }

  /** @param {string} text */
  #networkFailure(text) {
    const { url } = this.#navigation;
    const refused = url ? judgeRefusal(this.#egress.refusal(url)) : null;
    return refused ?? judgeNetworkError(text, this.#navigation);
  }

  /**
   * Let the page's scripts finish: its clock is moved forward, pausing while requests are under
   * way, so that text inserted seconds later is there at once and a still page costs nothing.
   * @param {number} deadline
   */
  async #settle(deadline) {
    const { type, chars, dynamic, isFile } = await this.#evaluate(smallScript("textState()"));
    if (isFile || !/html/.test(type)) throw this.#notAPage();
    const { refreshMs } = this.#navigation;
    if (!dynamic && !refreshMs) return;
    const patience = chars >= LIMITS.enoughTextChars ? LIMITS.settleReadyMs : LIMITS.settleEmptyMs;
    const budget = Math.max(LIMITS.settleVirtualMs, refreshMs);
    const rested = await this.#advance(WITH_NETWORK, budget, patience);
    // Requests that never end must not keep the timers from firing.
    if (!rested) await this.#advance("advance", budget, Math.min(1_000, deadline - Date.now()));
  }

  #notAPage() {
    const empty = this.#navigation.documentBytes === 0;
    if (empty) return fetchFailed("the site returned nothing");
    return notAPage("this is not a web page", this.#navigation);
  }

  /**
   * True when the page used up its budget or left; false when our patience ran out first.
   * @param {Protocol.Emulation.VirtualTimePolicy} policy
   * @param {number} budget
   * @param {number} patience
   */
  async #advance(policy, budget, patience) {
    const navigation = this.#navigation;
    const { document } = navigation;
    navigation.expired = false;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      navigation.changed();
    }, patience);
    // A page that never rests would otherwise hold its clock; it gets this many turns.
    const turns = { maxVirtualTimeTaskStarvationCount: 1_000 };
    await this.#cdp.send("Emulation.setVirtualTimePolicy", { policy, budget, ...turns });
    while (!navigation.expired && !late && document === navigation.document) await this.#change();
    clearTimeout(timer);
    return !late;
  }

  /**
   * In a world of its own, that the page's scripts cannot see or change.
   * @param {string} expression
   * @param {string} [before] What the expression needs. Not waited for.
   */
  async #evaluate(expression, before) {
    const { executionContextId: contextId } = await this.#cdp.send("Page.createIsolatedWorld", {
      frameId: this.#navigation.frame,
      worldName: WORLD,
    });
    if (before) this.#cdp.tell("Runtime.evaluate", { contextId, expression: before });
    const { result, exceptionDetails } = await this.#cdp.send("Runtime.evaluate", {
      contextId,
      expression,
      returnByValue: true,
    });
    if (exceptionDetails) throw unreadable("the page could not be read");
    return result.value;
  }

  #countWindow() {
    this.#windows += 1;
    if (this.#windows > LIMITS.windows) this.#fail(fetchFailed("the page keeps opening windows"));
  }

  /** @param {Protocol.Fetch.requestPausedPayload} event */
  async #paused(event) {
    const { requestId, frameId, resourceType, responseStatusCode, responseErrorReason } = event;
    const cdp = this.#cdp;
    if (resourceType !== "Document" || frameId !== this.#navigation.frame) {
      await cdp.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    } else if (responseStatusCode === undefined && responseErrorReason === undefined) {
      await cdp.send("Fetch.continueRequest", { requestId, interceptResponse: true });
    } else {
      const problem = this.#judge(event);
      if (problem) this.#fail(problem);
      await (problem
        ? cdp.send("Fetch.failRequest", { requestId, errorReason: "Aborted" })
        : cdp.send("Fetch.continueRequest", { requestId }));
    }
  }

  /** @param {Protocol.Fetch.requestPausedPayload} event */
  #judge({ request, responseStatusCode = 0, responseErrorReason, responseHeaders = [] }) {
    const refused = judgeRefusal(this.#egress.refusal(request.url));
    if (refused) return refused;
    if (responseErrorReason) return null; // navigating reports it with more detail
    const headers = new Map(responseHeaders.map(({ name, value }) => [name.toLowerCase(), value]));
    return judgeResponse(request, responseStatusCode, headers);
  }
}

const tooLarge = () => fetchFailed("the page is too large");

/**
 * A page that leaves while it is looked at fails with an error of the protocol, not one of ours.
 * @param {unknown} error
 */
function ignoreLeaving(error) {
  if (error instanceof IngestError) throw error;
  return false;
}
