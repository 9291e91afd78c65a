"""How large an article's images are, so that the page reserves room for them before they load.

The sanitizer leaves an image nothing but its address and its description, so sizes travel beside
the text. They come from the page itself (`nexus.html.image_sizes`), from measuring images ahead of
the reader (`measure`), and from every image that the proxy fetches; measured sizes replace declared
ones.
"""

import re
from collections.abc import Iterable, Iterator
from uuid import UUID

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from nexus.db.models import FragmentImage
from nexus.html.image_sizes import Size as Size
from nexus.html.urls import original, proxied
from nexus.images.inspect import ImageForm
from nexus.schemas.media import ImageSizeOut

MAX_PER_ARTICLE = 500

_IMAGES = insert(FragmentImage)
_IMAGE = re.compile('<img src="([^"]+)"')


def addresses_of(html_sanitized: str) -> list[str]:
    """The images of a sanitized text in order, each once."""
    found = dict.fromkeys(original(path) for path in _IMAGE.findall(html_sanitized))
    return list(found)[:MAX_PER_ARTICLE]


def keep_images(
    session: Session, texts: Iterable[tuple[UUID, str]], *, declared: dict[str, Size]
) -> bool:
    """Record the images of new fragments, each an id and its sanitized HTML.

    Returns whether the size of some is not known.
    """
    rows = [
        {
            "fragment_id": fragment_id,
            "idx": idx,
            "address": address,
            "width": declared.get(address, (None, None))[0],
            "height": declared.get(address, (None, None))[1],
        }
        for fragment_id, html_sanitized in texts
        for idx, address in enumerate(addresses_of(html_sanitized))
    ]
    if rows:
        # On the connection: a session would sort rows with and without a size.
        session.connection().execute(_IMAGES, rows)
    return any(row["width"] is None for row in rows)


def record_size(session: Session, address: str, form: ImageForm) -> None:
    """Record the measured size of an image for every article that shows it."""
    session.execute(
        update(FragmentImage)
        .where(FragmentImage.address == address, FragmentImage.measured.is_(False))
        .values(width=form.width, height=form.height, measured=True)
    )


def known_sizes(session: Session, fragment_ids: list[UUID]) -> Iterator[tuple[UUID, ImageSizeOut]]:
    """The sizes known by now, under the addresses used in the text."""
    query = select(FragmentImage).where(
        FragmentImage.fragment_id.in_(fragment_ids), FragmentImage.width.is_not(None)
    )
    for image in session.scalars(query.order_by(FragmentImage.fragment_id, FragmentImage.idx)):
        src = proxied(image.address)
        yield image.fragment_id, ImageSizeOut(src=src, width=image.width, height=image.height)
