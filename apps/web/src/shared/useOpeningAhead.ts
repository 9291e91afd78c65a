import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { findItem } from "./itemCache";
import { type Kind, kindOf } from "./kinds";
import { beginOpening, giveUpOpening } from "./opening";
import { itemToRead } from "./paths";
import { loadAhead } from "./useLoaded";

/** Who rests on a link for this long may be about to follow it. */
const REST_MS = 80;
/** At most so many in so long a time: somebody who runs through a list opens none of it. */
const MOST = 10;
const WITHIN_MS = 10_000;

/** Loads what the pointer or focus rests on, so that it is there when it is opened. */
export function useOpeningAhead(): void {
  const client = useQueryClient();
  useEffect(() => {
    const ahead = new OpeningAhead(client);
    const over = ({ target }: Event) => ahead.restOn(itemAt(target));
    const press = ({ target }: Event) => ahead.open(itemAt(target));
    const events = [
      ["pointerover", over],
      ["focusin", over],
      ["pointerdown", press],
      ["click", press],
    ] as const;
    // Before anything else: following a link moves the focus.
    for (const [name, listener] of events) document.addEventListener(name, listener, true);
    return () => {
      for (const [name, listener] of events) document.removeEventListener(name, listener, true);
      ahead.stop();
    };
  }, [client]);
}

/** The item that a click there would open in the reader. */
function itemAt(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest("a") : null;
  return link && link.origin === window.location.origin ? itemToRead(link.pathname) : null;
}

export class OpeningAhead {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private resting: string | null = null;
  private asked: string | null = null;
  private times: number[] = [];

  constructor(private readonly client: QueryClient) {}

  /** The pointer or focus is on an item now, or on none. */
  restOn(id: string | null): void {
    if (id === this.resting) return;
    this.stop();
    this.resting = id;
    if (id === null || savesData()) return;
    this.timer = setTimeout(() => this.ask(id), REST_MS);
  }

  /** It is being opened. */
  open(id: string | null): void {
    clearTimeout(this.timer);
    if (id === null) return;
    if (id !== this.asked && !this.kindOf(id)?.fileFirst) this.load(id);
    // From now on it is wanted.
    this.asked = null;
    this.resting = id;
  }

  stop(): void {
    clearTimeout(this.timer);
    const isOpen = this.asked === itemToRead(window.location.pathname);
    if (this.asked !== null && !isOpen) giveUpOpening(this.client, this.asked);
    this.asked = null;
    this.resting = null;
  }

  private ask(id: string): void {
    const now = Date.now();
    this.times = this.times.filter((time) => now - time < WITHIN_MS);
    if (this.times.length >= MOST) return;
    this.times.push(now);
    this.asked = id;
    this.load(id);
  }

  private load(id: string): void {
    const reader = this.kindOf(id)?.loadReader;
    if (reader) void loadAhead(reader);
    beginOpening(this.client, id);
  }

  private kindOf(id: string): Kind | undefined {
    const item = findItem(this.client, id);
    return item && kindOf(item.kind);
  }
}

/** Does the person ask sites to be sparing? Not every browser can tell. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
