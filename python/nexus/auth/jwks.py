"""An issuer's published signing keys, cached, with rotation."""

import threading
import time

import httpx
import jwt

from nexus.logging import get_logger

logger = get_logger(__name__)

# Only asymmetric signatures: a symmetric key in a JWKS would let anyone who reads it sign.
_ALLOWED_ALGORITHMS = frozenset({"RS256", "ES256"})
_MAX_BYTES = 256 * 1024


class JwksCache:
    """Fetches the key set when it is old, or when a token names a key it does not have.

    Unknown key ids refetch at most once per `cooldown_seconds`, so that made-up ids cannot turn
    this server into a load generator. If the issuer is down, known keys go on working.
    """

    def __init__(
        self, url: str, *, lifetime_seconds: float = 600, cooldown_seconds: float = 10
    ) -> None:
        self._url = url
        self._lifetime = lifetime_seconds
        self._cooldown = cooldown_seconds
        self._lock = threading.Lock()
        self._keys: dict[str | None, jwt.PyJWK] = {}
        self._fetched_at = float("-inf")
        self._tried_at = float("-inf")

    def signing_key(self, key_id: str | None) -> jwt.PyJWK:
        """The key with this id; raises jwt.PyJWKClientError when the issuer has none."""
        with self._lock:
            self._refresh_if_due(key_id)
            key = self._keys.get(key_id)
            if key is None and key_id is None and len(self._keys) == 1:
                key = next(iter(self._keys.values()))
        if key is None:
            raise jwt.PyJWKClientError("the issuer has no such signing key")
        return key

    def _refresh_if_due(self, key_id: str | None) -> None:
        now = time.monotonic()
        due = now - self._fetched_at > self._lifetime or key_id not in self._keys
        if not due or now - self._tried_at < self._cooldown:
            return
        self._tried_at = now
        try:
            self._keys = _fetch(self._url)
            self._fetched_at = now
        except (httpx.HTTPError, jwt.PyJWTError, ValueError) as error:
            logger.warning("jwks_fetch_failed", url=self._url, error=str(error))


def _fetch(url: str) -> dict[str | None, jwt.PyJWK]:
    response = httpx.get(url, timeout=5, follow_redirects=False)
    response.raise_for_status()
    if len(response.content) > _MAX_BYTES:
        raise ValueError("the key set is too large")
    keys: dict[str | None, jwt.PyJWK] = {}
    for entry in response.json()["keys"]:
        if entry.get("use", "sig") != "sig":
            continue
        try:
            key = jwt.PyJWK.from_dict(entry)
        except jwt.PyJWTError:
            continue
        if key.algorithm_name in _ALLOWED_ALGORITHMS:
            keys[key.key_id] = key
    return keys
