"""What distinguishes two procedures, in the terms of a court: who sees what, who speaks, what counts when nobody does.

difference(old, new)        # phrases of either procedure in; changes out, none where the two are equal
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, Literal

from ..model.immutable import immutable, replace
from ..model.plan import Answer, walk
from ..model.procedure import Grant, Interruption, Phase, Procedure, Role, Stage, steps_in, steps_of
from ..model.source import Span
from .difference_shown import shown
from .difference_steps import StepNode, content, kept_in_order, match, nodes
from .protocol_matrix import restrictions, row_title
from .protocol_steps import told as told_of
from .protocol_words import Phrases

Kind = Literal["added", "removed", "moved", "renamed", "changed"]
GROUPS: Final = (
    *("sight", "speaking", "silence", "order", "limits", "ends", "papers", "deciding", "basis", "dating", "behaviour"),
    *("people", "held", "choosing", "aids", "wording", "prompts", "unrendered", "rest"),
)
"""The groups of changes, those that a party feels most first."""
PROMPTS: Final = ("prompts", "unrendered")
_GROUP_OF: Final = {
    field: group
    for group, names in {
        "speaking": "actors to opener partner chair speakers driver participants voters who reader actor review "
        "objection raised roles",
        "limits": "limit rounds until call close done count pass_token topics budget",
        "papers": "document produces minutes sections required holds follows refers_to max_tokens",
        "deciding": "decision part ballots item carried_by tie reveals",
        "sight": "room off_record recalls present closed_to",
        "basis": "basis",
        "ends": "outcome what",
        "dating": "on",
        "wording": "cue prompt title label intended",
    }.items()
    for field in names.split()
}
"""Field of a step, phase or stage -> the group of its changes; any other changes the order of things."""
_NAMES: Final = frozenset(["document", "produces", "refers_to", "holds", "follows", "recalls"])
"""Fields that hold names of documents, fields or answers."""
_DERIVED: Final = frozenset(["name", "files", "lines", "span", "inherited", "tokens", "acting", "lineage", "source"])
"""Fields of a procedure that say nothing of it that another does not, or where it is written."""
_DECLARED: Final = {
    "people": "roles kinds personas",
    "held": "fields",
    "papers": "documents",
    "choosing": "options",
    "behaviour": "conduct",
    "dating": "dates",
    "deciding": "decisions",
    "aids": "tools skills memory checklists",
}
"""Group -> the fields of a procedure that declare something by name."""
_COMPARED: Final = frozenset(["stages", "interruptions", "grants", "answers"])


@immutable
class Delta:
    """`label`: what has changed, `where`: in which stages, phases or steps; `field`: which part of it, "" for all.

    `old`, `new`: before and after in words; `grave`: it takes something away from somebody, or decides in his stead.
    """

    group: str
    kind: Kind
    label: str
    where: tuple[str, ...]
    field: str
    old: str
    new: str
    span: Span
    grave: bool = False


def difference(old: Phrases, new: Phrases) -> tuple[Delta, ...]:
    """Every change from one procedure to another, group by group; equal changes at several places are one."""
    compared = _Compared(old, new)
    found = list(compared.changes())
    merged: dict[tuple[object, ...], Delta] = {}
    for change in found:
        key = (change.group, change.kind, change.label, change.field, change.old, change.new)
        same = merged.get(key)
        merged[key] = replace(same, where=(*same.where, *change.where)) if same is not None else change
    order = {group: at for at, group in enumerate(GROUPS)}
    return tuple(sorted(merged.values(), key=lambda change: (order[change.group], not change.grave)))


class _Compared:
    """Two procedures, with the words of each."""

    def __init__(self, old: Phrases, new: Phrases) -> None:
        self.old, self.new = old, new
        self.before, self.after = old.procedure, new.procedure
        self.renamed = self._renamed_parts()

    def changes(self) -> Iterator[Delta]:
        yield from self._stages()
        yield from self._events()
        yield from self._steps()
        yield from self._grants()
        yield from self._answers()
        yield from self._declared()
        yield from self._rest()

    # ---- stages and phases -------------------------------------------------------------------------------------------
    def _renamed_parts(self) -> dict[str, str]:
        """Stage, or STAGE/PHASE, of the new procedure -> its old id, where it has another."""
        found: dict[str, str] = {}
        pairs, _, _ = _by_id(self.before.stages, self.after.stages)
        for was, stage in pairs:
            found |= {stage.id: was.id} if was.id != stage.id else {}
            old, new = ([one for one in each.phases if one.id] for each in (was, stage))
            for phase_was, phase in _by_id(old, new)[0]:
                found |= {f"{stage.id}/{phase.id}": phase_was.id} if phase_was.id != phase.id else {}
        return found

    def _stages(self) -> Iterator[Delta]:
        pairs, gone, come = _by_id(self.before.stages, self.after.stages)
        yield from self._apart(gone, come, "")
        yield from self._order(self.before.stages, pairs, "")
        for was, stage in pairs:
            yield from self._part(was, stage, stage.id)
            old, new = ([one for one in each.phases if one.id] for each in (was, stage))
            phases, lost, added = _by_id(old, new)
            yield from self._apart(lost, added, f"{stage.id}/")
            yield from self._order(old, phases, f"{stage.id}/")
            for phase_was, phase in phases:
                yield from self._part(phase_was, phase, f"{stage.id}/{phase.id}".rstrip("/"))

    def _apart(self, gone: Sequence[Any], come: Sequence[Any], base: str) -> Iterator[Delta]:
        for part in gone:
            size = self._size(part, self.old)
            yield Delta("order", "removed", part.title or part.id, (base + part.id,), "", size, "", part.span, True)
        for part in come:
            size = self._size(part, self.new)
            yield Delta("order", "added", part.title or part.id, (base + part.id,), "", "", size, part.span)

    def _size(self, part: Stage | Phase | Interruption, phrases: Phrases) -> str:
        """How many steps a part has and, of a stage, how many cells of the matrix."""
        if isinstance(part, Stage):
            cells = sum(grant.stage == part.id for grant in phrases.procedure.grants)
            return phrases.word("size_stage", steps=sum(1 for _ in steps_of(part)), cells=cells)
        steps = steps_in(part) if isinstance(part, Phase) else walk(part.steps)
        return phrases.word("size", steps=sum(1 for _ in steps))

    def _order(self, were: Sequence[Any], pairs: Sequence[tuple[Any, Any]], base: str) -> Iterator[Delta]:
        numbers = {id(part): at for at, part in enumerate(were)}
        stayed = kept_in_order([numbers[id(was)] for was, _ in pairs], [tuple(sorted((a.id, b.id))) for a, b in pairs])
        for at, (was, part) in enumerate(pairs):
            if at not in stayed:
                yield Delta("order", "moved", part.title or part.id, (base + part.id,), "", "", "", part.span)
            if was.id != part.id:
                yield Delta(
                    "order", "renamed", part.title or part.id, (base + part.id,), "", was.id, part.id, part.span
                )

    def _part(self, was: Any, now: Any, place: str) -> Iterator[Delta]:
        """The fields of a stage, phase or event, but for its name and its steps."""
        held = {"id", "phases", "steps", "closing"}
        yield from self._fields(was, now, now.title or now.id, (place,), held)

    def _events(self) -> Iterator[Delta]:
        pairs, gone, come = _by_id(self.before.interruptions, self.after.interruptions)
        yield from self._apart(gone, come, "")
        yield from self._order(self.before.interruptions, pairs, "")
        for was, event in pairs:
            yield from self._part(was, event, event.id)

    # ---- steps -------------------------------------------------------------------------------------------------------
    def _steps(self) -> Iterator[Delta]:
        """Steps of stages, phases and events that both have; what is inside a new or lost one is not told beside it."""
        old, new = nodes(self.before, {}), nodes(self.after, self.renamed)
        gone_parts = _parts(self.before, {}) - _parts(self.after, self.renamed)
        new_parts = _parts(self.after, self.renamed) - _parts(self.before, {})
        found = match(old, new)
        yield from self._alone(found.gone, "removed", gone_parts)
        yield from self._alone(found.come, "added", new_parts)
        labels = _neighbours(old), _neighbours(new)
        for was, now in found.pairs:
            label = self._label(now)
            if now.place in found.moved:
                behind = labels[0][was.place], labels[1][now.place]
                told = _two(self.new.word("behind", step=one) if one else self.new.word("first") for one in behind)
                places = (was.place, now.place) if was.place != now.place else (now.place,)
                yield Delta("order", "moved", label, (" → ".join(places),), "", *told, now.step.info.span)
            if was.name != now.name:
                yield Delta("order", "renamed", label, (now.place,), "", was.name, now.name, now.step.info.span)
            if was.own != now.own:
                yield from self._step(was, now, label)

    def _label(self, node: StepNode, phrases: Phrases | None = None) -> str:
        """What a step is called: its cue; of one that has none, what it does."""
        if node.step.info.cue:
            return node.step.info.cue
        phrases = phrases or self.new
        return phrases.joined(told_of(node.step, phrases).what) or node.name or node.place

    def _alone(self, alone: Sequence[StepNode], kind: Kind, parts: set[tuple[str, str]]) -> Iterator[Delta]:
        places = {node.place for node in alone}
        for node in alone:
            if node.parent[0] not in places and parts.isdisjoint({(node.stage, node.phase), (node.stage, "")}):
                grave = kind == "removed" and bool(node.step.turn_slots)
                label = self._label(node, self.old if kind == "removed" else self.new)
                yield Delta("order", kind, label, (node.place,), "", "", "", node.step.info.span, grave)

    def _step(self, was: StepNode, now: StepNode, label: str) -> Iterator[Delta]:
        if was.verb != now.verb:
            told = self.old.word(f"verb_{was.verb}"), self.new.word(f"verb_{now.verb}")
            yield Delta("order", "changed", label, (now.place,), "verb", *told, now.step.info.span)
            return
        held = {one.name: getattr(now.step, one.name) for one in fields(now.step)}
        blocks = {name for name, value in held.items() if any(value is block for block in now.step.blocks)}
        yield from self._fields(was.step.info, now.step.info, label, (now.place,), {"id"})
        yield from self._fields(was.step, now.step, label, (now.place,), {"info", "answer", *blocks})
        answers = getattr(was.step, "answer", None), getattr(now.step, "answer", None)
        if answers[0] != answers[1]:
            yield from self._answer(answers, label, now)

    def _answer(self, answers: tuple[Answer | None, Answer | None], label: str, now: StepNode) -> Iterator[Delta]:
        """What is asked for in a step: kept as what, of which form, and what silence counts as."""
        where, span = (now.place,), now.step.info.span
        was, is_ = answers
        if was is None or is_ is None:
            told = _two(one.called if one is not None else "" for one in answers)
            yield Delta("deciding", "changed", label, where, "answer", *told, span)
            return
        if was.name != is_.name:
            yield Delta("deciding", "changed", label, where, "answer", was.called, is_.called, span)
        if (was.form, was.choices, was.among, was.most) != (is_.form, is_.choices, is_.among, is_.most):
            yield Delta("deciding", "changed", label, where, "form", self.old.form(was), self.new.form(is_), span)
        if was.default != is_.default:
            told = self.old.silence(was), self.new.silence(is_)
            yield Delta("silence", "changed", label, where, "", *told, span, is_.default is not None)

    # ---- who sees what -----------------------------------------------------------------------------------------------
    def _grants(self) -> Iterator[Delta]:
        back = {now: was for now, was in self.renamed.items() if "/" not in now}
        old, new = _cells(self.before.grants, {}), _cells(self.after.grants, back)
        stages = {one.id for one in self.before.stages} & {back.get(one.id, one.id) for one in self.after.stages}
        for key in dict.fromkeys((*old, *new)):
            was, now = old.get(key, ()), new.get(key, ())
            if key[2] not in stages:  # told of the stage
                continue
            if {content(one) for one in was} == {content(self._as_before(one, back)) for one in now}:
                continue
            grant = (now or was)[0]
            phrases = self.new if now else self.old
            label = row_title(grant.what, grant.whose, phrases.procedure, phrases)
            kind: Kind = "changed" if was and now else "added" if now else "removed"
            told = self._opened(was, self.old), self._opened(now, self.new)
            where = f"{grant.stage} · {phrases.kind(grant.kind).replace(phrases.marks.listed, '/')}"
            yield Delta("sight", kind, label, (where,), "", *told, grant.span, kind == "removed")

    def _as_before(self, grant: Grant, back: Mapping[str, str]) -> Grant:
        return replace(grant, stage=back.get(grant.stage, grant.stage)) if grant.stage in back else grant

    def _opened(self, grants: Sequence[Grant], phrases: Phrases) -> str:
        """From when and on what condition a cell is open."""
        if not grants:
            return phrases.word("unseen_cell")
        ways = [phrases.joined(restrictions(one, phrases.procedure, phrases)) for one in grants]
        return phrases.word("or").join(way or phrases.word("seen_cell") for way in ways)

    # ---- what is declared by name ------------------------------------------------------------------------------------
    def _answers(self) -> Iterator[Delta]:
        """How answers are called; what they are is told of the steps that ask for them."""
        for name, now in self.after.answers.items():
            was = self.before.answers.get(name)
            if was is None:
                continue
            if was.title != now.title:
                yield Delta("wording", "changed", name, (), "title", was.title, now.title, now.span)
            if was.choice_titles != now.choice_titles:
                told = _two(" / ".join(title for _, title in one.choice_titles) for one in (was, now))
                yield Delta("wording", "changed", now.called, (), "choice_titles", *told, now.span)

    def _declared(self) -> Iterator[Delta]:
        for group, names in _DECLARED.items():
            for name in names.split():
                was, now = (_named(getattr(one, name)) for one in (self.before, self.after))
                yield from self._mapping(group, was, now)

    def _mapping(self, group: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Delta]:
        nowhere = self.after.span
        for name in dict.fromkeys((*was, *now)):
            if name not in now or name not in was:
                gone = name in was
                one, kind = (was[name], "removed") if gone else (now[name], "added")
                label, span = _label(name, one, self.old if gone else self.new), getattr(one, "span", nowhere)
                kind_: Kind = "removed" if kind == "removed" else "added"
                yield Delta(group, kind_, label, (name,), "", "", "", span, gone)
            elif content(was[name]) != content(now[name]):
                yield from self._item(group, name, was[name], now[name])
        if list(was) != list(now) and sorted(was) == sorted(now):
            told = _listed(was, self.old), _listed(now, self.new)
            yield Delta(group, "moved", self.new.word("order_of"), (), "", *told, nowhere)

    def _item(self, group: str, name: str, was: Any, now: Any) -> Iterator[Delta]:
        label = _label(name, now, self.new)
        if not hasattr(now, "span"):
            told = shown(was, self.old), shown(now, self.new)
            yield Delta(group, "changed", label, (name,), "", *told, self.after.span)
            return
        for change in self._fields(was, now, label, (name,), set()):
            keeps = change.group in ("basis", "wording")
            yield change if keeps else replace(change, group=group)

    def _fields(self, was: Any, now: Any, label: str, where: tuple[str, ...], held: set[str]) -> Iterator[Delta]:
        """The fields of two values of one type that differ, each a change of its own."""
        span: Span = getattr(getattr(now, "info", now), "span", self.after.span)
        for one in fields(now):
            old, new = getattr(was, one.name), getattr(now, one.name)
            if one.name in held or not one.compare or Span in (type(old), type(new)) or content(old) == content(new):
                continue
            group = _GROUP_OF.get(one.name, "order")
            told = self._shown(one.name, old, new)
            grave = group in ("speaking", "sight") and isinstance(old, tuple) and bool(set(old) - set(new or ()))
            yield Delta(group, "changed", label, where, one.name, *told, span, grave)

    def _shown(self, name: str, old: Any, new: Any) -> tuple[str, str]:
        """Two values of a field in words; of mappings the entries that differ, and things by what they are called."""
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            same = {key for key in old if key in new and content(old[key]) == content(new[key])}
            old, new = ({key: value for key, value in held.items() if key not in same} for held in (old, new))
        if name in _NAMES:
            old, new = _called(old, self.old), _called(new, self.new)
        return shown(old, self.old), shown(new, self.new)

    def _rest(self) -> Iterator[Delta]:
        """What a procedure says besides: its title, its law, its models, and whatever else differs."""
        told = {name for names in _DECLARED.values() for name in names.split()}
        for one in fields(self.after):
            if one.name in _DERIVED | _COMPARED | told:
                continue
            was, now = getattr(self.before, one.name), getattr(self.after, one.name)
            if content(was) != content(now):
                values = shown(was, self.old), shown(now, self.new)
                group = "wording" if one.name in ("title", "wording") else "rest"
                yield Delta(group, "changed", self.after.name, (), one.name, *values, self.after.span)


def _by_id(old: Sequence[Any], new: Sequence[Any]) -> tuple[list[tuple[Any, Any]], list[Any], list[Any]]:
    """Parts of two procedures in pairs, in the new order: by id, else by all that they say but their id."""
    pairs = {now.id: (was, now) for now in new for was in old if was.id == now.id}
    left = [one for one in old if one.id not in pairs]

    def bare(part: Any) -> object:
        return content(part, lambda value, name: value is part and name == "id")

    for now in new:
        same = next((was for was in left if now.id not in pairs and bare(was) == bare(now)), None)
        if same is not None:
            left.remove(same)
            pairs[now.id] = (same, now)
    taken = {id(was) for was, _ in pairs.values()}
    found = [pairs[now.id] for now in new if now.id in pairs]
    return found, [one for one in old if id(one) not in taken], [one for one in new if one.id not in pairs]


def _parts(procedure: Procedure, renamed: Mapping[str, str]) -> set[tuple[str, str]]:
    """(stage, phase) of all phases, ("@", event) of all events, as the old procedure calls them."""
    found: set[tuple[str, str]] = set()
    for stage in procedure.stages:
        name = renamed.get(stage.id, stage.id)
        found |= {(name, renamed.get(f"{stage.id}/{phase.id}", phase.id)) for phase in stage.phases} | {(name, "")}
    return found | {("@", event.id) for event in procedure.interruptions}


def _neighbours(steps: Sequence[StepNode]) -> dict[str, str]:
    """Place of a step -> what the one before it in its block is called, "" for the first."""
    last: dict[object, str] = {}
    found = {}
    for node in steps:
        block = (node.stage, node.phase, node.parent)
        found[node.place] = last.get(block, "")
        last[block] = node.step.info.cue or node.name or node.place
    return found


def _cells(grants: Iterable[Grant], back: Mapping[str, str]) -> dict[tuple[str, ...], tuple[Grant, ...]]:
    found: dict[tuple[str, ...], tuple[Grant, ...]] = {}
    for one in grants:
        key = (one.what, one.whose, back.get(one.stage, one.stage), one.kind)
        found[key] = (*found.get(key, ()), one)
    return found


def _named(declared: Any) -> Mapping[str, Any]:
    """What is declared, by name: a mapping as it is, a tuple by the ids in it."""
    return declared if isinstance(declared, Mapping) else {one.id: one for one in declared}


def _called(named: Any, phrases: Phrases) -> Any:
    """What is called by the name, or by each of the names, that a field holds."""
    if isinstance(named, str):
        return phrases.called(named) if named else named
    return tuple(phrases.called(one) for one in named or ())


def _two(words: Iterable[str]) -> tuple[str, str]:
    before, after = words
    return before, after


def _label(name: str, one: Any, phrases: Phrases) -> str:
    """What people call something that is declared by name."""
    return phrases.role(name) if isinstance(one, Role) else getattr(one, "title", "") or name


def _listed(declared: Mapping[str, Any], phrases: Phrases) -> str:
    return phrases.listed([_label(name, one, phrases) for name, one in declared.items()])
