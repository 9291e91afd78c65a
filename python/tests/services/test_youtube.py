"""YouTube addresses: every spelling of a video is that video, everything else is refused."""

import pytest

from nexus.egress.url_parse import UrlError, parse_web_url
from nexus.services.youtube import youtube_video

ID = "dQw4w9WgXcQ"
LONG_HOSTS = [
    f"{prefix}{name}"
    for name in ("youtube.com", "youtube-nocookie.com")
    for prefix in ("", "www.", "m.", "music.")
]
PATHS = [
    f"/watch?v={ID}",
    f"/watch/?v={ID}",
    f"/watch?app=desktop&v={ID}&t=42s",
    f"/watch?v={ID}&list=PL123&index=4",
    f"/watch?v={ID}#t=1",
    f"/embed/{ID}",
    f"/embed/{ID}?autoplay=1",
    f"/shorts/{ID}",
    f"/shorts/{ID}/",
    f"/live/{ID}?feature=share",
]
VIDEOS = [
    *(f"https://{host}{PATHS[0]}" for host in LONG_HOSTS),
    *(f"https://www.youtube.com{path}" for path in PATHS[1:]),
    f"https://youtu.be/{ID}",
    f"https://youtu.be/{ID}/",
    f"https://youtu.be/{ID}?si=abcdefghijk&t=3",
    f"https://www.youtu.be/{ID}",
    f"http://WWW.YouTube.COM:80/watch?v={ID}",
    f"https://www.youtube.com./watch?v={ID}",
    f"  HTTPS://youtu.be/{ID}\n",
    "https://youtu.be/dQw4w9\nWgXcQ",
]


@pytest.mark.parametrize("url", VIDEOS, ids=ascii)
def test_every_spelling_is_one_video(url: str) -> None:
    video = youtube_video(parse_web_url(url))
    assert video is not None
    assert video.video_id == ID
    assert video.watch_url == f"https://www.youtube.com/watch?v={ID}"


@pytest.mark.parametrize("video_id", ["abcdefghijk", "-_-_-_-_-_-", "00000000000", "AAAAAAAAAAA"])
def test_ids_of_every_letter(video_id: str) -> None:
    video = youtube_video(parse_web_url(f"https://youtu.be/{video_id}"))
    assert video is not None
    assert video.video_id == video_id


BAD_IDS = ["", "short", "dQw4w9WgXc", "dQw4w9WgXcQQ", "dQw4w9WgXc!", "dQw4w9WgXc%20", "dQw4w9WgXcé"]
NOT_VIDEOS = [
    *(f"https://www.youtube.com/watch?v={bad}" for bad in BAD_IDS),
    *(f"https://www.youtube.com/embed/{bad}" for bad in BAD_IDS),
    *(f"https://youtu.be/{bad}" for bad in BAD_IDS),
    "https://www.youtube.com/",
    "https://www.youtube.com/watch",
    f"https://www.youtube.com/watch?x={ID}",
    f"https://www.youtube.com/watch/{ID}",
    f"https://www.youtube.com/{ID}",
    f"https://www.youtube.com/other/{ID}",
    "https://www.youtube.com/playlist?list=PLabcdefghi",
    "https://www.youtube.com/embed/videoseries?list=PLabcdefghi",
    "https://www.youtube.com/embed/live_stream?channel=UCabcdefghi",
    "https://www.youtube.com/@somebody",
    "https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv",
    "https://www.youtube.com/c/somebody",
    "https://www.youtube.com/user/somebody",
    "https://www.youtube.com/results?search_query=cats",
    "https://m.youtube.com/feed/trending",
    "https://music.youtube.com/browse/abc",
    "https://www.youtube.com/shorts/",
    "https://youtu.be/",
]


@pytest.mark.parametrize("url", NOT_VIDEOS, ids=ascii)
def test_pages_of_youtube_that_are_no_video(url: str) -> None:
    with pytest.raises(UrlError, match="not the address of a YouTube video"):
        youtube_video(parse_web_url(url))


@pytest.mark.parametrize(
    "url",
    [
        "https://vimeo.com/76979871",
        f"https://notyoutube.com/watch?v={ID}",
        f"https://youtube.com.evil.example/watch?v={ID}",
        f"https://evil.youtube.com/watch?v={ID}",
        f"https://example.org/https://youtu.be/{ID}",
    ],
)
def test_other_sites(url: str) -> None:
    assert youtube_video(parse_web_url(url)) is None
