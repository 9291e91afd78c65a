"""Passwords: what is too weak, and argon2id for the rest."""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from nexus.errors import InvalidRequestError

MIN_LENGTH = 10
MAX_LENGTH = 1024

_hasher = PasswordHasher()


def check_password_strength(password: str, *, email: str) -> None:
    """Refuse the passwords that attackers try first."""
    if len(password) < MIN_LENGTH:
        raise _weak(f"Use at least {MIN_LENGTH} characters.")
    if len(password) > MAX_LENGTH:
        raise _weak(f"Use at most {MAX_LENGTH} characters.")
    if password.lower() in _common_passwords() or len(set(password)) < 3:
        raise _weak("This password is too easy to guess. Choose a longer or less common one.")
    if password.lower() == email:
        raise _weak("Your password cannot be your e-mail address. Choose another.")


def hash_password(password: str) -> str:
    return _hasher.hash(password)


def verify_password(password_hash: str | None, password: str) -> bool:
    """Whether the password is right. Takes just as long if there is no account to compare with."""
    try:
        return _hasher.verify(password_hash or _hash_of_nothing(), password) and bool(password_hash)
    except (VerificationError, InvalidHashError):
        return False


def needs_rehash(password_hash: str) -> bool:
    return _hasher.check_needs_rehash(password_hash)


@lru_cache(maxsize=1)
def _hash_of_nothing() -> str:
    return _hasher.hash("no account has this password")


def _common_passwords() -> frozenset[str]:
    """The one list of zxcvbn that is wanted; the package itself keeps 12 MiB of them in memory.

    Read each time, in 20 ms: new passwords are rare, and hashing one takes longer.
    """
    package = find_spec("zxcvbn")
    assert package is not None
    assert package.submodule_search_locations
    lists = Path(package.submodule_search_locations[0]) / "frequency_lists.py"
    return frozenset(run_path(str(lists))["FREQUENCY_LISTS"]["passwords"])


def _weak(message: str) -> InvalidRequestError:
    return InvalidRequestError(message, code="E_WEAK_PASSWORD")
