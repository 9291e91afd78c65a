import { useQueryClient } from "@tanstack/react-query";
import { Button } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { Spinner } from "../../ui/Spinner";
import { KindIcon } from "./ItemRow";
import styles from "./Items.module.css";
import { shownAddress } from "./itemWords";
import { dismissSave, retrySave, type Save } from "./saves";

/** An address on its way to the server, or one that the server did not take. */
export function SaveRow({ save }: { save: Save }) {
  const client = useQueryClient();
  return (
    <li className={cx(styles.row, styles.saving)}>
      <KindIcon kind={save.kind} />
      <div className={styles.text}>
        <h2 className={cx(styles.title, styles.dimmed)}>{shownAddress(save.url)}</h2>
        {save.refusal === null ? (
          <p className={styles.state}>
            <Spinner /> Saving…
          </p>
        ) : (
          <div className={styles.stateLine}>
            <p className={cx(styles.state, styles.failed)}>Not saved: {save.refusal}</p>
            {save.worthRetrying && (
              <Button className={styles.remedy} onClick={() => void retrySave(client, save)}>
                Try again
              </Button>
            )}
            <Button
              className={styles.remedy}
              look="ghost"
              aria-label={`Dismiss ${save.url}`}
              onClick={() => dismissSave(save.key)}
            >
              Dismiss
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}
