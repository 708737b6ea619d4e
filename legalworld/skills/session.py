"""The folder of a growing session: what was asked for, the reflections as they came, the versions of the card.

OUT/session.json             what the session is; another one is refused
OUT/base/CASE-SEED           a run without the card, with its scores
OUT/reflections/N-CASE.json  what was asked of whom, each reply as it came, and what became of it
OUT/cards/NAME.N.md          every version that was kept
OUT/NAME.md                  the last one, with the figures before and after
OUT/with/CASE-SEED           a run with it
OUT/held-out/                the same of cases that it was not made from
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..files import regular
from ..files.project_files import unreadable
from ..files.regular import write_whole
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import Message
from ..model.frozen import FrozenModel
from ..model.json_text import read_json, read_model
from ..runs.project import Problems
from .reply import LONGEST_REPLY

SESSION: Final = "session.json"
BASE: Final = "base"
WITH: Final = "with"
HELD_OUT: Final = "held-out"


class GrowthSession(FrozenModel):
    """What a session was begun with, word for word; `digest`: of the spec, `rubric_digest`: of the rubric."""

    lw: str = "1"
    spec: str
    digest: str
    card: str
    cases: tuple[str, ...]
    binding: str
    models: tuple[str, ...]
    target: str
    options: dict[str, str]
    seeds: int
    by: str
    reflector: str
    rubric: str
    rubric_digest: str
    figure: str
    grader: str
    settings: tuple[str, ...] = ()


def read_session(out: Path) -> GrowthSession | Diagnostic:
    """The session in a folder."""
    file = out / SESSION
    try:
        return read_model(GrowthSession, regular.content(file))
    except FileNotFoundError:
        return diagnose.missing_growth_session(str(out), path=str(out))
    except OSError as error:
        return unreadable(str(file), error)
    except ValueError:
        return diagnose.damaged_run_file(str(file), name=SESSION)


def begin(out: Path, asked: GrowthSession) -> Problems:
    """Write what the session is, or say in what the one that is there differs. Raises OSError."""
    if not (out / SESSION).is_file():
        out.mkdir(parents=True, exist_ok=True)
        write_whole(out / SESSION, (asked.model_dump_json(indent=1) + "\n").encode("utf-8"))
        return ()
    there = read_session(out)
    if isinstance(there, Diagnostic):
        return (there,)
    mine, other = asked.model_dump(), there.model_dump()
    different = tuple(key for key in mine if mine[key] != other[key])
    return (diagnose.conflicting_growth_session(str(out), path=str(out), keys=different),) if different else ()


@dataclass(slots=True)
class ReflectionFile:
    """One reflection as it is kept: each question with its reply, so that no reply is ever asked for twice."""

    path: Path
    case: str
    chain: str
    exchanges: list[dict[str, Any]]

    @classmethod
    def open(cls, path: Path, case: str, chain: str) -> ReflectionFile:
        """What is there; a file that cannot be read, or is of another run, is as if it were not there."""
        try:
            found = read_json(regular.content(path))
            same = found["case"] == case and found["run"] == chain
            exchanges = [{"asked": one["asked"], "reply": str(one["reply"])} for one in found["exchanges"]]
        except (OSError, ValueError, KeyError, TypeError):
            return cls(path, case, chain, [])
        return cls(path, case, chain, exchanges if same else [])

    def replied(self, number: int, messages: Sequence[Message]) -> str | None:
        """The reply to a question, where this very question was asked and answered before."""
        if number >= len(self.exchanges) or self.exchanges[number]["asked"] != _plain(messages):
            return None
        reply: str = self.exchanges[number]["reply"]
        return reply

    def note(self, number: int, messages: Sequence[Message], reply: str) -> str:
        """Keep a reply, no more of it than is ever looked at; what came after it was another question's. Raises
        OSError."""
        reply = reply[: LONGEST_REPLY + 1]
        self.exchanges[number:] = [{"asked": _plain(messages), "reply": reply}]
        self.write({})
        return reply

    def write(self, outcome: dict[str, Any]) -> None:
        """The file, with what became of the reflection. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        data = {"case": self.case, "run": self.chain, "exchanges": self.exchanges, **outcome}
        write_whole(self.path, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace"))


def _plain(messages: Sequence[Message]) -> list[list[str]]:
    return [[one.role, one.content] for one in messages]
