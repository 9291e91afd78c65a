/** The browser as a process that is talked to: starting it, noticing its end, and that nothing is left of it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { Connection } from "./devtools.mjs";
import { LIMITS } from "./limits.mjs";
import { Pages } from "./page.mjs";
import { limitAwake } from "./standstill.mjs";

const COMPLAINT_CHARS = 10_000;
const OUT_OF_HEAP = /V8 javascript OOM/;

export class Browser {
  #process;
  #profile;
  #connection;
  #complaints = "";
  /** Called when a page of it ran out of what its own heap may take, just before that page ends. */
  onOutOfHeap = () => {};
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
    this.#exited = once(this.#process, "exit").catch((error) => this.#complain(error.message)); // it never ran
    const [, , errors, output, input] = /** @type {any[]} */ (this.#process.stdio);
    createInterface({ input: errors }).on("line", (line) => this.#complain(line));
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
    let late = false;
    const stop = limitAwake(LIMITS.startBrowserMs, () => {
      late = true;
      this.#kill();
    });
    try {
      const version = this.root.send("Browser.getVersion");
      const [{ product }] = await Promise.all([version, this.pages.listen()]);
      this.major = /\/(\d+)/.exec(product)?.[1] ?? "";
    } catch {
      await this.#exited;
      await new Promise((resolve) => setImmediate(resolve)); // its last words come by another pipe
      throw new Error(this.#complaints.trim() || (late ? "it did not respond" : this.#ending()));
    } finally {
      stop();
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

  /** Of a browser that said nothing. */
  #ending() {
    const { exitCode, signalCode } = this.#process;
    return `it ended at once, ${signalCode ? `by ${signalCode}` : `with status ${exitCode}`}`;
  }

  /** @param {string} line */
  #complain(line) {
    this.#complaints = `${this.#complaints}${line}\n`.slice(0, COMPLAINT_CHARS);
    if (OUT_OF_HEAP.test(line)) this.onOutOfHeap();
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
