"""Messages of the protocol on standard input and output: read within bounds, answered whatever they say.

What pygls itself makes of a message that is none, of a header that lies or of a client that has gone is a traceback on
the standard error, or memory without end; so the reading is ours, and the protocol's types and handlers are its.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from ..model.json_text import read_json

MOST_BYTES: Final = 32 << 20
"""Largest message; a longer one is passed over."""
_MOST_HEADER: Final = 4096
_PIECE: Final = 1 << 16
_AHEAD: Final = 64  # messages that are read before they are answered
NOT_INITIALIZED: Final = -32002
INVALID: Final = -32600


class Frames:
    """The bodies of messages in a stream; what is no message is passed over."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def next(self) -> bytes | None:
        """The next body; None where the stream has ended, be it in the middle of one."""
        length = -1
        while line := self._stream.readline(_MOST_HEADER):
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and (digits := value.strip()).isdigit() and len(digits) < 16:
                length = int(digits)
            elif not line.strip() and length >= 0:
                if length <= MOST_BYTES:
                    return self._exactly(length)
                if not self._skipped(length):
                    return None
                length = -1
        return None

    def _exactly(self, length: int) -> bytes | None:
        pieces = []
        while length > 0:
            piece = self._stream.read(min(length, _PIECE))
            if not piece:
                return None
            pieces.append(piece)
            length -= len(piece)
        return b"".join(pieces)

    def _skipped(self, length: int) -> bool:
        while length > 0:
            piece = self._stream.read(min(length, _PIECE))
            if not piece:
                return False
            length -= len(piece)
        return True


class OwnBuffers(LanguageServerProtocol):
    """The protocol without pygls' own copies of texts: those of the project are the only ones."""

    ended = False
    code = 0
    """By which the process ends: 1 where the client said that it is to, and not to shut down before."""
    wake: Callable[[], None] | None = None

    def end(self) -> None:
        """The session is over, whether or not another message comes."""
        self.ended = True
        if self.wake is not None:
            self.wake()

    def _told(self, method: str, params: Any) -> None:
        if (handler := self.fm.features.get(method)) is not None:
            handler(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self._told(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        self._told(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._told(types.TEXT_DOCUMENT_DID_CLOSE, params)

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> None:  # type: ignore[override]
        self.code = int(not self._shutdown)
        self.end()

    def receive(self, body: bytes) -> None:
        """Answer a message; one that cannot be read is answered by an error, if it is a request, else passed over."""
        data = _object(body)
        if data is None:
            return
        number, method = data.get("id"), data.get("method")
        if not isinstance(number, int | str | None) or not isinstance(method, str | None):
            return
        asked = method is not None and number is not None
        early = self._workspace is None and method not in (types.INITIALIZE, types.EXIT)
        late = self._shutdown and method != types.EXIT
        if early or late:
            if asked:
                self._refuse(number, NOT_INITIALIZED if early else INVALID)
            return
        try:
            message = self.structure_message(data)
        except JsonRpcException as error:
            if asked:
                self._send_response(number, error=types.ResponseError(error.code or INVALID, error.message or ""))  # type: ignore[arg-type]
            return
        with suppress(AttributeError, TypeError):  # an answer to nothing, a method that is no text
            self.handle_message(message)

    def _refuse(self, number: Any, code: int) -> None:
        self._send_response(number, error=types.ResponseError(code, "-"))


def _object(body: bytes) -> dict[str, Any] | None:
    try:
        data = read_json(body.decode("utf-8", "replace"))
    except ValueError:
        return None
    return data if isinstance(data, dict) and data.get("jsonrpc") == "2.0" else None


class _Answers:
    """The standard output as pygls writes to it; a client that has gone ends the session."""

    def __init__(self, stream: BinaryIO, protocol: OwnBuffers) -> None:
        self._stream, self._protocol = stream, protocol

    def write(self, data: bytes) -> None:
        try:
            self._stream.write(data)
            self._stream.flush()
        except (OSError, ValueError):
            self._protocol.end()

    def close(self) -> None:
        """Nothing: the stream is the process's."""


def run(server: LanguageServer) -> int:
    """Serve the standard streams until the client ends, or says that this is to end. Returns the exit code."""
    protocol = server.protocol
    assert isinstance(protocol, OwnBuffers)
    if not os.environ.get("LW_DEBUG"):
        logging.getLogger("pygls").disabled = True
        for name in [name for name in logging.root.manager.loggerDict if name.startswith("pygls")]:
            logging.getLogger(name).disabled = True
    # Streams of our own: a thread may wait for the input when the process ends, and what is printed is no message.
    taken, given = os.fdopen(os.dup(sys.stdin.fileno()), "rb"), os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr
    protocol.set_writer(_Answers(given, protocol))
    return asyncio.run(_served(protocol, Frames(taken)))


async def _served(protocol: OwnBuffers, frames: Frames) -> int:
    queue: asyncio.Queue[bytes | None] = asyncio.Queue()
    loop, room = asyncio.get_running_loop(), threading.Semaphore(_AHEAD)
    protocol.wake = lambda: queue.put_nowait(None)

    def read_all() -> None:
        """Hand on what is read, no faster than it is taken; to the end of the stream or of the session."""
        with suppress(RuntimeError, OSError, ValueError):
            while (body := frames.next()) is not None:
                room.acquire()
                loop.call_soon_threadsafe(queue.put_nowait, body)
            loop.call_soon_threadsafe(queue.put_nowait, None)

    threading.Thread(target=read_all, daemon=True).start()
    while not protocol.ended and (body := await queue.get()) is not None:
        room.release()
        protocol.receive(body)
        await asyncio.sleep(0)
    return protocol.code
