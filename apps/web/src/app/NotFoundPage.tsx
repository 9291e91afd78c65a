import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/States";
import { useTitle } from "../ui/useTitle";
import { paths } from "./paths";

/** For addresses that lead nowhere, or nowhere this person may go. */
export function NotFoundPage({ what = "page" }: { what?: "page" | "library" }) {
  useTitle("Not found");
  return (
    <EmptyState level={1} title={`There is no such ${what}`}>
      <p>
        {what === "library"
          ? "It may have been deleted, or is not shared with you."
          : "The address may be mistyped, or what was here has moved."}
      </p>
      <ButtonLink href={paths.home}>Go to your library</ButtonLink>
    </EmptyState>
  );
}
