"""Verifying bearer tokens.

Two verifiers, one Protocol. The token's (unverified) issuer only chooses which verifier checks it;
each verifier pins its own algorithms and keys, so nothing in the token can pick them.
"""

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol
from uuid import NAMESPACE_URL, UUID, uuid5

import jwt

from nexus.auth.jwks import JwksCache, KeysUnavailable
from nexus.config import Settings
from nexus.errors import AuthUnavailableError, UnauthenticatedError
from nexus.logging import get_logger
from nexus.text import is_storable

logger = get_logger(__name__)

LOCAL_ISSUER = "nexus-bff"
LOCAL_AUDIENCE = "nexus-api"
LOCAL_LIFETIME = timedelta(minutes=15)
# How long the BFF shows the same token for a person: most requests come in groups.
_REUSED_SECONDS = 60.0
_MOST_KNOWN = 10_000
# How far the clocks of issuer and API may be apart, for exp, nbf and iat.
_LEEWAY_SECONDS = 60
_REQUIRED = ["exp", "iss", "aud", "sub"]
_PLAIN_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Identity:
    user_id: UUID
    email: str | None


class TokenVerifier(Protocol):
    issuer: str
    fetches_keys: bool
    """Whether verifying may wait for the issuer."""

    def verify(self, token: str) -> Identity:
        """The identity the token proves; raises jwt.InvalidTokenError if it proves none, and
        KeysUnavailable if it cannot be checked."""
        ...


class LocalTokenVerifier:
    """Tokens the BFF mints for its own sessions (HS256, 15 minutes).

    One that was verified is remembered until it expires: nothing else can make it invalid.
    """

    issuer = LOCAL_ISSUER
    fetches_keys = False

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._verified: dict[str, tuple[float, Identity]] = {}

    def verify(self, token: str) -> Identity:
        until, known = self._verified.get(token, (0.0, None))
        if known is not None and time.time() < until:
            return known
        claims = self._decode(token)
        identity = Identity(user_id=_uuid(claims["sub"]), email=_email(claims))
        if len(self._verified) >= _MOST_KNOWN:
            self._verified.clear()
        self._verified[token] = (int(claims["exp"]) + _LEEWAY_SECONDS, identity)
        return identity

    def _decode(self, token: str) -> dict[str, Any]:
        claims: dict[str, Any] = jwt.decode(
            token,
            self._secret,
            algorithms=["HS256"],
            audience=LOCAL_AUDIENCE,
            issuer=self.issuer,
            leeway=_LEEWAY_SECONDS,
            options={"require": _REQUIRED},
        )
        return claims


class OidcTokenVerifier:
    """Tokens of Supabase or any OIDC issuer, checked against its published keys."""

    fetches_keys = True

    def __init__(self, *, issuer: str, audience: str, keys: JwksCache) -> None:
        self.issuer = issuer
        self._audience = audience
        self._keys = keys

    def verify(self, token: str) -> Identity:
        # What no key can make valid, such as an expired token, is refused without fetching keys.
        self._decode(token, "", [], verify_signature=False)
        key = self._keys.signing_key(jwt.get_unverified_header(token).get("kid"))
        # The key's own type decides, never the token's header.
        claims = self._decode(token, key.key, [key.algorithm_name], verify_signature=True)
        return Identity(user_id=self._user_id(claims["sub"]), email=_email(claims))

    def _decode(
        self, token: str, key: Any, algorithms: list[str], *, verify_signature: bool
    ) -> dict[str, Any]:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=algorithms,
            audience=self._audience,
            issuer=self.issuer,
            leeway=_LEEWAY_SECONDS,
            options={
                "require": _REQUIRED,
                "verify_signature": verify_signature,
                # If left out, these would default to whether the signature is verified.
                "verify_exp": True,
                "verify_nbf": True,
                "verify_iat": True,
                "verify_aud": True,
                "verify_iss": True,
                "verify_sub": True,
            },
        )
        return claims

    def _user_id(self, subject: str) -> UUID:
        if not subject or not is_storable(subject):
            raise jwt.InvalidTokenError("the subject is not usable")
        # Only the plain form: other spellings of a UUID are other subjects to the issuer.
        if _PLAIN_UUID.fullmatch(subject):
            return UUID(subject)
        # Issuers whose subjects are not UUIDs still get one stable id per person.
        return uuid5(NAMESPACE_URL, f"{self.issuer}#{subject}")


class Authenticator:
    """Routes a bearer token to the verifier of its issuer."""

    def __init__(self, verifiers: list[TokenVerifier]) -> None:
        self._by_issuer = {verifier.issuer: verifier for verifier in verifiers}
        self.may_fetch_keys = any(verifier.fetches_keys for verifier in verifiers)

    @classmethod
    def from_settings(cls, settings: Settings) -> "Authenticator":
        verifiers: list[TokenVerifier] = []
        if settings.jwt_secret:
            verifiers.append(LocalTokenVerifier(settings.jwt_secret.get_secret_value()))
        if settings.oidc_issuer and settings.oidc_audience:
            issuer = settings.oidc_issuer
            keys = JwksCache(
                settings.oidc_jwks_url or f"{issuer.rstrip('/')}/.well-known/jwks.json"
            )
            verifiers.append(
                OidcTokenVerifier(issuer=issuer, audience=settings.oidc_audience, keys=keys)
            )
        return cls(verifiers)

    def authenticate(self, token: str) -> Identity:
        """The identity behind a bearer token; UnauthenticatedError if it proves none.

        AuthUnavailableError if the issuer cannot be reached: that must not sign anyone out.
        """
        try:
            return self._verifier_of(token).verify(token)
        except KeysUnavailable as error:
            raise AuthUnavailableError from error
        # Besides its own errors, the library lets through those of odd numbers and deep nesting.
        except (jwt.PyJWTError, ArithmeticError, RecursionError, TypeError, ValueError) as error:
            logger.warning("bearer_refused", reason=type(error).__name__)
            raise UnauthenticatedError("Your sign-in is no longer valid. Sign in again.") from error

    def _verifier_of(self, token: str) -> TokenVerifier:
        if len(self._by_issuer) == 1:
            # Nothing to choose: a token of any other issuer fails with this one.
            return next(iter(self._by_issuer.values()))
        issuer = jwt.decode(token, options={"verify_signature": False}).get("iss")
        verifier = self._by_issuer.get(issuer) if isinstance(issuer, str) else None
        if verifier is None:
            raise jwt.InvalidIssuerError("unknown issuer")
        return verifier


def mint_local_token(secret: str, *, user_id: UUID, email: str | None) -> str:
    """A short-lived token with which the BFF calls the API for one person."""
    now = datetime.now(UTC)
    claims = {
        "sub": str(user_id),
        "email": email,
        "iss": LOCAL_ISSUER,
        "aud": LOCAL_AUDIENCE,
        "iat": now,
        "exp": now + LOCAL_LIFETIME,
    }
    return jwt.encode(claims, secret, algorithm="HS256")


class LocalTokens:
    """The tokens with which the BFF calls the API, each shown for a minute.

    So neither of them has to sign or verify one for every request.
    """

    def __init__(self, secret: str, *, reused_seconds: float = _REUSED_SECONDS) -> None:
        self._secret = secret
        self._reused_seconds = reused_seconds
        self._minted: dict[tuple[UUID, str | None], tuple[float, str]] = {}

    def of(self, user_id: UUID, email: str | None) -> str:
        now = time.monotonic()
        until, token = self._minted.get((user_id, email), (0.0, ""))
        if now < until:
            return token
        token = mint_local_token(self._secret, user_id=user_id, email=email)
        if len(self._minted) >= _MOST_KNOWN:
            self._minted.clear()
        self._minted[user_id, email] = (now + self._reused_seconds, token)
        return token


def _uuid(subject: str) -> UUID:
    try:
        return UUID(subject)
    except ValueError:
        raise jwt.InvalidTokenError("the subject is not a user id") from None


def _email(claims: dict[str, Any]) -> str | None:
    email = claims.get("email")
    return email if isinstance(email, str) and is_storable(email) else None
