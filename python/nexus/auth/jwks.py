"""An issuer's published signing keys, cached, with rotation."""

import threading
import time

import httpx
import jwt

from nexus.auth.jwk import Keys, signing_keys
from nexus.logging import get_logger
from nexus.outbound.client import bounded_client
from nexus.outbound.limits import KIB, Limits

logger = get_logger(__name__)

_LIMITS = Limits(body_bytes=256 * KIB, seconds=10)


class KeysUnavailable(Exception):
    """The issuer's keys cannot be fetched right now, so the token cannot be checked."""


class JwksCache:
    """Fetches the key set when it is old, or when a token names a key it does not have.

    Unknown key ids refetch at most once per `cooldown_seconds`, so that made-up ids cannot turn
    this server into a load generator. If the issuer is down, known keys keep working.
    """

    def __init__(
        self, url: str, *, lifetime_seconds: float = 600, cooldown_seconds: float = 10
    ) -> None:
        self._url = url
        self._lifetime = lifetime_seconds
        self._cooldown = cooldown_seconds
        self._lock = threading.Lock()
        self._keys: Keys = {}
        self._fetched_at = float("-inf")
        self._tried_at = float("-inf")
        self._failed = False

    def signing_key(self, key_id: str | None) -> jwt.PyJWK:
        """The key with this id; jwt.PyJWKClientError if the issuer has none, KeysUnavailable
        if it could not be reached."""
        key = self._find(key_id)
        # With a key there is no need to wait for another thread's fetch; without one there is.
        if self._is_due(key_id) and self._lock.acquire(blocking=key is None):
            try:
                self._refresh_if_due(key_id)
            finally:
                self._lock.release()
            key = self._find(key_id)
        if key is None and self._failed:
            raise KeysUnavailable
        if key is None:
            raise jwt.PyJWKClientError("the issuer has no such signing key")
        return key

    def _find(self, key_id: str | None) -> jwt.PyJWK | None:
        keys = self._keys
        if key_id is None and len(keys) == 1:
            return next(iter(keys.values()))
        return keys.get(key_id)

    def _is_due(self, key_id: str | None) -> bool:
        return time.monotonic() - self._fetched_at > self._lifetime or key_id not in self._keys

    def _refresh_if_due(self, key_id: str | None) -> None:
        now = time.monotonic()
        if not self._is_due(key_id) or now - self._tried_at < self._cooldown:
            return
        self._tried_at = now
        self._failed = True
        try:
            self._keys = _fetch(self._url)
            self._fetched_at = now
            self._failed = False
        except (httpx.HTTPError, RecursionError, ValueError) as error:
            logger.warning("jwks_fetch_failed", url=self._url, error=str(error))


def _fetch(url: str) -> Keys:
    with bounded_client(_LIMITS, proxied_for=url) as client:
        response = client.get(url)
    response.raise_for_status()
    return signing_keys(response.json())
