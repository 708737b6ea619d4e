"""A stand-in for the server of `lw studio`: the shell, the built files, and the answers of a test.

What a page does with texts and amounts that no run has is tried with it; the server itself is tested apart.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from places import ROOT

from legalworld.wording import read_toml

STATIC = ROOT / "legalworld" / "studio" / "static"
SECTIONS = ("browser", "studio", "act", "refused", "citation", "violation", "coverage", "singular")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
SHELL = """<!doctype html><html lang="{language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>LegalWorld</title>{head}</head>
<body><div id="app"></div><div id="old">old</div><script type="application/json" id="boot">{boot}</script>{foot}
</body></html>"""
Query = Mapping[str, list[str]]
Answer = Any | Callable[[Query], Any]


def words() -> dict[str, dict[str, str]]:
    """The words of a page in both languages, by section and name."""
    tables = {language: read_toml(f"{language}.toml") for language in ("zh", "en")}
    return {
        language: {f"{section}.{name}": text for section in SECTIONS for name, text in table.get(section, {}).items()}
        for language, table in tables.items()
    }


def boot(page: str, identity: str, base: str, language: str, pack: str = "", *, chosen: bool = True) -> str:
    """What a page is begun with, safe between the tags of a script."""
    data = {"source": "packed" if pack else "live", "base": base, "page": page, "id": identity, "language": language}
    data |= {"chosen": chosen, "words": words(), "version": "0", "pack": pack}
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


class StandIn(ThreadingHTTPServer):
    """`answers`: address below d/ -> what is answered, or a function of the query. `script`: app.js or a mutant."""

    daemon_threads = True
    base = "/o/token/"

    def __init__(self, answers: Mapping[str, Answer], script: str, port: int = 0) -> None:
        self.answers, self.script = dict(answers), script
        self.over = False
        self.asked: list[str] = []
        self.streams: list[queue.Queue[str]] = []
        super().__init__(("127.0.0.1", port), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}{self.base}"

    def tell(self, kind: str, data: object) -> None:
        for stream in list(self.streams):
            stream.put(f"event: {kind}\ndata: {json.dumps(data)}\n\n")

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that closes a stream is no error."""


class _Handler(BaseHTTPRequestHandler):
    server: StandIn

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _send(self, body: str, kind: str, status: int = 200) -> None:
        data = body.encode("utf-8", "surrogatepass")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.server.asked.append(self.path)
        if parts.path.startswith("/static/"):
            name = parts.path.removeprefix("/static/")
            text = self.server.script if name == "app.js" else (STATIC / "app.css").read_text(encoding="utf-8")
            return self._send(text, "text/javascript" if name == "app.js" else "text/css")
        if not parts.path.startswith(self.server.base):
            return self._send("no such page", "text/plain", 404)
        path, query = unquote(parts.path.removeprefix(self.server.base)), parse_qs(parts.query)
        if path == "d/follow":
            return self._follow(query)
        return self._data(path[2:], query) if path.startswith("d/") else self._page(path, query)

    def do_POST(self) -> None:
        """What is asked for by a click: its answer stands behind `POST `."""
        path = unquote(urlsplit(self.path).path.removeprefix(self.server.base))
        self.server.asked.append(f"POST {self.path}")
        self._data(f"POST {path[2:]}", {})

    def _page(self, path: str, query: Query) -> None:
        page, _, identity = path.partition("/")
        language = query.get("lang", ["en"])[0]
        head = '<link rel="stylesheet" href="/static/app.css"><script defer src="/static/app.js"></script>'
        begun = boot(page or "runs", identity, self.server.base, language)
        self._send(SHELL.format(language=language, head=head, boot=begun, foot=""), "text/html")

    def _data(self, path: str, query: Query) -> None:
        answer = self.server.answers.get(path)
        answer = answer(query) if callable(answer) else answer
        status = 404 if answer is None else 200
        problem = {"code": "LW000", "severity": "error", "where": "", "help": {"zh": "", "en": ""}}
        text = {"zh": "没有这个地址", "en": "there is nothing at this address"}
        body = {"error": problem | {"text": text}} if answer is None else answer
        self._send(body if isinstance(body, str) else json.dumps(body, ensure_ascii=False), "application/json", status)

    def _follow(self, query: Query) -> None:
        stream: queue.Queue[str] = queue.Queue()
        self.server.streams.append(stream)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        try:
            while not self.server.over:
                try:
                    words = stream.get(timeout=0.2)
                except queue.Empty:
                    words = ": beat\n\n"
                self.wfile.write(words.encode())
                self.wfile.flush()
        except OSError:
            pass
        self.server.streams.remove(stream)
        self.close_connection = True


@contextmanager
def standing_in(answers: Mapping[str, Answer], script: str, port: int = 0) -> Iterator[StandIn]:
    """A server until the block is over."""
    server = StandIn(answers, script, port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over = True
        server.shutdown()
        server.server_close()
        thread.join()
