"""Rules about steps and who takes them: order, roles, tokens, limits, ids, conduct."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from ...language import diagnose
from ...language.link.verbs import KNOWN_ACTS
from ...language.spelling import nearest
from ...model import plan, step_facts
from ...model import procedure as p
from ...model.actors import Actor, VotersOf
from ...model.conditions import AlsoHolds, Attends, Condition, OptionIs, TokenSaid, leaves
from ...model.diagnostics import Diagnostic
from ...model.source import Span, place_of
from ...model.steps.assign import Assign, GaveAnswer
from ...model.steps.speak import Speak
from ..abstract_walk import Visit
from ..actor_words import arguments, worded, written_at
from ..template_readers import CheckContext, asked, read_by

MOST_TURNS: Final = 10_000
MOST_PERSONS: Final = 99
HOLES: Final = (plan.ROLE_HOLE, plan.NUMBER_HOLE)
_UNFIT: Final = re.compile(r"[/#@\s]")


# ---- order -----------------------------------------------------------------------------------------------------------
def unreachable(context: CheckContext) -> Iterator[Diagnostic]:
    """LW089: the first stage, phase or step of a stretch that no case comes to; not where inherited steps end a stretch
    that was inherited with them, or wait for what the child does without."""
    reached = {visit.span for visit in context.visits if visit.stopped is None}
    told: set[Span] = {span for span, _ in _uncast(context)}
    stretches: set[tuple[str, int, Span]] = set()
    for visit in context.visits:
        if visit.stopped is None or visit.span in reached:
            continue
        level = -1 if isinstance(visit.what, p.Stage) else visit.stage
        stretch = (visit.cast.target, level, visit.stopped)
        if stretch not in stretches and not {visit.span, visit.stopped} & told:
            told.add(visit.span)
            if context.inherited(visit.span) and context.inherited(visit.stopped):
                continue
            also = (visit.stopped,) if visit.stopped != visit.span else ()
            yield diagnose.unreachable_step(visit.span, also=also)
        stretches |= {stretch, (visit.cast.target, visit.stage, visit.stopped)}


def uncast_actors(context: CheckContext) -> Iterator[Diagnostic]:
    """LW090: an actor who is nobody yet when the procedure comes to where he is named; in inherited steps, which may
    have been written for other stages too, one who never is anybody."""
    roles = context.procedure.roles
    given = {role for _, step in context.step_visits for role in step.assigned_roles}
    for span, actor in _uncast(context):
        later = all(not roles[role].assigned or role in given for role in p.roles_in(actor) if role in roles)
        if not (context.inherited(span) and later):
            yield diagnose.uncast_actor(written_at(actor, span), actor=worded(actor), also=arguments(actor))


def _uncast(context: CheckContext) -> Iterator[tuple[Span, Actor]]:
    """Where an actor is named who is nobody there, whenever the procedure comes to it."""
    somebody: set[tuple[Span, int]] = set()
    nobody: dict[tuple[Span, int], Actor] = {}
    for visit in context.visits:
        if visit.stopped is not None and visit.stopped != visit.span:
            continue
        for number, actor in enumerate(_named(visit)):
            if visit.cast.of(actor) or visit.cast.unknown(actor):
                somebody.add((visit.span, number))
            else:
                nobody.setdefault((visit.span, number), actor)
    told: set[tuple[Span, str]] = set()
    for key, actor in nobody.items():
        told_as = (key[0], worded(actor))
        if key not in somebody and told_as not in told:
            told.add(told_as)
            yield key[0], actor


def unanswered_questions(context: CheckContext) -> Iterator[Diagnostic]:
    """LW272: those who gave an answer, or voted so, are to act where nobody has been asked for it by then."""
    asked_for: dict[Span, bool] = {}
    names: dict[Span, str] = {}
    for visit, step in context.step_visits:
        for one in step.who if isinstance(step, Assign) and visit.stopped is None else ():
            if isinstance(one, GaveAnswer) and one.name in context.procedure.answers:
                names[one.span] = one.name
                asked_for[one.span] = asked_for.get(one.span, False) or one.name in visit.made
        for actor in step_facts.actors_of(step) if visit.stopped is None else ():
            if isinstance(actor, VotersOf):
                span = written_at(actor, visit.span)
                names[span] = actor.name
                asked_for[span] = asked_for.get(span, False) or actor.name in visit.made
    for span, name in names.items():
        given = [step for _, step in context.step_visits if name in step.answer_names and step.answerers]
        if not asked_for[span] or not given:
            yield diagnose.unanswered_question(span, name=name, also=(context.procedure.answers[name].span,))


def _named(visit: Visit) -> Iterator[Actor]:
    """Every actor named at one place, always in the same order."""
    match visit.what:
        case p.Stage() as stage:
            yield from (*stage.present, *stage.closed_to)
        case p.Phase() as phase:
            yield from phase.off_record.actors if phase.off_record is not None else ()
            yield from phase.room.actors if phase.room is not None else ()
        case p.Interruption(raisers=actors):
            yield from actors
        case plan.Step() as step:
            yield from step.named_actors
            yield from step.info.room.actors if step.info.room is not None else ()
            yield from step_facts.overseers_of(step)
    for leaf in asked(visit):
        match leaf:
            case AlsoHolds(actor, other):
                yield from (actor, other)
            case Attends(actor):
                yield actor
            case _:
                continue


# ---- tokens and limits -----------------------------------------------------------------------------------------------
def unsayable_tokens(context: CheckContext) -> Iterator[Diagnostic]:
    """LW091: a token awaited from somebody who does not speak there."""
    said: dict[Span, tuple[TokenSaid, bool]] = {}
    for visit, step in context.step_visits:
        if visit.stopped is not None:
            continue
        speakers = visit.cast.all(step.all_speakers)
        for token in step.awaited_tokens:
            may = visit.cast.unknown(token.actor) or not speakers.isdisjoint(visit.cast.of(token.actor))
            said[token.span] = (token, may or said.get(token.span, (token, False))[1])
    outside = {leaf.span: leaf for leaf, _ in context.conditions if isinstance(leaf, TokenSaid)}
    wrong = [one for one, may in said.values() if not may] + list(outside.values())
    for one in wrong:
        also = arguments(one.actor)
        yield diagnose.unsayable_token(one.span, token=one.token, actor=worded(one.actor), also=also)


def unclear_tokens(context: CheckContext) -> Iterator[Diagnostic]:
    """LW092, LW093: a call that names nobody, a token with a hole that is never filled, one token for two things."""
    told: set[tuple[Span, str]] = set()
    for visit, step in context.step_visits:
        for token, problem in _unclear(step, visit.span, context.procedure):
            if (visit.span, token) not in told:
                told.add((visit.span, token))
                yield problem


def _unclear(step: plan.Step, span: Span, procedure: p.Procedure) -> Iterator[tuple[str, Diagnostic]]:
    tokens = [(use.token, use.hole) for use in step_facts.uses_of(step) if use.token]
    for token, wanted in tokens:
        if any((hole in token) != (hole == wanted) for hole in HOLES):
            yield token, diagnose.misplaced_token_hole(span, token=token)
    titles = {role.title for role in procedure.roles.values() if role.title}
    for number, (token, hole) in enumerate(tokens):
        others = [tokens[at] for at in range(len(tokens)) if at != number]
        if not hole and any(meant(token, other, wanted, titles) for other, wanted in others):
            yield token, diagnose.ambiguous_token(span, token=token)
    objection = step.info.objection
    if objection is not None and objection.token == objection.waive:
        yield objection.token, diagnose.ambiguous_token(span, token=objection.token)
    if isinstance(step, Speak) and step.answer is not None:
        name = re.split("[:\uff1a]", step.pass_token)[0].strip()
        if step.pass_token and name == step.answer.name:
            yield step.pass_token, diagnose.ambiguous_token(span, token=step.pass_token)


def indistinct_speakers(context: CheckContext) -> Iterator[Diagnostic]:
    """LW271: a chair is to call two roles by their title, and nothing tells the one from the other."""
    told: set[tuple[str, str]] = set()
    for visit, step in context.step_visits:
        if visit.stopped is not None or not any(use.hole == plan.ROLE_HOLE for use in step.token_uses):
            continue
        called = visit.cast.all(actor for slot in step.turn_slots if slot.act == "reply" for actor in slot.actors)
        for one, other in combinations(sorted(called), 2):
            roles = context.procedure.roles
            if (one, other) not in told and _known_by(roles, one) == _known_by(roles, other):
                told.add((one, other))
                title, also = roles[one].title, (roles[one].span, roles[other].span)
                yield diagnose.indistinct_speakers(visit.span, one=one, other=other, title=title, also=also)


def _nameless(field: p.Field, role: p.Role) -> bool:
    """Whether a field cannot tell who holds a role: the procedure's own list, one of both sides, or many records."""
    return bool(field.items) or (field.sided and not role.side) or bool(role.named_key and field.each)


def _known_by(roles: Mapping[str, p.Role], name: str) -> tuple[str, ...]:
    """All that tells the persons of a role from others without a case: title and party, or that they have names."""
    role = roles[name]
    if role.each or role.named:
        return (name,)
    if role.represents in roles:
        return (role.title, *_known_by(roles, role.represents))
    party = next((other for other in roles.values() if role.side and other.side == role.side and other.party), role)
    return (role.title,) if party.assigned or party is role else (role.title, party.title)


def meant(token: str, other: str, hole: str, titles: set[str]) -> bool:
    """Whether a token could be another one, its hole filled."""
    if not hole or hole not in other:
        return bool(hole) and token == other
    before, _, behind = other.partition(hole)
    inside = token[len(before) : len(token) - len(behind)]
    fits = token == before + inside + behind
    return token == other or (fits and (inside in titles if hole == plan.ROLE_HOLE else inside.isdigit()))


def limits(context: CheckContext) -> Iterator[Diagnostic]:
    """LW097: more turns or rounds than anybody can mean."""
    bounds = {visit.span: visit.what.budget for visit in context.visits if isinstance(visit.what, p.Stage)}
    bounds |= {event.span: event.limit for event in context.procedure.interruptions}
    bounds |= {visit.span: step.most_turns for visit, step in context.step_visits if step.most_turns}
    for span, turns in bounds.items():
        if turns > MOST_TURNS:
            yield diagnose.excessive_turns(span, found=turns, most=MOST_TURNS)


def empty_places(context: CheckContext) -> Iterator[Diagnostic]:
    """LW098: a stage or phase without steps, a persona without dimensions."""
    empty: dict[Span, str] = {}
    for stage in context.procedure.stages:
        if not any(True for _ in p.steps_of(stage)):
            empty.setdefault(stage.span, stage.id)
        else:
            empty.update((phase.span, phase.id) for phase in stage.phases if not phase.steps)
    empty |= {event.span: event.id for event in context.procedure.interruptions if not event.steps}
    for role in context.procedure.roles.values():
        persona = context.procedure.personas.get(role.persona)
        if persona is not None and not persona.dimensions:
            empty.setdefault(role.span, persona.name)
    for span, name in empty.items():
        yield diagnose.empty_declaration(span, name=name)


# ---- names and roles -------------------------------------------------------------------------------------------------
def unfit_ids(context: CheckContext) -> Iterator[Diagnostic]:
    """LW058: an id with a sign that places and file names are made with."""
    procedure = context.procedure
    ids: dict[tuple[Span, str], None] = {}
    for visit in context.visits:
        match visit.what:
            case p.Stage(id=name) | p.Phase(id=name) | p.Interruption(id=name):
                ids[visit.span, name] = None
            case step:
                ids[place_of(step.info, "id"), step.info.id.rpartition(".")[2]] = None
                ids[plan.name_of(step.info), step.info.prompt] = None
    ids |= {(role.span, name): None for role in procedure.roles.values() for name in (role.id, role.side)}
    for table in (procedure.fields, procedure.documents, procedure.options):
        ids |= {(entry.span, name): None for name, entry in table.items()}
    for span, name in ids:
        sign = _UNFIT.search(name)
        if sign is not None:
            yield diagnose.invalid_name_sign(span, name=name, sign=sign[0])


def unfit_roles(context: CheckContext) -> Iterator[Diagnostic]:
    """LW059, LW743 to LW748: a property of a role that cannot be what it says."""
    roles, fields, targets = context.procedure.roles, context.procedure.fields, context.procedure.targets
    for role in roles.values():
        name, also = role.id, (role.span,)
        above, each, named = roles.get(role.represents), fields.get(role.each), fields.get(role.named)
        if each is not None and not ((each.sided and role.side) or _listed_alone(each, role)):
            yield diagnose.unfit_each(place_of(role, "each"), name=name, value=role.each, also=also)
        if role.persons and (role.persons > MOST_PERSONS or role.each or role.assigned):
            yield diagnose.unfit_number_of_persons(place_of(role, "persons"), name=name, value=role.persons, also=also)
        if named is not None and _nameless(named, role):
            value = f"{role.named}.{role.named_key}".rstrip(".")
            yield diagnose.unfit_person_name(place_of(role, "named"), name=name, value=value, also=also)
        if above is not None and (above.assigned or not above.side or above.side != role.side):
            yield diagnose.unfit_represented_role(
                place_of(role, "represents"), name=name, value=role.represents, also=also
            )
        if role.assigned and name in targets:
            yield diagnose.unfit_target(role.span, name=name)
        if role.when is not None and (role.assigned or name in targets):
            yield diagnose.unfit_role_condition(role.span, name=name)
        if role.alongside and not (role.assigned and role.title and not role.formerly):
            yield diagnose.unfit_alongside(role.span, name=name)


def unsettled_roles(context: CheckContext) -> Iterator[Diagnostic]:
    """LW275: whether somebody holds a role from the beginning depends on what happens later."""
    for role in context.procedure.roles.values():
        if not all(_settled(context.procedure, leaf) for leaf in leaves(role.when)):
            yield diagnose.unsettled_role_condition(role.span, name=role.id)


def _settled(procedure: p.Procedure, leaf: Condition) -> bool:
    """Whether a condition is decided before anybody has acted: by an option, or by what stands in the case."""
    later = {*procedure.documents, *procedure.answers}
    read = read_by(leaf)
    return isinstance(leaf, OptionIs) or (bool(read) and all(r.of is None and r.name not in later for r in read))


def _listed_alone(each: p.Field, role: p.Role) -> bool:
    """Whether a role of no side is filled from a list that is not divided by sides: jurors, members of a panel."""
    return each.each and not each.sided and not role.side


def unused_roles(context: CheckContext) -> Iterator[Diagnostic]:
    """LW095: a role that does nothing, and is given to nobody."""
    roles = context.procedure.roles
    used = {at.role for at in context.occasions} | set(context.procedure.targets)
    for visit in context.visits:
        used |= {role for actor in _named(visit) for role in p.roles_in(actor)}
        if isinstance(visit.what, plan.Step):
            used.update(visit.what.assigned_roles)
            asked = step_facts.asked_in(visit.what)
            used |= {role for one in asked if one.among is not None for role in p.roles_in(one.among)}
    used |= {roles[name].represents for name in used if name in roles}
    for role in roles.values():
        if role.id not in used:
            yield diagnose.unused_declaration(role.span, name=role.id)


def idle_conduct(context: CheckContext) -> Iterator[Diagnostic]:
    """LW057: a rule of conduct for words that are never said."""
    said = {(at.kind, at.stage, at.act, at.document if at.act == "draft" else "") for at in context.occasions}
    names = {*context.procedure.kinds, *context.procedure.documents, *(s.id for s in context.procedure.stages)}
    for rule in context.procedure.conduct:
        unheard = [act for act in rule.acts if act not in KNOWN_ACTS]
        for act in unheard:
            at, also = place_of(rule, "acts", rule.acts.index(act)), (rule.span,)
            yield diagnose.inapplicable_conduct_rule(
                at, rule=rule.id, found=act, nearest=nearest(act, KNOWN_ACTS), also=also
            )
        wanted = ((rule.kind,) if rule.kind else (), rule.stages, rule.acts, rule.documents)
        known = not unheard and {*wanted[0], *rule.stages, *rule.documents} <= names
        if known and not any(
            all(not those or given in those for those, given in zip(wanted, one, strict=True)) for one in said
        ):
            wanted_words = tuple(word for words in wanted for word in words)
            spans = tuple(span for key in ("who", "stages", "acts", "documents") for span in rule.places.get(key, ()))
            yield diagnose.inapplicable_conduct_rule(rule.span, rule=rule.id, found=wanted_words, also=spans)


RULES = (
    unreachable,
    uncast_actors,
    unanswered_questions,
    unsayable_tokens,
    unclear_tokens,
    indistinct_speakers,
    limits,
    empty_places,
    unfit_ids,
    unfit_roles,
    unsettled_roles,
    unused_roles,
    idle_conduct,
)
