import { describe, expect, it } from "vitest";
import { randomFrom } from "../testRandom";
import { CARD_GAP, type CardBox, layoutCards } from "./layoutCards";

const card = (id: string, anchor: number, height = 50): CardBox => ({ id, anchor, height });
const topsOf = (cards: CardBox[], focused: string | null = null, gap?: number) => [
  ...layoutCards(cards, focused, gap).values(),
];

function randomCards(seed: number, count: number): CardBox[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, i) =>
    card(`c${i}`, random(6000), 20 + random(200)),
  ).sort((a, b) => a.anchor - b.anchor);
}

describe("layoutCards", () => {
  it("puts a card level with its line when there is room", () => {
    expect(topsOf([card("a", 100), card("b", 400)])).toEqual([100, 400]);
  });

  it("pushes the next card down when lines are close", () => {
    expect(topsOf([card("a", 100), card("b", 120), card("c", 130)], null, 10)).toEqual([
      100, 160, 220,
    ]);
  });

  it("keeps the focused card at its line and moves the others away", () => {
    const cards = [card("a", 300), card("b", 320), card("c", 330)];
    expect(topsOf(cards, "c", 10)).toEqual([210, 270, 330]);
    expect(topsOf(cards, "b", 10)).toEqual([260, 320, 380]);
  });

  it("never goes above the top, not even for the focused card", () => {
    expect(topsOf([card("a", 0), card("b", 10), card("c", 20)], "c", 10)).toEqual([0, 60, 120]);
  });

  it.each([1, 2, 3, 4, 5, 6])("holds for random cards, focused or not (seed %i)", (seed) => {
    const cards = randomCards(seed, 120);
    for (const focused of [null, ...cards.map(({ id }) => id)]) {
      const tops = layoutCards(cards, focused);
      const top = (i: number) => tops.get(cards[i]?.id ?? "") ?? Number.NaN;
      for (const [i, { anchor, height, id }] of cards.entries()) {
        expect(top(i)).toBeGreaterThanOrEqual(0);
        const next = i + 1 < cards.length ? top(i + 1) : Number.POSITIVE_INFINITY;
        expect(next - (top(i) + height)).toBeGreaterThanOrEqual(CARD_GAP);
        const before = i > 0 ? top(i - 1) + (cards[i - 1]?.height ?? 0) : Number.NEGATIVE_INFINITY;
        const touched = Math.min(top(i) - before, next - (top(i) + height)) <= CARD_GAP + 0.001;
        if (id === focused && top(i) !== anchor) expect(top(0)).toBe(0);
        else expect(touched || top(i) === anchor).toBe(true);
      }
    }
  });
});
