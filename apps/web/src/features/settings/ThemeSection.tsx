import { useUser } from "../auth/session";
import { useTheme } from "../reader/data/preferences";
import styles from "./Settings.module.css";
import { SettingsSection } from "./SettingsSection";
import { THEMES, type ThemeChoice } from "./theme";

const NAMES = { system: "System", light: "Light", sepia: "Sepia", dark: "Dark" };

/** The choice of theme, each with a small picture of itself. */
export function ThemeSection() {
  const [choice, choose] = useTheme(useUser().id);
  return (
    <SettingsSection title="Appearance" lead="Kept with your account, on every device.">
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
            {NAMES[theme]}
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
