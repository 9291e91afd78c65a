import { Redirect } from "wouter";
import { MediaListSkeleton } from "../features/libraries/MediaList";
import { useLibraries } from "../features/libraries/queries";
import { ErrorState } from "../ui/States";
import { useTitle } from "../ui/useTitle";
import { NotFoundPage } from "./NotFoundPage";
import { paths } from "./paths";

/** "/" is a way to the default library. */
export function HomePage() {
  useTitle(undefined);
  const libraries = useLibraries();
  if (libraries.data) {
    const first = libraries.data[0];
    return first ? <Redirect to={paths.library(first.id)} replace /> : <NotFoundPage />;
  }
  if (libraries.isError) {
    return (
      <ErrorState
        level={1}
        error={libraries.error}
        retrying={libraries.isFetching}
        onRetry={() => libraries.refetch()}
      />
    );
  }
  return (
    <>
      <h1 className="visually-hidden">Your library</h1>
      <MediaListSkeleton />
    </>
  );
}
