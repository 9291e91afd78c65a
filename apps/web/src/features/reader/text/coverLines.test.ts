import { describe, expect, it } from "vitest";
import { randomFrom } from "../testRandom";
import { coverLinesOf, LANES, MORE } from "./coverLines";
import { type Span, segmentAt, segmentsOf } from "./segments";

function span(id: string, start: number, end: number, second: number, color = id): Span {
  return {
    id,
    start,
    end,
    color,
    createdAt: `2026-11-01T00:00:${String(second).padStart(2, "0")}Z`,
  };
}

const lines = (spans: Span[]) =>
  coverLinesOf(segmentsOf(spans), spans).map((lane) =>
    lane.map(({ start, end, color }) => `${start}-${end} ${color}`),
  );

describe("coverLinesOf", () => {
  it("has no line where nothing is covered", () => {
    expect(lines([span("a", 0, 5, 1), span("b", 5, 9, 2)])).toEqual([[], [], []]);
  });

  it("shows a highlight that a newer one covers wholly", () => {
    expect(lines([span("old", 4, 6, 1), span("new", 0, 10, 2)])).toEqual([["4-6 old"], [], []]);
  });

  it("keeps a highlight in its lane while others come and go", () => {
    const spans = [span("a", 0, 20, 1), span("b", 2, 9, 2), span("c", 0, 20, 3)];
    expect(lines(spans)).toEqual([["0-20 a"], ["2-9 b"], []]);
  });

  it("says that there is more where the lanes do not suffice", () => {
    const spans = [1, 2, 3, 4].map((second) => span(`s${second}`, 0, 10, second));
    spans.push(span("top", 0, 20, 9));
    expect(lines(spans)).toEqual([["0-10 s4"], ["0-10 s3"], [`0-10 ${MORE}`]]);
  });

  it.each([1, 2, 3, 4, 5])("agrees with the definition at every offset (seed %i)", (seed) => {
    const random = randomFrom(seed);
    const spans = Array.from({ length: 40 }, (_, index) => {
      const start = random(200);
      return span(`id-${index}`, start, start + 1 + random(40), random(20));
    });
    const segments = segmentsOf(spans);
    const lanes = coverLinesOf(segments, spans);
    for (let offset = 0; offset < 240; offset += 1) {
      const covered = segmentAt(segments, offset)?.ids.slice(1) ?? [];
      const shown = lanes.flatMap((lane) =>
        lane.filter(({ start, end }) => start <= offset && offset < end).map(({ color }) => color),
      );
      expect(shown).toHaveLength(Math.min(covered.length, LANES));
      expect(shown.includes(MORE)).toBe(covered.length > LANES);
      expect(new Set(shown).size).toBe(shown.length);
      for (const color of shown) if (color !== MORE) expect(covered).toContain(color);
    }
    for (const lane of lanes) {
      for (const [index, line] of lane.entries()) {
        expect(line.start).toBeGreaterThanOrEqual(lane[index - 1]?.end ?? 0);
      }
    }
  });
});
