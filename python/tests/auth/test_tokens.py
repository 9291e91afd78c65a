"""Bearer tokens: the good one is taken, every known trick is not."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from nexus.auth.tokens import (
    LOCAL_AUDIENCE,
    LOCAL_ISSUER,
    Authenticator,
    Identity,
    LocalTokens,
    LocalTokenVerifier,
    mint_local_token,
)
from nexus.errors import UnauthenticatedError
from tests.auth.issuer import LOCAL_SECRET, Issuer, rsa_key
from tests.live import LiveNexus

USER_ID = UUID("6f8f6a5e-5a8c-4a4e-9f3a-3b9f8c9f1a2b")
local = Authenticator([LocalTokenVerifier(LOCAL_SECRET)])


def claims(**changes: Any) -> dict[str, Any]:
    now = int(time.time())
    good = {
        "sub": str(USER_ID),
        "iss": LOCAL_ISSUER,
        "aud": LOCAL_AUDIENCE,
        "iat": now,
        "exp": now + 60,
    }
    return {name: value for name, value in {**good, **changes}.items() if value is not None}


def signed(payload: dict[str, Any], **header: Any) -> str:
    return jwt.encode(payload, LOCAL_SECRET, algorithm="HS256", headers=header)


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def raw(header: bytes, payload: bytes, secret: str | bytes = LOCAL_SECRET) -> str:
    """A token made by hand: correctly signed, whatever its parts are."""
    key = secret.encode() if isinstance(secret, str) else secret
    signing_input = f"{b64(header)}.{b64(payload)}"
    return f"{signing_input}.{b64(hmac.digest(key, signing_input.encode(), hashlib.sha256))}"


def raw_json(header: dict[str, Any], payload: dict[str, Any] | None = None) -> str:
    return raw(json.dumps(header).encode(), json.dumps(payload or claims()).encode())


def tampered() -> str:
    header, payload, signature = signed(claims()).split(".")
    changed = json.loads(base64.urlsafe_b64decode(payload + "=="))
    changed["sub"] = str(uuid4())
    return f"{header}.{b64(json.dumps(changed).encode())}.{signature}"


def unsigned(algorithm: str) -> str:
    header = b64(json.dumps({"alg": algorithm, "typ": "JWT"}).encode())
    return f"{header}.{b64(json.dumps(claims()).encode())}."


HS256 = {"alg": "HS256", "typ": "JWT"}
DEEP = b'{"a":' * 5000 + b"1" + b"}" * 5000
BAD_TOKENS: dict[str, Callable[[], str]] = {
    "empty": lambda: "",
    "one word": lambda: "garbage",
    "two dots": lambda: "..",
    "many dots": lambda: "a.b.c.d.e",
    "not base64": lambda: "!!!.???.***",
    "not ASCII": lambda: "é.ü.ß",
    "very long": lambda: "a" * 500_000,
    "alg none": lambda: unsigned("none"),
    "alg None": lambda: unsigned("None"),
    "alg nOnE": lambda: unsigned("nOnE"),
    "alg empty": lambda: unsigned(""),
    "alg none, signed": lambda: raw_json({"alg": "none"}),
    "alg missing": lambda: raw_json({"typ": "JWT"}),
    "alg a list": lambda: raw_json({"alg": ["HS256"]}),
    "alg null": lambda: raw_json({"alg": None}),
    "alg HS512": lambda: jwt.encode(claims(), LOCAL_SECRET * 2, algorithm="HS512"),
    "alg RS256": lambda: raw_json({"alg": "RS256"}),
    "another secret": lambda: jwt.encode(claims(), LOCAL_SECRET[::-1], algorithm="HS256"),
    "empty secret": lambda: raw(json.dumps(HS256).encode(), json.dumps(claims()).encode(), b""),
    "tampered payload": tampered,
    "signature cut": lambda: signed(claims())[:-4],
    "signature missing": lambda: signed(claims()).rpartition(".")[0] + ".",
    "header not JSON": lambda: raw(b"{", json.dumps(claims()).encode()),
    "header a list": lambda: raw(b"[]", json.dumps(claims()).encode()),
    "header deep": lambda: raw(DEEP, json.dumps(claims()).encode()),
    "payload not JSON": lambda: raw(json.dumps(HS256).encode(), b"{"),
    "payload a list": lambda: raw(json.dumps(HS256).encode(), b"[]"),
    "payload a string": lambda: raw(json.dumps(HS256).encode(), b'"sub"'),
    "payload empty": lambda: raw(json.dumps(HS256).encode(), b""),
    "payload not UTF-8": lambda: raw(json.dumps(HS256).encode(), b'{"iss": "\xff"}'),
    "payload deep": lambda: raw(json.dumps(HS256).encode(), DEEP),
    "payload huge int": lambda: raw(json.dumps(HS256).encode(), b'{"exp": ' + b"9" * 5000 + b"}"),
    "jwk in the header": lambda: signed(claims(), jwk={"kty": "oct", "k": b64(b"mine")}),
    "kid not text": lambda: raw_json({**HS256, "kid": 7}),
    "kid an object": lambda: raw_json({**HS256, "kid": {"a": 1}}),
    "crit unknown": lambda: raw_json({**HS256, "crit": ["exp2"], "exp2": 1}),
    "expired": lambda: signed(claims(exp=int(time.time()) - 75)),
    "not yet valid": lambda: signed(claims(nbf=int(time.time()) + 75)),
    "from the future": lambda: signed(claims(iat=int(time.time()) + 75)),
    "exp missing": lambda: signed(claims(exp=None)),
    "exp text": lambda: raw_json(HS256, claims(exp="tomorrow")),
    "exp endless": lambda: raw(
        json.dumps(HS256).encode(), json.dumps(claims(exp=float("inf"))).encode()
    ),
    "exp a list": lambda: raw_json(HS256, claims(exp=[1])),
    "nbf in the future": lambda: signed(claims(nbf=int(time.time()) + 600)),
    "iat in the future": lambda: signed(claims(iat=int(time.time()) + 600)),
    "sub missing": lambda: signed(claims(sub=None)),
    "sub not a UUID": lambda: signed(claims(sub="root")),
    "sub empty": lambda: raw_json(HS256, claims(sub="")),
    "sub a number": lambda: raw_json(HS256, claims(sub=7)),
    "aud missing": lambda: signed(claims(aud=None)),
    "aud wrong": lambda: signed(claims(aud="somebody-else")),
    "aud empty": lambda: raw_json(HS256, claims(aud="")),
    "aud empty list": lambda: raw_json(HS256, claims(aud=[])),
    "aud a number": lambda: raw_json(HS256, claims(aud=7)),
    "iss missing": lambda: signed(claims(iss=None)),
    "iss wrong": lambda: signed(claims(iss="https://evil.example")),
    "iss a list": lambda: raw_json(HS256, claims(iss=[LOCAL_ISSUER])),
}
# Tricks whose signature is right all the same: the token is good, the trick must change nothing.
HARMLESS = {"jwk in the header"}


@pytest.mark.parametrize("name", [name for name in BAD_TOKENS if name not in HARMLESS])
def test_bad_local_token(name: str) -> None:
    with pytest.raises(UnauthenticatedError):
        local.authenticate(BAD_TOKENS[name]())


def test_good_local_token() -> None:
    token = mint_local_token(LOCAL_SECRET, user_id=USER_ID, email="a@example.org")
    identity = local.authenticate(token)
    assert (identity.user_id, identity.email) == (USER_ID, "a@example.org")


def test_local_token_lives_fifteen_minutes() -> None:
    token = mint_local_token(LOCAL_SECRET, user_id=USER_ID, email=None)
    minted = jwt.decode(token, options={"verify_signature": False})
    assert minted["exp"] - minted["iat"] == 15 * 60


@pytest.mark.parametrize(
    "header",
    [
        {"jwk": {"kty": "oct", "k": b64(b"attacker")}},
        {"jku": "http://127.0.0.1:1/keys"},
        {"x5u": "http://127.0.0.1:1/cert"},
        {"x5c": ["AAAA"]},
        {"kid": "../../../../dev/null"},
        {"kid": "' OR 1=1 --"},
        {"kid": "k" * 100_000},
    ],
    ids=lambda header: str(header)[:30],
)
def test_header_cannot_choose_the_key(header: dict[str, Any]) -> None:
    """Signed with the attacker's key: refused. Signed with ours: the header means nothing."""
    attacker = jwt.encode(claims(), "attacker" * 8, algorithm="HS256", headers=header)
    with pytest.raises(UnauthenticatedError):
        local.authenticate(attacker)
    assert local.authenticate(signed(claims(), **header)).user_id == USER_ID


@pytest.mark.parametrize("email", ["a\x00b@example.org", "\ud800@example.org", 7, None, ["a"]])
def test_unusable_email_is_no_email(email: object) -> None:
    token = raw_json(HS256, {**claims(), "email": email})
    assert local.authenticate(token).email is None


def test_verified_token_is_remembered_until_it_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    authenticator = Authenticator([LocalTokenVerifier(LOCAL_SECRET)])
    payload = claims()
    token, another = signed(payload), signed(claims(sub=str(uuid4())))
    identity = authenticator.authenticate(token)

    def expired(*_given: Any, **_options: Any) -> None:
        raise jwt.ExpiredSignatureError

    monkeypatch.setattr("jwt.decode", expired)
    assert authenticator.authenticate(token) == identity
    with pytest.raises(UnauthenticatedError):
        authenticator.authenticate(another)
    monkeypatch.setattr("time.time", lambda: payload["exp"] + 60)
    with pytest.raises(UnauthenticatedError):
        authenticator.authenticate(token)


def test_the_same_token_is_shown_for_a_while() -> None:
    tokens, someone = LocalTokens(LOCAL_SECRET), uuid4()
    first = tokens.of(someone, "a@example.org")
    assert local.authenticate(first) == Identity(someone, "a@example.org")
    assert tokens.of(someone, "a@example.org") is first
    assert local.authenticate(tokens.of(someone, "b@example.org")).email == "b@example.org"
    assert local.authenticate(tokens.of(USER_ID, "a@example.org")).user_id == USER_ID


def test_a_token_is_not_shown_for_ever() -> None:
    tokens = LocalTokens(LOCAL_SECRET, reused_seconds=0)
    assert tokens.of(USER_ID, None) is not tokens.of(USER_ID, None)


def test_public_key_is_no_shared_secret(issuer: Issuer) -> None:
    """The classic confusion: HS256 with the issuer's public key as the secret."""
    key = rsa_key()
    issuer.keys = [key.jwk()]
    authenticator = issuer.authenticator(cooldown_seconds=0)
    assert authenticator.authenticate(issuer.token(key))
    public = key.private.public_key()
    for encoding, form in (
        (Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        (Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
        (Encoding.PEM, PublicFormat.PKCS1),
    ):
        secret = public.public_bytes(encoding, form)
        header = json.dumps({"alg": "HS256", "kid": key.kid}).encode()
        forged = raw(header, json.dumps(issuer.claims()).encode(), secret)
        with pytest.raises(UnauthenticatedError):
            authenticator.authenticate(forged)


def test_one_issuers_key_does_not_sign_for_another(issuer: Issuer) -> None:
    key = rsa_key()
    issuer.keys = [key.jwk()]
    authenticator = issuer.authenticator(cooldown_seconds=0)
    with pytest.raises(UnauthenticatedError):
        authenticator.authenticate(issuer.token(key, iss=LOCAL_ISSUER, aud=LOCAL_AUDIENCE))
    with pytest.raises(UnauthenticatedError):
        authenticator.authenticate(signed(issuer.claims(), kid=key.kid))


# Header values that HTTP itself does not carry never reach the API.
OVER_HTTP = [
    name for name in BAD_TOKENS if name not in HARMLESS | {"empty", "not ASCII", "very long"}
]


def test_bad_tokens_over_http_are_401(nexus: LiveNexus) -> None:
    with nexus.api() as api:
        for name in OVER_HTTP:
            answer = api.get("/me", headers={"Authorization": f"Bearer {BAD_TOKENS[name]()}"})
            assert answer.status_code == 401, name
            assert answer.json()["error"]["code"] == "E_UNAUTHENTICATED", name


@pytest.mark.parametrize("value", ["", "Bearer", "Basic YTpi", "bearer", "Token x"])
def test_other_authorization_headers_are_401(nexus: LiveNexus, value: str) -> None:
    with nexus.api() as api:
        assert api.get("/me", headers={"Authorization": value}).status_code == 401
