import re
import unicodedata
from email.message import Message
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nexus.storage.filenames import content_disposition, safe_filename

CASES = [
    ("report.pdf", "report.pdf"),
    ("Bericht über Öl.pdf", "Bericht über Öl.pdf"),
    ("日本語.epub", "日本語.epub"),
    ("📚 book.epub", "📚 book.epub"),
    ("e\u0301.pdf", "é.pdf"),
    ("../../etc/passwd", "_.._etc_passwd"),
    ("..\\..\\boot.ini", "_.._boot.ini"),
    ("C:\\x.pdf", "C__x.pdf"),
    ('a"b.pdf', "a_b.pdf"),
    ("a\r\nSet-Cookie: x=1.pdf", "aSet-Cookie_ x=1.pdf"),
    ("a\x00b\x7f.pdf", "ab.pdf"),
    ("invoice\u202efdp.exe", "invoicefdp.exe"),
    ("a\u200bb\ufeff.pdf", "ab.pdf"),
    ("a\u2028b.pdf", "ab.pdf"),
    ("\ud800.pdf", "pdf"),
    (".htaccess", "htaccess"),
    ("x.pdf. . ", "x.pdf"),
    ("", "download"),
    ("...", "download"),
    ("\r\n", "download"),
    ("a" * 300 + ".pdf", "a" * 116 + ".pdf"),
    ("a." + "b" * 300, "a." + "b" * 118),
]


@pytest.mark.parametrize(("name", "expected"), CASES)
def test_safe_filename(name: str, expected: str) -> None:
    assert safe_filename(name) == expected


@pytest.mark.parametrize("name", [name for name, _ in CASES])
def test_the_header_is_one_line_that_parses_back(name: str) -> None:
    header = content_disposition(name)
    assert re.fullmatch(r"attachment; filename=\"[^\"\\%]+\"; filename\*=UTF-8''[\w.~%-]+", header)
    message = Message()
    message["Content-Disposition"] = header
    assert message.get_content_disposition() == "attachment"
    assert unquote(header.rpartition("''")[2]) == safe_filename(name)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_no_name_breaks_the_header(name: str) -> None:
    header = content_disposition(name)
    assert header.isascii()
    assert header.isprintable()
    assert header.count('"') == 2
    cleaned = safe_filename(name)
    assert 0 < len(cleaned) <= 120
    assert safe_filename(cleaned) == cleaned
    assert not any(unicodedata.category(c) in {"Cc", "Cf", "Cs"} for c in cleaned)
    assert not set('/\\"') & set(cleaned)
    assert cleaned not in {".", ".."}
