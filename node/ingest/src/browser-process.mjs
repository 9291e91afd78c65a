/** The browser as a process that is talked to: starting it, noticing its end, and that nothing is left of it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Connection } from "./devtools.mjs";
import { LIMITS } from "./limits.mjs";
import { Pages } from "./page.mjs";

const COMPLAINT_CHARS = 10_000;

export class Browser {
  #process;
  #profile;
  #connection;
  #complaints = "";
  /** @type {Promise<unknown>} */
  #exited;
  /** Resolves when it has stopped, for whatever reason. */
  stopped;
  /** The first number of its version. */
  major = "";
  pages = new Pages(this);

  /**
   * @param {string} program
   * @param {{args: string[], env: NodeJS.ProcessEnv}} options
   */
  constructor(program, { args, env }) {
    this.#profile = mkdtempSync(join(tmpdir(), "browser-"));
    const own = [`--user-data-dir=${this.#profile}`, "--remote-debugging-pipe"];
    this.#process = spawn(program, [...args, ...own, "--no-startup-window"], {
      env,
      // A group of its own: ended as one, and not by a Ctrl-C that is meant for us.
      detached: true,
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    });
    this.#exited = once(this.#process, "exit").catch(() => {}); // an error: it never ran
    const [, , errors, output, input] = /** @type {any[]} */ (this.#process.stdio);
    errors.setEncoding("utf8").on("data", (/** @type {string} */ text) => this.#complain(text));
    this.#connection = new Connection(output, input);
    this.stopped = this.#connection.closed;
    this.stopped.then(() => this.close());
    process.on("exit", this.#kill);
  }

  /** The session of the browser itself. */
  get root() {
    return this.#connection.root;
  }

  /** @param {string} id */
  session(id) {
    return this.#connection.session(id);
  }

  isConnected() {
    return this.#connection.open;
  }

  /** Resolves when it responds; fails with what it wrote when it does not. */
  async started() {
    const timer = setTimeout(this.#kill, LIMITS.startBrowserMs);
    try {
      const version = this.root.send("Browser.getVersion");
      const [{ product }] = await Promise.all([version, this.pages.listen()]);
      this.major = /\/(\d+)/.exec(product)?.[1] ?? "";
    } catch {
      await this.#exited;
      throw new Error(this.#complaints.trim() || "it stopped at once");
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves when nothing of it is left. */
  async close() {
    if (this.isConnected()) {
      this.root.tell("Browser.close");
      const timer = setTimeout(this.#kill, LIMITS.closeBrowserMs);
      await this.stopped;
      clearTimeout(timer);
    }
    this.#kill();
    await this.#exited;
    process.off("exit", this.#kill);
    const patient = { recursive: true, force: true, maxRetries: 5 };
    await rm(this.#profile, patient).catch(() => {}); // it goes with our own directory, then
  }

  /** @param {string} text */
  #complain(text) {
    this.#complaints = (this.#complaints + text).slice(0, COMPLAINT_CHARS);
  }

  /** Its pages and helpers too, which may not have noticed yet. */
  #kill = () => {
    const { pid, exitCode, signalCode } = this.#process;
    if (!pid || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // They have.
    }
  };
}
