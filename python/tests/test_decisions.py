"""Decision records are numbered without gaps and laid out alike."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs/decisions"
PAGES = sorted(FOLDER.iterdir())
LAYOUTS = (
    ["Context", "Decision", "Consequences", "Enforced by"],
    ["Context", "Decision", "Enforced by"],
)


def test_numbers_have_no_gaps_and_no_duplicates() -> None:
    names = [re.fullmatch(r"(\d{4})-[a-z0-9-]+\.md", page.name) for page in PAGES]
    numbers = [int(name[1]) if name else None for name in names]
    assert numbers == list(range(1, len(PAGES) + 1))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_are_laid_out_alike(page: Path) -> None:
    text = page.read_text()
    assert re.match(r"# \S.*\n\n## Context\n\S", text)
    assert re.findall(r"^#{2,} (.*)$", text, re.MULTILINE) in LAYOUTS
    assert not re.search(r"^## .*\n\n", text, re.MULTILINE), "text follows its heading at once"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for number, target in re.findall(r"\[([^\]]*)\]\((?!http)([^)#]+)\)", page.read_text()):
        assert (FOLDER / target).is_file(), target
        assert not number.isdigit() or target.startswith(number), target
