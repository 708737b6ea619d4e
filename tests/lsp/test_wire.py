"""What comes on the wire: half messages, headers that lie, noise, a client that goes; never a traceback, no hang."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
from pathlib import Path

import pytest
from editor import COMMAND
from places import HANG

from legalworld.lsp.wire import MOST_BYTES, Frames

BEGIN = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None}}
SHUTDOWN = {"jsonrpc": "2.0", "id": 9, "method": "shutdown"}
EXIT = {"jsonrpc": "2.0", "method": "exit"}


def frame(value: object) -> bytes:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def session(data: bytes, cwd: Path) -> tuple[int, list[dict[str, object]]]:
    """The exit code and the answers to what is sent before the client goes; nothing may stand on the standard error."""
    done = subprocess.run(COMMAND, input=data, capture_output=True, timeout=HANG, cwd=cwd)
    assert done.stderr == b"", done.stderr.decode()
    frames, answers = Frames(io.BytesIO(done.stdout)), []
    while (body := frames.next()) is not None:
        answers.append(json.loads(body))
    return done.returncode, answers


def numbered(answers: list[dict[str, object]]) -> dict[object, dict[str, object]]:
    return {answer["id"]: answer for answer in answers if "id" in answer}


def asked(number: int, method: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def test_a_session_ends_as_it_was_asked_to(tmp_path: Path) -> None:
    code, answers = session(frame(BEGIN) + frame(SHUTDOWN) + frame(EXIT), tmp_path)
    assert code == 0
    assert numbered(answers)[1]["result"]["capabilities"]["renameProvider"]  # type: ignore[index]
    assert numbered(answers)[9]["result"] is None
    assert session(frame(BEGIN) + frame(EXIT), tmp_path)[0] == 1, "without shutdown"


NOISE = [
    b"",
    b"\r\n\r\n\r\n",
    b"hello\n" * 50,
    b"x" * 100_000 + b"\r\n",
    b"Content-Length: -4\r\n\r\n",
    b"Content-Length: ten\r\n\r\n",
    b"content-length : 2\r\nX: y\r\n\r\n{}",
    frame(b"{"),
    frame(b"\xff\xfe\x00"),
    frame(b"[" * 100_000),
    frame([1, 2, 3]),
    frame("text"),
    frame({"jsonrpc": "1.0", "id": 3, "method": "shutdown"}),
    frame({"jsonrpc": "2.0", "id": [], "method": "shutdown"}),
    frame({"jsonrpc": "2.0", "id": 3, "method": ["shutdown"]}),
    frame({"jsonrpc": "2.0", "id": 3, "result": {}}),
    frame({"jsonrpc": "2.0", "id": 3, "error": {"code": 1, "message": "x"}}),
    frame({"jsonrpc": "2.0", "id": 3}),
    frame({"jsonrpc": "2.0"}),
    frame({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 77}}),
    frame({"jsonrpc": "2.0", "method": "$/cancelRequest"}),
    frame({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": 5}}),
    frame({"jsonrpc": "2.0", "method": "workspace/didChangeWatchedFiles", "params": {"changes": []}}),
    frame({"jsonrpc": "2.0", "method": "no/such", "params": None}),
]


def test_noise_between_messages_is_passed_over(tmp_path: Path) -> None:
    data = frame(BEGIN) + b"".join(NOISE) + frame(asked(50, "textDocument/hover", textDocument={"uri": "x"}))
    code, answers = session(data + frame(SHUTDOWN) + frame(EXIT), tmp_path)
    assert code == 0
    assert "error" in numbered(answers)[50], "a request that is none is answered so"
    assert numbered(answers)[9]["result"] is None


@pytest.mark.parametrize("length", [MOST_BYTES + 1, 10**12])
def test_a_header_that_lies_takes_no_memory(tmp_path: Path, length: int) -> None:
    """What is announced and never comes is waited for and not reserved; the client goes, and it is over."""
    code, answers = session(frame(BEGIN) + b"Content-Length: %d\r\n\r\n{}" % length, tmp_path)
    assert code == 0
    assert 1 in numbered(answers)


def test_a_client_that_goes_in_the_middle_ends_the_server(tmp_path: Path) -> None:
    whole = frame(BEGIN) + frame(asked(2, "textDocument/hover", textDocument={"uri": "file:///x"}, position={}))
    draw = random.Random(5)
    for end in sorted(draw.sample(range(len(whole)), 4)):
        assert session(whole[:end], tmp_path)[0] == 0


def test_a_client_that_no_longer_reads_ends_the_server(tmp_path: Path) -> None:
    server = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    )
    assert server.stdin is not None and server.stdout is not None and server.stderr is not None
    server.stdout.close()
    try:
        server.stdin.write(frame(BEGIN) + frame(SHUTDOWN))
        server.stdin.flush()
        assert server.wait(HANG) == 0, "though nobody closed its input"
        assert server.stderr.read() == b""
    finally:
        server.kill()
        server.stdin.close()
        server.stderr.close()


def test_what_comes_too_early_or_too_late_is_refused(tmp_path: Path) -> None:
    early = asked(4, "textDocument/hover", textDocument={"uri": "file:///x"}, position={"line": 0, "character": 0})
    data = frame(early) + frame(BEGIN) + frame(SHUTDOWN) + frame({**early, "id": 5}) + frame(EXIT)
    answers = numbered(session(data, tmp_path)[1])
    assert answers[4]["error"]["code"] == -32002  # type: ignore[index]
    assert answers[5]["error"]["code"] == -32600  # type: ignore[index]


def test_without_its_library_one_line_says_how_to_install_it(tmp_path: Path) -> None:
    """A package of the library's name that cannot be imported stands in for none."""
    (tmp_path / "pygls").mkdir()
    (tmp_path / "pygls" / "__init__.py").write_text("raise ModuleNotFoundError(name='pygls')")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "LW_LANG": "en"}
    done = subprocess.run(
        COMMAND, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, timeout=HANG
    )
    assert done.returncode == 2
    assert "pip install 'legalworld[editor]'" in done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""
