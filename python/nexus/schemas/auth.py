"""Requests and responses for signing in and out."""

import re
import unicodedata
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field

from nexus.schemas.base import RequestModel, ResponseModel, check_name

# Deliberately loose: one @, something on both sides, a dot or localhost-like domain, no spaces.
# No pattern can tell whether mail arrives there.
_EMAIL = re.compile(r"[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)*")
_MAX_EMAIL = 254


def normalize_email(email: str) -> str:
    """The form an e-mail address is stored and compared in."""
    email = unicodedata.normalize("NFC", email.strip().lower())
    if len(email) > _MAX_EMAIL or not _EMAIL.fullmatch(email) or not email.isprintable():
        raise ValueError("this is not an e-mail address, such as name@example.org")
    return email


Email = Annotated[str, AfterValidator(normalize_email)]


class SignUpRequest(RequestModel):
    email: Email
    password: str


class LoginRequest(RequestModel):
    email: Email
    password: Annotated[str, Field(max_length=1024)]


class ChangePasswordRequest(RequestModel):
    old_password: Annotated[str, Field(max_length=1024)]
    new_password: str


class UserSessionOut(ResponseModel):
    """A browser the person is signed in with."""

    id: UUID
    device: str
    created_at: datetime
    last_seen_at: datetime
    current: bool


class UserSessionList(ResponseModel):
    sessions: list[UserSessionOut]


class UserOut(ResponseModel):
    id: UUID
    email: str


class SessionOut(ResponseModel):
    user: UserOut


class AuthConfigOut(ResponseModel):
    signup: Literal["open", "closed"]
    first_account: bool


class NewApiTokenRequest(RequestModel):
    name: Annotated[str, AfterValidator(lambda name: check_name(name, "a token name"))]


class ApiTokenOut(ResponseModel):
    id: UUID
    name: str
    prefix: str
    created_at: datetime
    last_used_at: datetime | None


class ApiTokenList(ResponseModel):
    tokens: list[ApiTokenOut]


class NewApiToken(ResponseModel):
    token: ApiTokenOut
    secret: str
