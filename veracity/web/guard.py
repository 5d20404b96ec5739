"""Who may speak to the workbench: every request is looked at here before anything else sees it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_UPLOAD = 512 * 2**20  # bytes of a file
LARGEST_FORM = 2**20  # bytes of anything else
SESSION_BYTES = 24
UPLOADS = "/api/files"
OPENING = "/open"
CONTACT = "/contact"  # how addresses end that change no file, which a workbench that is read-only has too
LEAD = '<meta http-equiv="refresh" content="0; url={0}"><p><a href="{0}">To the workbench</a></p>'
LOOKING = ("GET", "HEAD")
STYLE = (  # of the pages that whoever has no token sees, to whom no file is given
    ":root{color-scheme:light dark}h1{font-size:1.5rem}"
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}"
)
STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' 'sha256-{STYLE_HASH}'; connect-src 'self'; "
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
READ_ONLY = "this workbench was started with --read-only: it shows and changes nothing"
NO_TOKEN = (
    "this tab has no access to the workbench, which may have been started anew since it was opened: open the address "
    "that veracity serve has printed in its terminal, which holds the token; if you just did, follow the link"
)
CROSS_SITE = "a page of another site asked for a change: only the workbench itself may"


@dataclass(frozen=True)
class Refusal:
    """Why a request goes no further."""

    status: int
    says: str


@dataclass(frozen=True)
class Rules:
    """What a request must bring: a host that is ours, and the token of this server."""

    token: str
    port: int
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    read_only: bool = False
    allowed: tuple[str, ...] = ()  # other names, such as that of a proxy before us, with its port or without
    sessions: set[bytes] = field(default_factory=set, repr=False)  # digests of the cookies that were handed out

    @property
    def cookie(self) -> str:
        """Cookies ignore ports, hence the port in the name."""
        return f"veracity-{self.port}"

    @property
    def names(self) -> set[str]:
        """What may stand in the header Host; a browser leaves out the port of the web itself."""
        bare = self.hosts if self.port == 80 else ()
        ours = (f"{name}:{self.port}" for name in (*self.hosts, *self.allowed))
        return {name.lower() for name in (*bare, *self.allowed, *ours)}

    def refusal(self, method: str, path: str, headers: dict[str, str]) -> Refusal | None:
        """The first rule that a request breaks."""
        host = headers.get("host", "").lower()
        if host not in self.names:
            says = f"this workbench does not answer to the host {host!r}: veracity serve --allow-host NAME lets it"
            return Refusal(421, says)
        if path == OPENING:
            return None if method in LOOKING else Refusal(405, "the address is opened, nothing more")
        if method not in LOOKING and not self._is_own_site(host, headers):
            return Refusal(403, CROSS_SITE)
        if not (self.knows(_bearer(headers)) or self.has_session(_cookie(headers, self.cookie))):
            return Refusal(403, NO_TOKEN)
        if method not in LOOKING and self.read_only and not path.endswith(CONTACT):
            return Refusal(403, READ_ONLY)
        length = headers.get("content-length", "0")
        if not re.fullmatch("[0-9]{1,15}", length) or int(length) > largest_body(path):
            return Refusal(413, f"this is larger than the {largest_body(path):,} bytes that are taken here")
        return None

    def _is_own_site(self, host: str, headers: dict[str, str]) -> bool:
        """What browsers tell of the page that asks; a script that is no browser tells nothing, and has the token.

        A form of a page without referrer has the origin null: then its site must be told, and be ours.
        """
        site, origin = headers.get("sec-fetch-site"), headers.get("origin", f"http://{host}")
        own = origin in (f"http://{host}", f"https://{host}") or (origin == "null" and site is not None)
        return own and site in (None, "same-origin")

    def knows(self, given: str) -> bool:
        """Whether this is the token, in a time that tells nothing about it."""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def open_session(self) -> str:
        """Return the content of a new cookie: never the token, as a browser shows cookies to every port of a host."""
        session = secrets.token_urlsafe(SESSION_BYTES)
        self.sessions.add(_digest(session))
        return session

    def has_session(self, given: str) -> bool:
        """Tell whether a cookie was handed out by this server."""
        return _digest(given) in self.sessions


def _digest(session: str) -> bytes:
    """Return what is looked up in place of a session, so that the time of a look tells nothing about it."""
    return hashlib.sha256(session.encode()).digest()


def largest_body(path: str) -> int:
    """Bytes that a request to a path may bring."""
    return LARGEST_UPLOAD if path == UPLOADS else LARGEST_FORM


def _bearer(headers: dict[str, str]) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _cookie(headers: dict[str, str], name: str) -> str:
    """One cookie, whatever other servers of this machine have put into theirs."""
    pairs = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
    return next((value for key, _, value in pairs if key == name), "")


class Guard:
    """Lets through what the rules allow; every answer, a refusal too, carries the same strict headers."""

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self.app, self.rules = app, rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, _with_headers(send))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self.rules.refusal(scope["method"], scope["path"], headers)
        if refusal is not None:
            await _refuse(refusal, headers, scope, receive, send)
        elif scope["path"] == OPENING:
            await self._open(scope, receive, send)
        else:
            await self.app(scope, _limited(receive, largest_body(scope["path"])), send)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The token opens a session, whose cookie is another secret, and leaves the address."""
        from starlette.responses import HTMLResponse, RedirectResponse

        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if not self.rules.knows(given):
            await _refuse(Refusal(403, NO_TOKEN), {}, scope, receive, send)
            return
        answer: Response = RedirectResponse("/", 303)
        if (b"sec-fetch-site", b"cross-site") in scope["headers"]:  # a strict cookie goes along from our own page alone
            answer = HTMLResponse(f'<!DOCTYPE html><html lang="en"><title>veracity</title>{LEAD.format("/")}')
        answer.set_cookie(self.rules.cookie, self.rules.open_session(), httponly=True, samesite="strict", path="/")
        await answer(scope, receive, send)


async def _refuse(refusal: Refusal, headers: dict[str, str], scope: Scope, receive: Receive, send: Send) -> None:
    """One sentence, as JSON to whoever wants that; a page of ours may be followed by who has the cookie already."""
    from markupsafe import escape
    from starlette.responses import HTMLResponse, JSONResponse

    wants_page = "text/html" in headers.get("accept", "")
    head = f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>veracity</title><style>{STYLE}</style>'
    page = f"{head}<h1>veracity workbench</h1><p>{escape(refusal.says)}.</p>"
    link = '<p><a href="/">To the workbench</a></p>' if refusal.status == 403 else ""
    answer = (
        HTMLResponse(page + link, refusal.status)
        if wants_page
        else JSONResponse({"error": refusal.says, "place": scope["path"]}, refusal.status)
    )
    await answer(scope, receive, send)


def _with_headers(send: Send) -> Send:
    async def strict(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            kept = [(name, value) for name, value in message["headers"] if name.decode().lower() not in HEADERS]
            message = {**message, "headers": [*kept, *own]}
        await send(message)

    return strict


class BodyTooLarge(Exception):
    """A body went on beyond what its request may bring, whatever it said of its length."""


def _limited(receive: Receive, largest: int) -> Receive:
    seen = 0

    async def counted() -> Any:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > largest:
            raise BodyTooLarge(f"this is larger than the {largest:,} bytes that are taken here")
        return message

    return counted
