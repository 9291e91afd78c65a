// @vitest-environment happy-dom
import { expect, it } from "vitest";
import type { Fragment } from "../../../api/fragments";
import type { Outline } from "../../../api/media";
import { BookOffsets } from "./bookOffsets";
import { BookText } from "./bookText";

const fragments = ["a", "b", "c"].map((id, idx) => ({ id, idx, label: null, length: 3 }));
const outline: Outline = { fragments, contents: [], pages: [], start: null, fixed_layout: false };

/** A book whose chapters come when they are told to. */
function opened() {
  const coming = new Map<string, (fragment: Fragment) => void>();
  const root = document.createElement("section");
  document.body.replaceChildren(root);
  const book = new BookText({
    ...{ root, outline, offsets: new BookOffsets(fragments), language: null },
    load: (id) => new Promise((resolve) => coming.set(id, resolve)),
    search: () => Promise.reject(new Error("nothing is searched")),
    cached: () => undefined,
    onError: () => undefined,
  });
  const come = (id: string) => coming.get(id)?.({} as Fragment);
  return { book, come };
}

it("leads to the place that was asked for last, whichever comes first", async () => {
  const { book, come } = opened();
  const third = book.ready(8);
  const second = book.ready(4);
  come("b");
  expect(await second).toBe(4);
  come("c");
  expect(await third).toBeNull();
  book.destroy();
});

it("does not lead away from where somebody went meanwhile", async () => {
  const { book, come } = opened();
  const third = book.ready(8);
  book.scrollTo(4, 72);
  come("c");
  expect(await third).toBeNull();
  book.destroy();
});
