import { expect, it } from "vitest";
import { currentToasts, dismissToast, onToastsChange, showToast } from "./toasts";

it("keeps the newest three, in order, and lets go of one", () => {
  let changes = 0;
  const stop = onToastsChange(() => {
    changes += 1;
  });
  for (const text of ["one", "two", "three", "four"]) showToast(text);
  const texts = () => currentToasts().map((toast) => toast.text);
  expect(texts()).toEqual(["two", "three", "four"]);
  dismissToast(currentToasts()[1]?.id ?? -1);
  expect(texts()).toEqual(["two", "four"]);
  expect(changes).toBe(5);
  stop();
  showToast("five");
  expect(changes).toBe(5);
});
