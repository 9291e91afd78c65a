const SHORT_HOSTS = new Set(["youtu.be", "www.youtu.be"]);
const LONG_HOST = /^(www\.|m\.|music\.)?(youtube|youtube-nocookie)\.com$/;
const ID_IN_PATH = new Set(["embed", "shorts", "live"]);
// Eleven letters long, and yet not videos: players of a playlist and of a channel.
const NOT_VIDEOS = new Set(["videoseries", "live_stream"]);
const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/;

/** The video an address names, in any of YouTube's spellings; null for everything else. */
export function youtubeVideoId(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const [first = "", second = ""] = url.pathname.split("/").filter(Boolean);
  const host = url.hostname.replace(/\.$/, "");
  let candidate: string | null = null;
  if (SHORT_HOSTS.has(host)) candidate = first;
  else if (LONG_HOST.test(host)) {
    if (first === "watch") candidate = url.searchParams.get("v");
    else if (ID_IN_PATH.has(first)) candidate = second;
  }
  if (!candidate || NOT_VIDEOS.has(candidate)) return null;
  return VIDEO_ID.test(candidate) ? candidate : null;
}

/** The player's address, on the host that sets no cookies before one plays. */
export function playerUrl(videoId: string): string {
  return `https://www.youtube-nocookie.com/embed/${encodeURIComponent(videoId)}?autoplay=1&rel=0`;
}
