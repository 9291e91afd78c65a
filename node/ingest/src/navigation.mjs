/**
 * Follows what the page's main frame does, from the browser's events: which document is on show,
 * whether it has been parsed, whether it is about to leave for another one, how much it has sent.
 */

import { LIMITS } from "./limits.mjs";

/**
 * @import { Session } from "./devtools.mjs"
 * @import { Protocol } from "../node_modules/playwright-core/types/protocol.js"
 */

export class Navigation {
  frame; // id of the main frame
  /** @type {string | undefined} */
  document; // loader id of the document on show
  /** @type {string | null} */
  address = null; // where that came from: requested and served over the network, whatever scripts say
  shown = "about:blank"; // where it says it is
  parsed = false; // its DOMContentLoaded has come
  expired = false; // its virtual time has run out
  leaving = false; // another document has been asked for
  unreachable = false; // it is the browser's own error page
  refreshMs = 0; // it announced to move on after this long
  /** @type {string | undefined} */
  url; // asked for last
  /** @type {string | undefined} */
  method; // and how
  received = false; // its own bytes are all here
  count = 0; // documents shown so far
  documentBytes = 0; // decoded bytes of the document
  totalBytes = 0; // decoded bytes of everything

  /** @type {string | undefined} */
  #request;
  /** @type {Map<string, string>} */
  #methods = new Map(); // how a document was asked for, by loader id
  /** @type {Map<string, string>} */
  #servedAt = new Map(); // where it was served from
  /** @type {(() => void)[]} */
  #waiters = [];

  /**
   * @param {Session} cdp
   * @param {string} frame
   */
  constructor(cdp, frame) {
    this.frame = frame;
    /**
     * @template {keyof Protocol.Events} Name
     * @param {Name} name
     * @param {(event: Protocol.Events[Name]) => void} handler
     */
    const onMainFrame = (name, handler) => {
      /** @param {any} event Some events name a frame, some carry it. */
      const listener = (event) => {
        if ((event.frameId ?? event.frame?.id) !== this.frame) return;
        handler(event);
        this.changed();
      };
      cdp.on(name, listener);
    };
    onMainFrame("Page.frameNavigated", ({ frame: shown }) => this.#arrived(shown));
    onMainFrame("Page.lifecycleEvent", (event) => this.#lifecycle(event));
    onMainFrame("Page.frameRequestedNavigation", (event) => this.#asked(event));
    onMainFrame("Page.frameScheduledNavigation", (event) => this.#scheduled(event));
    onMainFrame("Page.frameStoppedLoading", () => this.#stopped());
    onMainFrame("Network.requestWillBeSent", (event) => this.#requested(event));
    onMainFrame("Network.responseReceived", (event) => this.#responded(event));
    cdp.on("Network.dataReceived", (event) => this.#data(event));
    cdp.on("Network.loadingFinished", ({ requestId }) => {
      if (requestId === this.#request) this.received = true;
    });
    cdp.on("Emulation.virtualTimeBudgetExpired", () => {
      this.expired = true;
      this.changed();
    });
  }

  /**
   * Resolves at the next event that can matter to anyone who waits.
   * @returns {Promise<void>}
   */
  change() {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  changed() {
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  get documentTooLarge() {
    return this.documentBytes > LIMITS.documentBytes;
  }

  get tooLarge() {
    return this.documentTooLarge || this.totalBytes > LIMITS.decodedBytes;
  }

  /** @param {Protocol.Page.Frame} frame */
  #arrived({ loaderId, url, unreachableUrl }) {
    this.document = loaderId;
    this.shown = url;
    // One without a response of its own was made by the document before it, and stays with it.
    this.address = this.#servedAt.get(loaderId) ?? this.address;
    this.unreachable = Boolean(unreachableUrl);
    this.count += 1;
    this.parsed = false;
    this.leaving = false;
    this.refreshMs = 0;
  }

  /** @param {Protocol.Page.lifecycleEventPayload} event */
  #lifecycle({ loaderId, name }) {
    if (name === "DOMContentLoaded" && loaderId === this.document) this.parsed = true;
  }

  /** @param {Protocol.Page.frameRequestedNavigationPayload} event */
  #asked({ disposition }) {
    if (disposition === "currentTab") this.leaving = true;
  }

  /** @param {Protocol.Page.frameScheduledNavigationPayload} event */
  #scheduled({ delay, url }) {
    const ms = delay * 1_000;
    const elsewhere = url.split("#")[0] !== this.url?.split("#")[0];
    if (elsewhere && ms <= LIMITS.settleRefreshMs) this.refreshMs = ms + 100;
  }

  #stopped() {
    this.leaving = false;
  }

  /** @param {Protocol.Network.requestWillBeSentPayload} event */
  #requested({ requestId, loaderId, type, request }) {
    if (type !== "Document") return;
    this.#request = requestId;
    this.url = request.url;
    this.method = request.method;
    this.#methods.set(loaderId, request.method);
    this.received = false;
    this.documentBytes = 0;
  }

  /**
   * What a form or a service worker brings is as the page before it wanted it, not what another
   * visitor of the address would get.
   * @param {Protocol.Network.responseReceivedPayload} event
   */
  #responded({ loaderId, type, response }) {
    const asAnybody = this.#methods.get(loaderId) === "GET" && !response.fromServiceWorker;
    if (type === "Document" && asAnybody) this.#servedAt.set(loaderId, response.url);
  }

  /** @param {Protocol.Network.dataReceivedPayload} event */
  #data({ requestId, dataLength }) {
    this.totalBytes += dataLength;
    if (requestId === this.#request) this.documentBytes += dataLength;
    if (this.tooLarge) this.changed();
  }
}
