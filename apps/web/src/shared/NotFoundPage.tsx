import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/States";
import { useTitle } from "../ui/useTitle";
import { paths } from "./paths";

const TITLES = {
  page: "Page not found",
  library: "Library not found",
  item: "Item not found",
  import: "Import not found",
};
const WORDS = {
  page: "The address may be mistyped, or the page may have moved.",
  library: "It may have been deleted, or is not shared with you.",
  item: "It may have been removed, or is not shared with you.",
  import: "It may be somebody else’s, or was taken away since.",
};

/** For addresses that lead nowhere, or nowhere this person may go. */
export function NotFoundPage({ what = "page" }: { what?: keyof typeof TITLES }) {
  useTitle("Not found");
  return (
    <EmptyState level={1} title={TITLES[what]}>
      <p>{WORDS[what]}</p>
      <ButtonLink href={paths.home}>Go to your library</ButtonLink>
    </EmptyState>
  );
}
