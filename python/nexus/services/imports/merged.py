"""Lines of imports whose item turned out to be another one."""

from uuid import UUID

from sqlalchemy import exists, update
from sqlalchemy.orm import Session

from nexus.db.enums import ImportOutcome
from nexus.db.models import Import, ImportRecord, Library, LibraryMedia


def move_imports(session: Session, *, loser_id: UUID, winner_id: UUID) -> None:
    """They name the winner, before it is in the libraries of the loser.

    For a person who had the winner all along, the import brought nothing new: an undo leaves it.
    """
    had = exists().where(
        LibraryMedia.media_id == winner_id,
        LibraryMedia.library_id == Library.id,
        Library.owner_user_id == Import.user_id,
        Import.id == ImportRecord.import_id,
    )
    of_loser = ImportRecord.media_id == loser_id
    for condition, values in (
        (
            of_loser & (ImportRecord.outcome == ImportOutcome.ADDED) & had,
            {"outcome": ImportOutcome.EXISTING},
        ),
        (of_loser, {"media_id": winner_id}),
    ):
        session.execute(
            update(ImportRecord)
            .where(condition)
            .values(**values)
            .execution_options(synchronize_session=False)
        )
