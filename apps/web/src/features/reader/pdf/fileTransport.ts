import { PDFDataRangeTransport } from "pdfjs-dist/legacy/build/pdf.mjs";
import { FIRST_BYTES, type FileRanges } from "./fileRanges";

/** What is asked for at once, at least; small ranges cost a round trip each. */
export const CHUNK_BYTES = 1 << 18;
const MAX_AT_ONCE = 6;
/** So much of the end, at least, is on its way before it is asked for. */
const END_BYTES = 1 << 16;

interface Wanted {
  readonly begin: number;
  readonly end: number;
}

/** Hands pdf.js the parts of a stored file that it asks for. */
export class FileTransport extends PDFDataRangeTransport {
  private readonly waiting: Wanted[] = [];
  private running = 0;

  private constructor(
    length: number,
    start: Uint8Array | null,
    isWhole: boolean,
    private readonly end: End | null,
    private readonly file: FileRanges,
    private readonly onError: (error: unknown) => void,
  ) {
    super(length, start, isWhole);
    if (end) this.count(end.bytes);
  }

  /** The beginning of the file tells how long it is and whether parts of it can be had. */
  static async open(
    file: FileRanges,
    beginning: Promise<Response>,
    onError: (error: unknown) => void,
  ): Promise<{ transport: FileTransport; hasRanges: boolean }> {
    const response = await beginning;
    const length = response.status === 206 ? totalOf(response) : null;
    if (length !== null) {
      const end = length > FIRST_BYTES ? endOf(file, length) : null;
      const start = new Uint8Array(await response.arrayBuffer());
      const isWhole = start.length >= length;
      return {
        transport: new FileTransport(length, start, isWhole, end, file, onError),
        hasRanges: !isWhole,
      };
    }
    // A part of unknown length is of no use.
    const whole = response.status === 206 ? await file.get(null) : response;
    const bytes = new Uint8Array(await whole.arrayBuffer());
    const transport = new FileTransport(bytes.length, bytes, true, null, file, onError);
    return { transport, hasRanges: false };
  }

  override requestDataRange(begin: number, end: number): void {
    this.waiting.push({ begin, end });
    this.next();
  }

  override abort(): void {
    this.waiting.length = 0;
    this.file.close();
  }

  private next(): void {
    if (this.running >= MAX_AT_ONCE) return;
    const wanted = this.waiting.shift();
    if (!wanted) return;
    this.count(this.load(wanted));
    this.next();
  }

  private count(request: Promise<unknown>): void {
    this.running += 1;
    request.catch(this.onError).finally(() => {
      this.running -= 1;
      this.next();
    });
  }

  private async load(wanted: Wanted): Promise<void> {
    this.onDataRange(wanted.begin, (await this.inEnd(wanted)) ?? (await read(this.file, wanted)));
  }

  private async inEnd({ begin, end }: Wanted): Promise<Uint8Array | null> {
    if (!this.end || begin < this.end.begin) return null;
    const bytes = await this.end.bytes;
    return bytes?.slice(begin - this.end.begin, end - this.end.begin) ?? null;
  }
}

interface End {
  readonly begin: number;
  /** Null when they did not come. */
  readonly bytes: Promise<Uint8Array | null>;
}

/** The end of a file says where everything in it is, so that pdf.js begins there. */
function endOf(file: FileRanges, length: number): End {
  const aligned = Math.floor((length - END_BYTES) / CHUNK_BYTES) * CHUNK_BYTES;
  const begin = Math.max(FIRST_BYTES, aligned);
  return { begin, bytes: read(file, { begin, end: length }).catch(() => null) };
}

async function read(file: FileRanges, { begin, end }: Wanted): Promise<Uint8Array> {
  const response = await file.get(`${begin}-${end - 1}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return response.status === 206 ? bytes : bytes.slice(begin, end);
}

/** The length of the whole file, from `Content-Range: bytes 0-9/1234`. */
function totalOf(response: Response): number | null {
  const total = /\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1];
  return total ? Number(total) : null;
}
