import type { ComponentProps, ReactNode } from "react";
import { Link } from "wouter";
import styles from "./Button.module.css";
import { cx } from "./cx";
import { Spinner } from "./Spinner";

type Look = "primary" | "secondary" | "ghost" | "danger";

interface ButtonProps extends ComponentProps<"button"> {
  look?: Look;
  /** Shows progress and refuses further clicks. */
  pending?: boolean;
  wide?: boolean;
}

/** The app's button with a text label. */
export function Button({
  look = "secondary",
  pending = false,
  wide = false,
  type = "button",
  disabled,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      className={cx(styles.button, styles[look], wide && styles.wide, className)}
    >
      {pending && <Spinner />}
      {children}
    </button>
  );
}

/** A link to another view that looks like a button. */
export function ButtonLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={cx(styles.button, styles.primary, styles.link)}>
      {children}
    </Link>
  );
}

interface IconButtonProps extends ComponentProps<"button"> {
  /** Said by screen readers and shown on hover. */
  label: string;
  pending?: boolean;
}

/** A square button with an icon only. */
export function IconButton({
  label,
  pending = false,
  type = "button",
  disabled,
  className,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      className={cx(styles.icon, className)}
    >
      {pending ? <Spinner /> : children}
    </button>
  );
}
