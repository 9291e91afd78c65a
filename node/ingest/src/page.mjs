/** The pages of a browser, each in a context of its own that no other article has touched or will. */

/**
 * @import { Browser } from "./browser-process.mjs"
 * @import { Session } from "./devtools.mjs"
 * @import { Protocol } from "../node_modules/playwright-core/types/protocol.js"
 *
 * @typedef {object} Page
 * @property {Session} session
 * @property {string} target Also the id of its main frame.
 * @property {() => Promise<unknown>} close
 */

/** Of a list of hosts that need no proxy. Chromium has loopback on it otherwise. */
export const NO_EXCEPTION = "<-loopback>";

// For the page's own scripts, in every frame of it.
const WITHOUT_WINDOWS_OR_WORKERS = `
  window.open = () => null;
  if (self.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register = async () => {};
`;

// Each begins stopped, before anything of it has run.
const ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

export class Pages {
  #browser;
  /** @type {Map<string, (page: {session: Session, target: string}) => void>} */
  #awaited = new Map(); // context → called with its first page

  /** @param {Browser} browser */
  constructor(browser) {
    this.#browser = browser;
  }

  /** Before any page is there. */
  async listen() {
    const { root } = this.#browser;
    root.on("Target.attachedToTarget", (event) => this.#attached(event));
    await root.send("Target.setAutoAttach", ATTACH);
  }

  /**
   * An empty page, in a context where everything goes through the proxy.
   * @param {string} proxyServer
   * @returns {Promise<Page>}
   */
  async open(proxyServer) {
    const { root } = this.#browser;
    const { browserContextId } = await root.send("Target.createBrowserContext", {
      disposeOnDetach: true,
      proxyServer,
      proxyBypassList: NO_EXCEPTION,
    });
    const close = () => {
      this.#awaited.delete(browserContextId);
      return root.send("Target.disposeBrowserContext", { browserContextId });
    };
    try {
      /** @type {Promise<{session: Session, target: string}>} */
      const attached = new Promise((resolve) => {
        this.#awaited.set(browserContextId, resolve);
      });
      await Promise.all([
        root.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId }),
        root.send("Target.createTarget", { url: "about:blank", browserContextId }),
      ]);
      const page = await attached;
      await this.#prepare(page.session);
      return { ...page, close };
    } catch (error) {
      close().catch(() => {});
      throw error;
    }
  }

  /**
   * The first page of a context is the article's. Windows that it opens are closed before they load anything,
   * and service workers never run; workers that belong to several pages do.
   * @param {Protocol.Target.attachedToTargetPayload} event
   */
  #attached({ sessionId, targetInfo: { type, targetId: target, browserContextId = "" } }) {
    const { root } = this.#browser;
    const session = this.#browser.session(sessionId);
    const awaited = this.#awaited.get(browserContextId);
    if (type === "service_worker") return;
    if (type !== "page") {
      this.#letRun(session);
      root.tell("Target.detachFromTarget", { sessionId });
    } else if (awaited) {
      this.#awaited.delete(browserContextId);
      awaited({ session, target });
    } else {
      this.#turnAway(session, target).catch(() => {});
    }
  }

  /**
   * A window nobody asked for. Its opener may share its process, which stands still until it runs.
   * @param {Session} session
   * @param {string} targetId
   */
  async #turnAway(session, targetId) {
    session.tell("Fetch.enable"); // what it asks for until it is closed is never sent
    await session.send("Runtime.runIfWaitingForDebugger");
    await this.#browser.root.send("Target.closeTarget", { targetId });
  }

  /**
   * A worker, which asks for things as its page does.
   * @param {Session} session
   */
  #letRun(session) {
    session.tell("Emulation.setUserAgentOverride", userAgent(this.#browser.major));
    session.tell("Runtime.runIfWaitingForDebugger");
  }

  /**
   * How the page, or a frame of it with a process of its own, appears and behaves. It runs from here on.
   * @param {Session} session
   */
  async #prepare(session) {
    // Workers that nobody waits for do not get to load anything while the page's clock is moved.
    session.on("Target.attachedToTarget", ({ sessionId, targetInfo: { type } }) => {
      const part = this.#browser.session(sessionId);
      if (type === "iframe") this.#prepare(part).catch(() => {});
      else this.#letRun(part);
    });
    await Promise.all([
      session.send("Page.enable"),
      session.send("Target.setAutoAttach", {
        ...ATTACH,
        filter: [{ type: "iframe" }, { type: "worker" }],
      }),
      // Trusted Types would forbid Readability to work on its own copy of the page.
      session.send("Page.setBypassCSP", { enabled: true }),
      session.send("Page.addScriptToEvaluateOnNewDocument", {
        source: WITHOUT_WINDOWS_OR_WORKERS,
        runImmediately: true,
      }),
      session.send("Emulation.setUserAgentOverride", userAgent(this.#browser.major)),
      session.send("Emulation.setLocaleOverride", { locale: "en-US" }),
      session.send("Emulation.setFocusEmulationEnabled", { enabled: true }),
      session.send("Emulation.setEmulatedMedia", {
        features: [{ name: "prefers-reduced-motion", value: "reduce" }],
      }),
      session.send("Runtime.runIfWaitingForDebugger"),
    ]);
  }
}

/** @param {string} major */
const userAgent = (major) => ({
  userAgent:
    "Mozilla/5.0 (X11; Linux x86_64; compatible; NexusBot/1.0) " +
    "AppleWebKit/537.36 (KHTML, like Gecko) " +
    `Chrome/${major}.0.0.0 Safari/537.36`,
  acceptLanguage: "en-US",
  userAgentMetadata: {
    mobile: false,
    model: "",
    architecture: "x86",
    platform: "Linux",
    platformVersion: "",
  },
});
