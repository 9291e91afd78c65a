"""ASGI middleware: security headers on everything the BFF sends."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def content_security_policy(storage_origin: str | None) -> str:
    """What our pages may load. Uploads go straight to external storage, where it is used."""
    connect = f"connect-src 'self' {storage_origin}" if storage_origin else "connect-src 'self'"
    return "; ".join((*_POLICY, connect))


_POLICY = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'",
    "frame-src https://www.youtube-nocookie.com",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types nexus",
)

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_HSTS = "max-age=31536000; includeSubDomains"


class SecurityHeadersMiddleware:
    """Adds what a response does not set itself; files served from storage set stricter ones."""

    def __init__(self, app: ASGIApp, *, https: bool, storage_origin: str | None = None) -> None:
        self.app = app
        policy = {"Content-Security-Policy": content_security_policy(storage_origin)}
        self._headers = {
            **_HEADERS,
            **policy,
            **({"Strict-Transport-Security": _HSTS} if https else {}),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)
