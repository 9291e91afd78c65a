"""Opaque random tokens: handed out once, stored only as a hash.

The tokens carry 256 random bits, so a plain SHA-256 is enough: there is nothing to guess.
"""

import hashlib
import secrets

API_TOKEN_PREFIX = "nxs_"  # noqa: S105


def new_session_token() -> str:
    return secrets.token_urlsafe(32)


def new_api_token() -> str:
    return API_TOKEN_PREFIX + secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
