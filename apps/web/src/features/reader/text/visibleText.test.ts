import { expect, it } from "vitest";
import { randomFrom } from "../testRandom";
import { clip } from "./visibleText";

it.each([1, 2, 3, 4, 5])("clips to exactly what both hold (seed %i)", (seed) => {
  const random = randomFrom(seed);
  const disjoint = () => {
    const list: { start: number; end: number }[] = [];
    for (let at = random(10); at < 300; ) {
      const end = at + 1 + random(20);
      list.push({ start: at, end });
      at = end + random(12);
    }
    return list;
  };
  const offsets = (list: { start: number; end: number }[]) =>
    list.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i));
  const [segments, passages] = [disjoint(), disjoint()];
  const inPassages = new Set(offsets(passages));
  expect(offsets(clip(segments, passages))).toEqual(
    offsets(segments).filter((offset) => inPassages.has(offset)),
  );
});
