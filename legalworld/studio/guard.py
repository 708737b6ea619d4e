"""Who may ask the studio for anything: what stands before every page and every answer.

The token in the address is the only right. A request is refused where its host is none of this server's (a name that
somebody points at this machine), or where it comes from a page of elsewhere; so are all that change something and do
not say from where they come. Whatever is refused, one and the same answer tells it.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final

from ..model.immutable import immutable

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
STATIC: Final = "/static/"
READS: Final = ("GET", "HEAD")
_OWN_SITES: Final = ("same-origin", "none")
MOST_BODY: Final = 1 << 20
MOST_ADDRESS: Final = 8192  # bytes of a path and its query


@immutable
class Doorway:
    """What this server is called, by its names with the port, and the token of its owner."""

    hosts: frozenset[str]
    token: str

    @property
    def base(self) -> str:
        """Below which address all stands."""
        return f"/o/{self.token}/"


def admits(scope: Scope, doorway: Doorway) -> bool:
    """Whether a request may be answered at all, by its host, its origin, its token and its size."""
    headers = _headers(scope)
    hosts = headers.get("host", [])
    if len(hosts) != 1 or hosts[0].lower() not in doorway.hosts:
        return False
    if not _from_here(scope, headers, doorway) or _too_large(scope, headers):
        return False
    path = str(scope["path"])
    return path.startswith(STATIC) or _has_token(path, doorway.token)


def _headers(scope: Scope) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _from_here(scope: Scope, headers: Mapping[str, list[str]], doorway: Doorway) -> bool:
    """Whether nothing says that the request comes from elsewhere; one that changes something must say that it does not.

    Away from loopback browsers send neither of the two headers with a plain GET, so their absence tells nothing. A link
    that somebody follows to a page is no request of the page on which it stands.
    """
    origins, sites = headers.get("origin", []), headers.get("sec-fetch-site", [])
    own = [f"{scope.get('scheme', 'http')}://{host}" for host in doorway.hosts]
    if any(origin.lower() not in own for origin in origins):
        return False
    if scope["method"] not in READS and not origins:
        return False
    return all(site in _OWN_SITES for site in sites) or _followed(scope, headers, doorway)


def _followed(scope: Scope, headers: Mapping[str, list[str]], doorway: Doorway) -> bool:
    """Whether somebody follows a link to a page, in a tab of its own; data is asked for by pages alone."""
    told = headers.get("sec-fetch-mode", []), headers.get("sec-fetch-dest", [])
    below = str(scope["path"]).removeprefix(doorway.base)
    return told == (["navigate"], ["document"]) and scope["method"] in READS and not below.startswith("d/")


def _too_large(scope: Scope, headers: Mapping[str, list[str]]) -> bool:
    lengths = headers.get("content-length", [])
    if any(not length.isdigit() or len(length) > 12 or int(length) > MOST_BODY for length in lengths):
        return True
    return len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"") > MOST_ADDRESS


def _has_token(path: str, token: str) -> bool:
    given = path.removeprefix("/o/").partition("/")[0] if path.startswith("/o/") else ""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), token.encode())


class Guard:
    """Before the application. `refuse` answers what is not admitted, `busy` what comes too often."""

    def __init__(self, app: App, doorway: Doorway, refuse: App, busy: App) -> None:
        self._app, self._doorway, self._refuse, self._busy = app, doorway, refuse, busy
        self._pace = Pace()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def sealed(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                ours = {name for name, _ in HEADERS}
                kept = [one for one in message.get("headers", ()) if one[0].lower() not in ours]
                message = {**message, "headers": [*kept, *HEADERS]}
            await send(message)

        app = self._refuse if not admits(scope, self._doorway) else self._app if self._pace.allows() else self._busy
        await app(scope, receive, sealed)


class Pace:
    """Requests of one server: so many at once, and after that so many a second."""

    EVERY_SECOND: Final = 60
    AT_ONCE: Final = 300

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left, self._at = float(self.AT_ONCE), clock()

    def allows(self) -> bool:
        """Whether one more may be answered now."""
        now = self._clock()
        self._left = min(self.AT_ONCE, self._left + (now - self._at) * self.EVERY_SECOND)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
