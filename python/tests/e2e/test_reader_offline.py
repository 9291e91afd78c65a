"""Highlights and notes made without a network are kept, shown as kept, and sent once."""

import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Route, expect
from sqlalchemy.orm import Session

from tests.e2e.reading import Person, Reading, make_article
from tests.live import PASSWORD, wait_for

TEXT = """
<p>Reading with a pencil in hand is a way of thinking. The margin keeps what the page began.</p>
<p>Nothing is merged, moved or lost, and each can be reached on its own.</p>
"""
SESSION = re.compile("/auth/session")
CHANGES = re.compile(r"/api/(fragments/[^/]+/highlights|highlights/)")


@pytest.fixture
def essay(session: Session, reader: Person) -> Iterator[Reading]:
    reading = reader.open(make_article(session, reader, TEXT))
    yield reading
    reading.page.close()
    reader.problems.clear()  # of requests that could not be sent


def cut(route: Route) -> None:
    """Let nothing through that changes a highlight."""
    if route.request.method == "GET":
        route.fallback()
    else:
        route.abort()


def let_through(reading: Reading) -> None:
    """Let changes through again, and have the page try at once what it would try by the clock."""
    reading.page.unroute(CHANGES)
    reading.page.evaluate("() => window.dispatchEvent(new Event('online'))")


def highlight(reading: Reading, passage: str, color: str) -> None:
    reading.drag(passage)
    reading.bar.get_by_role("button", name=f"Highlight in {color}").click()


def saved_note(reading: Reading) -> str:
    """The note of the one highlight, once the server has it."""
    wait_for(lambda: reading.person.highlights(reading.article)[0]["annotation"])
    (made,) = reading.person.highlights(reading.article)
    return str(made["annotation"]["body"])


def waiting(reading: Reading) -> Locator:
    return reading.cards.filter(has_text="Waiting to sync")


def saved(reading: Reading) -> list[tuple[str, str]]:
    return [(one["exact"], one["color"]) for one in reading.person.highlights(reading.article)]


def expect_synced(reading: Reading, *pieces: tuple[str, str]) -> None:
    """Nothing waits any more; page and server have exactly these, each once."""
    reading.expect_sent()
    expect(waiting(reading)).to_have_count(0)
    reading.expect_saved()
    reading.expect_painted(*pieces)
    expect(reading.cards).to_have_count(len(pieces))
    wait_for(lambda: saved(reading) == list(pieces))
    ids = [one["id"] for one in reading.person.highlights(reading.article)]
    shown = reading.cards.evaluate_all("cards => cards.map(one => one.dataset.highlightId)")
    assert shown == ids


def test_a_highlight_made_offline_waits_in_place_and_is_sent_once(essay: Reading) -> None:
    essay.go_offline()
    highlight(essay, "a pencil in hand", "green")
    essay.expect_painted(("a pencil in hand", "green"))
    expect(waiting(essay)).to_have_count(1)
    # Also for those who hear the page, in the card's own name and as it happens.
    expect(essay.cards.get_by_role("button", name="Waiting to sync")).to_have_count(1)
    told = essay.page.get_by_role("log", name="Changes")
    expect(told).to_contain_text("Your changes are kept on this device")
    expect(essay.page.get_by_label("Messages")).not_to_contain_text("not saved")
    banner = essay.page.get_by_text("Highlights and notes are kept and sent later")
    expect(banner).to_be_in_viewport(ratio=1)
    assert saved(essay) == []
    essay.person.context.set_offline(False)
    expect_synced(essay, ("a pencil in hand", "green"))
    essay.page.reload()
    expect_synced(essay, ("a pencil in hand", "green"))


@pytest.mark.heavy
@pytest.mark.parametrize("width", [320, 1280])
def test_the_text_stays_under_the_pointer_when_the_connection_is_lost(
    essay: Reading, width: int
) -> None:
    essay.page.set_viewport_size({"width": width, "height": 700})
    essay.settle()
    before = essay.edges("a pencil", scroll=False)
    essay.go_offline()
    banner = essay.page.get_by_text("Highlights and notes are kept and sent later")
    expect(banner).to_be_in_viewport(ratio=1)
    assert essay.edges("a pencil", scroll=False) == before
    # Under the bar of the reader, not behind it or over the title.
    back = essay.page.get_by_role("link", name=re.compile("Back"))
    title = essay.page.get_by_role("heading", name="An essay")
    boxes = [one.bounding_box() for one in (back, banner, title)]
    edges = [edge for box in boxes if box for edge in (box["y"], box["y"] + box["height"])]
    assert len(edges) == 6
    assert edges == sorted(edges)


def test_what_waits_is_there_after_a_reload(essay: Reading) -> None:
    essay.page.route(CHANGES, cut)
    highlight(essay, "a pencil in hand", "green")
    expect(waiting(essay)).to_have_count(1)
    essay.page.reload()
    essay.expect_painted(("a pencil in hand", "green"))
    expect(waiting(essay)).to_have_count(1)
    assert saved(essay) == []
    let_through(essay)
    expect_synced(essay, ("a pencil in hand", "green"))


def test_a_highlight_whose_confirmation_was_lost_is_there_once(essay: Reading) -> None:
    def lose_the_response(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch()
            # The page may have given up on it meanwhile; then there is no response to lose.
            with suppress(PlaywrightError):
                route.abort()
        else:
            route.fallback()

    essay.page.route(CHANGES, lose_the_response)
    highlight(essay, "a pencil in hand", "green")
    expect(waiting(essay)).to_have_count(1)
    wait_for(lambda: saved(essay))
    # The list has it by now, the outbox still does: it is one and the same.
    with essay.page.expect_response(re.compile("/api/media/[^/]+/highlights")):
        essay.page.evaluate("() => window.dispatchEvent(new Event('focus'))")
    essay.expect_saved()
    essay.expect_painted(("a pencil in hand", "green"))
    expect(essay.cards).to_have_count(1)
    essay.page.unroute(CHANGES)
    # Sent again, it creates nothing: 200, not 201.
    with essay.page.expect_response(
        lambda answer: answer.request.method == "POST" and bool(CHANGES.search(answer.url))
    ) as repeated:
        essay.page.evaluate("() => window.dispatchEvent(new Event('online'))")
    assert repeated.value.status == 200
    expect_synced(essay, ("a pencil in hand", "green"))


def test_a_passage_that_another_device_highlighted_first(essay: Reading) -> None:
    """Its highlight is the one that stays; what was done here is done to it."""
    essay.go_offline()
    essay.drag("The margin keeps")
    essay.bar.get_by_role("button", name="Highlight with a note").click()
    note = essay.page.get_by_role("textbox", name="Note")
    note.fill("What the page")
    essay.page.get_by_role("button", name="Change to blue").click()
    expect(waiting(essay)).to_have_count(1)
    start = essay.article.canonical_text.index("The margin keeps")
    faster = essay.person.highlight(essay.article, start, start + len("The margin keeps"), "pink")
    note.press("End")
    essay.person.context.set_offline(False)
    expect(essay.page.locator(f"[data-highlight-id='{faster['id']}']")).to_have_count(1)
    # The person goes on writing.
    expect(note).to_be_focused()
    note.press_sequentially(" began.")
    expect_synced(essay, ("The margin keeps", "blue"))
    wait_for(lambda: saved_note(essay) == "What the page began.")


@pytest.mark.heavy
def test_a_waiting_highlight_is_recoloured_moved_and_deleted(essay: Reading) -> None:
    essay.go_offline()
    highlight(essay, "a pencil in hand", "green")
    highlight(essay, "The margin", "pink")
    highlight(essay, "Nothing is merged", "yellow")
    expect(waiting(essay)).to_have_count(3)
    essay.click_text("a pencil")
    essay.page.keyboard.press("3")
    essay.click_text("The margin")
    essay.page.get_by_role("button", name="Choose another passage").click()
    essay.drag("moved or lost")
    essay.page.get_by_role("button", name="Use this passage").click()
    essay.click_text("Nothing is")
    essay.page.keyboard.press("Delete")
    expect(essay.page.get_by_label("Messages")).to_contain_text(
        "Highlight deleted. Waiting to sync."
    )
    pieces = ("a pencil in hand", "blue"), ("moved or lost", "pink")
    essay.expect_painted(*pieces)
    expect(waiting(essay)).to_have_count(2)
    essay.person.context.set_offline(False)
    expect_synced(essay, *pieces)


def test_what_waits_is_sent_from_any_view(essay: Reading) -> None:
    essay.go_offline()
    essay.drag("The margin keeps")
    essay.bar.get_by_role("button", name="Highlight with a note").click()
    essay.page.get_by_role("textbox", name="Note").fill("Written in a tunnel.")
    expect(waiting(essay)).to_have_count(1)
    essay.page.keyboard.press("Escape")
    essay.page.get_by_role("link", name=re.compile("Back")).click()
    expect(essay.body).to_have_count(0)
    essay.person.context.set_offline(False)
    wait_for(lambda: saved(essay) == [("The margin keeps", "yellow")])
    assert saved_note(essay) == "Written in a tunnel."


@pytest.mark.heavy
def test_it_is_sent_although_the_next_view_cannot_be_loaded(
    session: Session, reader: Person
) -> None:
    reader.context.route("**/assets/ListViews-*", lambda route: route.abort())
    essay = reader.open(make_article(session, reader, TEXT))
    essay.go_offline()
    highlight(essay, "a pencil in hand", "green")
    expect(waiting(essay)).to_have_count(1)
    essay.page.get_by_role("link", name=re.compile("Back")).click()
    broken = essay.page.get_by_role("heading", name="Something broke on this page")
    expect(broken).to_be_visible()
    essay.person.context.set_offline(False)
    wait_for(lambda: saved(essay) == [("a pencil in hand", "green")])
    essay.page.close()
    reader.context.unroute("**/assets/ListViews-*")
    reader.problems.clear()  # of what could not be loaded


def test_two_tabs_show_and_send_it_once(essay: Reading) -> None:
    other = essay.person.open(essay.article)
    essay.page.bring_to_front()
    essay.go_offline()
    highlight(essay, "a pencil in hand", "green")
    for tab in (essay, other):
        tab.expect_painted(("a pencil in hand", "green"))
        expect(waiting(tab)).to_have_count(1)
    essay.person.context.set_offline(False)
    expect_synced(essay, ("a pencil in hand", "green"))
    expect_synced(other, ("a pencil in hand", "green"))


@pytest.mark.heavy
def test_a_session_that_ends_while_something_waits(essay: Reading) -> None:
    essay.page.route(CHANGES, cut)
    highlight(essay, "a pencil in hand", "green")
    expect(waiting(essay)).to_have_count(1)
    essay.person.context.clear_cookies()
    let_through(essay)
    expect(essay.page).to_have_url(re.compile("/login"))
    essay.page.get_by_label("E-mail").fill(essay.person.viewer.email or "")
    essay.page.get_by_label("Password", exact=True).fill(PASSWORD)
    essay.page.get_by_role("button", name="Sign in").click()
    essay.expect_painted(("a pencil in hand", "green"))
    wait_for(lambda: saved(essay) == [("a pencil in hand", "green")])


def test_nothing_is_sent_in_the_name_of_another_person(essay: Reading) -> None:
    essay.page.route(CHANGES, cut)
    highlight(essay, "a pencil in hand", "green")
    expect(waiting(essay)).to_have_count(1)
    # Nothing is on its way that was begun before: each retry first asks who is signed in.
    essay.page.route(SESSION, lambda route: route.abort())
    with essay.page.expect_request(SESSION):
        essay.page.evaluate("() => window.dispatchEvent(new Event('online'))")
    # Another tab signs somebody else in; this one has not noticed yet.
    with essay.person.nexus.signed_up() as stranger:
        cookies = [
            {"name": one.name, "value": one.value or "", "url": essay.person.nexus.origin}
            for one in stranger.cookies.jar
        ]
    essay.person.context.add_cookies(cookies)  # type: ignore[arg-type]
    sent = []
    essay.page.on("request", lambda request: sent.append((request.method, request.url)))
    essay.page.unroute(CHANGES)
    essay.page.unroute(SESSION)
    with essay.page.expect_response(SESSION):
        essay.page.evaluate("() => window.dispatchEvent(new Event('online'))")
    expect(essay.cards).to_have_count(0)
    assert [url for method, url in sent if method == "POST" and CHANGES.search(url)] == []


def test_a_waiting_highlight_that_is_refused_for_good(essay: Reading) -> None:
    essay.go_offline()
    essay.drag("The margin keeps")
    essay.bar.get_by_role("button", name="Highlight with a note").click()
    essay.page.get_by_role("textbox", name="Note").fill("Precious words")
    expect(waiting(essay)).to_have_count(1)
    removed = essay.person.client.delete(f"/api/media/{essay.article.media_id}")
    assert removed.is_success
    essay.person.context.set_offline(False)
    messages = essay.page.get_by_label("Messages")
    expect(messages).to_contain_text("Your highlight “The margin keeps” was not saved.")
    expect(messages).to_contain_text("Precious words")
    expect(messages).to_contain_text("The article is gone, or is no longer shared with you.")
