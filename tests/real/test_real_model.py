"""Two procedures played by a real small model: it loops, forgets its marks and overruns its context, as models do.

What it says is not judged. Held are the promises of the program: no call outlasts its deadline, every reply is the
one that was sent, every message is true of what the wire shows, a run that stops goes on and replays byte for byte, and
what one side keeps to itself stands in nobody else's prompt. `make test-real` installs the model and runs this.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from places import ROOT
from real_model import FOLDER, Exchange, Relay, serving

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER, reason="a real model is installed and played by `make test-real` alone"),
    pytest.mark.skipif(
        bool(FOLDER) and not list(Path(FOLDER).glob("xllamacpp/*.so*")) + list(Path(FOLDER).glob("xllamacpp/*.pyd")),
        reason="requirements/real.txt could not be installed here",
    ),
    pytest.mark.usefixtures("no_keys"),
]

REPLY = 160  # tokens
DEADLINE = 600  # seconds of one call
SLACK = 5  # seconds that the program may take to notice
BARGAIN, FIRST, REST = 300, 120, 660  # seconds of each part; then it is interrupted as by Ctrl-C
ONWARD, LEAST = 6, 60  # times that a run which stopped is gone on with; seconds that must be left for it
SHORT, LONG = 512, 8_192  # tokens of context: too few for the first prompt of a small claim; what it was trained for
CHAIR, CLAIM = "cases/bargain.yaml", "cases/smallclaims-worktop.yaml"
MODELS = f"""
lw: 1
models:
  small:
    model: openai/smollm2
    parameters: {{temperature: 0.7, max tokens: {REPLY}}}
"""
ENDINGS = {0: "ended", 3: "stopped", 130: "interrupted"}


@dataclass(frozen=True)
class Part:
    """One command as it ended: its code, what it printed as JSON, what was answered meanwhile, and for how many seconds
    its last request had been under way."""

    code: int
    said: Mapping[str, Any]
    exchanges: tuple[Exchange, ...]
    waited: float


def command(relay: Relay, folder: Path, seconds: int, *words: str) -> Part:
    """A command of the program, interrupted when its time is over."""
    environment = {**os.environ, "OPENAI_API_BASE": relay.url, "LW_LANG": "en"}
    before = len(relay.exchanges)
    process = subprocess.Popen(
        [sys.executable, "-m", "legalworld", *words, "--deadline", str(DEADLINE), "--json"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=DEADLINE)
    assert "Traceback" not in err + out
    assert process.returncode in ENDINGS, (process.returncode, out, err)
    return Part(process.returncode, json.loads(out), tuple(relay.exchanges[before:]), monotonic() - relay.begun[-1])


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "run/journal.jsonl").read_text(encoding="utf-8").splitlines()]


# ---- what is held ----------------------------------------------------------------------------------------------------


def every_message_is_true(part: Part) -> None:
    """A stop is told as what the wire shows; a run that did not stop tells of no problem."""
    codes = [problem["code"] for problem in part.said.get("problems", ())]
    if part.code != 3:
        assert codes == []
        return
    (code,) = codes
    if code == "LW173":
        assert part.waited > DEADLINE
        return
    last = part.exchanges[-1]
    error = last.answer.get("error", {}) if isinstance(last.answer, Mapping) else {}
    if code == "LW167":
        assert error["type"] == "exceed_context_size_error"
        assert error["n_prompt_tokens"] >= error["n_ctx"]
    elif code == "LW176":
        assert not (last.answer["choices"][0]["message"]["content"] or "").strip()
    elif code == "LW690":
        (problem,) = part.said["problems"]
        asked = re.search('[“"](.+?)[”"]', problem["message"])
        assert asked
        given = re.compile(rf"[\[(<【]+\s*{re.escape(asked[1])}\s*[:：]\s*\w+", re.IGNORECASE)
        assert not given.search(last.answer["choices"][0]["message"]["content"])
    else:
        pytest.fail(f"{code} was told, and the server answered {last.status} {last.answer}")


def every_reply_is_the_one_that_was_sent(folder: Path, exchanges: list[Exchange]) -> None:
    """Word for word, with its tokens, and whether it was cut off; in order."""
    replies = [line["reply"] for line in lines(folder) if "answer" in line]
    sent = [one.answer for one in exchanges if one.status == 200]
    spoken = [one for one in sent if (one["choices"][0]["message"]["content"] or "").strip()]
    assert len(replies) <= len(spoken) <= len(replies) + 1  # the last may have come when nobody waited any more
    for reply, answer in zip(replies, spoken, strict=False):
        (choice,) = answer["choices"]
        assert reply["text"] == choice["message"]["content"]
        assert reply.get("cut", False) == (choice["finish_reason"] == "length")
        assert reply["completion_tokens"] == answer["usage"]["completion_tokens"] <= REPLY
        assert reply["prompt_tokens"] == answer["usage"]["prompt_tokens"]


def no_call_passed_its_deadline(folder: Path) -> None:
    times = (folder / "run/times.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(json.loads(line).get("seconds", 0) < DEADLINE + SLACK for line in times)


def what_is_lacking_is_told_truly(folder: Path) -> None:
    """A part of a document that is said to be missing stands on no line of it."""
    for line in lines(folder):
        event = line.get("event", {})
        if event.get("kind") == "drafted":
            headings = {text.strip(" #*:：") for text in event["text"].splitlines()}
            assert not headings & set(event.get("missing", ()))


def nothing_leaked(folder: Path, secrets: Mapping[str, set[str]]) -> None:
    """`secrets`: a mark, and the persons who may know it. Others may hear of it from these alone, in so many words."""
    told: set[str] = set()  # marks that one who knew them has said, written or answered
    known: dict[str, set[str]] = {}
    for line in lines(folder):
        event = line.get("event", {})
        if event.get("kind") == "asked":
            known.setdefault(event["person"], set()).update(
                mark for mark in secrets for message in event["added"] if mark in message["content"]
            )
            strange = {mark for mark in known[event["person"]] if event["person"] not in secrets[mark]} - told
            assert not strange, (event["person"], event["id"], strange)
        elif "answer" in line:
            told |= {mark for mark in secrets if mark in line["reply"]["text"]}
    for mark, owners in secrets.items():  # or the check above would hold for a case without marks
        assert all(mark in known.get(owner, {mark}) for owner in owners)


def replay_is_equal(folder: Path) -> None:
    def files() -> dict[str, bytes]:
        return {str(file): file.read_bytes() for file in (folder / "run").rglob("*") if file.is_file()}

    before = files()
    done = subprocess.run([sys.executable, "-m", "legalworld", "replay", "run"], cwd=folder, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert files() == before


def held(folder: Path, part: Part, exchanges: list[Exchange], secrets: Mapping[str, set[str]]) -> None:
    every_message_is_true(part)
    every_reply_is_the_one_that_was_sent(folder, exchanges)
    no_call_passed_its_deadline(folder)
    what_is_lacking_is_told_truly(folder)
    nothing_leaked(folder, secrets)
    replay_is_equal(folder)


# ---- what is played --------------------------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "cases").mkdir()
    (tmp_path / "models.yaml").write_text(MODELS, encoding="utf-8")
    yield tmp_path


def test_bargain(here: Path) -> None:
    """In Chinese, of which the model knows nothing; it ends all the same, or stops so that it can go on."""
    case = (ROOT / CHAIR).read_text(encoding="utf-8")
    case = (
        case.replace("sell: 80", "sell: 80417").replace("buy: 120", "buy: 12093").replace("市价一百元", "市价73961元")
    )
    (here / CHAIR).write_text(case, encoding="utf-8")
    secrets = {"80417": {"seller"}, "12093": {"buyer"}, "73961": set[str]()}
    with serving(LONG) as relay:
        part = command(
            relay,
            here,
            BARGAIN,
            "run",
            *["bargain", "--case", "cases/bargain.yaml", "--model", "small", "--out", "run"],
        )
        held(here, part, relay.exchanges, secrets)
    assert any("answer" in line for line in lines(here))


def test_smallclaims(here: Path) -> None:
    """Without room for its first prompt it stops and says so; with more room it goes on."""
    case = (ROOT / CLAIM).read_text(encoding="utf-8")
    marks = {
        "not less than £1,400 with the court fee": "Quellmarsh",
        "not more than £400": "Tarrowgate",
        "judgment for the Claimant for £1,700 with interest": "Oxenvale",
    }
    for words, mark in marks.items():
        assert words in case
        case = case.replace(words, f"{words} ({mark})")
    (here / CLAIM).write_text(case, encoding="utf-8")
    secrets = {"Quellmarsh": {"claimant"}, "Tarrowgate": {"defendant"}, "Oxenvale": set[str]()}
    with serving(SHORT) as relay:
        first = command(relay, here, FIRST, "run", "smallclaims", "--case", CLAIM, "--model", "small", "--out", "run")
        held(here, first, relay.exchanges, {})
        assert [problem["code"] for problem in first.said["problems"]] == ["LW167"]
    with serving(LONG) as relay:
        over = monotonic() + REST
        for _ in range(ONWARD):
            rest = command(relay, here, round(over - monotonic()), "resume", "run")
            held(here, rest, relay.exchanges, secrets)
            if rest.code != 3 or over - monotonic() < LEAST:
                break
    assert any("answer" in line for line in lines(here))
