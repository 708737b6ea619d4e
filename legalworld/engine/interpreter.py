"""The interpreter: walks a linked procedure and yields a request whenever it needs the world.

    outcome = yield from interpret(procedure, case, settings, templates)

Pure: no clock, no random source, no I/O. The same replies give the same events.
"""

from __future__ import annotations

from collections.abc import Generator

from ..model.case import Case
from ..model.decision_parts import PartReader, unread
from ..model.events import Outcome, OutcomeStatus, Reply, Turn
from ..model.procedure import Procedure
from ..templates.template_set import TemplateSet
from .calendar import calendar_of
from .casting import cast, completed, first_holders
from .conditions import EvalContext
from .prompt import Prompter
from .recorder import Recorder
from .scene import Scene
from .settings import Settings
from .state import CaseState
from .steps import VERBS
from .switched_off import without_fields_off
from .turn_runner import TurnRunner
from .view import ViewBuilder
from .walk import Play, Signal, Verbs, Walk


def interpret(
    procedure: Procedure,
    case: Case,
    settings: Settings,
    templates: TemplateSet,
    *,
    verbs: Verbs = VERBS,
    reader: PartReader = unread,
) -> Generator[Turn, tuple[Reply, ...], Outcome]:
    """Play a case from the first stage; returns how it stands, with the last events. `reader`: who reads what a court
    decides, so that it can be asked for what its orders do not say."""
    case = completed(procedure, case)
    persons = cast(procedure, case, settings.options)
    state = CaseState({person.id: person for person in persons}, first_holders(procedure, persons), settings.target)
    calendar = calendar_of(procedure, case)
    procedure = without_fields_off(procedure, EvalContext(state, case, settings.options))
    native = settings.natively.get("", settings.native)
    scene = Scene(procedure, case, settings, Recorder(state), calendar=calendar, native=native, reader=reader)
    walk = Walk(scene, TurnRunner(scene, Prompter(templates, procedure), ViewBuilder(procedure, case, calendar)), verbs)
    played = walk.play()
    paused = (yield from _changing(played, scene) if settings.natively else played) == "pause"
    place = settings.until if paused and not walk.missed else scene.state.place
    status: OutcomeStatus = "missed" if walk.missed else "paused" if paused else "ended"
    return Outcome(scene.recorder.flush(), status, place, walk.view_of)


def _changing(played: Play, scene: Scene) -> Play:
    """A play in which the way that tools are called changes behind some answers."""
    replies: tuple[Reply, ...] | None = None
    while True:
        try:
            turn = next(played) if replies is None else played.send(replies)
        except StopIteration as done:
            signal: Signal = done.value
            return signal
        replies = yield turn
        for request in turn.requests:
            scene.native = scene.settings.natively.get(request.id, scene.native)
