"""What the BFF's routes depend on: settings, a session, and who is signed in."""

from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from nexus.auth.opaque import API_TOKEN_PREFIX
from nexus.bff.devices import KNOWN_FOR, device_cookie_name, known_device, new_device_cookie
from nexus.config import Settings
from nexus.errors import UnauthenticatedError
from nexus.http.session import SessionDep
from nexus.services import api_tokens, sessions
from nexus.services.sessions import SignedIn


def get_app_settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


SettingsDep = Annotated[Settings, Depends(get_app_settings)]


def session_cookie_name(settings: Settings) -> str:
    # The prefix makes browsers insist on Secure, Path=/ and no Domain.
    return "__Host-nexus_session" if settings.secure_cookies else "nexus_session"


def session_token(request: Request) -> str | None:
    settings: Settings = request.app.state.settings
    return request.cookies.get(session_cookie_name(settings)) or None


def set_session_cookie(response: Response, settings: Settings, token: str) -> None:
    response.set_cookie(
        session_cookie_name(settings),
        token,
        max_age=int(sessions.LIFETIME.total_seconds()),
        path="/",
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )


def remember_device(
    request: Request, response: Response, settings: Settings, *, email: str
) -> None:
    """Let the browser prove later that it has signed in to this account before."""
    name = device_cookie_name(settings)
    if known_device(settings, cookie=request.cookies.get(name), email=email) is not None:
        return
    response.set_cookie(
        name,
        new_device_cookie(settings, email=email),
        max_age=int(KNOWN_FOR.total_seconds()),
        path="/",
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )


def clear_session_cookie(response: Response, settings: Settings) -> None:
    response.delete_cookie(
        session_cookie_name(settings),
        path="/",
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )


def find_signed_in(session: Session, *, cookie: str | None, bearer: str | None) -> SignedIn | None:
    """Who a request comes from: a personal API token wins over a cookie."""
    if bearer is not None:
        if not bearer.startswith(API_TOKEN_PREFIX):
            return None
        return api_tokens.find_api_token(session, secret=bearer)
    if cookie is not None:
        return sessions.find_session(session, token=cookie)
    return None


def get_browser_user(request: Request, session: SessionDep) -> SignedIn:
    """The person signed in by cookie. Tokens cannot create or revoke tokens."""
    signed_in = find_signed_in(session, cookie=session_token(request), bearer=None)
    if signed_in is None:
        raise UnauthenticatedError
    return signed_in


BrowserUserDep = Annotated[SignedIn, Depends(get_browser_user, scope="function")]
