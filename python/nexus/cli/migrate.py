"""`nexus migrate`."""

import typer

from nexus.cli.common import own_settings_or_exit, say
from nexus.cli.failing import database_errors


def migrate() -> None:
    """Bring the database of NEXUS_DATABASE_URL to the newest schema. `nexus up` does it itself."""
    settings = own_settings_or_exit()
    if settings.database_url is None:
        typer.echo("NEXUS_DATABASE_URL is not set; `nexus up` migrates its own database.", err=True)
        raise typer.Exit(2)
    # Imported here, because other commands should not wait for it.
    from nexus.db.migrate import upgrade

    with database_errors():
        upgrade(settings.database_url)
    say("The database has the newest schema.")
