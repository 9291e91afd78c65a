"""Sizes of images: said by the page, measured ahead, and learnt by the proxy."""

from collections.abc import Iterator
from concurrent import futures
from io import BytesIO
from typing import Any
from uuid import UUID

import pytest
from PIL import Image
from pytest_httpserver import HTTPServer
from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from werkzeug import Request, Response

from nexus.config import get_settings
from nexus.db.models import Fragment, FragmentImage
from nexus.db.task_session import task_session
from nexus.html.image_sizes import declared_sizes
from nexus.html.sanitize import sanitize_html
from nexus.images.inspect import ImageForm, image_form
from nexus.services.document_read import list_fragments
from nexus.services.images.measure import AT_ONCE, LIMITS, measure_images
from nexus.services.images.proxy import create_image_cache
from nexus.services.images.sizes import addresses_of, keep_images
from nexus.services.viewer import Viewer
from tests.factories import make_article, make_user
from tests.live import LiveNexus, wait_for

BASE = "https://example.org/essay"


def picture(width: int, height: int, kind: str = "PNG", **options: object) -> bytes:
    body = BytesIO()
    Image.new("RGB", (width, height), "teal").save(body, kind, **options)
    return body.getvalue()


@pytest.fixture
def site() -> Iterator[HTTPServer]:
    with HTTPServer(host="127.0.0.1", threaded=True) as server:
        yield server


@pytest.fixture(autouse=True)
def nothing_waiting(session: Session) -> None:
    """What other tests left to be measured is not ours."""
    session.execute(delete(FragmentImage))
    session.commit()


def article_with(session: Session, viewer: Viewer, html: str) -> Fragment:
    fragment = make_article(session, viewer)
    texts = [(fragment.id, sanitize_html(html, BASE))]
    keep_images(session, texts, declared=declared_sizes(html, BASE))
    session.commit()
    return fragment


def sizes(session: Session, viewer: Viewer, media_id: UUID) -> dict[str, tuple[int, int]]:
    session.expire_all()
    (fragment,) = list_fragments(session, viewer, media_id=media_id).fragments
    return {image.src: (image.width, image.height) for image in fragment.images}


def measure() -> bool:
    settings = get_settings()
    return measure_images(task_session, settings, create_image_cache(settings))


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('width="640" height="480"', (640, 480)),
        ('width=" 640px" height="480.5"', (640, 480)),
        ('width="100%" height="480"', None),
        ('width="640"', None),
        ('width="1" height="900"', None),
        ('width="99999" height="99999"', None),
        ('width="4000" height="2"', None),
        ('width="-5" height="٤٨"', None),
    ],
)
def test_what_a_page_says_is_believed_where_it_is_sane(
    attributes: str, size: tuple[int, int] | None
) -> None:
    html = f'<p><img src="/a b.png" {attributes}></p>'
    assert declared_sizes(html, BASE).get("https://example.org/a%20b.png") == size


def test_addresses_are_those_the_proxy_is_asked_for() -> None:
    html = sanitize_html('<p><img src="/a.png?x=1&y=%20é"><img src="/a.png?x=1&y=%20é">', BASE)
    assert addresses_of(html) == ["https://example.org/a.png?x=1&y=%20%C3%A9"]


def test_a_photograph_on_its_side_is_measured_as_it_is_shown() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    form = image_form(picture(40, 30, "JPEG", exif=exif.tobytes()))
    assert (form.width, form.height) == (30, 40)


def test_an_article_is_answered_with_the_sizes_that_are_known(
    session: Session, nexus: LiveNexus, site: HTTPServer
) -> None:
    viewer = make_user(session)
    site.expect_request("/b.png").respond_with_data(picture(30, 20), content_type="image/png")
    html = f'<img src="/a.png" width="64" height="48"><img src="{site.url_for("/b.png")}">'
    media_id = article_with(session, viewer, html).media_id
    said, other = sanitize_html(html, BASE).split('src="')[1:]
    said, other = said.split('"')[0], other.split('"')[0]
    assert sizes(session, viewer, media_id) == {said: (64, 48)}
    with nexus.api(viewer.user_id) as api:
        assert api.get(other).status_code == 200
        (answer,) = api.get(f"/media/{media_id}/fragments").json()["data"]["fragments"]
    known = [{"src": said, "width": 64, "height": 48}, {"src": other, "width": 30, "height": 20}]
    assert answer["images"] == known


def test_images_are_measured_ahead_each_once_and_a_few_at_a_time(
    session: Session, site: HTTPServer
) -> None:
    viewer = make_user(session)
    site.expect_request("/missing.png").respond_with_data("gone", status=404)
    for number in range(1, 6):
        site.expect_request(f"/{number}.png").respond_with_data(
            picture(10 * number, 7), content_type="image/png"
        )
    images = [site.url_for(f"/{name}.png") for name in ("missing", 1, 2, 3, 4, 5)]
    html = "".join(f'<p><img src="{image}"></p>' for image in images)
    media_id = article_with(session, viewer, html).media_id
    assert measure()
    assert len(site.log) == AT_ONCE
    assert not measure()
    assert not measure()
    assert len(site.log) == len(images)
    assert sorted(sizes(session, viewer, media_id).values()) == [(10 * n, 7) for n in range(1, 6)]


def test_one_bad_image_leaves_its_neighbours_measured(
    session: Session, site: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even one that we fail on in a way that nobody thought of."""
    viewer = make_user(session)
    odd, several = picture(66, 6), picture(20, 10, "MPO", save_all=True, append_images=[])

    def stumble(body: bytes) -> ImageForm:
        if body == odd:
            raise KeyError("a defect")
        return image_form(body)

    monkeypatch.setattr("nexus.services.images.proxy.image_form", stumble)
    site.expect_request("/odd.png").respond_with_data(odd, content_type="image/png")
    site.expect_request("/several.jpg").respond_with_data(several, content_type="image/jpeg")
    site.expect_request("/fine.png").respond_with_data(picture(9, 7), content_type="image/png")
    images = [site.url_for("/odd.png"), "https://☕/", site.url_for("/several.jpg")]
    images.append(site.url_for("/fine.png"))
    html = "".join(f'<p><img src="{image}"></p>' for image in images)
    media_id = article_with(session, viewer, html).media_id
    measure()
    assert sorted(sizes(session, viewer, media_id).values()) == [(9, 7), (20, 10)]


def test_what_is_measured_replaces_what_was_said(
    session: Session, nexus: LiveNexus, site: HTTPServer
) -> None:
    viewer = make_user(session)
    site.expect_request("/c.png").respond_with_data(picture(33, 22), content_type="image/png")
    html = f'<img src="{site.url_for("/c.png")}" width="300" height="100">'
    media_id = article_with(session, viewer, html).media_id
    assert not measure(), "it has a size, so nobody needs to look"
    assert len(site.log) == 0
    with nexus.api(viewer.user_id) as api:
        (src,) = sizes(session, viewer, media_id)
        assert api.get(src).status_code == 200
    assert list(sizes(session, viewer, media_id).values()) == [(33, 22)]


def test_a_slow_site_holds_nobody_up(
    session: Session, site: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer = make_user(session)
    asked: list[int] = []
    answer: list[Any] = []

    def wait_long(_request: Request) -> Response:
        asked.append(1)
        wait_for(lambda: answer)
        return Response(picture(9, 9), content_type="image/png")

    site.expect_request("/slow.png").respond_with_handler(wait_long)
    html = f'<img src="{site.url_for("/slow.png")}">'
    media_id = article_with(session, viewer, html).media_id

    def give_up_once_asked(tries: Any, *, timeout: float) -> Any:
        assert timeout
        wait_for(lambda: asked, what="the site is asked")
        return futures.wait(tries, timeout=0)

    monkeypatch.setattr("nexus.services.images.measure.wait", give_up_once_asked)
    assert not measure()
    assert sizes(session, viewer, media_id) == {}
    answer.append(1)


def test_images_larger_than_needed_are_left_to_the_reader(
    session: Session, site: HTTPServer
) -> None:
    viewer = make_user(session)
    fat = picture(20, 10) + bytes(LIMITS.bytes)
    site.expect_request("/fat.png").respond_with_data(fat, content_type="image/png")
    html = f'<img src="{site.url_for("/fat.png")}">'
    media_id = article_with(session, viewer, html).media_id
    assert not measure()
    assert sizes(session, viewer, media_id) == {}


def test_one_turn_at_a_time(session: Session, site: HTTPServer) -> None:
    viewer = make_user(session)
    second: list[bool] = []

    def measure_meanwhile(_request: Request) -> Response:
        second.append(measure())
        return Response(picture(9, 8), content_type="image/png")

    site.expect_request("/first.png").respond_with_handler(measure_meanwhile)
    images = [site.url_for("/first.png"), *(f"{BASE}/{n}.png" for n in range(AT_ONCE))]
    article_with(session, viewer, "".join(f'<img src="{image}">' for image in images))
    assert measure()
    assert second == [False]
    untried = select(FragmentImage).where(FragmentImage.tried_at.is_(None))
    assert len(session.scalars(untried).all()) == len(images) - AT_ONCE
