"""What operators are told about is what there is."""

import re
from pathlib import Path

import pytest

import nexus
from nexus.config import PROJECT_ROOT

TEXT = (PROJECT_ROOT / "docs" / "operations.md").read_text()
SOURCE = "\n".join(path.read_text() for path in Path(nexus.__file__).parent.rglob("*.py"))


def test_every_code_is_explained_and_no_other() -> None:
    used = set(re.findall(r'"(E_[A-Z_]+)"', SOURCE))
    assert set(re.findall(r"\bE_[A-Z_]+", TEXT)) == used


@pytest.mark.parametrize("metric", sorted(set(re.findall(r"`(nexus_\w+)", TEXT))))
def test_every_metric_named_is_one(metric: str) -> None:
    name = metric.removesuffix("_total")
    name = re.sub("^nexus_(api|bff)_(?=request)", "nexus_{service}_", name)
    assert f'"{name}"' in SOURCE or f" {name} " in SOURCE


def test_every_audit_line_named_is_one() -> None:
    named = re.search(r"Lines worth an alert or an audit: (.*?)\. They", TEXT, re.DOTALL)
    assert named
    for event in re.findall(r"`(\w+)`", named.group(1)):
        assert f'"{event}"' in SOURCE
