/** Where the cards in the margin go. Pure: numbers in, numbers out. */

export interface CardBox {
  readonly id: string;
  /** The top of the highlight's first line. */
  readonly anchor: number;
  readonly height: number;
}

export const CARD_GAP = 12;

/**
 * A top for each card, in the order given (that of the text): level with its line, or as near as
 * its neighbours leave room. The focused card keeps its line and the others make way.
 */
export function layoutCards(
  cards: readonly CardBox[],
  focusedId: string | null,
  gap = CARD_GAP,
): Map<string, number> {
  const tops = cards.map(({ anchor }) => Math.max(0, anchor));
  const focused = cards.findIndex(({ id }) => id === focusedId);
  if (focused > 0) {
    for (let i = focused - 1; i >= 0; i -= 1) {
      const room = (tops[i + 1] ?? 0) - gap - (cards[i]?.height ?? 0);
      tops[i] = Math.min(tops[i] ?? 0, room);
    }
  }
  // What was pushed past the top, or is in the way of the card before it, moves down.
  let floor = 0;
  for (const [i, card] of cards.entries()) {
    const top = Math.max(tops[i] ?? 0, floor);
    tops[i] = top;
    floor = top + card.height + gap;
  }
  return new Map(cards.map(({ id }, i) => [id, tops[i] ?? 0]));
}
