/** Every way an article can fail, as the caller sees it: a code and a sentence a person understands. */

export const EXIT_CODES = {
  timeout: 10,
  fetch_failed: 11,
  readability_failed: 12,
  too_much_memory: 13,
};

export class IngestError extends Error {
  /** @param {"timeout"|"fetch_failed"|"readability_failed"|"too_much_memory"} code */
  constructor(code, message) {
    super(message);
    this.name = "IngestError";
    this.code = code;
  }
}

export const timedOut = (message) => new IngestError("timeout", message);
export const fetchFailed = (message) => new IngestError("fetch_failed", message);
export const unreadable = (message) => new IngestError("readability_failed", message);
export const tooMuchMemory = () =>
  new IngestError("too_much_memory", "This page needs too much memory");
