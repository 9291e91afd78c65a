import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Button, IconButton } from "./Button";
import { cx } from "./cx";
import styles from "./Toaster.module.css";
import { currentToasts, dismissToast, onToastsChange, type Toast } from "./toasts";

const SHOWN_FOR_MS = 6_000;
// Long enough to read it, change one's mind and get there; the server keeps undo open longer.
const WITH_ACTION_MS = 15_000;

/** The place where toasts appear; screen readers announce them as they come. */
export function Toaster() {
  const toasts = useSyncExternalStore(onToastsChange, currentToasts);
  return (
    <section className={styles.area} aria-label="Messages" aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    // Errors stay until they are dismissed: what went wrong must not slip by unread.
    if (held || toast.kind === "error") return;
    const shownFor = toast.action ? WITH_ACTION_MS : SHOWN_FOR_MS;
    const timer = setTimeout(() => dismissToast(toast.id), shownFor);
    return () => clearTimeout(timer);
  }, [held, toast]);
  const Icon = toast.kind === "error" ? CircleAlert : CircleCheck;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only stops the clock.
    <div
      className={cx(styles.toast, styles[toast.kind])}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={18} aria-hidden="true" />
      <p>{toast.text}</p>
      {toast.action && (
        <Button
          look="ghost"
          className={styles.action}
          onClick={() => {
            dismissToast(toast.id);
            toast.action?.run();
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton label="Dismiss" onClick={() => dismissToast(toast.id)}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
