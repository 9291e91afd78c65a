"""A real Chromium in front of the real servers, with every console error counted."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from uuid import UUID, uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect
from sqlalchemy.orm import Session

from tests.live import PASSWORD, LiveNexus
from tests.patience import PATIENCE_MS

pytest.register_assert_rewrite("tests.e2e.reading")

from tests.e2e import reading  # noqa: E402 (after the line that prepares it)

expect.set_options(timeout=PATIENCE_MS)
_STATUS = re.compile(r"the server responded with a status of (\d{3})")


@dataclass
class Watched:
    """A page and what it complained about. A refusal that a test provokes is named beforehand."""

    page: Page
    expected_statuses: set[int] = field(default_factory=lambda: {401})
    complaints: list[str] = field(default_factory=list)

    def watch(self) -> None:
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type not in {"error", "warning"}:
            return
        status = _STATUS.search(message.text)
        if status and int(status[1]) in self.expected_statuses:
            return
        self.complaints.append(f"{message.text} ({message.location.get('url')})")


Watch = Callable[[Page], Watched]


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Watch a page; what it complains about fails the test at its end."""
    watched: list[Watched] = []

    def add(page: Page) -> Watched:
        one = Watched(page)
        one.watch()
        watched.append(one)
        return one

    yield add
    assert [complaint for one in watched for complaint in one.complaints] == []


@pytest.fixture
def context(browser: Browser, nexus: LiveNexus) -> Iterator[BrowserContext]:
    """A visitor nobody knows yet."""
    context = browser.new_context(
        base_url=nexus.origin, viewport={"width": 1280, "height": 800}, reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, watch: Watch) -> Watched:
    """A tab of that visitor."""
    return watch(context.new_page())


@dataclass(frozen=True)
class Person:
    id: UUID
    email: str
    default_library_id: UUID


@pytest.fixture
def person(context: BrowserContext, nexus: LiveNexus) -> Person:
    """The visitor signs up: every tab of the context has the session."""
    email = f"{uuid4().hex}@example.org"
    headers = {"Origin": nexus.origin}
    answer = context.request.post(
        "/auth/signup", data={"email": email, "password": PASSWORD}, headers=headers
    )
    assert answer.status == 201, answer.text()
    libraries = context.request.get("/api/libraries").json()["data"]["libraries"]
    return Person(UUID(answer.json()["data"]["user"]["id"]), email, UUID(libraries[0]["id"]))


@pytest.fixture
def reader(nexus: LiveNexus, browser: Browser, session: Session) -> Iterator[reading.Person]:
    """A person with a new account, at a desk."""
    with reading.person(nexus, browser, session) as someone:
        yield someone


@pytest.fixture
def phone_reader(nexus: LiveNexus, browser: Browser, session: Session) -> Iterator[reading.Person]:
    """A person with a new account, holding a small phone."""
    small = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
    with reading.person(nexus, browser, session, **small) as someone:
        yield someone
