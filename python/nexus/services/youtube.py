"""YouTube addresses: many spellings, one video."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs

from nexus.egress.url_parse import UrlError, WebUrl

PROVIDER = "youtube"

_SHORT_HOSTS = frozenset({"youtu.be", "www.youtu.be"})
_LONG_HOSTS = frozenset(
    f"{prefix}{host}"
    for host in ("youtube.com", "youtube-nocookie.com")
    for prefix in ("", "www.", "m.", "music.")
)
_ID_IN_PATH = frozenset({"embed", "shorts", "live"})
# Eleven characters long, but not videos: players of a playlist and of a channel.
_NOT_VIDEOS = frozenset({"videoseries", "live_stream"})
_VIDEO_ID = re.compile(r"[A-Za-z0-9_-]{11}")


@dataclass(frozen=True, slots=True)
class YouTubeVideo:
    video_id: str

    @property
    def watch_url(self) -> str:
        return f"https://www.youtube.com/watch?v={self.video_id}"


def youtube_video(url: WebUrl) -> YouTubeVideo | None:
    """The video a URL names; None for other sites; UrlError for a YouTube page without one."""
    host = url.host.rstrip(".")
    if host in _SHORT_HOSTS:
        candidate = url.path.strip("/").split("/")[0]
    elif host in _LONG_HOSTS:
        candidate = _id_in_long_url(url)
    else:
        return None
    if not _VIDEO_ID.fullmatch(candidate) or candidate in _NOT_VIDEOS:
        raise UrlError("this is not the address of a YouTube video")
    return YouTubeVideo(candidate)


def is_video(url: WebUrl) -> bool:
    """Whether a URL names a video; a channel or a playlist is a page like others."""
    try:
        return youtube_video(url) is not None
    except UrlError:
        return False


def _id_in_long_url(url: WebUrl) -> str:
    segments = url.path.strip("/").split("/")
    if segments == ["watch"]:
        return parse_qs(url.query).get("v", [""])[0]
    if len(segments) >= 2 and segments[0] in _ID_IN_PATH:
        return segments[1]
    return ""
