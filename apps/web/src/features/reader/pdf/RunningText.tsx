import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Outline } from "../../../api/media";
import { ErrorState, SkeletonRows } from "../../../ui/States";
import { ArticleColumn } from "../ArticleColumn";
import { fragmentsQuery } from "../data/queries";
import type { TextColumnProps } from "../Reader";
import styles from "../Reader.module.css";

interface RunningTextProps extends TextColumnProps {
  outline: Outline | null;
}

/** The text of a PDF, read as an article is. */
export function RunningText({ outline, ...column }: RunningTextProps) {
  const { data, error, isFetching, refetch } = useQuery(fragmentsQuery(column.media.id));
  const fragment = data?.[0];
  const pages = useMemo(
    () => outline?.pages.filter((page) => page.fragment_id === fragment?.id) ?? [],
    [outline, fragment],
  );
  if (fragment) return <ArticleColumn {...column} fragment={fragment} pages={pages} />;
  return (
    <div className={styles.article}>
      {error ? (
        <ErrorState error={error} retrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={12} label="Loading the text" />
      )}
    </div>
  );
}
