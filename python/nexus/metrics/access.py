"""Who may read the metrics at the front: never a person's browser or token."""

import hmac
from ipaddress import ip_address

from starlette.requests import Request

from nexus.config import Settings
from nexus.errors import ForbiddenError


def require_metrics_reader(request: Request, settings: Settings) -> None:
    """With NEXUS_METRICS_TOKEN set, anyone who shows it; without, only this machine itself.

    Behind a proxy every client looks like this machine. NEXUS_PUBLIC_URL means that there is one:
    then only the token counts.
    """
    if settings.metrics_token is not None:
        allowed = _shows(request, settings.metrics_token.get_secret_value())
    else:
        allowed = settings.public_url is None and _is_local(request)
    if not allowed:
        raise ForbiddenError(
            "Metrics are for the operator: ask from the machine itself, or with NEXUS_METRICS_TOKEN"
            " as bearer."
        )


def _shows(request: Request, token: str) -> bool:
    given = request.headers.get("authorization", "")
    return hmac.compare_digest(given.encode("latin-1"), f"Bearer {token}".encode())


def _is_local(request: Request) -> bool:
    # The name as well: a page that makes its own name point at this machine is not of this machine.
    client = request.client.host if request.client else ""
    name = request.url.hostname or ""
    return _is_loopback(client) and (name == "localhost" or _is_loopback(name))


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
