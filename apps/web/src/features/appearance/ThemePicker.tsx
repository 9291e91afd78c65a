import { useUser } from "../../shared/session";
import { useTheme } from "./preferences";
import styles from "./ThemePicker.module.css";
import { THEME_NAMES, THEMES, type ThemeChoice } from "./theme";

/** The choice of theme, each with a small picture of itself. */
export function ThemePicker() {
  const [choice, choose] = useTheme(useUser().id);
  return (
    <fieldset className={styles.themes}>
      <legend className="visually-hidden">Theme</legend>
      {THEMES.map((theme) => (
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
          {THEME_NAMES[theme]}
        </label>
      ))}
    </fieldset>
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
