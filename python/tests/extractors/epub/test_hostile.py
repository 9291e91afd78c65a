"""Books made to do harm, and damaged ones: ready or a typed failure, in few steps and 512 MiB."""

import os
import random
import signal
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import psutil
import pytest

from nexus.child import bare_environment
from nexus.extractors.epub import process
from nexus.extractors.epub.problems import BookError
from nexus.extractors.epub.process import ReadBook, reading
from nexus.extractors.epub.reader import MEMORY_BYTES
from nexus.extractors.interface import ExtractionError, TransientExtractionError
from nexus.html.sanitize import SanitizationError
from nexus.zips import reader as zip_reader
from tests.epub_files import (
    Book,
    a_book,
    bomb,
    line,
    long_book,
    nav,
    page,
    png,
    toc,
    zipped,
)
from tests.extractors.epub.reading import FOLDER, problem, read
from tests.live import wait_for
from tests.patience import PATIENCE_SECONDS
from tests.steps import steps

TOO_COMPLEX = "E_FILE_TOO_COMPLEX"


def read_apart(data: bytes, seconds: float = PATIENCE_SECONDS) -> ReadBook:
    """The book as a worker has it read; the pictures are closed again."""
    with _file(data) as file, reading(file, folder=FOLDER, seconds=seconds) as found:
        return found


@contextmanager
def _file(data: bytes) -> Iterator[BinaryIO]:
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        yield file


def code_of(data: bytes) -> str:
    with pytest.raises(ExtractionError) as caught:
        read_apart(data)
    assert str(caught.value)
    return caught.value.code


def test_a_bomb_costs_its_own_job() -> None:
    assert code_of(bomb(60)) == TOO_COMPLEX
    # A size that is a lie: what comes out counts.
    assert code_of(bomb(30, declared=1000)) == "E_EPUB_INVALID"


def test_one_document_has_a_limit() -> None:
    words = "".join(f"<p>{'Words and words, ' * 60}{n}.</p>\n" for n in range(21_000))
    assert problem(a_book(words)) == (
        TOO_COMPLEX,
        "“OEBPS/1.xhtml” in this EPUB is too large: a document can have at most 20 MiB.",
    )


@pytest.mark.heavy
def test_a_document_just_below_the_limit_is_read() -> None:
    words = "".join(f"<p>{'Words and words, ' * 60}{n}.</p>\n" for n in range(19_000))
    data = Book(documents={"1.xhtml": page(words)}).bytes()
    assert len(page(words)) > 19_000_000
    found = read_apart(data)
    assert len(found.fragments[0]["text"]) > 18_000_000


def test_the_whole_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_reader, "MAX_UNPACKED", 100_000)
    data = a_book(*(f"<p>{'x' * 30_000}</p>" for _ in range(4)))
    assert problem(data) == (TOO_COMPLEX, "This EPUB unpacks to more than 0 MiB.")


def test_too_many_entries() -> None:
    entries = [*Book().entries().items(), *((f"x/{n}", b"") for n in range(20_001))]
    assert problem(zipped(entries)) == (
        TOO_COMPLEX,
        "This EPUB has 20,005 files inside; at most 20,000 are read.",
    )


@pytest.mark.parametrize("where", ["META-INF/container.xml", "OEBPS/book.opf", "OEBPS/1.xhtml"])
def test_entities_are_never_expanded(where: str) -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(10))
    outside = '<!ENTITY out SYSTEM "file:///etc/passwd">'
    doctype = f"<!DOCTYPE x [{laughs}{outside}]>"
    entries = Book(documents={"1.xhtml": page("<p>Words</p>")}).entries()
    content = str(entries[where]).replace("<!DOCTYPE html>", "")
    head, rest = content.split("?>", 1)
    entries[where] = f"{head}?>{doctype}{rest}".replace("Words", "Words &l9; &out;")
    text = read(zipped(entries.items()))["fragments"][0]["text"]
    assert text.startswith("Words")
    assert "lollol" not in text
    assert "root:" not in text


HOSTILE: dict[str, Callable[[int], str]] = {
    "depth": lambda n: "<div>" * (n // 11) + "x" + "</div>" * (n // 11),
    "formatting": lambda n: "<b>" * (n // 3) + "x",
    "pictures": lambda n: "<svg>" * (n // 5) + "x",
    "links": lambda n: "<p>" + "<a href='#x'>y</a>" * (n // 18) + "</p>",
    "names": lambda n: "".join(f'<p id="i{number}">x</p>' for number in range(n // 20)),
    "attributes": lambda n: "<p " + " ".join(f'a{i}="1"' for i in range(n // 100)) + ">x</p>",
    "marks": lambda n: "<p>" + "a\u0301\u0323" * (n // 3) + "</p>",
    "white space": lambda n: "<p" + " " * n,
    "character data": lambda n: "<![CDATA[" * (n // 9),
    "document types": lambda n: "<!DOCTYPE [" * (n // 11),
    "ampersands": lambda n: "<p>" + "&" * n,
    "open links": lambda n: "<a href='" * (n // 9),
}


def hostile(name: str, length: int) -> Callable[[], None]:
    """The reading of a book with such a document."""
    data = a_book(HOSTILE[name](length), "<p>x</p>")

    def work() -> None:
        with suppress(BookError, SanitizationError):
            read(data)

    return work


@pytest.mark.parametrize("name", HOSTILE)
def test_steps_are_as_many_as_characters_allow(name: str) -> None:
    # The dearest takes 46 for each character, and a small book 20,000; a square would be millions.
    assert steps(hostile(name, 50_000)) < 20_000 + 100 * 50_000


@pytest.mark.heavy
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_take_seconds(name: str) -> None:
    work = hostile(name, 1_000_000)
    began = time.process_time()
    work()
    assert time.process_time() - began < 10


def with_hostile_sheets(length: int) -> bytes:
    sheets = {"a.css": "a" * length, "b.css": "." * length, "c.css": "{" * length}
    sheets |= {"d.css": "/*" * (length // 2), "e.css": ".a{" * (length // 4)}
    sheets |= {"f.css": ",}" * (length // 4)}
    return a_book("<p>x</p>", files=sheets)


def test_hostile_style_sheets_cost_few_steps() -> None:
    data = with_hostile_sheets(50_000)
    assert steps(lambda: read(data)) < 20_000 + 10 * 50_000


@pytest.mark.heavy
def test_hostile_style_sheets_take_seconds() -> None:
    data = with_hostile_sheets(2_000_000)
    began = time.process_time()
    assert read(data)["fragments"][0]["text"] == "x"
    assert time.process_time() - began < 10


def test_contents_that_never_end_are_cut_off() -> None:
    deep = ""
    for _ in range(100):
        deep = line("1.xhtml", "deeper", deep)
    wide = line("1.xhtml", "wider") * 6_000
    book = Book(
        documents={"1.xhtml": page("<p>x</p>")},
        files={"nav.xhtml": nav(toc(deep + wide))},
        properties={"nav.xhtml": "nav"},
    )
    contents = read(book.bytes())["contents"]
    assert 4_000 < len(contents) <= 5_000


@pytest.mark.heavy
def test_too_much_memory_is_a_failure_of_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    starved = "from nexus.extractors.epub import reader as r; r.MEMORY_BYTES = 2**27; r.main()"
    monkeypatch.setattr(process, "_COMMAND", ("-c", starved))
    assert read_apart(a_book("<p>x</p>")).fragments[0]["text"] == "x"
    words = "".join(f"<p>{'Wörter und Worte ✓, ' * 40}{n}</p>" for n in range(10_000))
    assert code_of(a_book(words)) == TOO_COMPLEX


@pytest.mark.heavy
def test_memory_stays_below_its_limit() -> None:
    peak = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.01):
            for child in psutil.Process().children():
                try:
                    peak = max(peak, child.memory_info().rss)
                except psutil.Error:
                    continue

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        pictures = {f"{n}.png": png(900, 900, n) + os.urandom(2_000_000) for n in range(10)}
        shown = "".join(f'<img src="{n}.png"/>' for n in range(10))
        words = "".join(f"<p>{'Words and words, ' * 60}{n}</p>" for n in range(10_000))
        read_apart(a_book(words, f"<p>{shown}</p>", files=pictures))
    finally:
        done.set()
        watcher.join()
    assert 20 * 2**20 < peak < MEMORY_BYTES


def test_a_thousand_damaged_books_are_ready_or_fail_with_a_reason() -> None:
    chance = random.Random(18)
    good = [
        long_book(3, 3_000),
        Book(files={"a.png": png(), "nav.xhtml": nav(toc(line("one.xhtml", "x")))}).bytes(),
        zipped(Book().entries().items(), mimetype=False),
    ]
    outcomes = {"ready": 0, "failed": 0}
    for _ in range(1000):
        try:
            read(_damaged(chance, chance.choice(good)))
            outcomes["ready"] += 1
        except BookError:
            outcomes["failed"] += 1
    assert min(outcomes.values()) > 100


def _damaged(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 20))):
        at = chance.randrange(len(changed))
        match chance.randrange(4):
            case 0:
                changed[at] = chance.randrange(256)
            case 1:
                del changed[at : at + chance.randrange(1, 50)]
            case 2:
                changed[at:at] = chance.randbytes(chance.randrange(1, 50))
            case _:
                changed[at] ^= 1 << chance.randrange(8)
    return bytes(changed[: chance.randrange(1, len(changed))] if chance.random() < 0.1 else changed)


def test_damaged_texts_inside_good_archives_too() -> None:
    chance = random.Random(81)
    entries = {**Book(files={"nav.xhtml": nav(toc(line("one.xhtml", "x")))}).entries()}
    for _ in range(300):
        name = chance.choice(list(entries))
        content = entries[name]
        raw = content.encode() if isinstance(content, str) else content
        with suppress(BookError):
            read(zipped({**entries, name: _damaged(chance, raw)}.items()))


# The process


@pytest.fixture
def stopped_reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A process that says where it is and then waits to be killed."""
    program = tmp_path / "stopped.py"
    program.write_text(
        "import os, pathlib, signal\n"
        f"pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(os.getpid()))\n"
        "signal.pause()\n"
    )
    monkeypatch.setattr(process, "_COMMAND", (str(program),))
    return tmp_path / "pid"


def test_a_process_that_is_killed_is_a_fault_of_ours(stopped_reader: Path) -> None:
    def kill() -> None:
        wait_for(lambda: stopped_reader.exists() and stopped_reader.read_text())
        os.kill(int(stopped_reader.read_text()), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(TransientExtractionError, match="cut off"):
        read_apart(Book().bytes())
    killer.join()


@pytest.mark.usefixtures("stopped_reader")
def test_a_machine_without_time_is_a_fault_of_ours() -> None:
    before = {child.pid for child in psutil.Process().children()}
    with pytest.raises(TransientExtractionError) as caught:
        read_apart(Book().bytes(), seconds=1)
    assert caught.value.code == "E_JOB_TIMEOUT"
    assert {child.pid for child in psutil.Process().children()} <= before


@pytest.mark.parametrize("number", [signal.SIGXCPU, signal.SIGSEGV, signal.SIGABRT])
def test_a_book_that_breaks_the_process_is_too_complex(number: int) -> None:
    assert process.ending(-number).code == TOO_COMPLEX


def test_nothing_of_ours_is_told_to_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEXUS_JWT_SECRET", "secret")
    assert "NEXUS_JWT_SECRET" not in bare_environment()


def test_pictures_are_in_the_file_that_was_given() -> None:
    data = a_book('<p>x<img src="a.png"/></p>', files={"a.png": png()})
    with _file(data) as file, reading(file, folder=FOLDER, seconds=PATIENCE_SECONDS) as found:
        (kept,) = found.book["pictures"]
        found.pictures.seek(kept["start"])
        assert found.pictures.read(kept["length"]) == png()
        assert zipfile.is_zipfile(file)
