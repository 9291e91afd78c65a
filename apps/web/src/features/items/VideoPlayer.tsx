import { CirclePlay } from "lucide-react";
import { useState } from "react";
import type { Media } from "../../api/types";
import { playerUrl } from "../../shared/youtube";
import { shownTitle } from "./itemWords";
import styles from "./VideoPlayer.module.css";

/** The player of a video that plays here. Nothing is asked of YouTube before someone plays it. */
export function VideoPlayer({ media }: { media: Media }) {
  const [playing, setPlaying] = useState(false);
  if (!media.provider_id) return null;
  if (!playing) {
    return (
      <button type="button" className={styles.cover} onClick={() => setPlaying(true)}>
        <CirclePlay size={56} strokeWidth={1.25} aria-hidden="true" />
        <span>Play</span>
        <span className={styles.small}>Nothing is loaded from YouTube until you press Play</span>
      </button>
    );
  }
  return (
    <iframe
      className={styles.player}
      src={playerUrl(media.provider_id)}
      title={`Video: ${shownTitle(media)}`}
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      sandbox="allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox"
      // The page itself sends no referrer; the player refuses to run without an origin.
      referrerPolicy="strict-origin-when-cross-origin"
    />
  );
}
