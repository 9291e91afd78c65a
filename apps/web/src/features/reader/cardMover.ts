import type { CardBox } from "./text/layoutCards";

/** Above this many cards on their way at once, motion would cost more than it is worth. */
const MAX_ANIMATED = 100;
const MOVED_PER_FRAME = 150;

export interface Arrangement {
  boxes: readonly CardBox[];
  elements: ReadonlyMap<string, HTMLElement>;
  tops: ReadonlyMap<string, number>;
}

/** Moves cards to their places: those near the screen at once, the others a few with each frame. */
export class CardMover {
  private readonly placed = new WeakMap<HTMLElement, number>();
  private frame = 0;

  move(pane: HTMLElement, paneTop: number, { boxes, elements, tops }: Arrangement): void {
    this.stop();
    const isNear = (top: number) => Math.abs(paneTop + top - innerHeight / 2) < 1.5 * innerHeight;
    const far: (() => void)[] = [];
    let bottom = 0;
    for (const { id, height } of boxes) {
      const top = Math.round(tops.get(id) ?? 0);
      bottom = Math.max(bottom, top + height);
      const card = elements.get(id);
      const before = card && this.placed.get(card);
      if (!card || before === top) continue;
      const place = () => this.place(card, top);
      if (before === undefined || isNear(before) || isNear(top)) place();
      else far.push(place);
    }
    pane.style.minHeight = `${Math.ceil(bottom)}px`;
    pane.dataset.still = String(boxes.length > MAX_ANIMATED);
    this.moveLater(far);
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
  }

  private moveLater(places: readonly (() => void)[]): void {
    if (places.length === 0) return;
    this.frame = requestAnimationFrame(() => {
      for (const place of places.slice(0, MOVED_PER_FRAME)) place();
      this.moveLater(places.slice(MOVED_PER_FRAME));
    });
  }

  private place(card: HTMLElement, top: number): void {
    this.placed.set(card, top);
    card.style.transform = `translateY(${top}px)`;
  }
}
