"""Keeping a claim alive while the work is in progress."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from nexus.logging import get_logger
from nexus.services import media_lifecycle

logger = get_logger(__name__)

RENEW_SECONDS = 10.0


@contextmanager
def lease_kept_alive(
    sessions: Callable[[], AbstractContextManager[Session]],
    *,
    media_id: UUID,
    attempt: int,
    every_seconds: float = RENEW_SECONDS,
) -> Iterator[None]:
    """Renew the lease of an attempt from a thread of its own until the block ends.

    A lost lease does not stop the work: the final write checks whether the attempt is still the
    current one, and changes nothing if it is not.
    """
    finished = threading.Event()

    def renew() -> None:
        while not finished.wait(every_seconds):
            try:
                with sessions() as session:
                    alive = media_lifecycle.renew_lease(session, media_id, attempt=attempt)
            except SQLAlchemyError as error:
                logger.warning("lease_not_renewed", media_id=str(media_id), error=str(error))
                continue
            if not alive:
                logger.warning("lease_lost", media_id=str(media_id), attempt=attempt)
                return

    thread = threading.Thread(target=renew, name=f"lease-{media_id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()
