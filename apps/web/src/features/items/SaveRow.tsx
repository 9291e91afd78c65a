import { useQueryClient } from "@tanstack/react-query";
import { Button } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { Spinner } from "../../ui/Spinner";
import { KindIcon } from "./ItemRow";
import styles from "./Items.module.css";
import { shownAddress } from "./itemWords";
import { type RowPlaceProps, rowProps } from "./rowPlace";
import line from "./StateLine.module.css";
import { dismissSave, retrySave, type Save } from "./saves";

/** An address on its way to the server, or one that the server did not take. */
export function SaveRow({ save, ...place }: { save: Save } & RowPlaceProps) {
  const client = useQueryClient();
  return (
    <li {...rowProps(place)} className={cx(styles.row, styles.saving)}>
      <span className={styles.tick}>
        <KindIcon kind={save.kind} />
      </span>
      <div className={styles.text}>
        <h2 className={cx(styles.title, styles.dimmed)}>{shownAddress(save.url)}</h2>
        {save.refusal === null ? (
          <p className={line.state}>
            <Spinner /> Saving…
          </p>
        ) : (
          <div className={line.stateLine}>
            <p className={cx(line.state, line.failed)}>Not saved: {save.refusal}</p>
            {save.worthRetrying && (
              <Button className={line.remedy} onClick={() => void retrySave(client, save)}>
                Try again
              </Button>
            )}
            <Button
              className={line.remedy}
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
