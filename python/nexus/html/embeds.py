"""A link in place of what plays or opens elsewhere, so that nothing disappears without a trace."""

from urllib.parse import urlsplit

from selectolax.lexbor import LexborNode

from nexus.html.tags import EMBEDS
from nexus.html.urls import IMAGE_SCHEMES, UrlResolver, is_pixel


def embed_address(node: LexborNode, urls: UrlResolver) -> str | None:
    """Where an embedded page, video or recording is on the web; None for what shows nothing."""
    attributes = node.attributes
    if is_pixel(attributes):
        return None
    source = attributes.get("data" if node.tag == "object" else "src")
    if not source and node.tag in ("video", "audio"):
        first = node.css_first("source[src]")
        source = first.attributes.get("src") if first is not None else None
    address = urls.link(source or "")
    return address if address and address.partition(":")[0] in IMAGE_SCHEMES else None


def embed_label(tag: str, address: str) -> str:
    """What a reader sees of it."""
    return f"{EMBEDS[tag]}: {urlsplit(address).hostname or address}"
