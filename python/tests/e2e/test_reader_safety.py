"""What must not happen in the reader: scripts, lies about positions, barriers."""

from uuid import uuid4

import pytest
from playwright.sync_api import expect
from sqlalchemy.orm import Session

from nexus.db.enums import FailureStage, ProcessingStatus
from nexus.db.models import Media, MediaAlias
from tests.e2e.acting import serious_problems
from tests.e2e.reading import Person, make_article, store_article
from tests.factories import make_media

HOSTILE = """<p id="after">Still readable.</p>
<img src="x" onerror="window.hacked = 'onerror'">
<script>window.hacked = 'script'</script>
<svg onload="window.hacked = 'svg'"><script>window.hacked = 'svg script'</script></svg>
<iframe srcdoc="<script>parent.hacked = 'srcdoc'</script>"></iframe>
<iframe src="javascript:parent.hacked = 'frame'"></iframe>
<a id="trap" href="javascript:window.hacked = 'link'" target="_self">click</a>
<object data="data:text/html,<script>parent.hacked = 'object'</script>"></object>
<form action="javascript:window.hacked = 'form'"><button id="send">send</button></form>
<details open ontoggle="window.hacked = 'toggle'">x</details>
<input autofocus onfocus="window.hacked = 'focus'">"""


def test_hostile_html_in_the_database_runs_no_script(session: Session, reader: Person) -> None:
    reading = reader.open(store_article(session, reader, HOSTILE, "Still readable."))
    expect(reading.page.get_by_text("Still readable.")).to_be_visible()
    # Its text is not what the server says it is: no highlight is drawn on it.
    expect(reading.page.get_by_role("alert")).to_contain_text("not shown here")
    reading.page.locator("#trap").click()
    reading.page.locator("#send").click()
    # Trusted Types: no string becomes code or markup outside the one policy.
    blocked = reading.page.evaluate(
        """() => {
          const tries = [
            () => { document.querySelector("#after").innerHTML = "<b>x</b>"; },
            () => { document.createElement("script").text = "window.hacked = 'text'"; },
            () => { trustedTypes.createPolicy("nexus", { createHTML: (html) => html }); },
            () => { trustedTypes.createPolicy("other", { createHTML: (html) => html }); },
          ];
          return tries.map((attempt) => {
            try { attempt(); return "ran"; } catch (error) { return error.name; }
          });
        }"""
    )
    assert blocked == ["TypeError"] * 4
    assert reading.page.evaluate("() => window.hacked ?? null") is None
    assert any("Content Security Policy" in problem for problem in reader.problems)
    reader.problems.clear()


def test_a_text_that_differs_from_the_servers_gets_no_highlights(
    session: Session, reader: Person
) -> None:
    article = store_article(session, reader, "<p>One text here.</p>", "Another text here.")
    reader.highlight(article, 0, 7, "yellow")
    reading = reader.open(article)
    expect(reading.page.get_by_role("alert")).to_contain_text("not shown here")
    assert reading.painted() == []
    reading.drag("text")
    expect(reading.bar).to_be_hidden()


@pytest.mark.heavy
@pytest.mark.parametrize("theme", ["light", "dark", "sepia"])
def test_axe_finds_nothing_serious(session: Session, reader: Person, theme: str) -> None:
    reader.context.add_init_script(f"localStorage.setItem('nexus.theme', '{theme}')")
    article = make_article(
        session,
        reader,
        "<h2>One</h2><p>Some text with a passage and another one.</p><h2>Two</h2>"
        "<ul><li>Item</li></ul><blockquote>Quoted</blockquote><p><code>code</code></p>"
        "<table><tr><th>Head</th></tr><tr><td>Cell</td></tr></table>",
    )
    for start, color in ((0, "yellow"), (2, "green"), (9, "blue"), (14, "pink"), (20, "purple")):
        reader.highlight(article, start, start + 12, color)
    reading = reader.open(article)
    expect(reading.cards).to_have_count(5)
    assert serious_problems(reading.page) == []
    reading.page.keyboard.press("j")
    reading.page.keyboard.press("n")
    expect(reading.page.get_by_role("textbox", name="Note")).to_be_focused()
    assert serious_problems(reading.page) == []
    reading.page.set_viewport_size({"width": 390, "height": 800})
    expect(reading.page.get_by_role("button", name="Close highlights")).to_be_visible()
    assert serious_problems(reading.page) == []
    reading.page.goto(f"{reader.nexus.origin}/highlights")
    expect(reading.page.get_by_role("heading", name="An essay")).to_be_visible()
    assert serious_problems(reading.page) == []


def test_an_item_on_its_way_opens_by_itself_once_it_is_ready(
    session: Session, reader: Person
) -> None:
    article = make_article(session, reader, "<p>Here at last.</p>", title="Slow page")
    media = session.get_one(Media, article.media_id)
    media.processing_status = ProcessingStatus.EXTRACTING
    session.commit()
    page = reader.page()
    with page.expect_response("**/api/media/events"):
        page.goto(f"{reader.nexus.origin}/read/{media.id}")
    expect(page.get_by_role("status").filter(has_text="Fetching the page…")).to_be_visible()
    media.processing_status = ProcessingStatus.READY_FOR_READING
    session.commit()
    expect(page.get_by_text("Here at last.")).to_be_visible()


def test_a_failed_item_says_why_and_can_be_tried_again(session: Session, reader: Person) -> None:
    media = make_media(
        session,
        reader.viewer,
        processing_status=ProcessingStatus.FAILED,
        failure_stage=FailureStage.EXTRACT,
        last_error_code="E_INGEST_FAILED",
        last_error_message="The site answered 403.",
    )
    page = reader.page()
    page.goto(f"{reader.nexus.origin}/read/{media.id}")
    expect(page.get_by_text("The site answered 403.")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("status").filter(has_text="Waiting")).to_be_visible()


def test_the_address_of_an_item_that_was_merged_leads_to_the_other(
    session: Session, reader: Person
) -> None:
    article = make_article(session, reader, "<p>Read once.</p>")
    alias = uuid4()
    session.add(MediaAlias(alias_id=alias, media_id=article.media_id))
    session.commit()
    page = reader.page()
    page.goto(f"{reader.nexus.origin}/read/{alias}")
    expect(page.get_by_text("Read once.")).to_be_visible()
    expect(page).to_have_url(f"{reader.nexus.origin}/read/{article.media_id}")


def test_an_item_that_is_not_there(reader: Person) -> None:
    page = reader.page()
    page.goto(f"{reader.nexus.origin}/read/00000000-0000-4000-8000-000000000000")
    expect(page.get_by_role("heading", name="Item not found")).to_be_visible()
    reader.problems.clear()
