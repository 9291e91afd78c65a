import type { ReactNode } from "react";
import { Logo } from "../../ui/Logo";
import styles from "./Auth.module.css";
import { SamplePassage } from "./SamplePassage";

interface AuthLayoutProps {
  title: string;
  lead: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
}

/** The page around sign-in and sign-up: the form, and on wide screens a glimpse of the product. */
export function AuthLayout({ title, lead, children, footer }: AuthLayoutProps) {
  return (
    <div className={styles.page}>
      <main className={styles.main}>
        <div className={styles.column}>
          <Logo />
          <header className={styles.head}>
            <h1>{title}</h1>
            <p>{lead}</p>
          </header>
          {children}
          {footer && <p className={styles.footer}>{footer}</p>}
        </div>
      </main>
      <SamplePassage />
    </div>
  );
}
