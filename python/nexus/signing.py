"""HMAC-SHA256 signatures, as everything that Nexus signs is signed and checked."""

import hashlib
import hmac


def sign(key: bytes, message: bytes) -> str:
    """The signature of a message, in hexadecimal. Start messages of each kind differently."""
    return hmac.new(key, message, hashlib.sha256).hexdigest()


def is_signature(given: str, *, key: bytes, message: bytes) -> bool:
    """Whether this is the message's signature, in a time that tells nothing of the right one."""
    return hmac.compare_digest(sign(key, message).encode(), given.encode("utf-8", "replace"))
