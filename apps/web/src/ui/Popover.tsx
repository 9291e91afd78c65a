import { type ReactNode, useId, useRef, useState } from "react";
import { IconButton } from "./Button";
import styles from "./Popover.module.css";
import { usePlacement } from "./placement";

interface PopoverProps {
  /** Names the button and the panel. */
  label: string;
  icon: ReactNode;
  /** Called with a function that closes the panel. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a panel below it, above everything else on the page. */
export function Popover({ label, icon, children }: PopoverProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  usePlacement(panel, button, { open, align: "end" });
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
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {open && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}
