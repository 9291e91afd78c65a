import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";
import styles from "./BackLink.module.css";
import { useBack } from "./back";

/** Leads where one came from; the browser's own step back, so that all is as it was. */
export function BackLink({ words = false }: { words?: boolean }) {
  const { href, label, go } = useBack();
  return (
    <Link
      href={href}
      className={words ? styles.words : styles.arrow}
      aria-label={label}
      title={words ? undefined : label}
      onClick={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <ArrowLeft size={words ? 16 : 20} aria-hidden="true" />
      {words && label}
    </Link>
  );
}
