"""Which entries of a published key set (RFC 7517) may sign tokens that we accept."""

from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from nexus.logging import get_logger

logger = get_logger(__name__)

Keys = dict[str | None, jwt.PyJWK]

_MAX_KEYS = 100
# Shorter keys can be broken; longer ones would take seconds to verify.
_RSA_BITS = range(2048, 8192 + 1)


def signing_keys(document: object) -> Keys:
    """The usable keys of a key set by their ids; raises ValueError if it is not a key set."""
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ValueError("the document is not a key set")
    if len(entries) > _MAX_KEYS:
        raise ValueError("the key set has too many keys")
    found = [key for entry in entries if (key := _signing_key(entry)) is not None]
    keys = {key.key_id: key for key in found}
    for key in found:
        if _numbers(keys.get(key.key_id, key)) != _numbers(key):
            # There is no telling which of them signed.
            logger.warning("jwks_key_id_used_twice", key_id=key.key_id)
            keys.pop(key.key_id, None)
    return keys


def _signing_key(entry: object) -> jwt.PyJWK | None:
    """The key of one entry, or None for what is not a public key for signatures we know."""
    if not isinstance(entry, dict) or not _is_for_verifying(entry):
        return None
    try:
        key = jwt.PyJWK.from_dict(entry)
    except (jwt.PyJWTError, TypeError, ValueError):
        return None
    return key if _algorithm_of(key.key) == key.algorithm_name else None


def _is_for_verifying(entry: dict[str, Any]) -> bool:
    operations = entry.get("key_ops", ["verify"])
    key_id = entry.get("kid")
    return (
        entry.get("use", "sig") == "sig"
        and isinstance(operations, list)
        and "verify" in operations
        and (key_id is None or isinstance(key_id, str))
    )


def _algorithm_of(key: object) -> str | None:
    """The one algorithm a public key may be used with, whatever its entry says.

    Only asymmetric signatures: a symmetric key in a key set would let everyone who reads it sign,
    and so would a private one.
    """
    if isinstance(key, RSAPublicKey) and key.key_size in _RSA_BITS:
        return "RS256"
    if isinstance(key, EllipticCurvePublicKey) and isinstance(key.curve, SECP256R1):
        return "ES256"
    return None


def _numbers(key: jwt.PyJWK) -> object:
    return key.key.public_numbers()
