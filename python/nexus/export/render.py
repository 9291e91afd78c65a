"""Pages from a template. Every value is escaped, unless a filter has made Markdown of it."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from nexus.export import markdown

MAX_PAGE_CHARACTERS = 64 * 1024 * 1024
DEFAULT_TEMPLATE = (Path(__file__).parent / "default.md.j2").read_text(encoding="utf-8")


class TemplateRefused(Exception):
    """The template cannot be used; the message says why, and where."""


class _Markdown(str):
    """Text that is Markdown already."""

    __slots__ = ()


def compile_template(source: str) -> Template:
    try:
        return _environment().from_string(source)
    except (TemplateError, RecursionError, MemoryError, OverflowError) as error:
        raise TemplateRefused(_words(error)) from None


def render(template: Template, view: dict[str, Any]) -> str:
    """One page. The view holds nothing but plain values."""
    written, length = [], 0
    try:
        for piece in template.generate(view):
            written.append(piece)
            length += len(piece)
            if length > MAX_PAGE_CHARACTERS:
                raise TemplateRefused("a page becomes too long")
    except TemplateRefused:
        raise
    # A template can raise whatever Python can.
    except Exception as error:
        raise TemplateRefused(_words(error)) from None
    return "".join(written)


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        finalize=_as_markdown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for name in ("inline", "paragraphs", "quote", "link", "yaml"):
        environment.filters[name] = _making_markdown(getattr(markdown, name))
    environment.filters["hashtag"] = markdown.hashtag
    return environment


def _making_markdown(function: Any) -> Any:
    return lambda value: _Markdown(function(value))


def _as_markdown(value: Any) -> str:
    if isinstance(value, _Markdown):
        return value
    return "" if value is None else markdown.inline(str(value))


def _words(error: BaseException) -> str:
    line = getattr(error, "lineno", None)
    said = getattr(error, "message", None) or str(error) or type(error).__name__
    first = said.splitlines()[0][:200].rstrip(".")
    return f"line {line}: {first}" if line else first
