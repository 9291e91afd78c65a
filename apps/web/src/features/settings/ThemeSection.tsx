import { useState } from "react";
import styles from "./Settings.module.css";
import { SettingsSection } from "./SettingsSection";
import { chooseTheme, chosenTheme, type ThemeChoice } from "./theme";

const THEMES: [ThemeChoice, string][] = [
  ["system", "System"],
  ["light", "Light"],
  ["sepia", "Sepia"],
  ["dark", "Dark"],
];

/** The choice of theme, each with a small picture of itself. */
export function ThemeSection() {
  const [choice, setChoice] = useState(chosenTheme);
  function choose(theme: ThemeChoice) {
    chooseTheme(theme);
    setChoice(theme);
  }
  return (
    <SettingsSection title="Appearance" lead="Kept on this device.">
      <fieldset className={styles.themes}>
        <legend className="visually-hidden">Theme</legend>
        {THEMES.map(([theme, label]) => (
          <label key={theme} className={styles.theme}>
            <input
              type="radio"
              name="theme"
              value={theme}
              className="visually-hidden"
              checked={choice === theme}
              onChange={() => choose(theme)}
            />
            <Swatch theme={theme} />
            {label}
          </label>
        ))}
      </fieldset>
    </SettingsSection>
  );
}

function Swatch({ theme }: { theme: ThemeChoice }) {
  const halves = theme === "system" ? ["light", "dark"] : [theme];
  return (
    <span className={styles.swatch} aria-hidden="true">
      {halves.map((half) => (
        <span key={half} data-theme={half} className={styles.half}>
          <span className={styles.glyphs}>Aa</span>
          <span className={styles.stroke} />
        </span>
      ))}
    </span>
  );
}
