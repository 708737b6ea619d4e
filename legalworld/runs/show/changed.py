"""With what a run was gone on with, and from which call on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...model.events import Asked
from ...wording import say
from ..changes import line_up
from ..journal import ChangeLine, EventLine
from ..open_run import OpenRun

Row = dict[str, Any]


def changes_data(opened: OpenRun) -> list[Row]:
    """Each change as JSON: the number of the first call that it holds for, the models and protocols of the roles that
    changed, each before and after."""
    now, calls = line_up(opened.folder.info), 0
    found: list[Row] = []
    for line in opened.loaded.lines:
        if isinstance(line, ChangeLine):
            then = now.after(line.change)
            models = {role: [now.models.get(role, ""), name] for role, name in line.change.models.items()}
            tools = {role: [now.protocol(role), how] for role, how in line.change.tools.items()}
            found.append({"from_turn": calls + 1, "models": models, "tools": tools})
            now = then
        elif isinstance(line, EventLine) and isinstance(line.event, Asked):
            calls += 1
    return found


def changes_text(rows: Sequence[Row]) -> Iterator[str]:
    """The same as a person reads it, a line each."""
    for row in rows:
        said = [f"{role}: {before} → {after}" for role, (before, after) in row["models"].items()]
        said += [f"{role}: {before} → {after}" for role, (before, after) in row["tools"].items()]
        yield say("run.changed", turn=row["from_turn"], what=say("run.between").join(said))
