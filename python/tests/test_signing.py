"""What is signed stays signed: signatures are kept in archives, cookies and URLs."""

from nexus.signing import is_signature, sign

KEY, MESSAGE = b"key", b"The quick brown fox jumps over the lazy dog"
SIGNATURE = "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"


def test_signatures_are_plain_hmac_sha256() -> None:
    assert sign(KEY, MESSAGE) == SIGNATURE
    assert is_signature(SIGNATURE, key=KEY, message=MESSAGE)


def test_nothing_else_is_one() -> None:
    for given in ("", SIGNATURE.upper(), SIGNATURE[:-1], "é", "\ud800", f"{SIGNATURE}0"):
        assert not is_signature(given, key=KEY, message=MESSAGE)
    assert not is_signature(SIGNATURE, key=b"other", message=MESSAGE)
    assert not is_signature(SIGNATURE, key=KEY, message=b"other")
