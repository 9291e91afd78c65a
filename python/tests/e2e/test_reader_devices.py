"""A second device goes on where the first one stopped."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy.orm import Session

from tests.e2e.reading import Person, Reading, make_article
from tests.live import wait_for
from tests.patience import PATIENCE_MS

HTML = "".join(f"<h2>Part {n}</h2><p>{f'Words of part {n} follow. ' * 30}</p>" for n in range(30))


@pytest.fixture
def second_device(browser: Browser, reader: Person) -> Iterator[Person]:
    """The same person, signed in somewhere that remembers nothing."""
    with closing(browser.new_context(viewport={"width": 1000, "height": 700})) as context:
        context.set_default_timeout(PATIENCE_MS)
        context.add_cookies(reader.context.cookies())  # type: ignore[arg-type]
        yield Person(reader.nexus, context, reader.client, reader.viewer)


def go_to(reading: Reading, part: int) -> None:
    """Read on to a part, and wait until the server knows that it is there that one reads."""
    article = reading.article
    start = article.canonical_text.index(f"Part {part}\n")
    end = article.canonical_text.index(f"Part {part + 1}\n")
    heading = reading.page.get_by_role("heading", name=f"Part {part}", exact=True)
    heading.evaluate("one => one.scrollIntoView({block: 'start', behavior: 'instant'})")

    def is_known() -> bool:
        kept = reading.person.client.get(f"/api/media/{article.media_id}/position").json()["data"]
        return kept is not None and start - 100 < kept["offset"] < end

    wait_for(is_known, what=f"the place in part {part}")


def is_put(request: object, path: str) -> bool:
    return getattr(request, "method", "") == "PUT" and getattr(request, "url", "").endswith(path)


def expect_part_on_screen(page: Page, part: int) -> None:
    expect(page.get_by_role("heading", name=f"Part {part}", exact=True)).to_be_in_viewport()


def test_a_second_device_goes_on_from_there(
    session: Session, reader: Person, second_device: Person
) -> None:
    article = make_article(session, reader, HTML)
    here = reader.open(article)
    go_to(here, 20)
    there = second_device.open(article)
    expect_part_on_screen(there.page, 20)
    go_to(there, 8)
    here.page.reload()
    expect_part_on_screen(here.page, 8)


def test_preferences_are_the_same_on_every_device(
    session: Session, reader: Person, second_device: Person
) -> None:
    article = make_article(session, reader, HTML)
    here = reader.open(article)
    here.page.get_by_role("button", name="Appearance").click()
    here.page.get_by_role("radio", name="Sepia").check(force=True)
    here.page.get_by_role("button", name="Larger text").click()
    here.page.get_by_role("radio", name="Wide", exact=True).check(force=True)

    def are_known() -> bool:
        kept = reader.client.get("/api/me/preferences").json()["data"]
        chosen = ("sepia", "wide", 22)
        return kept is not None and (kept["theme"], kept["width"], kept["size"]) == chosen

    wait_for(are_known, what="the preferences")
    there = second_device.open(article)
    expect(there.page.locator("html")).to_have_attribute("data-theme", "sepia")
    expect(there.page.locator("[data-width=wide]")).to_be_visible()
    there.page.get_by_role("button", name="Appearance").click()
    expect(there.page.get_by_role("status").filter(has_text="22")).to_be_visible()


@pytest.mark.heavy
def test_a_place_reached_offline_is_sent_later(
    session: Session, reader: Person, second_device: Person
) -> None:
    article = make_article(session, reader, HTML)
    here = reader.open(article)
    reader.context.set_offline(True)
    heading = here.page.get_by_role("heading", name="Part 25", exact=True)
    with here.page.expect_event("requestfailed", lambda request: is_put(request, "/position")):
        heading.evaluate("one => one.scrollIntoView({block: 'start', behavior: 'instant'})")
    kept = f"/api/media/{article.media_id}/position"
    assert reader.client.get(kept).json() == {"data": None}
    reader.context.set_offline(False)
    here.page.reload()
    expect_part_on_screen(here.page, 25)
    wait_for(lambda: reader.client.get(kept).json()["data"])
    there = second_device.open(article)
    expect_part_on_screen(there.page, 25)
    reader.problems.clear()  # of requests that could not be sent
