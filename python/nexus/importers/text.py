"""The text of a file in pieces, whatever became of its bytes on the way."""

import codecs
import io
from collections.abc import Iterator
from typing import IO

_CHUNK = 64 * 1024
# A line that is longer comes in pieces, so that none fills memory.
MAX_LINE = 1024 * 1024
_BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


def encoding_of(head: bytes) -> str:
    """As the byte order mark says, or the zeros of plain letters in UTF-16; otherwise UTF-8."""
    for mark, encoding in _BOMS.items():
        if head.startswith(mark):
            return encoding
    start = head[:64]
    if len(start) >= 8 and not any(start[1::2]):
        return "utf-16-le"
    return "utf-8"


def text_chunks(file: IO[bytes]) -> Iterator[str]:
    """The text from where the file stands; broken characters become U+FFFD."""
    chunk = file.read(_CHUNK)
    decoder = codecs.getincrementaldecoder(encoding_of(chunk))("replace")
    start = decoder.decode(chunk).removeprefix("\ufeff")
    if start:
        yield start
    while chunk := file.read(_CHUNK):
        if text := decoder.decode(chunk):
            yield text
    if text := decoder.decode(b"", final=True):
        yield text


def text_lines(file: IO[bytes]) -> Iterator[str]:
    """Lines with their ends, of any of the three kinds; a very long one comes in pieces."""
    pending = ""
    for chunk in text_chunks(file):
        *lines, last = io.StringIO(pending + chunk, newline="")
        yield from lines
        # The last line may go on in the next chunk; even "\r" may be half of its end.
        if last.endswith("\n") or len(last) > MAX_LINE:
            yield last
            last = ""
        pending = last
    if pending:
        yield pending
