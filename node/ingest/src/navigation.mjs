/**
 * Follows what the page's main frame does, from the browser's events: which document is on show,
 * whether it has been parsed, whether it is about to leave for another one, how much it has sent.
 */

import { LIMITS } from "./limits.mjs";

export class Navigation {
  document; // loader id of the document on show
  address = null; // where it came from: asked for and answered on the network, whatever scripts say
  parsed = false; // its DOMContentLoaded has come
  expired = false; // its virtual time has run out
  leaving = false; // another document has been asked for
  unreachable = false; // it is the browser's own error page
  refreshMs = 0; // it announced to move on after this long
  url; // asked for last
  received = false; // its own bytes are all here
  count = 0; // documents shown so far
  documentBytes = 0; // decoded bytes of the document
  totalBytes = 0; // decoded bytes of everything

  #frame;
  #request;
  #methods = new Map(); // how a document was asked for, by loader id
  #answered = new Map(); // where it was answered
  #waiters = [];

  constructor(cdp, frame) {
    this.#frame = frame;
    const main = (handler) => (event) => {
      if ((event.frameId ?? event.frame?.id) !== this.#frame) return;
      handler(event);
      this.changed();
    };
    cdp.on(
      "Page.frameNavigated",
      main(({ frame: shown }) => this.#arrived(shown)),
    );
    cdp.on(
      "Page.lifecycleEvent",
      main((event) => this.#lifecycle(event)),
    );
    cdp.on(
      "Page.frameRequestedNavigation",
      main((event) => this.#asked(event)),
    );
    cdp.on(
      "Page.frameScheduledNavigation",
      main((event) => this.#scheduled(event)),
    );
    cdp.on(
      "Page.frameStoppedLoading",
      main(() => this.#stopped()),
    );
    cdp.on(
      "Network.requestWillBeSent",
      main((event) => this.#requested(event)),
    );
    cdp.on(
      "Network.responseReceived",
      main((event) => this.#responded(event)),
    );
    cdp.on("Network.dataReceived", (event) => this.#data(event));
    cdp.on("Network.loadingFinished", ({ requestId }) => {
      if (requestId === this.#request) this.received = true;
    });
    cdp.on("Emulation.virtualTimeBudgetExpired", () => {
      this.expired = true;
      this.changed();
    });
  }

  /** Resolves at the next event that can matter to anyone who waits. */
  change() {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  changed() {
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  get tooLarge() {
    return this.documentBytes > LIMITS.documentBytes || this.totalBytes > LIMITS.decodedBytes;
  }

  #arrived({ loaderId, unreachableUrl }) {
    this.document = loaderId;
    // One without an answer of its own was made by the document before it, and stays with it.
    this.address = this.#answered.get(loaderId) ?? this.address;
    this.unreachable = Boolean(unreachableUrl);
    this.count += 1;
    this.parsed = false;
    this.leaving = false;
    this.refreshMs = 0;
  }

  #lifecycle({ loaderId, name }) {
    if (name === "DOMContentLoaded" && loaderId === this.document) this.parsed = true;
  }

  #asked({ disposition }) {
    if (disposition === "currentTab") this.leaving = true;
  }

  #scheduled({ delay, url }) {
    const ms = delay * 1_000;
    const elsewhere = url.split("#")[0] !== this.url?.split("#")[0];
    if (elsewhere && ms <= LIMITS.settleRefreshMs) this.refreshMs = ms + 100;
  }

  #stopped() {
    this.leaving = false;
  }

  #requested({ requestId, loaderId, type, request }) {
    if (type !== "Document") return;
    this.#request = requestId;
    this.url = request.url;
    this.#methods.set(loaderId, request.method);
    this.received = false;
    this.documentBytes = 0;
  }

  /**
   * What a form or a service worker brings is as the page before it wanted it, so it is no answer
   * that another visitor of the address would get.
   */
  #responded({ loaderId, type, response }) {
    const asAnybody = this.#methods.get(loaderId) === "GET" && !response.fromServiceWorker;
    if (type === "Document" && asAnybody) this.#answered.set(loaderId, response.url);
  }

  #data({ requestId, dataLength }) {
    this.totalBytes += dataLength;
    if (requestId === this.#request) this.documentBytes += dataLength;
    if (this.tooLarge) this.changed();
  }
}
