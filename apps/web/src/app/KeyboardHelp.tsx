import { useState, useSyncExternalStore } from "react";
import {
  currentShortcuts,
  onShortcutsChange,
  type Shortcut,
  setShortcutsOn,
  shortcutsOn,
} from "../shared/shortcuts";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import styles from "./KeyboardHelp.module.css";

/** Every key that does something on the view behind it. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const shortcuts = useSyncExternalStore(onShortcutsChange, currentShortcuts);
  const [on, setOn] = useState(shortcutsOn);
  const groups = [...new Set(shortcuts.map((shortcut) => shortcut.group))];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {groups.map((group) => (
        <section key={group}>
          <h3 className={styles.group}>{group}</h3>
          <dl className={styles.keys}>
            {shortcuts
              .filter((shortcut) => shortcut.group === group)
              .map((shortcut) => (
                <div key={shortcut.label} className={styles.row}>
                  <dt>{shortcut.label}</dt>
                  <dd>
                    <Keys shortcut={shortcut} />
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => {
            setShortcutsOn(event.target.checked);
            setOn(event.target.checked);
          }}
        />
        Enable single-key shortcuts on this device
      </label>
      <div className={styles.actions}>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function Keys({ shortcut }: { shortcut: Shortcut }) {
  const shown = shortcut.shown ? [shortcut.shown] : shortcut.keys;
  return shown.map((key) => <kbd key={key}>{key}</kbd>);
}
