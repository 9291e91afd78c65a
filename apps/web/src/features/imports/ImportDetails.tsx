import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";
import { ApiError } from "../../api/errors";
import type { Import } from "../../api/imports";
import { NotFoundPage } from "../../shared/NotFoundPage";
import { paths } from "../../shared/paths";
import { ErrorState, SkeletonRows } from "../../ui/States";
import { Time } from "../../ui/Time";
import { useTitle } from "../../ui/useTitle";
import styles from "./Import.module.css";
import { Preview } from "./Preview";
import { Progress } from "./Progress";
import { useImport } from "./queries";

/** One import, from what is in the file to what became of it. */
export function ImportDetails({ id }: { id: string }) {
  const query = useImport(id);
  useTitle(query.data ? `Import of ${query.data.name}` : "Import");
  if (query.data) return <Shown one={query.data} />;
  if (query.isError) {
    const { error } = query;
    if (error instanceof ApiError && error.status === 404) return <NotFoundPage what="import" />;
    return (
      <ErrorState
        level={1}
        error={error}
        retrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  return (
    <div className={styles.page}>
      <SkeletonRows rows={6} label="Loading the import" />
    </div>
  );
}

function Shown({ one }: { one: Import }) {
  return (
    <div className={styles.page}>
      <header className={styles.intro}>
        <Link href={paths.import()} className={styles.back}>
          <ArrowLeft size={16} aria-hidden="true" />
          All imports
        </Link>
        <h1 className={styles.fileName}>{one.name}</h1>
        <p className={styles.meta}>
          <span>{one.format_label}</span>
          <Time at={one.created_at} />
        </p>
      </header>
      {one.state === "preview" ? <Preview one={one} /> : <Progress one={one} />}
    </div>
  );
}
