import { type KeptPosition, putPosition } from "../../../api/reading";
import { forget, keep, keptKeys, readKept } from "../../../ui/localStore";

const MAX_KEPT = 300;
const SEND_AFTER_MS = 2_000;

interface Place {
  /** Code-point offset of the first text on the screen, whatever the size of the letters. */
  offset: number;
  at: number;
}

interface PositionOptions {
  userId: string;
  mediaId: string;
  /** Null for an item without text. */
  fragmentId: string | null;
  /** What the server knew when the article was opened. */
  elsewhere: KeptPosition | null;
}

/** Where a person is in an article: on this device at once, and for their others soon after. */
export class ReadingPosition {
  private readonly prefix: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sent = 0;

  constructor(private readonly options: PositionOptions) {
    this.prefix = `nexus.position.${options.userId}.`;
  }

  /** The place written last, on whatever device that was. */
  read(): number | null {
    const here = this.here();
    const there = this.there();
    this.sent = there?.at ?? 0;
    // Written here while the server was out of reach.
    if (here && here.at > this.sent) this.sendSoon();
    const last = here && there ? (here.at >= there.at ? here : there) : (here ?? there);
    return last && last.offset > 0 ? last.offset : null;
  }

  write(offset: number): void {
    if (offset === this.here()?.offset) return;
    keep(this.key, { offset, at: Date.now() } satisfies Place);
    this.sendSoon();
  }

  /** Sends what is not sent yet; the page may be about to close. */
  flush(): void {
    clearTimeout(this.timer);
    const here = this.here();
    if (!here || here.at <= this.sent) return;
    const { mediaId, fragmentId } = this.options;
    if (fragmentId === null) return;
    const changed_at = new Date(here.at).toISOString();
    putPosition(mediaId, { fragment_id: fragmentId, offset: here.offset, changed_at }).then(
      (kept) => {
        this.sent = Math.max(here.at, Date.parse(kept.changed_at));
      },
      // It is kept here, and sent when the article is next opened or scrolled.
      () => undefined,
    );
  }

  /** Forgets the oldest places, so that they never fill the storage. */
  tidy(): void {
    const keys = keptKeys(this.prefix);
    if (keys.length <= MAX_KEPT) return;
    const age = (key: string) => (readKept(key) as Place | null)?.at ?? 0;
    keys.sort((a, b) => age(a) - age(b));
    for (const key of keys.slice(0, keys.length - MAX_KEPT)) forget(key);
  }

  private get key(): string {
    return this.prefix + (this.options.fragmentId ?? this.options.mediaId);
  }

  private sendSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), SEND_AFTER_MS);
  }

  private here(): Place | null {
    const place = readKept(this.key) as Partial<Place> | null;
    if (typeof place?.offset !== "number" || typeof place.at !== "number") return null;
    return { offset: place.offset, at: place.at };
  }

  private there(): Place | null {
    const { elsewhere, fragmentId } = this.options;
    if (!elsewhere || elsewhere.fragment_id !== fragmentId) return null;
    return { offset: elsewhere.offset, at: Date.parse(elsewhere.changed_at) };
  }
}
