"""A PDF opened in a real browser, and what a person can do there."""

import hashlib
import json
import subprocess
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, expect
from sqlalchemy.orm import Session

from nexus.config import get_settings
from nexus.db.enums import MediaKind, ProcessingStatus
from nexus.db.models import Fragment, MediaFile, MediaOutline
from nexus.storage import get_storage_client
from nexus.storage.paths import object_path
from tests.browser import REPOSITORY
from tests.e2e.reading import Person, Reading
from tests.factories import make_media

# The texts of the pages, the labels and the outline, as the extractor reads them.
_READ = """
import { readFileSync } from "node:fs";
import { readPdf } from "./src/pdf/read.mjs";
const pages = [];
let rest = {};
for await (const line of readPdf(new Uint8Array(readFileSync(0)))) {
  if ("page" in line) pages.push(line.text);
  if ("labels" in line) rest = line;
}
process.stdout.write(JSON.stringify({ pages, labels: rest.labels }));
"""


@dataclass(frozen=True)
class PdfText:
    """What the server knows of a file."""

    pages: list[str]
    labels: list[str] | None

    @property
    def text(self) -> str:
        return "\n".join(page for page in self.pages if page)

    @property
    def offsets(self) -> list[int]:
        """Where each page begins; an empty one where the next text does."""
        offsets = []
        at = 0
        for page in self.pages:
            offsets.append(min(at, len(self.text)))
            at += len(page) + 1 if page else 0
        return offsets


def read_pdf(data: bytes) -> PdfText:
    command = ["node", "--input-type=module", "-e", _READ]
    folder = REPOSITORY / "node" / "ingest"
    done = subprocess.run(command, cwd=folder, input=data, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return PdfText(**json.loads(done.stdout))


def store_pdf(
    session: Session,
    owner: Person,
    data: bytes,
    *,
    contents: list[dict[str, Any]] | None = None,
    replacing: tuple[str, str] | None = None,
) -> Fragment:
    """A PDF with its file and its text, as if it had been uploaded and read."""
    found = read_pdf(data)
    ready = ProcessingStatus.READY_FOR_READING
    kind = MediaKind.PDF
    media = make_media(
        session,
        owner.viewer,
        title="A paper",
        kind=kind,
        processing_status=ready,
        requested_url=None,
    )
    store_file(session, media.id, data)
    media.file_sha256 = hashlib.sha256(data).hexdigest()
    fragment = Fragment(
        media_id=media.id,
        idx=0,
        html_sanitized="<p></p>",
        canonical_text=found.text.replace(*replacing) if replacing else found.text,
    )
    session.add(fragment)
    session.flush()
    labels = found.labels or [str(number) for number in range(1, len(found.pages) + 1)]
    places = zip(labels, found.offsets, strict=True)
    pages = [
        {"number": number, "label": label, "fragment_idx": 0, "offset": offset}
        for number, (label, offset) in enumerate(places, 1)
    ]
    session.add(MediaOutline(media_id=media.id, contents=contents or [], pages=pages))
    session.commit()
    session.refresh(fragment)
    return fragment


def store_file(session: Session, media_id: Any, data: bytes) -> None:
    settings = get_settings()
    path = object_path(media_id, "pdf", prefix=settings.storage_prefix)
    get_storage_client(settings).put(
        path, content_type="application/pdf", size_bytes=len(data), chunks=[data]
    )
    session.add(
        MediaFile(
            media_id=media_id,
            storage_path=path,
            content_type="application/pdf",
            size_bytes=len(data),
        )
    )


@dataclass
class PdfReading(Reading):
    """A tab with a PDF."""

    def pdf_page(self, label: int | str) -> Locator:
        return self.page.locator(f'.pdf-page[aria-label^="Page {label} of"]')

    def go_to(self, label: str) -> None:
        field = self.page.get_by_label("Page, of")
        field.fill(label)
        field.press("Enter")

    def expect_drawn(self, label: int | str) -> None:
        """Wait until a page has its picture and its text."""
        expect(self.pdf_page(label).locator("canvas")).to_be_visible()
        expect(self.pdf_page(label).locator(".pdf-text-end")).to_be_attached()


def open_pdf(owner: Person, article: Fragment, *, fragment: str = "") -> PdfReading:
    """The PDF in a new tab, once its first page is drawn."""
    reading = PdfReading(owner, owner.page(), article)
    reading.page.goto(f"{owner.nexus.origin}/read/{article.media_id}{fragment}")
    expect(reading.page.locator(".pdf-page canvas").first).to_be_visible()
    return reading
