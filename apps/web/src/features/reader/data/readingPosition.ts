import { type KeptPosition, putPosition } from "../../../api/reading";
import { forget, keep, keptKeys, readKept } from "../../../ui/localStore";
import type { TextSpace } from "../text/textSpace";

const MAX_KEPT = 300;
const SEND_AFTER_MS = 2_000;

interface Place {
  /** Code-point offset of the first text on the screen, whatever the size of the letters. */
  offset: number;
  /** The fragment, in a text of several. */
  fragment?: string;
  /** Offset of the end of what is on the screen of the same fragment. */
  seen?: number;
  at: number;
}

interface PositionOptions {
  userId: string;
  mediaId: string;
  /** Null for an item without text. */
  space: TextSpace | null;
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
    return (last && this.offsetOf(last)) || null;
  }

  /** Remembers the first offset on the screen, and the last one where that is known. */
  write(offset: number, seen: number | null = null): void {
    const written = this.placeOf(offset, seen);
    const here = this.here();
    const same = written.offset === here?.offset && written.fragment === here.fragment;
    if (same && (written.seen ?? 0) <= (here.seen ?? 0)) return;
    keep(this.key, { ...written, at: Date.now() } satisfies Place);
    this.sendSoon();
  }

  /** Sends what is not sent yet; the page may be about to close. */
  flush(): void {
    clearTimeout(this.timer);
    const here = this.here();
    if (!here || here.at <= this.sent) return;
    const { mediaId, space } = this.options;
    const fragmentId = here.fragment ?? space?.only;
    if (!fragmentId) return;
    putPosition(mediaId, {
      fragment_id: fragmentId,
      offset: here.offset,
      changed_at: new Date(here.at).toISOString(),
      ...(here.seen !== undefined && { seen_to: here.seen }),
    }).then(
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
    return this.prefix + (this.options.space?.only ?? this.options.mediaId);
  }

  private sendSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), SEND_AFTER_MS);
  }

  private here(): Place | null {
    const place = readKept(this.key) as Partial<Place> | null;
    if (typeof place?.offset !== "number" || typeof place.at !== "number") return null;
    const { offset, fragment, seen, at } = place;
    return {
      ...{ offset, at },
      ...(typeof fragment === "string" && { fragment }),
      ...(typeof seen === "number" && { seen }),
    };
  }

  private placeOf(offset: number, seen: number | null): Omit<Place, "at"> {
    const { space } = this.options;
    if (!space) return { offset };
    const last = seen === space.length ? startOfFragmentAt(space, space.length) : 0;
    // With the end of a book on the screen, its last fragment is there from its beginning.
    const place = space.placeOf(Math.max(offset, last));
    if (!place) return { offset };
    const { fragmentId } = place;
    return {
      offset: place.offset,
      ...(space.only === null && { fragment: fragmentId }),
      ...(seen !== null && { seen: seenIn(space, fragmentId, seen) }),
    };
  }

  private there(): Place | null {
    const { elsewhere } = this.options;
    if (!elsewhere) return null;
    const { fragment_id: fragment, offset, changed_at } = elsewhere;
    const place = { offset, fragment, at: Date.parse(changed_at) };
    return this.offsetOf(place) === null ? null : place;
  }

  /** Where a place is in the text that is read; null when that is another text by now. */
  private offsetOf({ offset, fragment }: Place): number | null {
    const { space } = this.options;
    const fragmentId = fragment ?? space?.only;
    if (!space || !fragmentId) return fragment ? null : offset;
    return space.offsetOf({ fragmentId, offset });
  }
}

function startOfFragmentAt(space: TextSpace, offset: number): number {
  const place = space.placeOf(offset);
  return place ? offset - place.offset : 0;
}

/** How far a fragment is seen, when the text is up to an offset. */
function seenIn(space: TextSpace, fragmentId: string, seen: number): number {
  const start = space.offsetOf({ fragmentId, offset: 0 }) ?? 0;
  const end = space.offsetOf({ fragmentId, offset: space.length }) ?? seen;
  return Math.min(seen, end) - start;
}
