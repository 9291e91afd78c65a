import { Download, ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import type { Media } from "../../api/types";
import { originalUrl } from "../../shared/originalUrl";
import { paths } from "../../shared/paths";
import { Button, ButtonLink } from "../../ui/Button";
import styles from "./ItemPage.module.css";
import { hostOf, playbackUrl, readsHere } from "./itemWords";
import { useDownload } from "./queries";

interface ItemActionsProps {
  media: Media;
  /** In the reader, which cannot lead to itself. */
  reading?: boolean;
  /** More ways on, after those that open the item itself. */
  children?: ReactNode;
}

/** Everything that opens an item: here, as a file, or where it came from. */
export function ItemActions({ media, reading = false, children }: ItemActionsProps) {
  const download = useDownload(media);
  const playback = playbackUrl(media);
  const original = originalUrl(media);
  return (
    <div className={styles.actions}>
      {!reading && readsHere(media) && <ButtonLink href={paths.read(media.id)}>Read</ButtonLink>}
      {media.capabilities.can_download_file && (
        <Button look="primary" pending={download.isPending} onClick={() => download.mutate()}>
          <Download size={16} aria-hidden="true" />
          Download file
        </Button>
      )}
      {playback && <Outside href={playback}>Watch on {hostOf(playback) ?? "its own site"}</Outside>}
      {original && original !== playback && <Outside href={original}>Open original</Outside>}
      {children}
    </div>
  );
}

function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={styles.original} href={href} target="_blank" rel="noreferrer">
      <ExternalLink size={16} aria-hidden="true" />
      {children}
    </a>
  );
}
