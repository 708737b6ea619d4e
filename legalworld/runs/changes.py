"""What a run is gone on with otherwise: other models, other settings, tools called in another way.

A change stands in the journal, on a line of its own behind the last answer, and holds for all calls behind it. What
`run.yaml` says stays: a reply of another model than it names says so itself (`Reply.by`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from pydantic import Field

from ..model.events import Asked, Event
from ..model.frozen import FrozenModel, left_out
from ..model.immutable import immutable
from ..models.named.profile import ModelProfile, from_record
from .run_info import NATIVE, TEXT, RunInfo


class RunChange(FrozenModel):
    """What changes, and nothing else. `models`: role -> backbone; `tools`: role -> protocol; `endpoints`: a name ->
    what it stands for, as in `run.yaml`."""

    models: dict[str, str] = Field(default={}, exclude_if=left_out)
    tools: dict[str, Literal["native", "text"]] = Field(default={}, exclude_if=left_out)
    endpoints: dict[str, dict[str, str]] = Field(default={}, exclude_if=left_out)

    @property
    def empty(self) -> bool:
        return not (self.models or self.tools)

    @property
    def profiles(self) -> dict[str, ModelProfile]:
        """What its names stand for. Raises ValueError for what no version of ours wrote."""
        return {name: from_record(name, told) for name, told in self.endpoints.items()}


NO_CHANGE: Final = RunChange()


@immutable
class LineUp:
    """Who plays from some place of a run on: role -> backbone, role -> protocol, what the names stand for."""

    models: Mapping[str, str]
    tools: Mapping[str, str]
    profiles: Mapping[str, ModelProfile]

    @property
    def native(self) -> frozenset[str]:
        """The roles whose models call tools by themselves."""
        return frozenset(role for role, protocol in self.tools.items() if protocol == NATIVE)

    def protocol(self, role: str) -> str:
        return self.tools.get(role, TEXT)

    def after(self, change: RunChange) -> LineUp:
        """The same after a change."""
        models, tools = {**self.models, **change.models}, {**self.tools, **change.tools}
        return LineUp(models, tools, {**self.profiles, **change.profiles})


def line_up(info: RunInfo, changes: Iterable[RunChange] = ()) -> LineUp:
    """Who plays a run after some changes."""
    found = LineUp(info.models, info.tools, info.profiles)
    for change in changes:
        found = found.after(change)
    return found


def as_played(models: Mapping[str, str], events: Iterable[Event], by: Mapping[str, str]) -> dict[str, str]:
    """Return role -> backbone; `first + second` where another one answered some of its requests, so that a mixed run is
    never counted with those of either. `by`: request -> who stood in."""
    others: dict[str, dict[str, None]] = {}
    for event in events if by else ():
        if isinstance(event, Asked) and event.id in by:
            others.setdefault(event.role, {})[by[event.id]] = None
    return {role: " + ".join((name, *sorted(others.get(role, ())))) for role, name in models.items()}
