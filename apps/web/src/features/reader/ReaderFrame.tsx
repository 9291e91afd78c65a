import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Redirect } from "wouter";
import { BackLink } from "../../shared/BackLink";
import { NotFoundPage } from "../../shared/NotFoundPage";
import { paths } from "../../shared/paths";
import { ErrorState } from "../../ui/States";
import { isItemGone } from "../items/queries";
import styles from "./ReaderPage.module.css";

/** What stands in place of a text, under a bar that leads back as the text's does. */
export function Framed({ children }: { children: ReactNode }) {
  return (
    <>
      <header className={styles.bar}>
        <BackLink />
      </header>
      {children}
    </>
  );
}

/** Why an item did not load. */
export function Failed({ query }: { query: UseQueryResult }) {
  if (isItemGone(query.error)) {
    return (
      <Framed>
        <NotFoundPage what="item" />
      </Framed>
    );
  }
  return (
    <Framed>
      <ErrorState
        level={1}
        error={query.error}
        retrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    </Framed>
  );
}

/** An item that was merged into another lives on there, with the place that was asked for. */
export function MovedTo({ id }: { id: string }) {
  const { search, hash } = window.location;
  return <Redirect to={paths.read(id) + search + hash} replace />;
}
