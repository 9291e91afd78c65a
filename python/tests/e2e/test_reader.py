"""Reading and highlighting in a real browser, against the real API and BFF."""

import re
from uuid import uuid4

import pytest
from bench.painted import COLORS, letters
from playwright.sync_api import Response, Route, expect
from sqlalchemy.orm import Session

from tests.e2e.reading import Person, Reading, make_article
from tests.live import wait_for

TEXT = """
<p>Reading with a pencil in hand is a way of thinking. The margin keeps what the page began.</p>
<h2>Second part</h2>
<p>Nothing is merged, moved or lost, and each can be reached on its own.</p>
"""


@pytest.fixture
def essay(session: Session, reader: Person) -> Reading:
    return reader.open(make_article(session, reader, TEXT))


def saved(reading: Reading) -> list[tuple[str, str]]:
    """What the server has, in reading order."""
    return [(one["exact"], one["color"]) for one in reading.person.highlights(reading.article)]


def test_a_mouse_drag_and_a_colour_make_a_highlight(essay: Reading) -> None:
    essay.drag("a pencil in hand")
    essay.bar.get_by_role("button", name="Highlight in green").click()
    essay.expect_painted(("a pencil in hand", "green"))
    expect(essay.cards).to_have_count(1)
    expect(essay.bar).to_be_hidden()
    essay.expect_saved()
    essay.page.reload()
    essay.expect_painted(("a pencil in hand", "green"))
    wait_for(lambda: saved(essay) == [("a pencil in hand", "green")])


def test_the_keyboard_alone_makes_a_highlight_a_note_and_goes_between_them(essay: Reading) -> None:
    keyboard = essay.page.keyboard
    keyboard.press("h")
    expect(essay.bar).to_be_visible()
    keyboard.press("ArrowRight")
    keyboard.press("ArrowRight")
    for _ in range(len(" pencil")):
        keyboard.press("Shift+ArrowRight")
    keyboard.press("3")
    essay.expect_painted(("a pencil", "blue"))
    keyboard.press("h")
    keyboard.press("5")
    essay.expect_painted(("Reading", "purple"), ("a pencil", "blue"))
    keyboard.press("j")
    keyboard.press("j")
    expect(essay.page.locator(":focus")).to_contain_text("a pencil")
    keyboard.press("k")
    expect(essay.page.locator(":focus")).to_contain_text("Reading")
    keyboard.press("n")
    expect(essay.page.get_by_role("textbox", name="Note")).to_be_focused()
    keyboard.type("1 jn? typed, not obeyed")
    keyboard.press("Escape")
    expect(essay.page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    keyboard.press("2")
    essay.expect_painted(("Reading", "green"), ("a pencil", "blue"))
    keyboard.press("Delete")
    essay.expect_painted(("a pencil", "blue"))


@pytest.mark.heavy
def test_the_keys_are_explained(essay: Reading) -> None:
    expect(essay.cards).to_have_count(0)
    essay.page.keyboard.press("?")
    help_ = essay.page.get_by_role("dialog")
    for words in ("Next highlight", "Write a note", "Delete highlight"):
        expect(help_).to_contain_text(words)
    essay.page.keyboard.press("Escape")
    expect(help_).to_be_hidden()


def test_three_overlapping_highlights_are_each_reached_by_click_and_by_key(essay: Reading) -> None:
    essay.drag("Reading with a pencil in hand is a way")
    essay.bar.get_by_role("button", name="Highlight in yellow").click()
    expect(essay.cards).to_have_count(1)
    essay.drag("a pencil in hand")
    essay.bar.get_by_role("button", name="Highlight in blue").click()
    expect(essay.cards).to_have_count(2)
    essay.drag("in hand is a way of thinking")
    essay.bar.get_by_role("button", name="Highlight in pink").click()
    essay.expect_painted(
        ("Reading with ", "yellow"),
        ("a pencil ", "blue"),
        ("in hand", "pink"),
        (" is a way", "pink"),
        (" of thinking", "pink"),
    )
    reached = []
    for _ in range(4):
        essay.click_text("in hand")
        current = essay.cards.locator("[aria-current=true]")
        expect(current).to_be_focused()
        reached.append(letters(current.inner_text().split(":", 1)[1]))
    names = ["inhandisawayofthinking", "apencilinhand", "Readingwithapencilinhandisaway"]
    assert reached == [*names, names[0]]
    listed = essay.page.get_by_role("region", name="3 highlights overlap here")
    expect(listed.get_by_role("button")).to_have_count(3)
    listed.get_by_role("button").nth(1).click()
    expect(essay.cards.locator("[aria-current=true]")).to_contain_text("a pencil in hand")


def highlight_in_turn(reading: Reading, *passages: tuple[str, str]) -> None:
    """Highlights made elsewhere one after the other, and shown here."""
    text = reading.article.canonical_text
    for passage, color in passages:
        start = text.index(passage)
        reading.person.highlight(reading.article, start, start + len(passage), color)
    reading.page.reload()
    expect(reading.cards).to_have_count(len(passages))


def test_the_highlights_at_a_place_are_listed_on_a_press_or_a_key(essay: Reading) -> None:
    highlight_in_turn(essay, ("merged, moved or lost", "green"), ("moved or", "green"))
    listed = essay.page.get_by_role("region", name="2 highlights overlap here")
    # Pointing underlines them and covers nothing.
    essay.page.mouse.move(*essay.edges("moved")["middle"])
    essay.page.wait_for_function("() => CSS.highlights.get('nexus-hover').size === 2")
    essay.settle()
    expect(listed).to_be_hidden()
    essay.click_text("moved")
    expect(listed.get_by_role("button")).to_have_count(2)
    essay.page.mouse.move(2, 2)
    expect(listed).to_be_visible()
    essay.page.get_by_role("heading", name="An essay").click()
    expect(listed).to_be_hidden()

    keyboard = essay.page.keyboard
    keyboard.press("j")
    keyboard.press("l")
    expect(listed.get_by_role("button").nth(0)).to_be_focused()
    keyboard.press("Escape")
    expect(listed).to_be_hidden()
    expect(essay.cards.locator("[aria-current=true]")).to_be_focused()
    keyboard.press("l")
    keyboard.press("ArrowDown")
    expect(listed.get_by_role("button").nth(1)).to_be_focused()
    keyboard.press("Enter")
    expect(listed).to_be_hidden()
    expect(essay.cards.locator("[aria-current=true]")).to_be_focused()
    expect(essay.cards.locator("[aria-current=true]")).to_contain_text("merged, moved or lost")


def test_a_note_is_there_word_for_word_after_a_reload(essay: Reading) -> None:
    note = "First line\n\n  “Second”, with 👩‍👩‍👧 and العربية & <b>no tags</b>"
    essay.drag("The margin keeps what the page began")
    essay.bar.get_by_role("button", name="Highlight with a note").click()
    field = essay.page.get_by_role("textbox", name="Note")
    expect(field).to_be_focused()
    field.fill(note)
    expect(essay.page.get_by_text("Saved", exact=True)).to_be_visible()
    essay.page.reload()
    expect(field).to_have_value(note)
    assert essay.person.highlights(essay.article)[0]["annotation"]["body"] == note


@pytest.mark.heavy
def test_a_note_survives_a_reload_before_it_was_saved(essay: Reading) -> None:
    essay.drag("The margin keeps")
    essay.bar.get_by_role("button", name="Highlight with a note").click()
    essay.expect_saved()
    essay.page.route("**/annotation", lambda route: route.abort())
    essay.page.get_by_role("textbox", name="Note").fill("typed while the server was away")
    expect(essay.page.get_by_text("Waiting to sync")).to_be_visible()
    essay.page.unroute("**/annotation")
    essay.page.reload()
    expect(essay.page.get_by_role("textbox", name="Note")).to_have_value(
        "typed while the server was away"
    )
    expect(essay.page.get_by_text("Saved", exact=True)).to_be_visible()
    assert essay.person.highlights(essay.article)[0]["annotation"] is not None
    essay.person.problems.clear()


SCRIPTS = (
    ("<p>A family 👩‍👩‍👧 and a flag 🇪🇺 went 𝒪ut 🎉 today.</p>", "flag 🇪🇺 went 𝒪ut 🎉"),
    ("<p dir=rtl>هذه مقالة قصيرة عن القراءة.</p>", "مقالة قصيرة"),
    ("<p>我們閱讀的時候，也在思考。</p>", "閱讀的時候"),
    ("<table><tr><td>North</td><td>12 °C</td></tr></table>", "12 °C"),
    ("<ul><li>One apple</li><li>Two pears</li></ul>", "Two pears"),
)


def test_every_script_and_shape_of_text(session: Session, reader: Person) -> None:
    html = "".join(html for html, _ in SCRIPTS)
    reading = reader.open(make_article(session, reader, html))
    made = [(passage, color) for (_, passage), color in zip(SCRIPTS, COLORS, strict=True)]
    for passage, color in made:
        reading.drag(passage)
        reading.bar.get_by_role("button", name=f"Highlight in {color}").click()
        expect(reading.bar).to_be_hidden()
    reading.expect_painted(*made)
    reading.expect_sent()
    assert saved(reading) == made


MIXED = """<p>Before</p><p>Two <b>bold</b> words <img src="https://example.org/i.png" alt="">
after</p><ul><li>One</li><li>Two</li></ul><table><tr><td>Cell</td></tr></table><p>The end</p>"""


@pytest.mark.heavy
@pytest.mark.parametrize("shape", ["triple click", "select all", "across"])
def test_selections_of_any_shape(session: Session, reader: Person, shape: str) -> None:
    reader.context.route("**/api/media/image**", lambda route: route.fulfill(status=204))
    reading = reader.open(make_article(session, reader, MIXED))
    if shape == "triple click":
        reading.page.mouse.click(*reading.edges("bold")["middle"], click_count=3)
        wanted = "Two bold words after"
    elif shape == "select all":
        reading.body.focus()
        reading.page.keyboard.press("Control+a")
        wanted = reading.article.canonical_text
    else:
        reading.drag("bold", to="Cell")
        wanted = "bold words after\n\nOne\n\nTwo\n\nCell"
    reading.bar.get_by_role("button", name="Highlight in pink").click()
    reading.expect_painted((wanted, "pink"))
    reading.expect_saved()
    assert [letters(exact) for exact, _ in saved(reading)] == [letters(wanted)]


@pytest.mark.heavy
@pytest.mark.parametrize("passage", ["print(1)", "Call print(1)"])
def test_code_is_refused_with_a_reason(session: Session, reader: Person, passage: str) -> None:
    reading = reader.open(make_article(session, reader, "<p>Call <code>print(1)</code> now.</p>"))
    reading.drag(passage)
    expect(reading.bar.get_by_role("alert")).to_have_text("Highlights in code are turned off.")
    expect(reading.bar.get_by_role("button")).to_have_text(["Allow highlights in code"])
    reading.page.keyboard.press("1")
    expect(reading.bar.get_by_role("button")).to_be_focused()
    assert (reading.painted(), saved(reading)) == ([], [])


CODE = """<p>Call it like this, or as <code>greet("you")</code> does.</p>
<pre>def greet(name):
    return "Hello, " + name</pre><p>The end.</p>"""


@pytest.fixture
def manual(session: Session, reader: Person) -> Reading:
    return reader.open(make_article(session, reader, CODE))


@pytest.mark.heavy
def test_once_allowed_code_is_highlighted_like_any_text(manual: Reading) -> None:
    manual.drag('return "Hello, " + name')
    manual.bar.get_by_role("button", name="Allow highlights in code").click()
    manual.bar.get_by_role("button", name="Highlight in green").click()
    manual.expect_painted(('return "Hello, " + name', "green"))
    manual.drag('as greet("you") does')
    manual.bar.get_by_role("button", name="Highlight in blue").click()
    manual.drag("you")
    manual.bar.get_by_role("button", name="Highlight with a note").click()
    manual.page.get_by_role("textbox", name="Note").fill("Or anybody else")
    expect(manual.page.get_by_text("Saved", exact=True)).to_be_visible()
    manual.expect_painted(
        ('as greet("', "blue"),
        ("you", "blue"),
        ('") does', "blue"),
        ('return "Hello, " + name', "green"),
    )
    manual.page.keyboard.press("Escape")
    manual.page.keyboard.press("4")
    manual.page.get_by_role("button", name="Choose another passage").click()
    manual.drag("def greet")
    manual.page.get_by_role("button", name="Use this passage").click()
    manual.click_text("as greet")
    manual.page.keyboard.press("Delete")
    manual.expect_painted(("def greet", "pink"), ('return "Hello, " + name', "green"))
    manual.expect_sent()
    assert [(letters(exact), color) for exact, color in saved(manual)] == [
        ("defgreet", "pink"),
        ('return"Hello,"+name', "green"),
    ]


def is_kept(answer: Response) -> bool:
    """The account has the person's preferences."""
    return answer.request.method == "PUT" and answer.url.endswith("/preferences")


def test_allowing_code_is_kept_for_the_person_and_can_be_taken_back(manual: Reading) -> None:
    manual.drag("def greet")
    with manual.page.expect_response(is_kept):
        manual.bar.get_by_role("button", name="Allow highlights in code").click()
    manual.bar.get_by_role("button", name="Highlight in pink").click()
    manual.expect_painted(("def greet", "pink"))
    manual.expect_sent()
    # As on another device, which knows nothing but the account.
    manual.page.evaluate("() => localStorage.clear()")
    manual.page.reload()
    manual.page.get_by_role("button", name="Appearance").click()
    allowed = manual.page.get_by_role("checkbox", name="Allow highlights in code")
    expect(allowed).to_be_checked()
    with manual.page.expect_response(is_kept):
        allowed.uncheck()
    manual.page.keyboard.press("Escape")
    manual.drag("return")
    expect(manual.bar).to_contain_text("Highlights in code are turned off.")
    manual.expect_painted(("def greet", "pink"))
    manual.page.keyboard.press("Escape")
    expect(manual.bar).to_be_hidden()
    manual.click_text("def")
    manual.page.keyboard.press("2")
    manual.expect_painted(("def greet", "green"))


@pytest.mark.heavy
def test_code_is_allowed_with_the_keyboard_alone(manual: Reading) -> None:
    keyboard = manual.page.keyboard
    keyboard.press("h")
    keyboard.press("ArrowDown")
    keyboard.press("3")
    expect(manual.bar.get_by_role("button", name="Allow highlights in code")).to_be_focused()
    keyboard.press("Enter")
    expect(manual.bar.get_by_role("button", name="Highlight in blue")).to_be_visible()
    keyboard.press("3")
    manual.expect_painted(("def", "blue"))


def test_deleting_can_be_undone(essay: Reading) -> None:
    start = essay.article.canonical_text.index("a pencil")
    essay.person.highlight(essay.article, start, start + 8, "purple")
    essay.page.reload()
    essay.expect_painted(("a pencil", "purple"))
    essay.click_text("a pencil")
    essay.page.get_by_role("button", name="Delete highlight").click()
    essay.expect_painted()
    essay.page.get_by_role("button", name="Undo").click()
    essay.expect_painted(("a pencil", "purple"))
    essay.expect_sent()
    assert saved(essay) == [("a pencil", "purple")]


def test_a_highlight_moves_to_another_passage(essay: Reading) -> None:
    start = essay.article.canonical_text.index("a pencil")
    made = essay.person.highlight(essay.article, start, start + 8, "blue")
    essay.page.reload()
    essay.expect_painted(("a pencil", "blue"))
    essay.click_text("a pencil")
    essay.page.get_by_role("button", name="Choose another passage").click()
    essay.drag("The margin keeps")
    with essay.page.expect_response(lambda answer: answer.request.method == "PATCH"):
        essay.page.get_by_role("button", name="Use this passage").click()
    essay.expect_painted(("The margin keeps", "blue"))
    after = essay.person.highlights(essay.article)
    assert [(one["id"], one["exact"]) for one in after] == [(made["id"], "The margin keeps")]


def test_two_tabs_find_the_same_highlights(essay: Reading) -> None:
    other = essay.person.open(essay.article)
    essay.drag("a pencil")
    essay.bar.get_by_role("button", name="Highlight in yellow").click()
    essay.expect_painted(("a pencil", "yellow"))
    essay.expect_saved()
    other.page.bring_to_front()
    other.page.evaluate("() => window.dispatchEvent(new Event('focus'))")
    other.expect_painted(("a pencil", "yellow"))
    # A highlight that the other tab deleted is simply gone, and nothing breaks.
    essay.person.client.delete(f"/api/highlights/{essay.person.highlights(essay.article)[0]['id']}")
    other.click_text("a pencil")
    other.page.keyboard.press("2")
    expect(other.page.get_by_label("Messages")).to_contain_text("not saved")
    other.expect_painted()
    essay.person.problems.clear()


def test_an_ended_session_loses_neither_highlight_nor_note(essay: Reading) -> None:
    person = essay.person
    start = essay.article.canonical_text.index("a pencil")
    person.highlight(essay.article, start, start + 8, "yellow")
    essay.page.reload()
    essay.expect_painted(("a pencil", "yellow"))
    essay.click_text("a pencil")
    essay.page.keyboard.press("n")

    # Not before the request is made: another one might tell the page.
    def end_session_first(route: Route) -> None:
        person.client.post("/auth/logout")
        route.continue_()

    essay.page.route("**/api/highlights/*/annotation", end_session_first, times=1)
    essay.page.get_by_role("textbox", name="Note").fill("typed as the session ended")
    expect(essay.page).to_have_url(re.compile("/login"))
    sign_in(essay)
    expect(essay.page).to_have_url(re.compile(f"/read/{essay.article.media_id}#h="))
    expect(essay.page.get_by_role("textbox", name="Note")).to_have_value(
        "typed as the session ended"
    )
    expect(essay.page.get_by_text("Saved", exact=True)).to_be_visible()

    # Held until the session has ended, for the same reason.
    held: list[Route] = []
    essay.page.route("**/api/fragments/*/highlights", lambda route: held.append(route), times=1)
    essay.drag("The margin keeps")
    with essay.page.expect_request("**/api/fragments/*/highlights"):
        essay.bar.get_by_role("button", name="Highlight in green").click()
    essay.page.context.clear_cookies()
    held.pop().continue_()
    expect(essay.page).to_have_url(re.compile("/login"))
    sign_in(essay)
    essay.expect_painted(("a pencil", "yellow"), ("The margin keeps", "green"))
    person.problems.clear()


def sign_in(reading: Reading) -> None:
    from tests.live import PASSWORD

    reading.page.get_by_label("E-mail").fill(reading.person.viewer.email or "")
    reading.page.get_by_label("Password", exact=True).fill(PASSWORD)
    reading.page.get_by_role("button", name="Sign in").click()
    expect(reading.body).not_to_be_empty()


def test_the_address_of_a_highlight_leads_to_it(session: Session, reader: Person) -> None:
    paragraphs = "".join(f"<p>Paragraph {n} of a long article.</p>" for n in range(200))
    article = make_article(session, reader, paragraphs)
    passage = "Paragraph 180 of"
    start = article.canonical_text.index(passage)
    made = reader.highlight(article, start, start + len(passage), "green")
    page = reader.page()
    page.goto(f"{reader.nexus.origin}/highlights")
    page.get_by_role("link", name=passage).click()
    expect(page).to_have_url(re.compile(f"/read/{article.media_id}#h={made['id']}"))
    reading = Reading(reader, page, article)
    expect(reading.cards.locator("[aria-current=true]")).to_be_in_viewport()
    expect(page.get_by_text("Paragraph 180 of a long")).to_be_in_viewport()
    gone = reader.open(article, fragment=f"#h={uuid4()}").page
    expect(gone.get_by_label("Messages")).to_contain_text("no longer exists")


def test_reading_goes_on_where_it_stopped(session: Session, reader: Person) -> None:
    paragraphs = "".join(f"<p>Paragraph {n} of a long article.</p>" for n in range(200))
    reading = reader.open(make_article(session, reader, paragraphs))
    reading.page.get_by_text("Paragraph 120 of").evaluate("one => one.scrollIntoView(true)")
    reading.page.wait_for_function(
        """() => Object.entries(localStorage).some(
          ([key, at]) => key.startsWith("nexus.position.") && JSON.parse(at).offset > 3000)"""
    )
    reading.page.reload()
    expect(reading.page.get_by_text("Paragraph 122 of")).to_be_in_viewport()
    reading.page.get_by_role("button", name="Appearance").click()
    reading.page.get_by_role("button", name="Larger text").click()
    reading.page.keyboard.press("Escape")
    expect(reading.page.get_by_text("Paragraph 122 of")).to_be_in_viewport()


@pytest.mark.heavy
def test_the_text_stays_where_it_is_when_the_bar_gets_focus(
    session: Session, reader: Person
) -> None:
    paragraphs = "".join(f"<p>Paragraph {n} of a long article.</p>" for n in range(200))
    reading = reader.open(make_article(session, reader, paragraphs))
    page = reading.page
    page.get_by_text("Paragraph 120 of").evaluate("one => one.scrollIntoView(true)")
    reading.settle()
    before = page.evaluate("scrollY")
    for name in ("Find in the text", "Appearance"):
        button = page.get_by_role("button", name=name)
        button.evaluate("one => one.focus()")
        expect(button).to_be_focused()
    assert page.evaluate("scrollY") == before
