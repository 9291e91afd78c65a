import { type ReactNode, useLayoutEffect, useRef } from "react";
import styles from "./Drawer.module.css";

interface DrawerProps {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** A panel that slides in from the side and keeps focus until it is closed. */
export function Drawer({ label, onClose, children }: DrawerProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // A layout effect: it closes before the element leaves the page, so focus can go back.
  useLayoutEffect(() => {
    const drawer = ref.current;
    drawer?.showModal();
    return () => drawer?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape already closes a modal dialog.
    <dialog
      ref={ref}
      className={styles.drawer}
      aria-label={label}
      onCancel={(event) => {
        // Dialogs opened from the drawer pass their own cancel event up to here.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {children}
    </dialog>
  );
}
