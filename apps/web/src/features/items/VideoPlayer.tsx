import { CirclePlay, ExternalLink } from "lucide-react";
import { useState } from "react";
import type { Media } from "../../api/types";
import { shownTitle } from "./itemWords";
import styles from "./VideoPlayer.module.css";
import { playerUrl } from "./youtube";

/** A video that plays here, or a link to where it does. */
export function VideoPlayer({ media }: { media: Media }) {
  const { provider, provider_id, external_playback_url } = media;
  if (provider === "youtube" && provider_id) {
    return <YouTube videoId={provider_id} title={shownTitle(media)} />;
  }
  if (!external_playback_url || !/^https?:\/\//i.test(external_playback_url)) return null;
  return (
    <a className={styles.elsewhere} href={external_playback_url} target="_blank" rel="noreferrer">
      <ExternalLink size={18} aria-hidden="true" />
      Play it on its own site
    </a>
  );
}

/** Nothing is asked of YouTube before someone wants to play. */
function YouTube({ videoId, title }: { videoId: string; title: string }) {
  const [playing, setPlaying] = useState(false);
  if (!playing) {
    return (
      <button type="button" className={styles.cover} onClick={() => setPlaying(true)}>
        <CirclePlay size={56} strokeWidth={1.25} aria-hidden="true" />
        <span>Play</span>
        <span className={styles.small}>from YouTube; nothing is loaded from there before</span>
      </button>
    );
  }
  return (
    <iframe
      className={styles.player}
      src={playerUrl(videoId)}
      title={`Video: ${title}`}
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      sandbox="allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox"
      // The page itself sends no referrer; the player refuses to run without an origin.
      referrerPolicy="strict-origin-when-cross-origin"
    />
  );
}
