"""Rules about names that mean two things: one file of wording found for both, a party that is taken for granted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from ...language import diagnose
from ...language.sentences.keywords import YES_NO
from ...model import plan
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.source import Span
from ...model.steps.assign import Assign, NamedIn
from ...templates import lookups
from ...templates.lookups import Speaker
from ..template_readers import CheckContext, Occasion

# What each name of `lookups` is the name of, in their order; `all`: of no one thing.
_ACT: Final = ("step", "role", "role", "kind", "kind", "all")
_WHO: Final = ("role", "role", "kind", "kind", "all")
_STAGE: Final = ("place", "all")
_PHASE: Final = ("place of a stage", "place", "all")
_KNOWN: Final = ("field", "field", "all")
_MINUTES: Final = ("place", "all")


@immutable
class _Reading:
    """A file of wording found in one place by the name of one thing, which `span` names or uses.

    `sort`: of what the name is, as listed above.
    """

    home: str
    sort: str
    at: Occasion
    span: Span


def namesakes(context: CheckContext) -> Iterator[Diagnostic]:
    """LW720, LW721, LW722: one file is found by the names of two things that are called alike."""
    readings = sorted(_readings(context), key=lambda one: one.home)
    for home, group in groupby(readings, lambda one: one.home):
        found = {one.sort: one for one in reversed(tuple(group))}
        if len(found) < 2 or (found.keys() == {"role", "kind"} and _same_people(found["role"])):
            continue
        spans = tuple(one.at.span for one in found.values())
        if "step" in found:
            named = found["step"].at
            also = tuple(span for span in spans if span != named.span)
            yield diagnose.step_called_like_people(_called(context, named), name=named.prompt, path=home, also=also)
        elif found.keys() == {"role", "kind"}:
            role = context.procedure.roles[found["role"].at.role]
            yield diagnose.role_called_like_kind(role.span, name=role.id, path=home)
        else:
            yield diagnose.reserved_template_name(_declared(found), path=home)


def _same_people(reading: _Reading) -> bool:
    """Whether a role has the name of its own kind: whoever is found by the one is found by the other."""
    return reading.at.role == reading.at.kind


def _called(context: CheckContext, at: Occasion) -> Span:
    """Where the name of a step stands."""
    steps = (step for visit, step in context.step_visits if visit.span == at.span)
    return next((plan.name_of(step.info) for step in steps), at.span)


def _declared(found: dict[str, _Reading]) -> Span:
    """Where somebody reads the file by the name of one thing."""
    return next(one.span for sort, one in found.items() if sort != "all")


def _readings(context: CheckContext) -> Iterator[_Reading]:
    """Every file of wording with the name by which it is found first, and of what that is the name.

    What is shown in a stage is found by the same names by all who see it there; the first of them stands for all.
    """
    shown: set[tuple[str, str, str]] = set()
    for at in context.occasions:
        if at.act in ("take", "minutes"):
            continue
        speaker, stage = Speaker(at.role, at.kind, at.stage, at.phase), context.stages[at.stage].span
        for folder in ("act", "offline"):
            yield from _first(context, at, at.span, _sorted(lookups.act(folder, at.act, at.prompt, speaker), _ACT))
        yield from _first(context, at, at.span, _sorted(lookups.who(speaker), _WHO))
        yield from _first(context, at, stage, _sorted(lookups.stage_brief(speaker), _STAGE))
        if at.phase:
            yield from _first(context, at, stage, _sorted(lookups.phase_brief(speaker), _PHASE))
        for grant in context.opened(at):
            for space in context.spaces(grant):
                if (space, grant.what, at.stage) in shown:
                    continue
                shown.add((space, grant.what, at.stage))
                names = lookups.shown_part(space, grant.what, at.stage)
                sorts = _MINUTES if space == "minutes" else _KNOWN
                yield from _first(context, at, grant.span, _sorted(names, sorts))


def _sorted(names: tuple[str, ...], sorts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Each name with its sort; where a name is left out, it is one of the first."""
    return tuple(zip(names, sorts[-len(names) :], strict=True))


def _first(
    context: CheckContext, at: Occasion, span: Span, sorted_names: tuple[tuple[str, str], ...]
) -> Iterator[_Reading]:
    """What is found at an occasion, if anything."""
    home = context.templates.find(tuple(name for name, _ in sorted_names))
    if home is not None:
        sort = next(sort for name, sort in sorted_names if context.templates.find((name,)) == home)
        yield _Reading(home, sort, at, span)


def unsaid_parties(context: CheckContext) -> Iterator[Diagnostic]:
    """LW723: of several kinds of people on one side nobody says who is the party."""
    roles = context.procedure.roles.values()
    for side in context.procedure.sides:
        parties = [role for role in roles if role.side == side and role.party]
        if len({role.kind for role in parties}) < 2:
            continue
        also = tuple(role.span for role in parties)
        for role in parties:
            if not role.party_said:
                others = tuple(span for span in also if span != role.span)
                yield diagnose.unsaid_party(role.span, name=role.id, side=side, also=others)


def named_who_are_no_parties(context: CheckContext) -> Iterator[Diagnostic]:
    """LW775: an office goes to the parties named in a list of people who are no parties: a panel, witnesses."""
    fields = {one.where.span: one.where for _, step in context.step_visits for one in _named_in(step)}
    for span, where in fields.items():
        listed = [role for role in context.procedure.roles.values() if where.name in (role.each, role.named)]
        if listed and not where.path and not any(role.party for role in listed):
            names = tuple(role.title or role.id for role in listed)
            yield diagnose.named_no_parties(span, name=where.name, roles=names, also=(listed[0].span,))


def answers_that_name_no_party(context: CheckContext) -> Iterator[Diagnostic]:
    """LW575: an office goes to the parties named in an answer, or in a list of the spec, which may be somebody else."""
    named = [(role.party and not role.assigned, role) for role in context.procedure.roles.values()]
    named.sort(key=lambda one: one[0])  # a word that a party has in common with somebody else means the party
    words = {word: party for party, role in named for word in (role.id, role.title)}
    told: set[Span] = set()
    for where in (one.where for _, step in context.step_visits for one in _named_in(step)):
        answer, field = context.procedure.answers.get(where.name), context.procedure.fields.get(where.name)
        known = (answer.values if answer is not None else ()) or (field.items if field is not None else ())
        wrong = [value for value in known if not words.get(value, value not in YES_NO)]
        if wrong and where.span not in told:
            told.add(where.span)
            yield diagnose.answer_names_no_party(where.span, name=where.name, value=wrong[0])


def _named_in(step: plan.Step) -> Iterator[NamedIn]:
    if isinstance(step, Assign):
        yield from (one for one in step.who if isinstance(one, NamedIn))


RULES = (namesakes, unsaid_parties, named_who_are_no_parties, answers_that_name_no_party)
