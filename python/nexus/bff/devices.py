"""A browser that has signed in before has sign-in attempts of its own.

It keeps a cookie which proves that it once signed in to the account. Wrong passwords tried
elsewhere then use up the attempts of strangers, not those of the owner at their own machine.
"""

import re
import secrets
from datetime import timedelta

from nexus.config import Settings
from nexus.signing import is_signature, sign

KNOWN_FOR = timedelta(days=365)

_COOKIE = re.compile(r"([A-Za-z0-9_-]{22})\.([0-9a-f]{64})")


def device_cookie_name(settings: Settings) -> str:
    return "__Host-nexus_device" if settings.secure_cookies else "nexus_device"


def new_device_cookie(settings: Settings, *, email: str) -> str:
    """Proof that this browser signed in to the account."""
    device = secrets.token_urlsafe(16)
    return f"{device}.{sign(_key(settings), _message(device, email))}"


def known_device(settings: Settings, *, cookie: str | None, email: str) -> str | None:
    """The device's id, if the cookie proves that it signed in to this account before."""
    match = _COOKIE.fullmatch(cookie or "")
    if match is None:
        return None
    device, proof = match.groups()
    proven = is_signature(proof, key=_key(settings), message=_message(device, email))
    return device if proven else None


def _key(settings: Settings) -> bytes:
    assert settings.jwt_secret is not None
    return settings.jwt_secret.get_secret_value().encode()


def _message(device: str, email: str) -> bytes:
    return f"known-device:{device}:{email}".encode()
