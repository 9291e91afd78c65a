import { describe, expect, it } from "vitest";
import { randomFrom } from "../testRandom";
import { newestFirst, type Span, segmentAt, segmentsOf } from "./segments";

const COLORS = ["yellow", "green", "blue", "pink", "purple"];

function span(id: string, start: number, end: number, second: number, color = "yellow"): Span {
  const createdAt = `2026-11-01T00:00:${String(second).padStart(2, "0")}Z`;
  return { id, start, end, color, createdAt };
}

/** Random overlapping spans; few moments, so that ties happen. */
function randomSpans(seed: number, count: number, length: number): Span[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, index) => {
    const start = random(length - 1);
    const end = start + 1 + random(Math.min(length - start, 60));
    return span(`id-${index}`, start, Math.min(end, length), random(20), COLORS[random(5)]);
  });
}

/** What the specification says about one offset, the slow way. */
function activeAt(spans: Span[], offset: number): Span[] {
  return newestFirst(spans.filter(({ start, end }) => start <= offset && offset < end));
}

describe("segmentsOf", () => {
  it("cuts at each edge and keeps every id, the newest first", () => {
    const spans = [span("a", 0, 10, 1, "yellow"), span("b", 4, 6, 2, "blue")];
    expect(segmentsOf(spans)).toEqual([
      { start: 0, end: 4, ids: ["a"], color: "yellow" },
      { start: 4, end: 6, ids: ["b", "a"], color: "blue" },
      { start: 6, end: 10, ids: ["a"], color: "yellow" },
    ]);
  });

  it("gives a tie in time to the smaller id", () => {
    const spans = [span("b", 0, 4, 1, "blue"), span("a", 0, 4, 1, "pink")];
    expect(segmentsOf(spans)).toEqual([{ start: 0, end: 4, ids: ["a", "b"], color: "pink" }]);
  });

  it("tells moments apart that differ by a microsecond, with or without a fraction", () => {
    const at = (id: string, createdAt: string) => ({ ...span(id, 0, 1, 0), createdAt });
    const order = newestFirst([
      at("a", "2026-11-01T00:00:01Z"),
      at("b", "2026-11-01T00:00:01.000001Z"),
      at("c", "2026-11-01T00:00:00.999999Z"),
      at("d", "2026-11-01T00:00:01.0001Z"),
    ]);
    expect(order.map(({ id }) => id)).toEqual(["d", "b", "a", "c"]);
  });

  it("answers nothing for nothing, and leaves out empty spans", () => {
    expect(segmentsOf([])).toEqual([]);
    expect(segmentsOf([span("a", 5, 5, 1), span("b", 6, 2, 1)])).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "agrees with the definition at every offset (seed %i)",
    (seed) => {
      const length = 400;
      const spans = randomSpans(seed, 100, length);
      const segments = segmentsOf(spans);
      for (let i = 1; i < segments.length; i += 1) {
        expect(segments[i]?.start).toBeGreaterThanOrEqual(segments[i - 1]?.end ?? 0);
      }
      for (let offset = 0; offset < length; offset += 1) {
        const expected = activeAt(spans, offset);
        const found = segmentAt(segments, offset);
        expect(found?.ids ?? []).toEqual(expected.map(({ id }) => id));
        expect(found?.color).toBe(expected[0]?.color);
      }
    },
  );

  it.each([11, 12, 13])("removing any one leaves the others as they were (seed %i)", (seed) => {
    const spans = randomSpans(seed, 100, 500);
    const before = segmentsOf(spans);
    for (const removed of spans) {
      const after = segmentsOf(spans.filter((one) => one !== removed));
      for (let offset = 0; offset < 500; offset += 1) {
        const kept = segmentAt(before, offset)?.ids.filter((id) => id !== removed.id) ?? [];
        expect(segmentAt(after, offset)?.ids ?? []).toEqual(kept);
      }
    }
  });

  it("does not depend on the order the spans come in", () => {
    const spans = randomSpans(21, 80, 300);
    expect(segmentsOf([...spans].reverse())).toEqual(segmentsOf(spans));
  });
});
