"""Which content encodings a caller understands (RFC 9110)."""

from starlette.datastructures import Headers


def accepts(request: Headers, encoding: str) -> bool:
    """Whether Accept-Encoding names the encoding, and does not refuse it."""
    for part in request.get("accept-encoding", "").lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == encoding:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
