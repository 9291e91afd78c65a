"""What can still be read of a damaged JSON file: its objects, wherever they are whole."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

Object = dict[str, Any]

MIB = 1024 * 1024
_MAX_OBJECT = 2 * MIB
# An object that fails is tried again from inside; a file can be made so that this never ends.
_MOST_WASTED = 64 * MIB
_OBJECT = re.compile(r"\{\s*+\"[^\"\\{}]{0,200}+\"\s*+:")
_MAX_START = 300
_COMPACTED = 32 * 1024
_DECODER = json.JSONDecoder(strict=False)


def salvaged(
    chunks: Iterator[str], like: Callable[[Object], bool], *, skip: int
) -> Iterator[Object]:
    """The objects that look like wanted ones, without the first few, which are known already."""
    for found in _Search(chunks, like).objects():
        if skip > 0:
            skip -= 1
        else:
            yield found


class _Search:
    def __init__(self, chunks: Iterator[str], like: Callable[[Object], bool]) -> None:
        self._chunks, self._like = chunks, like
        self._text, self._at = "", 0
        self._read = self._wasted = 0

    def objects(self) -> Iterator[Object]:
        while self._wasted <= _MOST_WASTED + 3 * self._read:
            start = _OBJECT.search(self._text, self._at)
            if start is None:
                # At the very end an object may begin.
                self._at = max(self._at, len(self._text) - _MAX_START)
                if not self._more():
                    return
                continue
            self._at = start.start()
            if self._at > _COMPACTED:
                # An error counts the lines before it, every time.
                self._text, self._at = self._text[self._at :], 0
            found = self._object()
            if found is not None:
                yield found

    def _object(self) -> Object | None:
        """The object that begins here, if it is a wanted one; go on behind it or else inside."""
        try:
            value, end = _DECODER.raw_decode(self._text, self._at)
        except json.JSONDecodeError as error:
            if self._may_go_on(error) and self._more():
                return self._object()
            unterminated = error.msg.startswith("Unterminated")
            end = len(self._text) if unterminated else error.pos
        except (RecursionError, ValueError):
            end = len(self._text)
        else:
            if self._like(value):
                self._at = end
                return value  # type: ignore[no-any-return]
        self._wasted += end - self._at
        self._at += 1
        return None

    def _may_go_on(self, error: json.JSONDecodeError) -> bool:
        at_end = error.pos >= len(self._text) - 16 or error.msg.startswith("Unterminated")
        return at_end and len(self._text) - self._at < _MAX_OBJECT

    def _more(self) -> bool:
        """Double what is left of the text; False at the end of the file."""
        text, self._at = self._text[self._at :], 0
        pieces = [text]
        wanted = 2 * len(text)
        for chunk in self._chunks:
            pieces.append(chunk)
            self._read += len(chunk)
            wanted -= len(chunk)
            if wanted <= 0:
                break
        self._text = "".join(pieces)
        return len(self._text) > len(text)
