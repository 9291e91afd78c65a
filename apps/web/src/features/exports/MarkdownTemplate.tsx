import { useId } from "react";
import { LIMITS } from "../../api/schema";
import { Button } from "../../ui/Button";
import styles from "./Export.module.css";
import type { Template } from "./template";

/** How each Markdown file is written, for those who want it otherwise. */
export function MarkdownTemplate({ own, usual, write, reset }: Template) {
  const id = useId();
  return (
    <details className={styles.template}>
      <summary>
        Template
        <span className={styles.file}>{own === null ? "Default" : "Your own"}</span>
      </summary>
      <label htmlFor={id}>Each file is written by this template (Jinja)</label>
      <textarea
        id={id}
        rows={12}
        maxLength={LIMITS.template_length}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        value={own ?? usual ?? ""}
        aria-describedby={`${id}-hint`}
        onChange={(event) => write(event.target.value)}
      />
      <div className={styles.templateFoot}>
        <p id={`${id}-hint`} className={styles.use}>
          Your changes are kept in this browser.
        </p>
        <Button disabled={own === null} onClick={reset}>
          Reset to the default
        </Button>
      </div>
    </details>
  );
}
