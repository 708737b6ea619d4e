"""What a role would see or be sent at a place of a procedure, once offline actors have played up to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from ...engine.interpreter import interpret
from ...engine.settings import Settings
from ...engine.view import View
from ...language import diagnose
from ...model.diagnostics import Diagnostic
from ...model.events import Event, Reply, Request
from ...models.scripted import Offline
from ...templates.template_set import TemplateError
from ...wording import say
from ..lifecycle import RunPlan
from ..loop import Finished, NoAnswer, ReplayLog, ignore, play_through
from ..norm_bench import norm_bench
from ..project import Problems
from ..read_parts import part_reader
from ..run_info import NATIVE
from .memory import person_named
from .prompts import messages_text
from .sights import view_text

Show = Callable[[RunPlan, str], str | Problems]


def for_any_target(show: Show, plan: RunPlan, role: str) -> tuple[str | Problems, str]:
    """What is shown at a place, and the role that must be under test for the case to come there ("": the plan's own).

    For whoever named no target: stages of one target are passed over for another.
    """
    procedure = plan.project.procedure
    assert procedure is not None
    shown = show(plan, role)
    others = sorted((target for target in procedure.targets if target != plan.target), key=lambda one: one != role)
    for target in others if not isinstance(shown, str) and _is_nowhere(shown) else ():
        other = show(replace(plan, target=target), role)
        if isinstance(other, str):
            return other, target
    return shown, ""


def sight(plan: RunPlan, role: str) -> str | Problems:
    """What a role sees just before `plan.until`."""
    person = _person(plan, role)
    if isinstance(person, Diagnostic):
        return (person,)
    try:
        finished = _play(plan, plan.until)
    except TemplateError as error:
        return error.problems
    if finished.status != "paused":
        return _nowhere(plan)
    view: View = finished.look(person)
    heading = say("run.view_heading", title=view.variables["me"]["title"], role=person, place=plan.until)
    return heading + "\n\n" + (view_text(view) or say("run.view_empty"))


def preview(plan: RunPlan, role: str) -> str | Problems:
    """The first request to a role at or after `plan.until`, message by message."""
    person = _person(plan, role)
    if isinstance(person, Diagnostic):
        return (person,)
    reached = False

    def watch(event: Event | Request) -> None:
        nonlocal reached
        reached = reached or getattr(event, "place", "") == plan.until

    def wanted(request: Request) -> bool:
        return reached and request.person == person

    try:
        _play(plan, "", watch, wanted)
    except NoAnswer as waiting:
        request = waiting.request
        assert isinstance(request, Request)
        return messages_text(request.messages, plan.project.templates, request.tools)
    except TemplateError as error:
        return error.problems
    return _nowhere(plan)


def _play(
    plan: RunPlan,
    until: str,
    watch: Callable[[Event | Request], None] = ignore,
    wanted: Callable[[Request], bool] = lambda _: False,
) -> Finished:
    """Play with offline actors; a request that is wanted is not answered, and raises NoAnswer."""
    project = plan.project
    assert project.procedure is not None
    native = frozenset(role for role, how in plan.tools.items() if how == NATIVE)
    settings = Settings(
        plan.target, plan.seed, plan.options, until, native=native, skip=plan.skip, without=plan.without
    )
    reader = part_reader(project.procedure, plan.matter.case)
    game = interpret(project.procedure, plan.matter.case, settings, project.templates, reader=reader)
    actors = Offline(
        project.templates,
        plan.seed,
        decide=norm_bench(project.procedure, plan.matter.case, project.templates),
        given=plan.answers.answers,
    )

    async def answer(request: Request) -> Reply:
        if wanted(request):
            raise NoAnswer(request)
        return actors.answer(request)

    return asyncio.run(play_through(game, ReplayLog(), answer, watch))


def _person(plan: RunPlan, role: str) -> str | Diagnostic:
    """The id of the first person who is meant by an id, a role, a title or a name."""
    assert plan.project.procedure is not None
    person = person_named(plan.project.procedure, plan.matter.case, role, "--as")
    return person if isinstance(person, Diagnostic) else person.id


def _is_nowhere(problems: Problems) -> bool:
    return {problem.code for problem in problems} == {diagnose.code_of(diagnose.unreached_place)}


def _nowhere(plan: RunPlan) -> Problems:
    return (diagnose.unreached_place("--at", place=plan.until),)
