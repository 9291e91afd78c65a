import type { Media } from "../../api/types";
import { paths } from "../../app/paths";
import { Button, ButtonLink } from "../../ui/Button";
import { Spinner } from "../../ui/Spinner";
import { EmptyState } from "../../ui/States";
import { useRetryItem } from "../items/queries";
import { originalAddress } from "./words";

/** An item that cannot be read now: it is on its way, it failed, or it is of another kind. */
export function NotReady({ media }: { media: Media }) {
  const retry = useRetryItem(media);
  const original = originalAddress(media);
  if (media.processing_status === "failed") {
    return (
      <EmptyState level={1} title="This could not be saved">
        <p role="status">{media.last_error_message || "The page could not be read."}</p>
        <Button look="primary" pending={retry.isPending} onClick={() => retry.mutate()}>
          Try again
        </Button>
        {original && <OriginalLink href={original.href} />}
      </EmptyState>
    );
  }
  if (media.processing_status === "pending" || media.processing_status === "extracting") {
    return (
      <EmptyState level={1} title={media.title?.trim() || "On its way"}>
        <p role="status">
          <Spinner />{" "}
          {media.processing_status === "pending" ? "Waiting its turn." : "Fetching the page."} It
          opens here as soon as it is ready.
        </p>
        {original && <OriginalLink href={original.href} />}
      </EmptyState>
    );
  }
  return (
    <EmptyState level={1} title={media.title?.trim() || "Nothing to read here"}>
      <p>This kind of item has no text to read here yet.</p>
      {original && <OriginalLink href={original.href} />}
      <ButtonLink href={paths.home}>Go to your library</ButtonLink>
    </EmptyState>
  );
}

function OriginalLink({ href }: { href: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      Open the original page
    </a>
  );
}
