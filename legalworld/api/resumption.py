"""From what a caller says of a stopped run to the change with which it is gone on with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..language import diagnose
from ..runs.changes import NO_CHANGE, LineUp, RunChange
from ..runs.open_run import OpenRun
from ..runs.plan import as_begun
from ..runs.plan_change import ChangeRequest, plan_change
from .actors import seated
from .errors import LegalWorldError, got


def change_of(opened: OpenRun, how: Mapping[str, Any], home: Path) -> tuple[RunChange, LineUp]:
    """The change, and who plays after it. Raises LegalWorldError where it cannot be made."""
    folder = opened.folder
    as_begun(folder.info, home)  # the keys of its models are in the environment from here on
    words = _others_than_now(opened, seated(how.get("actors", {})).words)
    tools = tuple(f"{role}={mode}" for role, mode in how.get("tools", {}).items())
    settings = tuple(f"{name}={value}" for name, value in how.get("settings", {}).items())
    asked = ChangeRequest(models=words, tools=tools, settings=settings)
    if asked.empty:
        return NO_CHANGE, opened.line_up
    if opened.ended:
        path = str(folder.path)
        raise LegalWorldError((diagnose.change_of_ended_run(path, path=path),))
    change = got(plan_change(opened.procedure, folder.info.target, opened.line_up, asked, home)).change
    return change, opened.line_up.after(change)


def _others_than_now(opened: OpenRun, words: tuple[str, ...]) -> tuple[str, ...]:
    """Who is to play otherwise than now: a callable that is handed in again changes nothing."""
    now = opened.line_up.models
    return tuple(
        word
        for word in words
        if ("=" in word and now.get(word.partition("=")[0]) != word.partition("=")[2])
        or ("=" not in word and set(now.values()) != {word})
    )
