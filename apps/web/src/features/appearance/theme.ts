// public/theme.js owns the theme, because it has to run before the first paint. This is its type.

export const THEMES = ["system", "light", "sepia", "dark"] as const;
export type ThemeChoice = (typeof THEMES)[number];

export const THEME_NAMES: Record<ThemeChoice, string> = {
  system: "System",
  light: "Light",
  sepia: "Sepia",
  dark: "Dark",
};

interface ThemeControl {
  get: () => ThemeChoice;
  set: (choice: ThemeChoice) => void;
}

declare global {
  interface Window {
    nexusTheme?: ThemeControl;
  }
}

/** The theme the person chose. */
export function chosenTheme(): ThemeChoice {
  return window.nexusTheme?.get() ?? "system";
}

/** Chooses a theme, shows it at once and keeps it on this device. */
export function chooseTheme(choice: ThemeChoice): void {
  window.nexusTheme?.set(choice);
}
