import { type ReactNode, useId, useRef, useState } from "react";
import { IconButton } from "./Button";
import styles from "./Popover.module.css";

interface PopoverProps {
  /** Names the button and the panel. */
  label: string;
  icon: ReactNode;
  /** Called with a function that closes the panel. */
  children: (close: () => void) => ReactNode;
}

const MARGIN = 8;

/** A button that opens a panel below it, above everything else on the page. */
export function Popover({ label, icon, children }: PopoverProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton ref={button} label={label} popoverTarget={id} aria-expanded={open}>
        {icon}
      </IconButton>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={styles.panel}
        onToggle={(event) => {
          setOpen(event.newState === "open");
          if (event.newState === "open") placeBelow(panel.current, button.current);
        }}
      >
        {open && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}

/** Puts the panel under its button, its right edge at the button's, kept inside the window. */
function placeBelow(panel: HTMLElement | null, button: HTMLElement | null): void {
  if (!panel || !button) return;
  const box = button.getBoundingClientRect();
  panel.style.top = `${box.bottom + MARGIN}px`;
  panel.style.right = `${Math.max(MARGIN, document.documentElement.clientWidth - box.right)}px`;
}
