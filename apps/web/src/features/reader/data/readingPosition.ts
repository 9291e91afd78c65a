import { forget, keep, keptKeys, readKept } from "../../../ui/localStore";

const MAX_KEPT = 300;

interface Place {
  /** Code-point offset of the first text on the screen, whatever the size of the letters. */
  offset: number;
  at: number;
}

/** Where a person was in each article, on this device. */
export class ReadingPosition {
  private readonly prefix: string;

  constructor(
    userId: string,
    private readonly fragmentId: string,
  ) {
    this.prefix = `nexus.position.${userId}.`;
  }

  read(): number | null {
    const place = readKept(this.prefix + this.fragmentId) as Partial<Place> | null;
    return typeof place?.offset === "number" && place.offset > 0 ? place.offset : null;
  }

  write(offset: number): void {
    keep(this.prefix + this.fragmentId, { offset, at: Date.now() } satisfies Place);
  }

  /** Forgets the oldest places, so that they never fill the storage. */
  tidy(): void {
    const keys = keptKeys(this.prefix);
    if (keys.length <= MAX_KEPT) return;
    const age = (key: string) => (readKept(key) as Place | null)?.at ?? 0;
    keys.sort((a, b) => age(a) - age(b));
    for (const key of keys.slice(0, keys.length - MAX_KEPT)) forget(key);
  }
}
