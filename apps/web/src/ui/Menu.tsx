import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { IconButton } from "./Button";
import { cx } from "./cx";
import styles from "./Menu.module.css";
import { usePlacement } from "./placement";

export interface MenuItem {
  label: string;
  icon: ReactNode;
  danger?: boolean;
  onSelect?: () => void;
  /** Another site, opened in a tab of its own. */
  href?: string;
}

interface MenuProps {
  /** Names the button, for example "Actions for Essays". */
  label: string;
  items: MenuItem[];
  /** Three dots, unless all of the actions are of one sort. */
  icon?: ReactNode;
}

/** A button that opens a short list of actions, above everything else on the page. */
export function Menu({ label, items, icon }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  usePlacement(popup, button, { open, align: "start" });
  // After it was placed: what is not shown yet takes no focus.
  useEffect(() => {
    if (open) menuItems(popup.current)[0]?.focus();
  }, [open]);

  function select(item: MenuItem) {
    popup.current?.hidePopover();
    item.onSelect?.();
  }

  return (
    <>
      <IconButton
        ref={button}
        label={label}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
      >
        {icon ?? <Ellipsis size={18} aria-hidden="true" />}
      </IconButton>
      <div
        ref={popup}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={styles.menu}
        onToggle={(event) => setOpen(event.newState === "open")}
        onKeyDown={moveFocus}
      >
        {open &&
          items.map((item) => <Item key={item.label} item={item} onClick={() => select(item)} />)}
      </div>
    </>
  );
}

function Item({ item, onClick }: { item: MenuItem; onClick: () => void }) {
  const { icon, label, href, danger } = item;
  const common = {
    role: "menuitem",
    tabIndex: -1,
    className: cx(styles.item, danger && styles.danger),
    onClick,
  };
  return href ? (
    <a href={href} target="_blank" rel="noreferrer" {...common}>
      {icon}
      {label}
    </a>
  ) : (
    <button type="button" {...common}>
      {icon}
      {label}
    </button>
  );
}

function menuItems(popup: HTMLElement | null): HTMLElement[] {
  return [...(popup?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const items = menuItems(event.currentTarget);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const target = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (event.key === "Tab") event.currentTarget.hidePopover();
  if (target === undefined) return;
  event.preventDefault();
  items[target]?.focus();
}
