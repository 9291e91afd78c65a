import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { Button } from "./Button";
import styles from "./Dialog.module.css";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog with a title. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const titleId = useId();
  return (
    <Modal className={styles.dialog} labelledBy={titleId} onClose={onClose}>
      <div className={styles.body}>
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </Modal>
  );
}

interface ModalProps {
  className: string | undefined;
  label?: string;
  labelledBy?: string;
  onClose: () => void;
  children: ReactNode;
}

/** What has the page to itself as long as it is rendered. The browser keeps focus in and gives it back. */
export function Modal({ className, label, labelledBy, onClose, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // A layout effect: it closes before the element leaves the page, so focus can go back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape already closes a modal dialog.
    <dialog
      ref={ref}
      className={className}
      aria-label={label}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {children}
    </dialog>
  );
}

interface ConfirmDialogProps extends DialogProps {
  confirmLabel: string;
  pending: boolean;
  onConfirm: () => void;
}

/** Asks before something that cannot be undone. Focus starts on the harmless choice. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { confirmLabel, pending, onConfirm, onClose, children } = props;
  return (
    <Dialog title={props.title} onClose={onClose}>
      <div className={styles.text}>{children}</div>
      <div className={styles.actions}>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" pending={pending} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
