"""Text as it looks: with its punctuation, but without what differs between fonts and programs."""

import re
import unicodedata

_SPACES = re.compile(r"[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_SAME = str.maketrans(
    {
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
        **dict.fromkeys("‘’‚‛′‵ʹʻʼˈ´`", "'"),
        **dict.fromkeys("“”„‟″‶«»〝〞", '"'),
        **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
    }
)


def surface(text: str) -> str:
    """One kind of space, of quotation marks and of dashes."""
    plain = unicodedata.normalize("NFKC", text.translate(_SAME)).translate(_SAME)
    return _SPACES.sub(" ", plain).strip()
