/** Every way an article or a file can fail, as the caller sees it: a code and a sentence a person understands. */

export const EXIT_CODES = {
  timeout: 10,
  fetch_failed: 11,
  readability_failed: 12,
  too_much_memory: 13,
  interrupted: 14,
  is_file: 15,
  password: 16,
  invalid: 17,
  too_complex: 18,
};

export class IngestError extends Error {
  /**
   * @param {keyof typeof EXIT_CODES} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = "IngestError";
    this.code = code;
  }
}

/** @param {string} message */
export const timedOut = (message) => new IngestError("timeout", message);
/** @param {string} message */
export const fetchFailed = (message) => new IngestError("fetch_failed", message);
/** @param {string} message */
export const unreadable = (message) => new IngestError("readability_failed", message);
/**
 * A fault of ours, which says nothing about the page.
 * @param {string} message
 */
export const interrupted = (message) => new IngestError("interrupted", message);
export const tooMuchMemory = () =>
  new IngestError("too_much_memory", "This page needs too much memory");
/** @param {string} [message] */
export const tooComplex = (message = "This file needs too much memory.") =>
  new IngestError("too_complex", message);
export const pdfPassword = () => new IngestError("password", "This PDF has a password.");
/** @param {string} reason What pdf.js says. */
export const pdfInvalid = (reason) => new IngestError("invalid", reason);

/** The address leads to something that is no page. What it is, the caller finds out by its bytes. */
export class IsFile extends IngestError {
  /**
   * @param {string} message
   * @param {string} url
   */
  constructor(message, url) {
    super("is_file", message);
    this.url = url;
  }
}
