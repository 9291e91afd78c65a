// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import { ArticleText } from "./articleText";

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** A long text whose blocks above the window turn out to be other than guessed. */
function opened() {
  const root = document.createElement("section");
  root.innerHTML = "<p>Some words.</p>";
  document.body.replaceChildren(root);
  const text = new ArticleText(root, { guessed: true });
  vi.spyOn(text, "firstLine").mockReturnValue(new DOMRect(0, 300, 100, 20));
  const moved = vi.spyOn(window, "scrollBy").mockImplementation(() => undefined);
  return { text, moved };
}

it("stays at a line while the heights above it become known", async () => {
  const { text, moved } = opened();
  text.scrollTo(0, 72);
  await frame();
  await frame();
  expect(moved.mock.calls.length).toBeGreaterThan(1);
  text.destroy();
});

it.each(["wheel", "touchmove", "pointerdown", "keydown"])(
  "does not bring back somebody who moves on with %s",
  async (input) => {
    const { text, moved } = opened();
    text.scrollTo(0, 72);
    window.dispatchEvent(new Event(input));
    await frame();
    await frame();
    expect(moved).not.toHaveBeenCalled();
  },
);

it("does not go back to the place before for somebody who glides to another", async () => {
  const { text, moved } = opened();
  text.scrollTo(0, 72);
  text.scrollTo(5, 72, "smooth");
  await frame();
  await frame();
  expect(moved).not.toHaveBeenCalled();
});
