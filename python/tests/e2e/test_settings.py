"""Password, sessions and the version, in Settings."""

import pytest
from playwright.sync_api import expect

from nexus.version import VERSION
from tests.bff.test_accounts import log_in
from tests.bff.test_password_and_sessions import FIREFOX, NEW
from tests.e2e.acting import visit
from tests.e2e.conftest import Person, Watched
from tests.live import PASSWORD, LiveNexus


def test_other_devices_are_seen_and_signed_out(
    nexus: LiveNexus, page: Watched, person: Person
) -> None:
    tab = page.page
    with nexus.browser() as elsewhere, nexus.browser() as third:
        elsewhere.headers["User-Agent"] = FIREFOX
        assert log_in(elsewhere, person.email).status_code == 200
        visit(tab, "/settings")
        places = tab.get_by_role("list", name="Where you are signed in")
        expect(places.get_by_role("listitem")).to_have_count(2)
        expect(places).to_contain_text("This browser")
        tab.get_by_role("button", name="Sign out Firefox on Windows").click()
        expect(places.get_by_role("listitem")).to_have_count(1)
        assert elsewhere.get("/auth/session").status_code == 401
        expect(tab.get_by_role("button", name="Sign out all other devices")).to_have_count(0)

        assert log_in(third, person.email).status_code == 200
        visit(tab, "/settings")
        tab.get_by_role("button", name="Sign out all other devices").click()
        expect(places.get_by_role("listitem")).to_have_count(1)
        assert third.get("/auth/session").status_code == 401


def test_the_password_is_changed_by_who_knows_it(
    nexus: LiveNexus, page: Watched, person: Person
) -> None:
    tab = page.page
    page.expected_statuses |= {400}
    visit(tab, "/settings")
    old, new = tab.get_by_label("Current password"), tab.get_by_label("New password")
    save = tab.get_by_role("button", name="Change password")
    save.click()
    expect(old).to_be_focused()
    expect(tab.get_by_text("Enter your current password.")).to_be_visible()

    old.fill("not-my-password")
    new.fill(NEW)
    save.click()
    expect(tab.get_by_text("This is not your current password.")).to_be_visible()
    expect(old).to_be_focused()
    old.fill(PASSWORD)
    new.fill("password1234")
    save.click()
    expect(tab.get_by_text("too easy to guess")).to_be_visible()
    new.fill(NEW)
    save.click()
    expect(tab.get_by_text("Your password was changed.")).to_be_visible()
    expect(old).to_have_value("")
    with nexus.browser() as other:
        assert log_in(other, person.email).status_code == 401
        assert log_in(other, person.email, NEW).status_code == 200


@pytest.mark.usefixtures("person")
def test_a_token_is_shown_once(nexus: LiveNexus, page: Watched) -> None:
    tab = page.page
    visit(tab, "/settings")
    tab.get_by_label("Token name").fill("Backup script")
    tab.get_by_role("button", name="Create token").click()
    shown = tab.get_by_label("The new token")
    expect(shown).to_be_focused()
    secret = shown.input_value()
    with nexus.browser() as script:
        answer = script.get("/api/libraries", headers={"Authorization": f"Bearer {secret}"})
        assert answer.status_code == 200, answer.text
    tab.get_by_role("button", name="Done").click()
    expect(tab.get_by_label("Token name")).to_be_focused()
    tab.reload()
    expect(tab.get_by_role("button", name="Revoke Backup script")).to_be_visible()
    assert secret not in tab.content()


@pytest.mark.heavy
@pytest.mark.usefixtures("person")
def test_the_version_is_shown(page: Watched) -> None:
    visit(page.page, "/settings")
    expect(page.page.get_by_text(f"Nexus {VERSION}", exact=True)).to_be_visible()
