import { Copy, FileText, Hash, TextSelect, Trash2 } from "lucide-react";
import type { CopyFormat } from "../../api/highlights";
import type { Media } from "../../api/types";
import type { Unplaced } from "../../api/unplaced";
import { copyText } from "../../shared/copyText";
import { Button, IconButton } from "../../ui/Button";
import { Menu } from "../../ui/Menu";
import { showToast } from "../../ui/toasts";
import { useDelete } from "./queries";
import styles from "./Unplaced.module.css";
import { unplacedText } from "./unplacedText";

interface UnplacedCardProps {
  one: Unplaced;
  media: Media;
  /** Has the person choose its passage; only where there is a text. */
  onPlace?: ((one: Unplaced) => void) | undefined;
}

/** One highlight or note that has no place in the text. */
export function UnplacedCard({ one, media, onPlace }: UnplacedCardProps) {
  const remove = useDelete(media.id);
  const what = one.quote || one.note || "";
  const short = what.length > 40 ? `${what.slice(0, 40)}…` : what;
  return (
    <li className={styles.card} data-color={one.color ?? undefined} data-unplaced-id={one.id}>
      {one.quote && (
        <blockquote className={styles.quote} dir="auto">
          {one.quote}
        </blockquote>
      )}
      {one.note && (
        <p className={styles.note} dir="auto">
          <span className="visually-hidden">Note: </span>
          {one.note}
        </p>
      )}
      <div className={styles.foot}>
        {one.page && <span className={styles.page}>p. {one.page}</span>}
        <span className={styles.buttons}>
          {onPlace && one.quote && (
            <Button
              className={styles.place}
              aria-label={`Place it: ${short}`}
              onClick={() => onPlace(one)}
            >
              <TextSelect size={16} aria-hidden="true" />
              Place it
            </Button>
          )}
          <CopyOne one={one} media={media} label={`Copy: ${short}`} />
          <IconButton label={`Delete: ${short}`} onClick={() => void remove(one)}>
            <Trash2 size={17} aria-hidden="true" />
          </IconButton>
        </span>
      </div>
    </li>
  );
}

interface CopyOneProps {
  one: Unplaced;
  media: Media;
  label: string;
}

function CopyOne({ one, media, label }: CopyOneProps) {
  const copy = (format: CopyFormat) => async () => {
    try {
      await copyText(Promise.resolve(unplacedText(one, media, format)));
      showToast(format === "markdown" ? "Copied as Markdown" : "Copied as plain text");
    } catch {
      showToast("Not copied. Your browser did not allow it.", "error");
    }
  };
  return (
    <Menu
      label={label}
      icon={<Copy size={16} aria-hidden="true" />}
      items={[
        {
          label: "Copy as Markdown",
          icon: <Hash size={16} aria-hidden="true" />,
          onSelect: () => void copy("markdown")(),
        },
        {
          label: "Copy as plain text",
          icon: <FileText size={16} aria-hidden="true" />,
          onSelect: () => void copy("text")(),
        },
      ]}
    />
  );
}
