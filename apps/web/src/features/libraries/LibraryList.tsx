import { Button } from "../../ui/Button";
import { SkeletonRows } from "../../ui/States";
import { LibraryRow } from "./LibraryRow";
import { useLibraries } from "./queries";
import styles from "./Sidebar.module.css";

/** The libraries one can go to, with their own loading and error states. */
export function LibraryList() {
  const libraries = useLibraries();
  if (libraries.data) {
    return (
      <ul className={styles.list}>
        {libraries.data.map((library) => (
          <LibraryRow key={library.id} library={library} />
        ))}
      </ul>
    );
  }
  if (libraries.isError) {
    return (
      <div role="alert" className={styles.problem}>
        <p>Could not load your libraries.</p>
        <Button pending={libraries.isFetching} onClick={() => libraries.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.loading}>
      <SkeletonRows rows={4} label="Loading your libraries" />
    </div>
  );
}
