"""A studio on loopback, in a thread of the test: asked by raw requests, so that any header can be sent or left out."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from places import HANG

from legalworld.studio.app import Studio
from legalworld.studio.guard import Doorway
from legalworld.studio.serve import BoundStudio, bound

TOKEN = "t0kEn-of_the_test_AAAA"


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        return str(self.data["error"]["code"])


class Asked:
    """A server that can be asked. `doorway`: its names and its token; `noted`: when sealed values were shown."""

    def __init__(self, port: int, doorway: Doorway, studio: Studio, noted: list[tuple[str, str]]) -> None:
        self.port, self.doorway, self.studio, self.noted = port, doorway, studio, noted

    def get(self, path: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> Answer:
        """Ask for a path below the token, or for any that begins with /."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANG)
        try:
            whole = path if path.startswith("/") else self.doorway.base + path
            connection.putrequest(method, whole, skip_host=True, skip_accept_encoding=True)
            sent = {"Host": f"127.0.0.1:{self.port}", **(headers or {})}
            for name, value in sent.items():
                for one in value.split("\n"):
                    if one != "-":
                        connection.putheader(name, one)
            connection.endheaders()
            reply = connection.getresponse()
            return Answer(reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read())
        finally:
            connection.close()

    @contextmanager
    def stream(self, path: str, headers: Mapping[str, str] | None = None) -> Iterator[Events]:
        """An event stream, read as it comes."""
        connection = socket.create_connection(("127.0.0.1", self.port), HANG)
        lines = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
        request = f"GET {self.doorway.base}{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{lines}\r\n"
        connection.sendall(request.encode())
        try:
            yield Events(connection)
        finally:
            connection.close()


class Events:
    def __init__(self, connection: socket.socket) -> None:
        self._connection, self._read = connection, b""

    def next(self) -> tuple[str, dict[str, Any]]:
        """The next event: its name and what it says."""
        while True:
            head, mark, rest = self._read.partition(b"\n\n")
            if mark:
                self._read = rest
                fields = dict(line.split(": ", 1) for line in head.decode().splitlines() if ": " in line)
                if "event" in fields:
                    return fields["event"], json.loads(fields["data"])
                continue
            more = self._connection.recv(1 << 16)
            assert more, "the stream has ended"
            self._read += more

    def until(self, event: str, **values: Any) -> dict[str, Any]:
        """What an event says, when it comes with some values."""
        begun = time.monotonic()
        while time.monotonic() - begun < HANG:
            name, data = self.next()
            if name == event and all(data[key] == value for key, value in values.items()):
                return data
        raise AssertionError(f"no {event} with {values}")


@contextmanager
def studio_served(root: Path) -> Iterator[Asked]:
    """A studio that shows the runs below a folder."""
    place, noted = bound("127.0.0.1", 0, TOKEN), list[tuple[str, str]]()
    assert isinstance(place, BoundStudio)
    studio = Studio(root, place.doorway, lambda at, run: noted.append((at, run)))
    config = uvicorn.Config(
        studio.app, log_config=None, access_log=False, lifespan="off", server_header=False, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [place.socket]}, daemon=True)
    thread.start()
    begun = time.monotonic()
    while not server.started:
        assert thread.is_alive() and time.monotonic() - begun < HANG
        time.sleep(0.02)
    try:
        yield Asked(place.socket.getsockname()[1], place.doorway, studio, noted)
    finally:
        server.should_exit = True
        thread.join(HANG)
        studio.close()
        place.socket.close()
