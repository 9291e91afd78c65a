import { expect, it } from "vitest";
import type { HighlightOfMedia } from "../../api/highlights";
import { groupByArticle } from "./groups";

const highlight = (id: string, media_id: string, media_title = `Title ${media_id}`) =>
  ({ id, media_id, media_title }) as HighlightOfMedia;

it("keeps articles in the order of their newest highlight", () => {
  const groups = groupByArticle([
    highlight("h4", "b"),
    highlight("h3", "a"),
    highlight("h2", "b"),
    highlight("h1", "c", "  "),
  ]);
  expect(groups.map(({ title, highlights }) => [title, highlights.map(({ id }) => id)])).toEqual([
    ["Title b", ["h4", "h2"]],
    ["Title a", ["h3"]],
    ["Untitled", ["h1"]],
  ]);
});
