"""XML from anywhere: no entities are declared or expanded, nothing is fetched, nesting is bounded.

Books break the rules about namespaces as often as all others, so names are compared without their
prefix.
"""

import codecs
import re
from html.entities import html5
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

MAX_DEPTH = 400
_HEAD = 4096

_DECLARED = re.compile(rb"""(?:encoding|charset)\s*=\s*["']?\s*([A-Za-z][\w.:-]{0,40})""")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]{0,40};)")
_OF_XML = frozenset({"lt;", "gt;", "amp;", "quot;", "apos;"})
_BARE_AMPERSAND = re.compile(r"&(?!(?:[A-Za-z][\w.-]*|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)")
_DOCTYPE = re.compile(r"<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>", re.S | re.I)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class MarkupError(ValueError):
    """It is not well-formed, or does what no honest file does."""


def decoded(data: bytes) -> str:
    """The text of a file, in the encoding it has rather than the one it claims."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _text(data, encoding).removeprefix("\ufeff")
    if data[:2] in (b"<\0", b"\0<"):
        return _text(data, "utf-16-le" if data[0] else "utf-16-be")
    found = _DECLARED.search(data[:1024])
    declared = found[1].decode() if found else ""
    # Nothing else looks like UTF-8 by chance, except what is written in ASCII with escapes.
    if not (declared and b"\x1b" in data):
        try:
            return data.decode()
        except UnicodeDecodeError:
            pass
    return _damaged(data) if _codec_name(declared) == "utf-8" else _text(data, declared)


def _codec_name(encoding: str) -> str:
    try:
        return codecs.lookup(encoding or "utf-8").name
    except LookupError:
        return ""


def _damaged(data: bytes) -> str:
    """Text that claims to be UTF-8: with some bytes broken, or not at all."""
    text = data.decode(errors="replace")
    broken = text.count("\ufffd")
    foreign = sum(not character.isascii() for character in text)
    return text if 2 * broken <= foreign else data.decode("cp1252", "replace")


def _text(data: bytes, encoding: str) -> str:
    try:
        if codecs.lookup(encoding)._is_text_encoding and encoding.lower() != "utf-7":
            return data.decode(encoding, "replace")
    except LookupError:
        pass
    return data.decode("cp1252", "replace")


def local_name(name: str) -> str:
    return name.rpartition(":")[2]


def attributes_of(given: dict[str, str]) -> dict[str, str]:
    """Attributes without their prefixes; one of EPUB's is kept apart from HTML's `type`."""
    if not any(":" in name for name in given):
        return given
    found: dict[str, str] = {}
    for name, value in given.items():
        local = local_name(name)
        if local == "type" and local != name:
            found["epub:type"] = value
        elif local == name or local not in given:
            found[local] = value
    return found


def new_parser() -> expat.XMLParserType:
    """A parser that refuses declarations of entities and whatever else could make it grow."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.buffer_size = 65536
    parser.EntityDeclHandler = _refuse
    return parser


def _refuse(*_: object) -> None:
    raise MarkupError("it declares entities")


def run_parser(parser: expat.XMLParserType, text: str) -> None:
    """Parse a whole file; named characters of HTML are known."""
    if "&" in text:
        text = _ENTITY.sub(_character, text)
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "not well-formed")
        raise MarkupError(f"{reason} in line {error.lineno}") from None
    except UnicodeEncodeError:
        raise MarkupError("it has characters that are none") from None


def _character(match: re.Match[str]) -> str:
    name = match[1]
    return match[0] if name in _OF_XML else html5.get(name, match[0])


def parse_xml(data: bytes) -> Element:
    """The tree of a file with bare names. Common mistakes are repaired first, if need be."""
    text = decoded(data)
    try:
        return _tree(text)
    except MarkupError as first:
        repaired = _BARE_AMPERSAND.sub("&amp;", without_doctype(_NOT_XML.sub("", text)))
        try:
            return _tree(repaired.lstrip())
        except MarkupError:
            raise first from None


def without_doctype(text: str) -> str:
    """The text without what it declares at its beginning."""
    start = text[:_HEAD].upper().find("<!DOCTYPE")
    found = _DOCTYPE.match(text, start) if start >= 0 else None
    return text if found is None else text[:start] + text[found.end() :]


def _tree(text: str) -> Element:
    builder, depth = TreeBuilder(), 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise MarkupError("its elements are nested too deeply")
        builder.start(local_name(name), attributes_of(attributes))

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(local_name(name))

    parser = new_parser()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    run_parser(parser, text)
    return builder.close()


def text_of(element: Element | None) -> str:
    """All text inside, on one line."""
    return "" if element is None else " ".join("".join(element.itertext()).split())
