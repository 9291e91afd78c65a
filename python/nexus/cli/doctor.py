"""`nexus doctor`: check each part and say how to fix it."""

import typer

from nexus.cli.checks import CHECKS
from nexus.cli.common import settings_or_exit
from nexus.cli.finding import Finding

_MARKS = {"good": "✓", "stopped": "–", "broken": "✗"}


def doctor() -> None:
    """Check each part and say how to fix it."""
    settings = settings_or_exit()
    broken = False
    for name, check in CHECKS.items():
        try:
            findings = check(settings)
        except Exception as error:
            # A check that crashes is a finding too; the others still run.
            findings = [Finding("broken", name, str(error) or type(error).__name__)]
        for finding in findings:
            _show(finding)
            broken = broken or finding.state == "broken"
    raise typer.Exit(1 if broken else 0)


def _show(finding: Finding) -> None:
    typer.echo(f"{_MARKS[finding.state]} {finding.part}: {finding.text}")
    if finding.fix:
        typer.echo(f"    → {finding.fix}")
