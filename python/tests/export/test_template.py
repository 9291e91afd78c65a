"""A person's own template: what it can say, and what it cannot do."""

import pytest

from nexus.errors import InvalidRequestError
from nexus.export.render import DEFAULT_TEMPLATE
from nexus.export.template import OurPages, PagesOfTemplate
from nexus.export.view import SAMPLES
from tests.patience import PATIENCE_SECONDS

VIEW = SAMPLES[0] | {"title": "*bold* <b>", "tags": ["a b", "c#"]}


def page(template: str) -> str:
    with PagesOfTemplate(template, seconds=PATIENCE_SECONDS) as pages:
        return pages.page(VIEW)


def test_values_are_text_unless_a_filter_makes_markdown_of_them() -> None:
    assert page("# {{ title }}") == r"# \*bold\* \<b\>"
    assert page("{{ title | safe }}") == r"\*bold\* \<b\>"
    assert page("{{ title | upper }}") == r"\*BOLD\* \<B\>"
    assert page("{{ '<b>' ~ title }}") == r"\<b\>\*bold\* \<b\>"
    assert page("title: {{ title | yaml }}") == 'title: "*bold* <b>"'
    assert page("{{ address | link }}") == "<https://example.org/>"
    assert page("{{ tags | map('hashtag') | join(' ') }}") == "a-b c"
    assert page("{{ text | quote }}") == "> A first line\n>\n> A passage"
    assert page("{% for one in highlights %}{{ one.note | paragraphs }}{% endfor %}") == "A note"


def test_the_default_is_a_template_like_any_other() -> None:
    assert page(DEFAULT_TEMPLATE) == OurPages().page(VIEW)


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("{% for %}", "line 1"),
        ("{{ title", "line 1"),
        ("{{ no_such_name }}", "'no_such_name' is undefined"),
        ("{{ title | no_such_filter }}", "No filter named"),
        ("{% include 'x' %}", "no loader"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ title.__class__ }}", "unsafe"),
        ("{{ cycler.__init__.__globals__ }}", "unsafe"),
        ("{{ self.__init__.__globals__ }}", "unsafe"),
        ("{{ (title | attr('__class__')) }}", "unsafe"),
        ("{{ '{0.__class__}'.format(title) }}", "unsafe"),
        ("{% set x = tags.append('x') %}", "unsafe"),
        ("{% for a in range(10 ** 9) %}{% endfor %}", "Range too big"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "recursion"),
    ],
)
def test_a_broken_template_says_what_is_wrong(template: str, why: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        page(template)
    assert refused.value.code == "E_TEMPLATE_INVALID"
    assert why in refused.value.message


@pytest.mark.parametrize(
    "template",
    [
        "{% set r = range(90000) %}{% for a in r %}{% for b in r %}{% endfor %}{% endfor %}",
        "{{ 'a' * 10 ** 10 }}",
        "{{ 'a'.ljust(10 ** 10) }}",
        "{% for a in range(99999) %}{{ 'a' * 100000 }}{% endfor %}",
        "{% set n = namespace(a='a') %}{% for i in range(60) %}"
        "{% set n.a = n.a ~ n.a %}{% endfor %}{{ n.a }}",
        "{{ 9 ** (9 ** 9) }}",
    ],
)
def test_time_and_memory_are_bounded(template: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        PagesOfTemplate(template, seconds=1).close()
    assert refused.value.code == "E_TEMPLATE_INVALID"
