import type { Media } from "../../api/types";
import { useBack } from "../../shared/back";
import { ItemMenu } from "../items/ItemMenu";
import { MarkButtons } from "./MarkButtons";
import styles from "./Triage.module.css";
import { useItemTriageKeys } from "./TriageKeys";

/** What can be done to the item that is open; on a small screen all of it is in the menu. */
export function ReaderTriage({ media }: { media: Media }) {
  const back = useBack();
  useItemTriageKeys(media);
  return (
    <>
      <span className={styles.readerMarks}>
        <MarkButtons media={media} size={20} />
      </span>
      <ItemMenu media={media} onRemoved={() => back.go(true)} />
    </>
  );
}
