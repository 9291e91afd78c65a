import type { FileLink } from "../../../api/media";

/** Many files are smaller, and are there with the first request. */
export const FIRST_BYTES = 1 << 19;

/** The file is not to be had, and asking again would not change that. */
export class FileGone extends Error {
  constructor(readonly status: number) {
    super("The file of this item is missing from storage.");
    this.name = "FileGone";
  }
}

export interface FileRangesOptions {
  /** A fresh link to the file; a link holds for minutes only, and is refused from then on. */
  fetchLink: (signal: AbortSignal) => Promise<FileLink>;
  /** Told when the file is out of reach, and when it is not any more. */
  onReachable: (reachable: boolean) => void;
  fetch?: typeof fetch;
  /** Waits; tests do not want to. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** Refusals in a row, each of a fresh link, after which it is not the link. */
const MAX_REFUSALS = 2;

/** Reads parts of a stored file, for as long as it takes: links expire and networks fail. */
export class FileRanges {
  private readonly abort = new AbortController();
  private link: Promise<FileLink> | null = null;

  constructor(private readonly options: FileRangesOptions) {}

  /** The response to a range of bytes, both ends included; a server may send the whole file. */
  async get(range: string | null): Promise<Response> {
    const { signal } = this.abort;
    let refusals = 0;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const response = await this.ask(range);
        if (response.ok) {
          this.options.onReachable(true);
          return response;
        }
        this.link = null;
        if (response.status < 500) refusals += 1;
        if (refusals >= MAX_REFUSALS) throw new FileGone(response.status);
        if (refusals > 0) continue;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof FileGone || !isPassing(error)) throw error;
        this.link = null;
      }
      this.options.onReachable(false);
      await (this.options.pause ?? wait)(pause, signal);
    }
  }

  /** The response to the beginning of the file. */
  begin(): Promise<Response> {
    return this.get(`0-${FIRST_BYTES - 1}`);
  }

  /** Gives up everything that is under way. */
  close(): void {
    this.abort.abort();
  }

  private async ask(range: string | null): Promise<Response> {
    const { signal } = this.abort;
    // One link for all that wait, until it is refused.
    this.link ??= this.options.fetchLink(signal);
    const { url } = await this.link;
    const headers = range ? { Range: `bytes=${range}` } : {};
    return (this.options.fetch ?? fetch)(url, { signal, headers, cache: "no-store" });
  }
}

/** The network failed, or the server did: neither says anything about the file. */
function isPassing(error: unknown): boolean {
  const { status } = error as { status?: number };
  return status === undefined || status === 0 || status >= 500;
}

/** Waits; less when the network comes back. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      window.removeEventListener("online", go);
      signal.removeEventListener("abort", fail);
    };
    const go = () => {
      stop();
      resolve();
    };
    const fail = () => {
      stop();
      reject(signal.reason);
    };
    const timer = setTimeout(go, ms);
    window.addEventListener("online", go);
    signal.addEventListener("abort", fail);
  });
}
