import { CircleAlert, Info } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "./cx";
import styles from "./Notice.module.css";

interface NoticeProps extends ComponentProps<"div"> {
  kind?: "info" | "error";
}

/** A message inside a form or page. Errors are announced when they appear. */
export function Notice({ kind = "info", children, ...rest }: NoticeProps) {
  const Icon = kind === "error" ? CircleAlert : Info;
  return (
    <div
      {...rest}
      role={kind === "error" ? "alert" : undefined}
      className={cx(styles.notice, styles[kind])}
    >
      <Icon size={18} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
