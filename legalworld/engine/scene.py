"""Where a walk stands: the state of the case, who is present, and what the loops around are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..model.case import Case
from ..model.procedure import Document, Phase, Procedure, Stage
from . import titles
from .conditions import EvalContext, LoopItem
from .recorder import Recorder, Source
from .settings import Settings
from .state import CaseState

Names = Mapping[str, tuple[str, ...]]


@dataclass(slots=True)
class Scene:
    """What every step and every turn looks at.

    `shielded`: persons from whom the phase will be withheld; `round`: of the innermost `repeat`; `presented`: the
    records (FIELD/SIDE/INDEX) that were presented so far; `loop_turns`: what loops have used of the stage's budget.
    """

    procedure: Procedure
    case: Case
    settings: Settings
    recorder: Recorder
    stage: Stage | None = None
    present: tuple[str, ...] = ()
    shielded: frozenset[str] = frozenset()
    loop_items: tuple[LoopItem, ...] = ()
    round: int = 1
    loop_turns: int = 0
    presented: frozenset[str] = frozenset()
    _names: tuple[object, Names] = (None, {})

    @property
    def state(self) -> CaseState:
        return self.recorder.state

    @property
    def now(self) -> EvalContext:
        """What conditions look at."""
        return EvalContext(self.state, self.case, self.settings.options, self.loop_items, self.presented)

    @property
    def phase(self) -> Phase | None:
        """The named phase that the walk is in."""
        if self.stage is None:
            return None
        place = self.state.phase
        return next((phase for phase in self.stage.phases if phase.id and place == f"{self.stage.id}/{phase.id}"), None)

    def label(self, person: str) -> str:
        """How a person is called now."""
        return self.names()[person][0]

    def names(self) -> Names:
        """Person -> all that he is called, first his label. Kept until roles change hands."""
        if self._names[0] is not self.state.role_holders:
            forms = (titles.label, titles.title, titles.full_title)
            names = {p: tuple(form(self.procedure, self.state, p) for form in forms) for p in self.state.persons}
            self._names = (self.state.role_holders, names)
        return self._names[1]

    def thread_of(self, person: str) -> str:
        """A person's thread in this scenario; talk that will be withheld from him has one of its own."""
        place = self.state.phase if person in self.shielded else self.state.stage
        return f"{person}@{place}"

    def drafted(self, person: str, document: Document, text: str, source: Source) -> None:
        """Record a document under the label of its author."""
        self.recorder.drafted(person, self.label(person), document, text, source)
