"""The command line itself."""

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("command", "name", "value"),
    [
        ("up", "NEXUS_PORT", "eighty"),
        ("up", "NEXUS_ENV", "moon"),
        ("doctor", "NEXUS_PUBLIC_URL", "ftp://example.org"),
    ],
)
def test_an_invalid_setting_is_one_line(
    nexus_command: Run, command: str, name: str, value: str
) -> None:
    done = nexus_command(command, **{name: value})
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert name in done.stderr
