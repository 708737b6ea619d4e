"""The studio served: its address, its socket, its end.

The token of a folder is kept in the user's private cache, so that a studio that was killed and begun again is found by
the same addresses; where there is no such place it is made anew each time.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Final

from ..files import regular
from ..files.template_shelf import VARIABLE, cache_folder, private_folder
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from .guard import Doorway
from .opened_log import Note, noted

PORT: Final = 8420
LOOPBACK: Final = "127.0.0.1"
_BITS: Final = 128


@immutable
class BoundStudio:
    """A socket that waits for requests, and how the server is called there. `open_`: from other machines."""

    socket: socket.socket
    doorway: Doorway
    address: str
    open_: bool


def bound(host: str, port: int, token: str) -> BoundStudio | Diagnostic:
    """Take a port. Raises nothing: what is in use, or no address of this machine, is told."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind((host, port))
    except OSError as error:
        taken.close()
        if isinstance(error, socket.gaierror) or error.errno == getattr(os, "EADDRNOTAVAIL", 99):
            return diagnose.no_studio_host("--host", name=host)
        if error.errno in (98, 48, 10048, 13):
            return diagnose.studio_port_taken("--port", port=port)
        return diagnose.no_studio_host("--host", name=host)
    at = int(taken.getsockname()[1])
    names = _names(host)
    doorway = Doorway(frozenset(f"{name}:{at}" for name in names), token)
    shown = f"[{host}]" if ":" in host else host
    return BoundStudio(taken, doorway, f"http://{shown}:{at}{doorway.base}", not _is_loopback(host))


def _names(host: str) -> tuple[str, ...]:
    """The names under which a server at an address is reached; no other host is answered."""
    if _is_loopback(host):
        return ("127.0.0.1", "localhost", "[::1]")
    return (f"[{host}]" if ":" in host else host.lower(),)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def served(root: Path, place: BoundStudio, ready: Callable[[], None], note: Note) -> None:
    """Serve the runs below a folder until a signal ends it; `ready` is called when it can be asked, `note` when what a
    case keeps for scoring was shown."""
    import uvicorn

    from .app import Studio

    def kept(at: str, run: str) -> None:
        noted(root, at, run)
        note(at, run)

    studio = Studio(root, place.doorway, kept)
    studio.warm()
    config = uvicorn.Config(
        studio.app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        limit_concurrency=200,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=1,
    )
    try:
        ready()
        uvicorn.Server(config).run(sockets=[place.socket])
    finally:
        studio.close()
        place.socket.close()


def kept_token(root: Path, *, renew: bool = False) -> str:
    """The token of a folder: that of the last time, or a new one of 128 bits."""
    made = secrets.token_urlsafe(_BITS // 8)
    told = os.environ.get(VARIABLE)
    if told == "":
        return made
    try:
        folder = private_folder(Path(told) if told else cache_folder() / "studio")
        if folder is None:
            return made
        file = folder / f"studio-{sha256(str(root.resolve()).encode('utf-8', 'surrogateescape')).hexdigest()[:32]}"
        known = "" if renew or not regular.is_file(file, folder) else regular.text(file, folder, most=64).strip()
        if len(known) == len(made) and known.replace("-", "").replace("_", "").isalnum() and known.isascii():
            return known
        regular.write_whole(file, made.encode(), folder)
    except (OSError, ValueError):
        return made
    return made
