import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { openPanel } from "../../shared/panels";
import { paths } from "../../shared/paths";
import { ShelfArt } from "../../ui/Art";
import { Button, ButtonLink } from "../../ui/Button";
import { EmptyState } from "../../ui/States";
import { useLibraries } from "../libraries/queries";

/** The first thing a new shelf says. */
export function EmptyShelf() {
  return (
    <EmptyState art={<ShelfArt />} title="Your shelf is ready">
      <p>
        Nothing is saved yet. Paste a web address anywhere on this page, or add one here. It becomes
        a clean page to read, with your highlights and notes beside the text.
      </p>
      <AddButton />
      <ImportLink />
    </EmptyState>
  );
}

/** The way in for those who come from elsewhere. */
function ImportLink() {
  return <Link href={paths.import()}>Import from another app</Link>;
}

/** Everything is dealt with; those who never saved anything are told how to begin. */
function EmptyInbox() {
  const mine = useLibraries().data?.find((library) => library.is_default);
  if (!mine || mine.media_count === 0) return <EmptyShelf />;
  return (
    <EmptyState art={<ShelfArt />} title="Your inbox is empty">
      <p>
        What you save lands here until you archive it. Paste a web address anywhere on this page, or
        add one here.
      </p>
      <AddButton />
      <Link href={paths.all}>Show all items</Link>
      <ImportLink />
    </EmptyState>
  );
}

/** What each view says while there is nothing in it, by its path. */
export const EMPTY_VIEWS: Record<string, ReactNode> = {
  [paths.home]: <EmptyInbox />,
  [paths.all]: <EmptyShelf />,
  [paths.continueReading]: (
    <EmptyState art={<ShelfArt />} title="Nothing in progress">
      <p>Open anything and read a little. Until you finish it, it waits here at the right page.</p>
      <ButtonLink href={paths.home}>Go to the inbox</ButtonLink>
    </EmptyState>
  ),
  [paths.favourites]: (
    <EmptyState art={<ShelfArt />} title="No favourites yet">
      <p>Mark what you want to find again, and it is kept here, archived or not.</p>
    </EmptyState>
  ),
  [paths.archive]: (
    <EmptyState art={<ShelfArt />} title="Nothing archived yet">
      <p>
        Archive what you are done with. It leaves the inbox but stays here, with its highlights, and
        search still finds it.
      </p>
    </EmptyState>
  ),
};

/** What a tag says that no item has. */
export function EmptyTag({ name }: { name: string }) {
  return (
    <EmptyState art={<ShelfArt />} title="Nothing has this tag">
      <p>Items tagged “{name}” will be listed here.</p>
      <ButtonLink href={paths.home}>Go to the inbox</ButtonLink>
    </EmptyState>
  );
}

/** Opens the dialog to add something. */
export function AddButton() {
  return (
    <Button look="primary" onClick={() => openPanel("add")}>
      <Plus size={18} aria-hidden="true" />
      Add
    </Button>
  );
}
