"""Sign-up, sign-in, sign-out, the session, and personal API tokens."""

from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from nexus.bff.deps import (
    BrowserUserDep,
    SettingsDep,
    clear_session_cookie,
    remember_device,
    session_token,
    set_session_cookie,
)
from nexus.bff.devices import device_cookie_name, known_device
from nexus.bff.rate_limit import AuthLimiter
from nexus.errors import ForbiddenError, UnauthenticatedError
from nexus.http.envelope import Envelope, no_content, success_response
from nexus.http.openapi import errors
from nexus.http.session import SessionDep
from nexus.logging import get_logger
from nexus.schemas.auth import (
    ApiTokenList,
    AuthConfigOut,
    ChangePasswordRequest,
    LoginRequest,
    NewApiToken,
    NewApiTokenRequest,
    SessionOut,
    SignUpRequest,
    UserOut,
    UserSessionList,
)
from nexus.services import accounts, api_tokens, sessions
from nexus.services.sessions import SignedIn

logger = get_logger(__name__)
router = APIRouter(prefix="/auth", tags=["auth"])


@router.post(
    "/signup", status_code=201, response_model=Envelope[SessionOut], responses=errors(409, 429)
)
def sign_up(
    body: SignUpRequest, request: Request, session: SessionDep, settings: SettingsDep
) -> Response:
    _limiter(request).signup_attempt(address=_address(request))
    if settings.signup == "closed":
        raise ForbiddenError(
            "This server does not accept new accounts. Ask the person who runs it for one.",
            code="E_SIGNUP_CLOSED",
        )
    person = accounts.create_account(session, email=body.email, password=body.password)
    return _signed_in(request, session, settings, person, status=201, event="signed_up")


@router.post("/login", response_model=Envelope[SessionOut], responses=errors(429))
def log_in(
    body: LoginRequest, request: Request, session: SessionDep, settings: SettingsDep
) -> Response:
    cookie = request.cookies.get(device_cookie_name(settings))
    device = known_device(settings, cookie=cookie, email=body.email)
    _limiter(request).login_attempt(email=body.email, address=_address(request), device=device)
    try:
        person = accounts.check_credentials(session, email=body.email, password=body.password)
    except UnauthenticatedError:
        logger.warning("sign_in_failed", address=_address(request))
        raise
    return _signed_in(request, session, settings, person, status=200, event="signed_in")


@router.post("/logout", status_code=204)
def log_out(request: Request, session: SessionDep, settings: SettingsDep) -> Response:
    token = session_token(request)
    if token is not None:
        sessions.end_session(session, token=token)
        logger.info("signed_out")
    response = no_content()
    clear_session_cookie(response, settings)
    return response


@router.get("/session", response_model=Envelope[SessionOut])
def get_session(request: Request, person: BrowserUserDep, settings: SettingsDep) -> Response:
    response = success_response(_session_out(person))
    # A session in use is extended; so must be its cookie.
    if (token := session_token(request)) is not None:
        set_session_cookie(response, settings, token)
    return response


@router.post("/password", status_code=204, responses=errors(429))
def change_password(
    body: ChangePasswordRequest, request: Request, session: SessionDep, person: BrowserUserDep
) -> Response:
    """Change the password, and sign the person out everywhere else."""
    _limiter(request).password_attempt(user_id=person.user_id)
    accounts.change_password(
        session,
        user_id=person.user_id,
        old_password=body.old_password,
        new_password=body.new_password,
    )
    sessions.end_other_sessions(session, user_id=person.user_id, current=session_token(request))
    logger.info("password_changed", user_id=str(person.user_id), address=_address(request))
    return no_content()


@router.get("/sessions", response_model=Envelope[UserSessionList])
def list_sessions(request: Request, session: SessionDep, person: BrowserUserDep) -> Response:
    result = sessions.list_sessions(session, user_id=person.user_id, current=session_token(request))
    return success_response(result)


@router.delete("/sessions", status_code=204)
def end_other_sessions(request: Request, session: SessionDep, person: BrowserUserDep) -> Response:
    """Sign out everywhere but here."""
    ended = sessions.end_other_sessions(
        session, user_id=person.user_id, current=session_token(request)
    )
    logger.info("sessions_ended", user_id=str(person.user_id), count=ended)
    return no_content()


@router.delete("/sessions/{session_id}", status_code=204, responses=errors(404))
def end_one_session(session_id: UUID, session: SessionDep, person: BrowserUserDep) -> Response:
    sessions.end_one_session(session, user_id=person.user_id, session_id=session_id)
    logger.info("sessions_ended", user_id=str(person.user_id), count=1)
    return no_content()


@router.get("/config", response_model=Envelope[AuthConfigOut])
def get_config(session: SessionDep, settings: SettingsDep) -> Response:
    """What the sign-in page needs to know before anybody is signed in."""
    first = not accounts.any_account_exists(session)
    return success_response(AuthConfigOut(signup=settings.signup, first_account=first))


@router.get("/tokens", response_model=Envelope[ApiTokenList])
def list_tokens(session: SessionDep, person: BrowserUserDep) -> Response:
    return success_response(api_tokens.list_api_tokens(session, user_id=person.user_id))


@router.post(
    "/tokens", status_code=201, response_model=Envelope[NewApiToken], responses=errors(409)
)
def create_token(body: NewApiTokenRequest, session: SessionDep, person: BrowserUserDep) -> Response:
    created = api_tokens.create_api_token(session, user_id=person.user_id, name=body.name)
    logger.info("api_token_created", user_id=str(person.user_id), prefix=created.token.prefix)
    return success_response(created, 201)


@router.delete("/tokens/{token_id}", status_code=204, responses=errors(404))
def revoke_token(token_id: UUID, session: SessionDep, person: BrowserUserDep) -> Response:
    api_tokens.revoke_api_token(session, user_id=person.user_id, token_id=token_id)
    logger.info("api_token_revoked", user_id=str(person.user_id))
    return no_content()


def _signed_in(
    request: Request,
    session: SessionDep,
    settings: SettingsDep,
    person: SignedIn,
    *,
    status: int,
    event: str,
) -> Response:
    token = sessions.start_session(
        session,
        user_id=person.user_id,
        replaces=session_token(request),
        user_agent=request.headers.get("user-agent"),
    )
    logger.info(event, user_id=str(person.user_id), address=_address(request))
    response = success_response(_session_out(person), status)
    set_session_cookie(response, settings, token)
    remember_device(request, response, settings, email=person.email)
    return response


def _session_out(person: SignedIn) -> SessionOut:
    return SessionOut(user=UserOut(id=person.user_id, email=person.email))


def _limiter(request: Request) -> AuthLimiter:
    limiter: AuthLimiter = request.app.state.auth_limiter
    return limiter


def _address(request: Request) -> str:
    return request.client.host if request.client else "unknown"
