/**
 * The browser's own protocol, over a pair of pipes: commands and their results, and events. Each page
 * has a session of its own, and so has the browser itself.
 */

/**
 * @import { Readable, Writable } from "node:stream"
 * @import { Protocol } from "../node_modules/playwright-core/types/protocol.js"
 *
 * @typedef {{id?: number, sessionId?: string, method: string, params?: any, result?: any, error?: {message: string}}} Message
 * @typedef {{resolve: (result: any) => void, reject: (error: Error) => void}} Waiting
 */

const END = 0; // of every message

export class Connection {
  #output;
  #last = 0;
  /** @type {Buffer[]} */
  #parts = []; // of a message that has not come to its end
  /** @type {Map<string, Session>} */
  #sessions = new Map();
  /** Of the browser itself. */
  root = new Session(this, "");
  open = true;
  /** @type {Promise<void>} */
  closed;

  /**
   * @param {Writable} output
   * @param {Readable} input
   */
  constructor(output, input) {
    this.#output = output;
    output.on("error", () => {}); // the other pipe ends as well
    input.on("data", (chunk) => this.#read(chunk));
    this.closed = new Promise((resolve) => {
      input.once("close", () => resolve(this.#close()));
    });
    this.#sessions.set("", this.root);
    this.root.on("Target.attachedToTarget", (event) => this.#attached(event));
    this.root.on("Target.detachedFromTarget", (event) => this.#detached(event));
  }

  /**
   * The session of a target that was attached to.
   * @param {string} id
   */
  session(id) {
    const session = this.#sessions.get(id);
    if (!session) throw new Error("the session has been closed");
    return session;
  }

  /**
   * Returns the number of the message, under which its result will come.
   * @param {{sessionId?: string, method: string, params?: object}} message
   */
  write(message) {
    this.#last += 1;
    this.#output.write(`${JSON.stringify({ id: this.#last, ...message })}\0`);
    return this.#last;
  }

  /** @param {Buffer} chunk */
  #read(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(END); end >= 0; end = chunk.indexOf(END, start)) {
      this.#parts.push(chunk.subarray(start, end));
      const text = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
      this.#parts = [];
      start = end + 1;
      this.#received(JSON.parse(text.toString()));
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
  }

  /** @param {Message} message */
  #received({ sessionId = "", ...message }) {
    this.#sessions.get(sessionId)?.receive(message);
  }

  /** @param {Protocol.Target.attachedToTargetPayload} event */
  #attached({ sessionId }) {
    const session = new Session(this, sessionId);
    this.#sessions.set(sessionId, session);
    // Frames of a page with a process of their own belong to it.
    session.on("Target.attachedToTarget", (event) => this.#attached(event));
    session.on("Target.detachedFromTarget", (event) => this.#detached(event));
  }

  /** @param {Protocol.Target.detachedFromTargetPayload} event */
  #detached({ sessionId }) {
    this.#sessions.get(sessionId)?.end("the session has been closed");
    this.#sessions.delete(sessionId);
  }

  #close() {
    this.open = false;
    for (const session of this.#sessions.values()) session.end("the browser has been closed");
    this.#sessions.clear();
  }
}

export class Session {
  #connection;
  #id;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** @type {Map<string, ((event: any) => void)[]>} */
  #listeners = new Map();
  /** @type {string | null} */
  #ended = null; // why nothing is answered any more

  /**
   * @param {Connection} connection
   * @param {string} id
   */
  constructor(connection, id) {
    this.#connection = connection;
    this.#id = id;
  }

  /**
   * The result of a command. Fails when its page, or the browser, is gone.
   * @template {keyof Protocol.CommandParameters} Name
   * @param {Name} method
   * @param {Protocol.CommandParameters[Name]} [params]
   * @returns {Promise<Protocol.CommandReturnValues[Name]>}
   */
  send(method, params) {
    return new Promise((resolve, reject) => {
      if (this.#ended) throw new Error(this.#ended);
      const id = this.#connection.write({ sessionId: this.#id || undefined, method, params });
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /**
   * The same of a command whose failure would change nothing, or is noticed elsewhere.
   * @template {keyof Protocol.CommandParameters} Name
   * @param {Name} method
   * @param {Protocol.CommandParameters[Name]} [params]
   */
  tell(method, params) {
    this.send(method, params).catch(() => {});
  }

  /**
   * @template {keyof Protocol.Events} Name
   * @param {Name} name
   * @param {(event: Protocol.Events[Name]) => void} listener
   */
  on(name, listener) {
    const listeners = this.#listeners.get(name) ?? [];
    this.#listeners.set(name, [...listeners, listener]);
  }

  /** @param {Message} message */
  receive({ id, method, params, result, error }) {
    if (id === undefined) {
      for (const listener of this.#listeners.get(method) ?? []) listener(params);
      if (method === "Inspector.targetCrashed") this.end("the page crashed");
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }

  /**
   * Nothing is answered from now on.
   * @param {string} reason
   */
  end(reason) {
    this.#ended ??= reason;
    for (const { reject } of this.#waiting.values()) reject(new Error(reason));
    this.#waiting.clear();
  }
}
