"""The proof that no template reads what its reader may not see.

For everybody who may be given the word, at every stage and phase: each path that his templates read is compared with
what the matrix has opened to him by then, and with what is declared to stand there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cache, cached_property
from itertools import product
from typing import Final, Literal

from ...language import diagnose
from ...language.spelling import nearest
from ...model.conditions import AllOf, AnyOf, Condition, Negation, OptionIs, leaves
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.source import Span
from ...templates.reads import Path, PathRead
from ...templates.shapes import Entries, Parts, Shape
from ...templates.words import BALLOTS, COUNTS, MINUTES, ROWS
from ..abstract_walk import LoopRecord
from ..template_readers import CheckContext, Occasion, Showing, Space, TemplateUse

MOST_SETTINGS: Final = 256  # settings of options tried out for one field

_TEXT: Final[Shape] = "text"
_TEXTS: Final = Entries("text")


def unseen_reads(context: CheckContext) -> Iterator[Diagnostic]:
    """LW084: a template reads a field that the matrix has not opened to its reader."""
    proof = _Proof(context)
    found: dict[tuple[str, ...], _Unseen] = {}
    for use in context.uses:
        for path, name, spaces, read in _seen_through(context, use):
            if not any(proof.seen(use, name, space) for space in spaces):
                key = (read.span.file, path, name, use.at.kind)
                unseen = found.setdefault(key, _Unseen(read, path, spaces[0], name, use.at))
                unseen.places[_place(context, name, spaces[0], use.at)] = None
    for unseen in found.values():
        yield unseen.problem(context)


def _seen_through(context: CheckContext, use: TemplateUse) -> Iterator[tuple[str, str, tuple[Space, ...], PathRead]]:
    """What a use shows its reader: by which path, which field, under which names (one is enough), and where."""
    for space, name, read in context.subjects(use.home):
        if _declared(context, space, name):
            yield f"{space}.{name}", name, (space,), read
    for read in context.items(use.home):
        for loop_record in _in_loop_record(context, use, read.path):
            spaces = _spaces(context, use.at, loop_record)
            if not loop_record.presented and any(_declared(context, space, loop_record.field) for space in spaces):
                yield _called(read.path[: read.path.index("item") + 1]), loop_record.field, spaces, read


def _in_loop_record(context: CheckContext, use: TemplateUse, path: Path) -> tuple[LoopRecord, ...]:
    """The records that a template may read as the `item` of the step or of an answer."""
    match path:
        case ("step", *_):
            return (use.at.loop_record,) if use.at.loop_record is not None else ()
        case ("known", answer, *_):
            return context.held.get(answer, ())
        case _:
            return context.held.get(use.showing.grant.what, ()) if use.showing is not None else ()


def _spaces(context: CheckContext, at: Occasion, loop_record: LoopRecord) -> tuple[Space, ...]:
    """The names under which a reader would see the record himself."""
    side = context.procedure.roles[at.role].side
    if not context.sided(loop_record.field):
        return ("known",)
    if not side or loop_record.sides == {side}:
        return ("own",)
    return ("own", "other") if side in loop_record.sides else ("other",)


@immutable
class _Unseen:
    """Something that one kind of persons may not see, and reads in one file; `places` gathers where.

    A record in hand is given to nobody who may not see it (`view`): to read it is in vain, but shows nothing.
    """

    read: PathRead
    path: str
    space: Space
    name: str
    at: Occasion
    places: dict[str, None] = field(default_factory=dict)

    def problem(self, context: CheckContext) -> Diagnostic:
        also = (_cell(context, self.name, self.space, self.at), self.at.span)
        severity: Literal["error", "warning"] = "warning" if self.path.endswith(".item") else "error"
        return diagnose.unauthorized_read(
            self.read.span, path=self.path, kind=self.at.kind, places=tuple(self.places), also=also, severity=severity
        )


def _place(context: CheckContext, name: str, space: Space, at: Occasion) -> str:
    """The stage, and the phase where that decides: what opens later in the stage is not open yet."""
    cells = context.grants.get((at.stage, at.kind), ())
    later = any(cell.what == name and cell.after and space in context.spaces(cell) for cell in cells)
    return f"{at.stage}/{at.phase}" if later and at.phase else at.stage


def _cell(context: CheckContext, name: str, space: Space, at: Occasion) -> Span:
    """The cell of the matrix that is nearest to granting it, else where it is declared."""
    cells = [grant for grant in context.procedure.grants if grant.what == name]
    if cells:
        wanted = (at.stage, at.kind)
        fits = [(g.stage == at.stage) + ((g.stage, g.kind) == wanted) + (space in context.spaces(g)) for g in cells]
        return cells[fits.index(max(fits))].span
    return context.declaration(name) or at.span


class _Proof:
    """What is visible where; asked once for each field, space, role, stage and phase."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context
        self.kept: dict[tuple[object, ...], bool] = {}

    def seen(self, use: TemplateUse, name: str, space: Space) -> bool:
        """Whether what a use reads is open to its reader whenever the template is rendered for him."""
        at, showing, field_ = use.at, use.showing, self.context.procedure.fields.get(name)
        if field_ is not None and field_.items:
            return True
        if showing is not None and (showing.grant.what, showing.space) == (name, space):
            return True
        given = showing.grant.condition if showing is not None else None
        key = (name, space, at.role, at.stage, at.over, id(given))
        if key not in self.kept:
            cells = [g for g in self.context.opened(at) if g.what == name and space in self.context.spaces(g)]
            conditions = [grant.condition for grant in cells]
            self.kept[key] = bool(cells) and (None in conditions or self._covered(conditions, given))
        return self.kept[key]

    def _covered(self, conditions: list[Condition | None], given: Condition | None) -> bool:
        """Whether some condition holds under every setting of the options, or under every one where `given` does."""
        options = self.context.procedure.options
        asked = {
            leaf.option
            for condition in (*conditions, given)
            for leaf in leaves(condition)
            if isinstance(leaf, OptionIs) and leaf.option in options
        }
        names = sorted(asked)
        choices = [options[name].choices for name in names]
        count = 1
        for choice in choices:
            count *= len(choice)
        if count > MOST_SETTINGS:
            return False
        for values in product(*choices):
            chosen = dict(zip(names, values, strict=True))
            if _under(given, chosen) is not False and True not in [_under(c, chosen) for c in conditions]:
                return False
        return True


def _under(condition: Condition | None, chosen: Mapping[str, str]) -> bool | None:
    """Whether a condition holds with these options; None when that depends on more."""
    match condition:
        case None:
            return True
        case OptionIs(option, value):
            return chosen[option] == value if option in chosen else None
        case Negation(part):
            found = _under(part, chosen)
            return None if found is None else not found
        case AllOf(parts) | AnyOf(parts):
            decisive = isinstance(condition, AnyOf)
            truths = [_under(part, chosen) for part in parts]
            return decisive if decisive in truths else None if None in truths else not decisive
        case _:
            return None


def _declared(context: CheckContext, space: Space, name: str) -> bool:
    """Whether there is such a field, document or answer, to be read by this name, and not for evaluation only."""
    if space == "minutes":
        return name in context.stages
    field_ = context.procedure.fields.get(name)
    procedure = context.procedure
    known = field_ or any(name in table for table in (procedure.documents, procedure.dates, procedure.answers))
    sealed = field_ is not None and field_.evaluation_only
    return bool(known) and not sealed and context.sided(name) == (space != "known")


# ---- what stands where -----------------------------------------------------------------------------------------------


def misread_names(context: CheckContext) -> Iterator[Diagnostic]:
    """LW082, LW085, LW086: a template names what is not declared, not to be used, or known by another name."""
    procedure = context.procedure
    names = (*procedure.fields, *procedure.documents, *procedure.dates, *procedure.answers)
    told: set[tuple[str, Space, str]] = set()
    for home in dict.fromkeys(use.home for use in context.uses):
        for space, name, read in context.subjects(home):
            if (read.span.file, space, name) in told or _declared(context, space, name):
                continue
            told.add((read.span.file, space, name))
            declared = context.declaration(name)
            if space == "minutes":
                yield diagnose.unknown_stage(read.span, name=name, among=context.stages)
            elif declared is None or name in context.stages:
                yield diagnose.unknown_view_name(read.span, name=name, path=f"{space}.{name}", among=names)
            elif name in procedure.fields and procedure.fields[name].evaluation_only:
                yield diagnose.sealed_field_used(read.span, name=name, also=(declared,))
            else:
                instead = f"own.{name}" if context.sided(name) else f"known.{name}"
                yield diagnose.wrong_view_path(read.span, path=f"{space}.{name}", instead=instead, also=(declared,))


def misread_values(context: CheckContext) -> Iterator[Diagnostic]:
    """LW083, LW110 to LW112: keys that a record has not, lists that are none, where only the procedure shows it."""
    shapes = _Shapes(context)
    told: set[tuple[str, Path]] = set()
    seen: set[tuple[object, ...]] = set()
    for use in context.uses:
        ways = {
            "me": use.at.role,
            "step": use.at.loop_record and use.at.loop_record.field,
            "memory": use.at.kind,
            "shown": use.showing and use.showing.grant.what,
        }
        for root, reads in shapes.reads(use.home).items():
            if (use.home, root, ways.get(root)) in seen:
                continue
            seen.add((use.home, root, ways.get(root)))
            for read in reads:
                problem = shapes.misread(read, use)
                if problem is not None and (read.span.file, read.path) not in told:
                    told.add((read.span.file, read.path))
                    yield problem


def _mismatch(read: PathRead, start: int, shape: Shape) -> Diagnostic | None:
    """What is wrong with the rest of a path, from `start` on, below something of this shape."""
    for place, key in enumerate(read.path[start:], start):
        match shape:
            case "any":
                return None
            case Entries(of=of) if key == "[]":
                shape = of
            case Parts(named=named) if key in named:
                shape = named[key]
            case _ if key == "[]":
                return diagnose.expected_template_list(read.span, path=_called(read.path[:place]))
            case Parts(named=named) if named:
                owner, known = _called(read.path[:place]), tuple(named)
                near = nearest(key, named)
                return diagnose.unknown_field_key(read.span, owner=owner, key=key, known=known, nearest=near)
            case _:
                return diagnose.unknown_template_key(read.span, owner=_called(read.path[:place]), key=key)
    if read.printed and isinstance(shape, Entries | Parts):
        return diagnose.unprintable_value(read.span, path=_called(read.path))
    return None


def _called(path: Path) -> str:
    """A path as its author writes it."""
    return ".".join(part for part in path if part != "[]")


class _Shapes:
    """What stands at the paths whose shape the procedure declares."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context
        self.procedure = context.procedure
        self.people = frozenset(role.each for role in context.procedure.roles.values() if role.each)
        self.value = cache(self._value)
        self.items = cache(self._items)
        self.drawn = cache(self._drawn)
        self.reads = cache(self._reads)

    def _reads(self, home: str) -> Mapping[str, list[PathRead]]:
        """What a template reads below each name of the namespace."""
        by_home: dict[str, list[PathRead]] = {}
        for read in self.context.reads(home):
            if len(read.path) > 1:
                by_home.setdefault(read.path[0], []).append(read)
        return by_home

    def misread(self, read: PathRead, use: TemplateUse) -> Diagnostic | None:
        """What is wrong with one read of a template, where what stands there is declared."""
        placed = self.below(read.path, use)
        found = _mismatch(read, placed[0], placed[1]) if placed is not None else None
        if placed is None or found is None:
            return None
        also = (placed[2], use.at.span) if placed[2] is not None else (use.at.span,)
        return replace(found, also=also)

    @cached_property
    def of_people(self) -> frozenset[str]:
        """The fields whose records are persons: of these it is known who did not come."""
        return frozenset(role.each for role in self.context.procedure.roles.values())

    def below(self, path: Path, use: TemplateUse) -> tuple[int, Shape, Span | None] | None:
        """The number of steps to something of known shape, that shape, and where it is declared."""
        match path:
            case ("own" | "other", name, *_) if self.context.sided(name):
                more = {"absent": _TEXTS} if name in self.of_people else {}
                more |= {"unlisted": _TEXTS} if name in self.procedure.documents else {}
                entry = Parts({"side": _TEXT, "title": _TEXT, "value": self.value(name), **more})
                return 2, Entries(entry), self.context.declaration(name)
            case ("known", name, *_) if not self.context.sided(name):
                return 2, self.value(name), self.context.declaration(name)
            case ("minutes", name, *_):
                return 2, MINUTES, self.context.declaration(name)
            case ("shown", "entries", *_) if use.showing is not None:
                return 2, self._shown(use.showing, use.home), self.context.declaration(use.showing.grant.what)
            case ("step", "item", _, *_) if use.at.loop_record is not None:
                loop_record = use.at.loop_record
                return (
                    2,
                    "any" if loop_record.deep else self._record(loop_record.field),
                    self.context.declaration(loop_record.field),
                )
            case ("me", "party", _, *_):
                return 2, self._party(use.at.role), None
            case ("me", "clients", "[]", "party", _, *_):
                represented = self.procedure.roles[use.at.role].represents
                return 4, self._party(represented), None
            case ("memory", _, *_):
                return 1, self._memory(use.at.kind), None
            case ("scene", "options", _, *_):
                return 2, Parts(dict.fromkeys(self.procedure.options, _TEXT)), None
            case _:
                return None

    def _memory(self, kind: str) -> Shape:
        """What persons of a kind keep."""
        declared = self.procedure.memory.get(kind)
        fields = declared.fields.values() if declared is not None else ()
        return Parts(
            {one.name: Entries(Parts(dict.fromkeys(one.keys, _TEXT))) if one.keys else _TEXT for one in fields}
        )

    def _value(self, name: str) -> Shape:
        """The value of a field, a document or all answers of a name."""
        if name in self.context.voted:
            return self._vote(name)
        if name in self.procedure.answers:
            value = _TEXTS if self.procedure.answers[name].form == "list" else _TEXT
            named: dict[str, Shape] = dict.fromkeys(("by", "name", "about"), _TEXT)
            return Entries(
                Parts({**named, "value": value, "item": self.items(name), "items": Entries(self.drawn(name))})
            )
        if name in self.procedure.documents or name in self.procedure.dates:
            return _TEXT
        declared = self.procedure.fields.get(name)
        if declared is None:
            return "any"
        return Entries(self._record(name)) if declared.each or name in self.people else self._record(name)

    def _vote(self, name: str) -> Shape:
        """How a vote came out."""
        told: dict[str, Shape] = dict.fromkeys(("by", "name", "title", "about", "value", "result", "mine"), _TEXT)
        return Parts({**told, "item": self.items(name), "counts": COUNTS, "votes": BALLOTS})

    def _record(self, name: str) -> Shape:
        """One record of a field; "any" when its keys are not declared."""
        declared = self.procedure.fields.get(name)
        if declared is None or not declared.keys:
            return "any"
        return Parts(dict.fromkeys(declared.keys, "any"))

    def _items(self, answer: str) -> Shape:
        """The records that an answer may be about: what all of them have."""
        about = [
            "any" if loop_record.deep else self._record(loop_record.field)
            for loop_record in self.context.held.get(answer, ())
        ]
        records = [shape.named for shape in about if isinstance(shape, Parts)]
        if not records or len(records) < len(about):
            return "any"
        return Parts({key: "any" for key in records[0] if all(key in named for named in records)})

    def _drawn(self, answer: str) -> Shape:
        """The records that a sample may hold."""
        fields = self.context.sampled.get(answer, ())
        return self._record(fields[0]) if len(fields) == 1 else "any"

    def _party(self, role: str) -> Shape:
        """The record that a person of a role has of himself."""
        declared = self.procedure.roles.get(role)
        if declared is None:
            return "any"
        return Parts({"name": "text"}) if declared.named_key else self._record(declared.each or declared.named)

    def _shown(self, showing: Showing, home: str) -> Shape:
        """What `shown.entries` holds. One template for many fields (`know/default`) asks first what it has in hand."""
        name = showing.grant.what
        if showing.space == "minutes":
            return MINUTES
        if home.endswith("/know/default.j2"):
            return "any"
        value = self.value(name)
        told: dict[str, Shape] = {"rows": ROWS, "item_label": _TEXT}
        if name in self.context.voted and isinstance(value, Parts):
            return Entries(Parts({**value.named, **told}))
        if name in self.procedure.answers and isinstance(value, Entries) and isinstance(value.of, Parts):
            return Entries(Parts({**value.of.named, **told}))
        return Entries(Parts({"side": _TEXT, "title": _TEXT, "value": value, "unlisted": _TEXTS, **told}))


# ---- the templates themselves ----------------------------------------------------------------------------------------


def faulty_templates(context: CheckContext) -> Iterator[Diagnostic]:
    """What is wrong with every template that somebody is given."""
    yield from context.templates.check_all(tuple(dict.fromkeys(use.home for use in context.uses)))


def missing_templates(context: CheckContext) -> Iterator[Diagnostic]:
    """LW087: somebody would be given a template that is not there."""
    for wanted in context.wanted:
        path = context.templates.home(wanted.name, context.procedure.name)
        yield diagnose.missing_step_template(wanted.at.span, path=path, stage=wanted.at.stage, role=wanted.at.role)


def unused_templates(context: CheckContext) -> Iterator[Diagnostic]:
    """LW095: a template in the procedure's own folder that nothing looks for; `_` marks those that are included."""
    own = {context.templates.home(name, context.procedure.name) for name in context.candidates}
    folder = f"prompts/{context.procedure.locale}/{context.procedure.name}/"
    for home in context.templates.homes:
        included = home.rpartition("/")[2].startswith("_")
        if home.startswith(folder) and not included and home not in own:
            yield diagnose.unused_declaration(Span(home, 1, 1), name=home, nearest=nearest(home, own))


RULES = (faulty_templates, missing_templates, unused_templates, misread_names, misread_values, unseen_reads)
