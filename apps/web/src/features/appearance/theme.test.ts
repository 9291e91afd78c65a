// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { beforeEach, expect, it, vi } from "vitest";
import { chooseTheme, chosenTheme } from "./theme";

const script = readFileSync("public/theme.js", "utf8");
const shown = () => document.documentElement.dataset.theme;

function loadPage({ dark }: { dark: boolean }): void {
  vi.stubGlobal("matchMedia", () => ({ matches: dark, addEventListener: () => {} }));
  // The file is a classic script, so it runs the way a browser would run it.
  new Function(script)();
}

beforeEach(() => {
  localStorage.clear();
  document.documentElement.removeAttribute("data-theme");
});

it.each([
  [null, false, "system", "light"],
  [null, true, "system", "dark"],
  ["sepia", true, "sepia", "sepia"],
  ["light", true, "light", "light"],
  ["dark", false, "dark", "dark"],
  ["neon", true, "system", "dark"],
])("stored %s, system dark %s: chosen %s, shown %s", (stored, dark, chosen, theme) => {
  if (stored) localStorage.setItem("nexus.theme", stored);
  loadPage({ dark });
  expect(chosenTheme()).toBe(chosen);
  expect(shown()).toBe(theme);
});

it("keeps a choice for the next visit", () => {
  loadPage({ dark: false });
  chooseTheme("sepia");
  expect(shown()).toBe("sepia");
  loadPage({ dark: true });
  expect(chosenTheme()).toBe("sepia");
});

it("still changes the theme when storage is blocked", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("blocked");
    },
    setItem: () => {
      throw new Error("blocked");
    },
  });
  loadPage({ dark: false });
  chooseTheme("dark");
  expect(shown()).toBe("dark");
});
