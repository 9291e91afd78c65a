"""The canonical text of an article, which `nexus.html` derives."""

from nexus.html.canonicalize import (
    CanonicalMap,
    EmptyArticleError,
    canonical_map,
    canonicalize,
    canonicalize_article,
)

__all__ = [
    "CanonicalMap",
    "EmptyArticleError",
    "canonical_map",
    "canonicalize",
    "canonicalize_article",
]
