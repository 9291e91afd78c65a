"""What is asked for when an item is opened: once, and before it is needed where that can be."""

import re
from collections.abc import Callable, Iterator

import pytest
from bench.sequence import WATCH, requests_in_sequence
from playwright.sync_api import Page, Request, Route, expect
from sqlalchemy.orm import Session

from nexus.db.models import Fragment
from tests.e2e.reading import Person, Reading, make_article

TEXT = "<p>Reading with a pencil in hand is a way of thinking. The margin keeps the rest.</p>"
READING = re.compile(r"/api/media/[^/]+/reading")
DATA = re.compile(r"/(api|auth)/")


@pytest.fixture
def essay(session: Session, reader: Person) -> Fragment:
    article = make_article(session, reader, TEXT)
    reader.highlight(article, 0, 7, "green")
    reader.client.put(
        f"/api/highlights/{reader.highlights(article)[0]['id']}/annotation", json={"body": "Why?"}
    )
    return article


@pytest.fixture
def tab(reader: Person) -> Iterator[Page]:
    page = reader.page()
    page.add_init_script(WATCH)
    yield page
    page.close()


def asked_for(page: Page, matches: Callable[[str], object]) -> list[Request]:
    found: list[Request] = []
    page.on("request", lambda request: found.append(request) if matches(request.url) else None)
    return found


def expect_drawn(reading: Reading) -> None:
    reading.expect_painted(("Reading", "green"))
    expect(reading.cards.filter(has_text="Why?")).to_have_count(1)


def test_an_article_at_its_address_takes_one_request(
    reader: Person, tab: Page, essay: Fragment
) -> None:
    asked = asked_for(tab, READING.search)
    tab.goto(f"{reader.nexus.origin}/read/{essay.media_id}")
    expect_drawn(Reading(reader, tab, essay))
    assert len(requests_in_sequence(tab)) == 1
    # The page named the request in its head; the app used the response and asked for no other.
    assert len(asked) == 1


@pytest.mark.heavy
def test_nothing_else_is_needed_and_nobody_waits_for_the_session(
    reader: Person, tab: Page, essay: Fragment
) -> None:
    """Whatever else the app asks for does not come; the session comes after the text was sent."""
    sessions: list[Route] = []
    tab.route(DATA, lambda route: None)
    tab.route(re.compile("/auth/session"), lambda route: sessions.append(route))
    tab.route(READING, lambda route: route.continue_())
    with tab.expect_response(READING):
        tab.goto(f"{reader.nexus.origin}/read/{essay.media_id}", wait_until="commit")
    expect(tab.get_by_role("status")).to_contain_text("is loading")
    assert sessions
    for route in sessions:
        route.continue_()
    expect_drawn(Reading(reader, tab, essay))
    tab.unroute_all(behavior="ignoreErrors")


@pytest.mark.heavy
def test_what_the_pointer_rests_on_is_there_when_it_is_opened(
    reader: Person, tab: Page, essay: Fragment
) -> None:
    tab.goto(reader.nexus.origin)
    link = tab.get_by_role("link", name="An essay")
    with tab.expect_response(READING):
        link.hover()
    # Without a network from now on.
    tab.route(DATA, lambda route: route.abort())
    link.click()
    expect_drawn(Reading(reader, tab, essay))
    reader.problems.clear()


@pytest.mark.heavy
def test_an_article_of_a_list_takes_one_request(reader: Person, tab: Page, essay: Fragment) -> None:
    tab.goto(reader.nexus.origin)
    link = tab.get_by_role("link", name="An essay")
    expect(link).to_be_visible()
    asked = asked_for(tab, READING.search)
    clicked_at = tab.evaluate("performance.now()")
    # As a program does it: nothing is known before the click.
    link.evaluate("(one) => one.click()")
    expect_drawn(Reading(reader, tab, essay))
    assert requests_in_sequence(tab, since=clicked_at) == [f"/api/media/{essay.media_id}/reading"]
    assert len(asked) == 1
