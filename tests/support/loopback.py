"""An OpenAI-compatible model on 127.0.0.1 that answers by script: real sockets, no mocks.

    with Loopback([fail(500), say("同意。")]) as server:     # the last behaviour repeats; a callable gets each Call
        ...                                                  # OPENAI_API_BASE=server.url
    assert [call.body["model"] for call in server.calls] == ["clerk", "clerk"]

Run as a program it serves one answer until its standard input closes, and prints the address first; a number that it is
given is the seconds before each answer.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import struct
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """How the server behaves on one request.

    `pause`: seconds before the first byte. `drip`: seconds between pieces of the body, of `piece` bytes. `cut`: the
    connection is reset after this many bytes of the body (-1: before the status line). `when`: nothing is sent before
    it holds.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    pause: float = 0.0
    drip: float = 0.0
    piece: int = 1
    cut: int | None = None
    when: Callable[[], bool] | None = None


@dataclass(slots=True)
class Call:
    """One request as received: its body as JSON, an upload as bytes.

    `left` is set when the client went away before the answer was complete."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: Any
    left: threading.Event = field(default_factory=threading.Event)


Script = Sequence[Answer] | Callable[[Call], Answer]


def say(
    text: str | None,
    *,
    finish: str = "stop",
    model: str = "clerk-1",
    tokens: tuple[int, int] | None = (7, 3),
    calls: Sequence[tuple[str, str]] = (),
    thought: str = "",
) -> Answer:
    """A chat completion. `tokens`: what `usage` says of prompt and completion (None: no `usage`).

    `calls`: name and arguments of each tool that is called.
    """
    said: dict[str, Any] = {"role": "assistant", "content": text}
    if thought:
        said["reasoning_content"] = thought
    if calls:
        finish = "tool_calls"
        said["tool_calls"] = [
            {"id": f"id-{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for number, (name, arguments) in enumerate(calls, 1)
        ]
    body: dict[str, Any] = {
        "id": "answer",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": said, "finish_reason": finish}],
    }
    if tokens:
        prompt, completion = tokens
        body["usage"] = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return raw(json.dumps(body))


def fail(status: int, message: str = "no", *, headers: Mapping[str, str] | None = None, **error: object) -> Answer:
    """An error as OpenAI-compatible servers put it."""
    body = {"error": {"message": message, "type": "error", **error}}
    return Answer(json.dumps(body).encode(), status, {"Content-Type": "application/json", **(headers or {})})


def raw(body: str | bytes, *, content_type: str = "application/json") -> Answer:
    """A 200 with any body at all."""
    return Answer(body.encode() if isinstance(body, str) else body, 200, {"Content-Type": content_type})


def streamed(answer: Answer, *, piece: int = 3, usage: bool = True, done: bool = True) -> Answer:
    """The same chat completion as a stream: its thought, its words in pieces, its calls, its end, what it took.

    `done`: it ends as it should; else it just stops, somewhere in the words.
    """
    if answer.status != 200:
        return answer
    whole = json.loads(answer.body)
    (choice,) = whole["choices"]
    said = choice["message"]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    for key in ("reasoning_content", "content"):
        text = said.get(key) or ""
        deltas += [{key: text[start : start + piece]} for start in range(0, len(text), piece)]
    for index, call in enumerate(said.get("tool_calls", ())):
        arguments = call["function"]["arguments"]
        deltas.append({"tool_calls": [{**call, "index": index, "function": {**call["function"], "arguments": ""}}]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": arguments[start : start + piece]}}]}
            for start in range(0, len(arguments), piece)
        ]
    head = {"id": whole["id"], "object": "chat.completion.chunk", "created": 1, "model": whole["model"]}
    choices = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
    choices += [[{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]]
    chunks = [{**head, "choices": one} for one in choices]
    chunks += [{**head, "choices": [], "usage": whole["usage"]}] if usage and "usage" in whole else []
    kept = chunks if done else chunks[: len(deltas) // 2 + 1]
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in kept] + (["data: [DONE]\n\n"] if done else [])
    return Answer("".join(lines).encode(), 200, {"Content-Type": "text/event-stream"}, answer.pause, answer.drip)


def dead_url() -> str:
    """The address of a port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


class Loopback:
    """The server, in a thread of its own from `__enter__` to `__exit__`."""

    def __init__(self, script: Script) -> None:
        self.calls: list[Call] = []
        self.url = ""
        self._script = script
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self) -> Loopback:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._done.set)
        self._thread.join(10)

    async def _serve(self) -> None:
        self._loop, self._done = asyncio.get_running_loop(), asyncio.Event()
        server = await self._loop.create_server(lambda: _Connection(self), "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        self._ready.set()
        await self._done.wait()
        server.close()

    def receive(self, head: str, body: bytes) -> tuple[Call, Answer]:
        """Record one request and find what the script says to it."""
        first, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        uploaded = headers.get("content-type", "").startswith("multipart/")
        sent = body if uploaded or not body else json.loads(body)
        call = Call(len(self.calls) + 1, first.split(" ")[1], headers, sent or None)
        self.calls.append(call)
        script = self._script
        return call, script(call) if callable(script) else script[min(call.number, len(script)) - 1]


class _Connection(asyncio.Protocol):
    """One connection: requests come one after the other, each is answered before the next."""

    def __init__(self, server: Loopback) -> None:
        self._server = server
        self._bytes = bytearray()
        self._answering: tuple[Call, asyncio.Task[None]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        if self._answering and not self._answering[1].done():
            call, task = self._answering
            task.cancel()
            call.left.set()

    def data_received(self, data: bytes) -> None:
        self._bytes += data
        end = self._bytes.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self._bytes[:end].decode("latin-1")
        length = re.search(r"(?i)\r\ncontent-length: *(\d+)", head)
        size = end + 4 + (int(length[1]) if length else 0)
        if len(self._bytes) >= size:
            call, answer = self._server.receive(head, bytes(self._bytes[end + 4 : size]))
            del self._bytes[:size]
            self._answering = call, asyncio.create_task(self._answer(answer))

    async def _answer(self, answer: Answer) -> None:
        if answer.pause:
            await asyncio.sleep(answer.pause)
        while answer.when is not None and not answer.when():
            await asyncio.sleep(0.005)
        headers = {**answer.headers, "Content-Length": str(len(answer.body))}
        head = f"HTTP/1.1 {answer.status} Status\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
        if answer.cut is not None:
            await self._reset(head.encode() + answer.body[: answer.cut] if answer.cut >= 0 else b"")
        elif answer.drip:
            self._transport.write(head.encode())
            for start in range(0, len(answer.body), answer.piece):
                self._transport.write(answer.body[start : start + answer.piece])
                await asyncio.sleep(answer.drip)
        else:
            self._transport.write(head.encode() + answer.body)

    async def _reset(self, part: bytes) -> None:
        """Send a part of the answer, then a TCP reset."""
        if part:
            self._transport.write(part)
            await asyncio.sleep(0.02)  # let the part be read before the reset discards it
        linger = struct.pack("ii", 1, 0)
        self._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self._transport.abort()


def main() -> None:
    pause = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0
    with Loopback([replace(say("本庭已听清，请继续发言。" * 6), pause=pause)]) as server:
        print(server.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
