import { ArrowDown } from "lucide-react";
import { type MouseEvent, useEffect, useLayoutEffect, useRef } from "react";
import { cx } from "../../../ui/cx";
import popover from "../../../ui/Popover.module.css";
import { usePlacement } from "../../../ui/placement";
import article from "../Article.module.css";
import { insideLinkAt } from "./insideLink";
import styles from "./NotePopover.module.css";
import { isPlain, type OpenNote } from "./useInsideLinks";

/** A raised number ends above the line it is in, which must stay readable. */
const LINE_GAP = 12;

interface NotePopoverProps {
  note: OpenNote;
  onJump: (offset: number, link: HTMLAnchorElement | null) => void;
  onClose: (note: OpenNote) => void;
}

/** A note of the text, beside the link that refers to it. */
export function NotePopover({ note, onJump, onClose }: NotePopoverProps) {
  const panel = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const link = useRef<HTMLElement>(note.link);
  useLayoutEffect(() => {
    // A clone of what the article shows: it went through the sanitizer already.
    words.current?.replaceChildren(note.content.cloneNode(true));
    // Focus returns to where it was when the panel opened.
    note.link.focus({ preventScroll: true });
    panel.current?.showPopover();
  }, [note]);
  usePlacement(panel, link, { open: true, align: "center", gap: LINE_GAP });
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  useExpanded(note.link);
  useCloseOutOfSight(note.link, panel);

  const jump = (offset: number) => {
    panel.current?.hidePopover();
    onJump(offset, note.link);
  };
  const onClick = (event: MouseEvent) => {
    const inside = insideLinkAt(event.target);
    if (!inside || !isPlain(event)) return;
    event.preventDefault();
    void Promise.resolve(note.text.targetOf(inside)).then(
      (offset) => offset !== null && jump(offset),
    );
  };
  return (
    <div
      ref={panel}
      popover="auto"
      role="dialog"
      aria-label={`Note ${note.label}`}
      tabIndex={-1}
      className={cx(popover.panel, styles.note)}
      dir={note.dir}
      onToggle={(event) => event.newState === "closed" && onClose(note)}
    >
      <span className={styles.label} aria-hidden="true">
        {note.label}
      </span>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links in it are what is clicked. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click. */}
      <div
        ref={words}
        className={cx(article.body, styles.words)}
        lang={note.lang}
        onClick={onClick}
      />
      <button type="button" dir="ltr" className={styles.go} onClick={() => jump(note.offset)}>
        <ArrowDown size={16} aria-hidden="true" />
        Go to note
      </button>
    </div>
  );
}

/** Tells screen readers that the note of a reference is open. */
function useExpanded(link: HTMLElement): void {
  useEffect(() => {
    link.setAttribute("aria-expanded", "true");
    return () => link.setAttribute("aria-expanded", "false");
  }, [link]);
}

/** A note without its reference beside it would hang in the air. */
function useCloseOutOfSight(link: HTMLElement, panel: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry && !entry.isIntersecting) panel.current?.hidePopover();
    });
    observer.observe(link);
    return () => observer.disconnect();
  }, [link, panel]);
}
