"""Measuring images ahead of the reader, a few at a time, when there is nothing else to do.

The rows are the work: each run takes some that were not tried yet. Each is tried once; one that
cannot be fetched now is measured when a reader asks the proxy for it.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager

from sqlalchemy import func, select, tuple_, update
from sqlalchemy.orm import Session

from nexus.config import Settings, get_settings
from nexus.db.after_commit import after_commit
from nexus.db.models import FragmentImage
from nexus.errors import ApiError
from nexus.images.cache import ImageCache
from nexus.images.fetch import FetchLimits
from nexus.images.inspect import ImageForm
from nexus.logging import get_logger
from nexus.services.images.proxy import get_image
from nexus.services.images.sizes import record_size
from nexus.services.send_task import try_to_send

logger = get_logger(__name__)

Sessions = Callable[[], AbstractContextManager[Session]]

AT_ONCE = 4
# An article that comes in meanwhile waits no longer than this, and only if no worker is free.
BATCH_SECONDS = 3.0
LIMITS = FetchLimits(bytes=3 * 1024 * 1024, seconds=BATCH_SECONDS)
# Any number that nothing else locks.
_TURN_LOCK = 8_420_002


def measure_soon(session: Session) -> None:
    """Have the images without a size measured, once the current transaction is committed."""
    after_commit(session, _send)


def _send() -> None:
    # Run inline, the caller would wait for it, which nobody should.
    if not get_settings().celery_always_eager:
        try_to_send("nexus.measure_images")


def measure_images(sessions: Sessions, settings: Settings, cache: ImageCache) -> bool:
    """Measure a few images. True if there may be more, and it is up to us to continue."""
    with sessions() as turn:
        # One at a time, so that of several workers all but one stay free for articles. The
        # transaction stays open for the batch, but holds nothing except this lock.
        if not turn.scalar(select(func.pg_try_advisory_xact_lock(_TURN_LOCK))):
            return False
        with sessions() as session:
            addresses = take_waiting(session)
        forms = dict(_look_at(addresses, settings, cache)) if addresses else {}
        with sessions() as session:
            for address, form in forms.items():
                record_size(session, address, form)
    if addresses:
        logger.info("images_measured", tried=len(addresses), measured=len(forms))
    return len(addresses) == AT_ONCE


def take_waiting(session: Session) -> list[str]:
    """Some images that were not tried yet, marked as tried: none can be in the way twice."""
    waiting = (
        select(FragmentImage.fragment_id, FragmentImage.idx)
        .where(FragmentImage.waits_to_be_measured())
        .order_by(FragmentImage.created_at, FragmentImage.idx)
        .limit(AT_ONCE)
    )
    taken = session.scalars(
        update(FragmentImage)
        .where(tuple_(FragmentImage.fragment_id, FragmentImage.idx).in_(waiting))
        .values(tried_at=func.now())
        .returning(FragmentImage.address)
    )
    return list(taken)


def _look_at(
    addresses: list[str], settings: Settings, cache: ImageCache
) -> Iterator[tuple[str, ImageForm]]:
    """The images that arrived in time."""
    pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="measure")
    tries = {
        pool.submit(get_image, settings, cache, url=address, limits=LIMITS): address
        for address in dict.fromkeys(addresses)
    }
    done, _ = wait(tries, timeout=BATCH_SECONDS)
    # A site that sends a byte at a time is not waited for: its own limits end it.
    pool.shutdown(wait=False, cancel_futures=True)
    for one in done:
        try:
            image, _ = one.result()
        except ApiError as error:
            logger.info("image_not_measured", address=tries[one], reason=str(error))
        except Exception:
            # A bug with one image is no reason to lose the sizes of the others.
            logger.exception("image_not_measured", address=tries[one])
        else:
            yield tries[one], image.form
