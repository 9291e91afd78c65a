"""Passwords: weak ones refused, the rest kept as argon2id, nothing told by timing."""

from collections.abc import Iterator
from typing import Literal

import pytest
from argon2 import Parameters, PasswordHasher, Type, extract_parameters

from nexus.auth import passwords
from nexus.auth.passwords import (
    check_password_strength,
    hash_password,
    needs_rehash,
    verify_password,
)
from nexus.errors import InvalidRequestError
from tests.password_cost import full_cost

EMAIL = "reader@example.org"
GOOD = "a-fine-long-passphrase"


@pytest.fixture(autouse=True)
def passwords_as_outside_tests() -> Iterator[None]:
    with full_cost():
        yield


@pytest.mark.parametrize(
    "password",
    [
        "",
        "short",
        "123456789",
        "ninechars",
        "🦊" * 9,
        "1234567890",
        "qwertyuiop",
        "QWERTYUIOP",
        "password123",
        "PassWord123",
        "1q2w3e4r5t",
        "aaaaaaaaaa",
        "abababababab",
        "          ",
        "reader@example.org",
        "Reader@Example.ORG",
        "x1" * 513,
    ],
)
def test_weak(password: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        check_password_strength(password, email=EMAIL)
    assert caught.value.code == "E_WEAK_PASSWORD"


@pytest.mark.parametrize(
    "password",
    [GOOD, "correct horse battery staple", "пароль-для-чтения", "🦊🐍🦉" * 4, "x y z " * 170],
)
def test_strong_enough(password: str) -> None:
    check_password_strength(password, email=EMAIL)
    assert verify_password(hash_password(password), password)


def test_hash_is_argon2id_with_its_own_salt() -> None:
    parameters = extract_parameters(hash_password(GOOD))
    assert parameters.type is Type.ID
    assert parameters.memory_cost >= 19 * 1024
    assert parameters.time_cost >= 2
    assert hash_password(GOOD) != hash_password(GOOD)


@pytest.mark.parametrize("wrong", ["", "a-fine-long-passphrasE", GOOD + " ", GOOD[:-1]])
def test_wrong_password(wrong: str) -> None:
    assert not verify_password(hash_password(GOOD), wrong)


@pytest.mark.parametrize("broken", ["", "x", "$argon2id$", "$2b$12$abcdefghijklmnopqrstuv"])
def test_broken_hash_matches_nothing(broken: str) -> None:
    assert not verify_password(broken, GOOD)
    assert not verify_password(broken, "no account has this password")


def test_no_account_matches_nothing() -> None:
    assert not verify_password(None, GOOD)
    assert not verify_password(None, "no account has this password")


def test_old_parameters_are_renewed() -> None:
    old = PasswordHasher(time_cost=1, memory_cost=64).hash(GOOD)
    assert verify_password(old, GOOD)
    assert needs_rehash(old)
    assert not needs_rehash(hash_password(GOOD))


def test_unknown_account_takes_as_long_as_a_wrong_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same number of hashes of the same cost."""
    verified: list[Parameters] = []

    class Counting(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
            verified.append(extract_parameters(str(hash)))
            return super().verify(hash, password)

    known = hash_password(GOOD)
    verify_password(None, "the first has a hash to compare with made")
    monkeypatch.setattr(passwords, "_hasher", Counting.from_parameters(extract_parameters(known)))
    assert not verify_password(known, "wrong-password")
    assert not verify_password(None, "wrong-password")
    assert len(verified) == 2
    assert verified[0] == verified[1]
