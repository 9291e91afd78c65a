import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { IconButton } from "./Button";
import { cx } from "./cx";
import styles from "./Menu.module.css";

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
}

/** A button that opens a short list of actions, above everything else on the page. */
export function Menu({ label, items }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

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
        <Ellipsis size={18} aria-hidden="true" />
      </IconButton>
      <div
        ref={popup}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={styles.menu}
        onBeforeToggle={(event) => {
          if (event.newState === "open") placeBelow(popup.current, button.current, items.length);
        }}
        onToggle={(event) => {
          const opened = event.newState === "open";
          setOpen(opened);
          if (opened) menuItems(popup.current)[0]?.focus();
        }}
        onKeyDown={moveFocus}
      >
        {items.map((item) => {
          const common = {
            role: "menuitem",
            tabIndex: -1,
            className: cx(styles.item, item.danger && styles.danger),
            onClick: () => select(item),
          };
          return item.href ? (
            <a key={item.label} href={item.href} target="_blank" rel="noreferrer" {...common}>
              {item.icon}
              {item.label}
            </a>
          ) : (
            <button key={item.label} type="button" {...common}>
              {item.icon}
              {item.label}
            </button>
          );
        })}
      </div>
    </>
  );
}

const MENU_WIDTH = 208;
const ITEM_HEIGHT = 44;

/** Puts the popup under its button, kept inside the window. */
function placeBelow(popup: HTMLElement | null, button: HTMLElement | null, items: number): void {
  if (!popup || !button) return;
  const box = button.getBoundingClientRect();
  const left = Math.min(box.left, window.innerWidth - MENU_WIDTH - 8);
  popup.style.left = `${Math.max(8, left)}px`;
  const fitsBelow = box.bottom + items * ITEM_HEIGHT + 24 < window.innerHeight;
  popup.style.top = fitsBelow ? `${box.bottom + 4}px` : "auto";
  popup.style.bottom = fitsBelow ? "auto" : `${window.innerHeight - box.top + 4}px`;
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
