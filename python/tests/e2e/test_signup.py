"""From the first visit to signing in again, with libraries in between."""

from uuid import uuid4

from playwright.sync_api import Page, expect

from tests.e2e.acting import choose
from tests.e2e.conftest import Person, Watched
from tests.live import PASSWORD, LiveNexus


def fill(page: Page, email: str, password: str) -> None:
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password", exact=True).fill(password)


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1, name=name, exact=True)).to_be_visible()


def test_from_sign_up_through_a_library_to_signing_in_again(
    page: Watched, nexus: LiveNexus
) -> None:
    tab, email = page.page, f"{uuid4().hex}@example.org"
    tab.goto("/signup")
    fill(tab, email, PASSWORD)
    tab.get_by_role("button", name="Create").click()
    heading(tab, "Inbox")
    expect(tab.get_by_role("link", name="Welcome to Nexus")).to_be_visible()

    tab.get_by_role("button", name="New library").click()
    expect(tab.get_by_label("Name of the new library")).to_be_focused()
    tab.keyboard.type("Essays")
    tab.keyboard.press("Enter")
    heading(tab, "Essays")
    expect(tab.get_by_text("An empty shelf")).to_be_visible()

    choose(tab, "Essays", "Rename")
    tab.get_by_label("Library name").fill("Long reads")
    tab.keyboard.press("Enter")
    heading(tab, "Long reads")
    expect(tab.get_by_role("navigation").get_by_role("link", name="Long reads")).to_be_visible()

    choose(tab, "Long reads", "Delete…")
    tab.get_by_role("button", name="Delete library").click()
    heading(tab, "Inbox")
    expect(tab.get_by_role("link", name="Long reads")).to_have_count(0)

    tab.get_by_role("button", name="Sign out").click()
    expect(tab).to_have_url(f"{nexus.origin}/login")
    fill(tab, email, "not the passphrase")
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("alert")).to_contain_text("do not match")
    tab.get_by_label("Password", exact=True).fill(PASSWORD)
    tab.keyboard.press("Enter")
    heading(tab, "Inbox")


def test_signing_in_leads_back_to_where_one_was(
    page: Watched, person: Person, nexus: LiveNexus
) -> None:
    tab = page.page
    tab.goto("/?state=ready&kind=web_article")
    expect(tab.get_by_role("link", name="Welcome to Nexus")).to_be_visible()
    tab.context.clear_cookies()
    tab.reload()
    fill(tab, person.email, PASSWORD)
    tab.keyboard.press("Enter")
    expect(tab).to_have_url(f"{nexus.origin}/?state=ready&kind=web_article")
    expect(tab.get_by_role("link", name="Welcome to Nexus")).to_be_visible()


def test_an_account_that_exists_and_a_weak_password_are_refused_in_words(
    page: Watched, person: Person
) -> None:
    page.expected_statuses |= {400, 409}
    tab = page.page
    tab.context.clear_cookies()
    tab.goto("/signup")
    fill(tab, person.email, PASSWORD)
    tab.keyboard.press("Enter")
    expect(tab.get_by_text("No account was created")).to_be_visible()
    fill(tab, f"{uuid4().hex}@example.org", "password1234")
    tab.keyboard.press("Enter")
    expect(tab.get_by_text("too easy to guess")).to_be_visible()
