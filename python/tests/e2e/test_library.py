"""Saving, watching, retrying, sorting and removing items, in a real browser."""

from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from playwright.sync_api import Route, expect
from pytest_httpserver import HTTPServer
from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage, ProcessingStatus
from nexus.db.models import Media
from nexus.services.media_create import create_from_url
from nexus.services.viewer import Viewer
from tests.e2e.acting import (
    article,
    choose,
    drop_link,
    ingest,
    item_id,
    paste,
    row,
    saved_row,
    visit,
)
from tests.e2e.conftest import Person, Watch, Watched
from tests.factories import make_media, make_user
from tests.live import PASSWORD, LiveNexus


@pytest.fixture
def site() -> Iterator[HTTPServer]:
    with HTTPServer(host="127.0.0.1", threaded=True) as server:
        yield server


def serve(site: HTTPServer, path: str, title: str) -> str:
    site.expect_request(path).respond_with_data(article(title), content_type="text/html")
    return site.url_for(path)


def viewer(person: Person) -> Viewer:
    return Viewer(person.id, person.email, person.default_library_id)


def test_a_pasted_address_is_saved_read_and_ready_without_a_reload(
    page: Watched, person: Person, site: HTTPServer
) -> None:
    tab = page.page
    url = serve(site, "/tides", "On tides")
    visit(tab)
    paste(tab, url)
    saved = row(tab, "/tides")
    expect(saved.get_by_text("Waiting")).to_be_visible()
    expect(tab.get_by_text("Saved.")).to_be_visible()
    media_id = item_id(saved)
    ingest(media_id)
    ready = row(tab, "On tides")
    expect(ready.get_by_text("1 min read")).to_be_visible()
    expect(ready.get_by_role("link")).to_have_attribute("href", f"/read/{media_id}")
    expect(tab.get_by_role("log")).to_contain_text("“On tides” is ready.")
    expect(row(tab, "/tides")).to_have_count(0)


@pytest.mark.parametrize(
    "way",
    [
        pytest.param("pasted", marks=pytest.mark.heavy),
        pytest.param("typed", marks=pytest.mark.heavy),
        "dropped",
    ],
)
def test_an_address_alone_is_saved_as_it_is(
    page: Watched, person: Person, session: Session, way: str
) -> None:
    tab = page.page
    url = f"https://en.example.org/wiki/{way}/Airplane!"
    visit(tab)
    expect(row(tab, "Welcome to Nexus")).to_be_visible()
    if way == "pasted":
        paste(tab, url)
    elif way == "dropped":
        drop_link(tab, url)
    else:
        tab.keyboard.press("a")
        tab.get_by_label("Web addresses").fill(url)
        tab.keyboard.press("Enter")
    saved = row(tab, f"en.example.org/wiki/{way}/Airplane!")
    expect(saved.get_by_text("Waiting")).to_be_visible()
    assert session.get_one(Media, item_id(saved)).requested_url == url


@pytest.mark.heavy
def test_a_row_is_there_before_the_server_answers(page: Watched, person: Person) -> None:
    tab = page.page
    visit(tab)
    expect(tab.get_by_role("link", name="Welcome to Nexus")).to_be_visible()
    held: list[Route] = []
    tab.route("**/api/media/url", lambda route: held.append(route))
    with tab.expect_request("**/api/media/url"):
        paste(tab, "https://slow.example.org/page")
    expect(row(tab, "slow.example.org/page").get_by_text("Saving…")).to_be_visible()
    held[0].continue_()
    expect(row(tab, "slow.example.org/page").get_by_text("Waiting")).to_be_visible()


def test_a_list_is_pasted_at_once_and_every_line_accounted_for(
    page: Watched, person: Person
) -> None:
    page.expected_statuses.add(400)
    tab = page.page
    visit(tab)
    lines = ["https://one.example.org", "my reading list", "https://two.example.org"]
    paste(tab, "\n".join([*lines, "https://one.example.org", "http://printer.local/x"]))
    for name in ("one.example.org", "two.example.org"):
        expect(row(tab, name).get_by_text("Waiting")).to_be_visible()
    message = tab.get_by_role("region", name="Messages")
    expect(message).to_contain_text("Saved 2 addresses. One could not be saved.")
    expect(message).to_contain_text("Not a web address: “my reading list”.")
    refused = row(tab, "printer.local")
    expect(refused).to_contain_text("Not saved: This address")
    expect(refused.get_by_role("button", name="Try again")).to_have_count(0)
    refused.get_by_role("button", name="Dismiss").click()
    expect(refused).to_have_count(0)


@pytest.mark.heavy
def test_pasting_into_a_field_saves_nothing(page: Watched, person: Person) -> None:
    tab = page.page
    visit(tab)
    tab.get_by_role("button", name="New library").click()
    expect(tab.get_by_label("Name of the new library")).to_be_focused()
    paste(tab, "https://one.example.org")
    tab.keyboard.press("Escape")
    paste(tab, "https://two.example.org")
    expect(saved_row(tab, "two.example.org")).to_be_visible()
    expect(row(tab, "one.example.org")).to_have_count(0)


def test_the_same_page_under_two_addresses_becomes_one_row(
    page: Watched, person: Person, site: HTTPServer
) -> None:
    tab = page.page
    url = serve(site, "/tides", "On tides")
    visit(tab)
    paste(tab, url)
    expect(saved_row(tab, "/tides")).to_be_visible()
    ingest(item_id(saved_row(tab, "/tides")))
    expect(row(tab, "On tides")).to_be_visible()
    paste(tab, f"{url}?utm_source=mail#harbours")
    expect(tab.get_by_text("Already in your library.")).to_be_visible()
    expect(row(tab, "On tides")).to_have_count(1)
    # An address that only turns out to be the same page, once it is read.
    site.expect_request("/short").respond_with_data(status=302, headers={"Location": url})
    paste(tab, site.url_for("/short"))
    expect(saved_row(tab, "/short")).to_be_visible()
    ingest(item_id(saved_row(tab, "/short")))
    expect(tab.get_by_text("“On tides” is already in your library.")).to_be_visible()
    expect(row(tab, "/short")).to_have_count(0)
    expect(row(tab, "On tides")).to_have_count(1)


@pytest.mark.heavy
def test_nobody_is_told_that_they_had_what_somebody_else_saved(
    page: Watched, person: Person, site: HTTPServer, session: Session
) -> None:
    tab = page.page
    url = serve(site, "/tides", "On tides")
    other = make_user(session)
    first = create_from_url(session, other, kind="web_article", url=url)
    session.commit()
    ingest(first.media_id)
    site.expect_request("/short").respond_with_data(status=302, headers={"Location": url})
    visit(tab)
    paste(tab, site.url_for("/short"))
    expect(saved_row(tab, "/short")).to_be_visible()
    ingest(item_id(saved_row(tab, "/short")))
    expect(row(tab, "On tides")).to_have_count(1)
    expect(tab.get_by_label("Messages")).not_to_contain_text("already")
    expect(row(tab, "On tides").locator("time")).to_have_text("just now")


def test_a_failure_is_told_in_words_and_tried_again(
    page: Watched, person: Person, site: HTTPServer, session: Session
) -> None:
    tab = page.page
    site.expect_ordered_request("/gate").respond_with_data("no", status=403)
    visit(tab)
    paste(tab, site.url_for("/gate"))
    expect(saved_row(tab, "/gate")).to_be_visible()
    media_id = item_id(saved_row(tab, "/gate"))
    ingest(media_id)
    failed = row(tab, "Could not be read")
    expect(failed).to_contain_text("403")
    site.clear()
    serve(site, "/gate", "Behind the gate")
    with tab.expect_response("**/retry"):
        failed.get_by_role("button", name="Try again").click()
    expect(row(tab, "/gate").get_by_text("Waiting")).to_be_visible()
    ingest(media_id)
    expect(row(tab, "Behind the gate").get_by_text("1 min read")).to_be_visible()


def test_after_three_tries_the_address_is_saved_again(
    page: Watched, person: Person, session: Session
) -> None:
    url = "https://heavy.example.org/page"
    make_media(
        session,
        viewer(person),
        title=url,
        requested_url=url,
        processing_status=ProcessingStatus.FAILED,
        processing_attempts=3,
        failure_stage=FailureStage.EXTRACT,
        last_error_code="E_INGEST_TIMEOUT",
        last_error_message="The page took too long to load.",
        failed_at=datetime.now(UTC),
    )
    tab = page.page
    visit(tab, "/?state=failed")
    failed = row(tab, "heavy.example.org")
    expect(failed.get_by_role("button", name="Try again")).to_have_count(0)
    failed.get_by_role("button", name="Save again").click()
    expect(tab.get_by_text("Saved.")).to_be_visible()
    tab.get_by_label("Status").select_option("waiting")
    expect(row(tab, "heavy.example.org").get_by_text("Waiting")).to_be_visible()


def test_a_video_is_saved_from_the_dialog_and_plays_in_its_own_frame(
    page: Watched, person: Person
) -> None:
    tab = page.page
    player = "https://www.youtube-nocookie.com/**"
    tab.route(player, lambda route: route.fulfill(content_type="text/html", body="<p>Film</p>"))
    visit(tab)
    expect(tab.get_by_role("link", name="Welcome to Nexus")).to_be_visible()
    tab.keyboard.press("a")
    field = tab.get_by_label("Web addresses")
    expect(field).to_be_focused()
    tab.keyboard.type("nothing here")
    tab.keyboard.press("Enter")
    expect(tab.get_by_text("There is no web address in this.")).to_be_visible()
    field.fill("https://youtu.be/dQw4w9WgXcQ?si=x")
    tab.keyboard.press("Enter")
    video = row(tab, "youtu.be")
    expect(video.get_by_text("Plays here")).to_be_visible()
    video.get_by_role("link").click()
    tab.get_by_role("button", name="Play").click()
    frame = tab.locator("iframe")
    expect(frame).to_have_attribute("title", "Video: youtu.be/dQw4w9WgXcQ?si=x")
    expect(tab.frame_locator("iframe").get_by_text("Film")).to_be_visible()


def test_libraries_are_filled_and_emptied_from_the_menu(page: Watched, person: Person) -> None:
    tab = page.page
    visit(tab)
    choose(tab, "Welcome to Nexus", "Add to library…")
    dialog = tab.get_by_role("dialog")
    dialog.get_by_role("button", name="New library").click()
    expect(dialog.get_by_role("textbox")).to_be_focused()
    tab.keyboard.type("Essays")
    tab.keyboard.press("Enter")
    expect(dialog.get_by_role("button", name="Essays")).to_contain_text("Added")
    dialog.get_by_role("button", name="Done").click()
    choose(tab, "Welcome to Nexus", "Add to library…")
    expect(dialog.get_by_role("button", name="Essays")).to_contain_text("Already added")
    dialog.get_by_role("button", name="Cancel").click()
    tab.get_by_role("navigation").get_by_role("link", name="Essays 1 item").click()
    expect(row(tab, "Welcome to Nexus")).to_be_visible()

    choose(tab, "Welcome to Nexus", "Remove from this library")
    expect(tab.get_by_text("An empty shelf")).to_be_visible()
    tab.get_by_role("button", name="Undo").click()
    expect(row(tab, "Welcome to Nexus")).to_be_visible()

    paste(tab, "https://one.example.org")
    expect(row(tab, "one.example.org").get_by_text("Waiting")).to_be_visible()
    expect(tab.get_by_role("link", name="Essays 2 items")).to_be_visible()

    choose(tab, "Welcome to Nexus", "Remove from all libraries…")
    dialog = tab.get_by_role("dialog")
    expect(dialog).to_contain_text("3 highlights")
    dialog.get_by_role("button", name="Remove", exact=True).click()
    expect(row(tab, "Welcome to Nexus")).to_have_count(0)
    tab.get_by_role("link", name="My Library 1 item").click()
    expect(row(tab, "one.example.org")).to_be_visible()
    expect(row(tab, "Welcome to Nexus")).to_have_count(0)
    message = tab.get_by_label("Messages").get_by_text("“Welcome to Nexus” was removed.")
    message.locator("..").get_by_role("button", name="Undo").click()
    expect(row(tab, "Welcome to Nexus").get_by_text("3 highlights")).to_be_visible()
    expect(tab.get_by_role("link", name="Essays 2 items")).to_be_visible()


def test_two_tabs_show_the_same(
    page: Watched, watch: Watch, person: Person, session: Session
) -> None:
    first = page.page
    second = watch(first.context.new_page()).page
    for tab in (first, second):
        visit(tab)
        expect(row(tab, "Welcome to Nexus")).to_be_visible()
    # Rows are shared: one that is left half read must be no other test's.
    page_name = f"{uuid4().hex[:8]}.example.org"
    paste(first, f"https://{page_name}")
    expect(row(second, page_name).get_by_text("Waiting")).to_be_visible()
    media = session.get_one(Media, item_id(row(second, page_name)))
    media.processing_status = ProcessingStatus.EXTRACTING
    session.commit()
    for tab in (first, second):
        expect(row(tab, page_name).get_by_text("Fetching the page…")).to_be_visible()
    choose(first, "Welcome to Nexus", "Remove…")
    first.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    for tab in (first, second):
        expect(row(tab, "Welcome to Nexus")).to_have_count(0)


@pytest.mark.heavy
def test_a_session_that_ends_while_saving_loses_nothing(
    page: Watched, person: Person, nexus: LiveNexus
) -> None:
    tab = page.page
    visit(tab)
    expect(row(tab, "Welcome to Nexus")).to_be_visible()
    # Held until the session has ended: another request might tell the page first, and one cannot
    # paste into the form that signs in.
    held: list[Route] = []
    tab.route("**/api/media/url", lambda route: held.append(route), times=1)
    with tab.expect_request("**/api/media/url"):
        paste(tab, "https://one.example.org")
    tab.context.clear_cookies()
    held.pop().continue_()
    expect(tab.get_by_text("Your session has ended")).to_be_visible()
    tab.get_by_label("E-mail").fill(person.email)
    tab.get_by_label("Password", exact=True).fill(PASSWORD)
    tab.keyboard.press("Enter")
    refused = row(tab, "one.example.org")
    refused.get_by_role("button", name="Try again").click()
    expect(refused.get_by_text("Waiting")).to_be_visible()
    expect(tab).to_have_url(f"{nexus.origin}/")


def test_keys_move_through_the_list_and_are_explained(page: Watched, person: Person) -> None:
    tab = page.page
    visit(tab)
    paste(tab, "https://one.example.org")
    expect(row(tab, "one.example.org").get_by_text("Waiting")).to_be_visible()
    tab.keyboard.press("j")
    expect(tab.get_by_role("link", name="one.example.org")).to_be_focused()
    tab.keyboard.press("j")
    welcome = tab.get_by_role("link", name="Welcome to Nexus")
    expect(welcome).to_be_focused()
    tab.keyboard.press("?")
    dialog = tab.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_contain_text("Add an address or a file")
    tab.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(welcome).to_be_focused()
    tab.keyboard.press("?")
    dialog.get_by_role("checkbox", name="Enable single-key shortcuts").uncheck()
    tab.keyboard.press("Escape")
    expect(welcome).to_be_focused()
    for key in ("k", "?"):
        tab.keyboard.press(key)
    expect(dialog).to_have_count(0)
    expect(welcome).to_be_focused()
