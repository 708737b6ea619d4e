"""A real small model (SmolLM2, 135M) on loopback, and a relay before it that keeps what went over the wire.

    with serving(context=4096) as relay:      # OPENAI_API_BASE=relay.url
        ...
    assert all(one.status == 200 for one in relay.exchanges)

`LW_REAL` names the folder in which requirements/real.txt is installed; `make test-real` sets it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from subprocess import DEVNULL, PIPE
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import pytest
from places import TESTS

FOLDER = os.environ.get("LW_REAL", "")
READY = 120  # seconds within which the model must be loaded


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer as JSON."""

    request: Any
    status: int
    answer: Any


@dataclass(slots=True)
class Relay:
    """`url` for OPENAI_API_BASE; `begun`: when each request came (monotonic seconds); `exchanges`: those answered."""

    url: str
    begun: list[float] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)


@contextmanager
def serving(context: int) -> Iterator[Relay]:
    """The model with room for this many tokens, behind a relay. Skips the test where it cannot be served."""
    with _model(context) as address:
        relay = Relay("")
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(relay, address))
        server.daemon_threads = True
        relay.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield relay
        finally:
            server.shutdown()
            server.server_close()


@contextmanager
def _model(context: int) -> Iterator[str]:
    """The address of llama.cpp's own server."""
    program = [sys.executable, str(TESTS / "support" / "serve_gguf.py"), str(context)]
    environment = {**os.environ, "PYTHONPATH": FOLDER}
    process = subprocess.Popen(program, env=environment, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, text=True)
    watchdog = threading.Timer(READY, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        watchdog.cancel()
        if not address.startswith("http://127.0.0.1:"):
            pytest.skip(f"the model could not be served here (exit {process.wait(10)})")
        yield address
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()


def _handler(relay: Relay, address: str) -> type[BaseHTTPRequestHandler]:
    host = urlsplit(address).netloc

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

        def do_POST(self) -> None:
            relay.begun.append(monotonic())
            body = self.rfile.read(int(self.headers["content-length"]))
            upstream = HTTPConnection(host)
            try:
                upstream.request("POST", self.path, body, {"content-type": "application/json"})
                answer = upstream.getresponse()
                content = answer.read()
                relay.exchanges.append(Exchange(json.loads(body), answer.status, json.loads(content)))
                self.send_response(answer.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except (OSError, HTTPException):  # the client went away at its deadline, or the model was ended
                self.close_connection = True

    return Handler
