// A classic script in <head>: the theme must be on the page before the first paint.
// It owns the whole rule (stored choice, system preference); the app calls window.nexusTheme.
(() => {
  const KEY = "nexus.theme";
  const CHOICES = ["system", "light", "dark", "sepia"];
  const BAR_COLOR = { light: "#faf8f4", dark: "#1a1815", sepia: "#f5ecd7" };
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  let choice = "system";

  function read() {
    try {
      const stored = localStorage.getItem(KEY);
      return CHOICES.includes(stored) ? stored : "system";
    } catch {
      return choice; // Storage may be blocked; the choice then lasts as long as the page.
    }
  }

  function apply() {
    const shown = choice === "system" ? (prefersDark.matches ? "dark" : "light") : choice;
    document.documentElement.dataset.theme = shown;
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", BAR_COLOR[shown]);
  }

  function set(next) {
    choice = CHOICES.includes(next) ? next : "system";
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // See read().
    }
    apply();
  }

  choice = read();
  apply();
  prefersDark.addEventListener("change", apply);
  window.addEventListener("storage", (event) => {
    if (event.key !== KEY && event.key !== null) return;
    choice = read();
    apply();
  });
  window.nexusTheme = { get: () => choice, set };
})();
