"""What a careful client sends for a highlight."""

from typing import Any

CONTEXT_LENGTH = 64


def highlight_body(text: str, start: int, end: int, **changes: Any) -> dict[str, Any]:
    """The body that highlights the text from `start` to `end`; `changes` make it another one."""
    return {
        "start_offset": start,
        "end_offset": end,
        "color": "yellow",
        "exact": text[start:end],
        "prefix": text[max(0, start - CONTEXT_LENGTH) : start],
        "suffix": text[end : end + CONTEXT_LENGTH],
        **changes,
    }
