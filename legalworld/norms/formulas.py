"""Formulas of norms with their names resolved and their types checked, or what is wrong with them and where."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final, Literal

from ..language import diagnose
from ..language.sentences.norm_words import EVENT_KEYS, VALUES_OF
from ..model import formulas as f
from ..model.diagnostics import Diagnostic
from ..model.formulas import Expression, FormulaTerm
from ..model.immutable import immutable
from ..model.source import Span
from .definition import Fact, Kind, Words

SIDES: Final = ("claimant", "respondent")
Typed = Literal["yes", "money", "percent", "number", "day", "persons", "text", "events", "figure"]
_SUMS: Final = ("money", "percent", "number", "figure")
_EVENT_KINDS: Final[Mapping[str, Kind]] = {
    "date": "day",
    "until": "day",
    "amount": "money",
    "from": "persons",
    "to": "persons",
}


class WrongFormula(Exception):
    """What cannot be: ends the linking of one formula."""

    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(problem.code)
        self.problem = problem


@immutable
class Names:
    """What the formulas of one norm may name. `facts`: those it needs; `reckoned`: what it reckons, with its type;
    `pleas`: what can be pleaded against it."""

    words: Words
    facts: Collection[str]
    reckoned: Mapping[str, Kind]
    pleas: Collection[str]
    tables: Collection[str]
    sides: Mapping[str, str]
    bands: Collection[str] = ()

    def fact(self, name: str) -> Fact | None:
        """The fact of a name, or of another name that it has."""
        known = self.words.facts
        return known.get(name) or next((one for one in known.values() if name in one.called), None)

    def all(self) -> tuple[str, ...]:
        """Every name that can be written."""
        called = (name for fact in self.words.facts.values() for name in (fact.id, *fact.called))
        values = (*self.words.of_claim.values(), *self.words.of_case.values())
        inner = (name for fact in self.words.facts.values() for name in fact.keys)
        below = (name for fact in values for name in (fact.id, *fact.called))
        return (
            *called,
            *self.reckoned,
            *self.pleas,
            *self.tables,
            *self.sides,
            *VALUES_OF,
            *inner,
            *below,
            *EVENT_KEYS,
        )


def linked(expression: Expression, names: Names) -> tuple[Expression, Typed]:
    """A formula with its names as they are declared, and its type. Raises WrongFormula."""
    match expression:
        case f.BareNumber():
            return expression, "figure"
        case f.DayFigure():
            return expression, "day"
        case f.ComparedText():
            return expression, "text"
        case FormulaTerm():
            return _named(expression, names)
        case f.Joined() | f.Denied() | f.ValueTest() | f.InPeriod() | f.HasQuality():
            return _condition(expression, names), "yes"
        case f.Arithmetic() | f.PercentOf() | f.Chosen() | f.Whole() | f.TableAt() | f.Total() | f.CountOf():
            return _sum(expression, names)
        case f.Moved() | f.LengthBetween() | f.EdgeDay():
            return _day(expression, names)


def of_kind(expression: Expression, names: Names, *kinds: Typed) -> Expression:
    """A formula that must be of one of some types; a bare figure is of any that is a number."""
    found, kind = linked(expression, names)
    if kind in kinds or (kind == "figure" and set(kinds) & set(_SUMS)):
        return found
    raise WrongFormula(diagnose.formula_types(expression.span, left=kind, right=", ".join(kinds)))


# ---- names -----------------------------------------------------------------------------------------------------------


def _named(name: FormulaTerm, names: Names) -> tuple[FormulaTerm, Typed]:
    if name.name in VALUES_OF and name.path:
        return _value_of(name, names)
    if name.name in names.sides:
        return replace(name, name=names.sides[name.name]), "persons"
    if name.name in names.reckoned:
        return name, _below(name, names.reckoned[name.name], {})
    if name.name in names.bands:
        return name, "figure"  # of whatever it is compared with
    fact = names.fact(name.name)
    if fact is None or fact.id not in names.facts:
        known = (*names.facts, *names.reckoned, *names.sides, *names.tables, *names.bands, *VALUES_OF)
        raise WrongFormula(diagnose.unknown_norm_name(name.span, name=name.name, among=known))
    path = tuple(EVENT_KEYS.get(key, key) for key in name.path)
    found = FormulaTerm(fact.id, path, name.span)
    return found, _below(found, fact.kind, fact.keys)


def _value_of(name: FormulaTerm, names: Names) -> tuple[FormulaTerm, Typed]:
    """What is known of the claim, or of the case."""
    whose = VALUES_OF[name.name]
    known = names.words.of_claim if whose == "claim" else names.words.of_case
    fact = known.get(name.path[0]) or next((one for one in known.values() if name.path[0] in one.called), None)
    if fact is None or len(name.path) > 1:
        raise WrongFormula(diagnose.unknown_norm_name(name.span, name=name.text, among=known))
    return FormulaTerm(whose, (fact.id,), name.span), fact.kind


def _below(name: FormulaTerm, kind: Kind, keys: Mapping[str, Kind]) -> Typed:
    """The type of a name, or of what is written behind its dot."""
    if not name.path:
        return kind
    known = _EVENT_KINDS if kind == "events" else keys
    if kind == "events" and name.path[0] in ("principal", "arrears", "next"):
        return "day" if name.path[0] == "next" else "money"
    if len(name.path) > 1 or name.path[0] not in known:
        raise WrongFormula(diagnose.unknown_norm_name(name.span, name=name.text, among=known))
    return known[name.path[0]]


# ---- conditions ------------------------------------------------------------------------------------------------------


def _condition(expression: f.Joined | f.Denied | f.ValueTest | f.InPeriod | f.HasQuality, names: Names) -> Expression:
    match expression:
        case f.Joined():
            return replace(expression, parts=tuple(of_kind(part, names, "yes") for part in expression.parts))
        case f.Denied():
            return replace(expression, part=of_kind(expression.part, names, "yes"))
        case f.ValueTest():
            return _compared(expression, names)
        case f.InPeriod():
            left, right = of_kind(expression.left, names, "day"), of_kind(expression.right, names, "day")
            return replace(expression, left=left, right=right)
        case f.HasQuality():
            return _quality(expression, names)


def _quality(expression: f.HasQuality, names: Names) -> Expression:
    """`pleaded` is said of pleas, all else of facts; `yes` and `no` of what can be either."""
    what = expression.what
    if not isinstance(what, FormulaTerm):
        raise WrongFormula(diagnose.formula_types(what.span, left="?", right=expression.quality))
    if expression.quality == "pleaded":
        if what.name not in names.pleas or what.path:
            raise WrongFormula(diagnose.unknown_norm_name(what.span, name=what.text, among=names.pleas))
        return expression
    found, kind = _named(what, names)
    if expression.quality in ("yes", "no") and kind != "yes":
        raise WrongFormula(diagnose.formula_types(what.span, left=kind, right=expression.quality))
    return replace(expression, what=found)


def _compared(expression: f.ValueTest, names: Names) -> Expression:
    left, kind = linked(expression.left, names)
    right, other = _right(expression.right, kind, names)
    fits = kind == other or ({kind, other} <= {"figure", kind, other} & set(_SUMS) and "figure" in (kind, other))
    wanted: tuple[str, ...] = ()
    match expression.test:
        case "at least" | "at most":
            wanted = _SUMS
        case "after" | "before":
            wanted = ("day",)
        case "includes":
            wanted = ("persons",)
    if not fits or (wanted and kind not in wanted):
        right_kind = other if not fits else ", ".join(wanted)
        raise WrongFormula(diagnose.formula_types(expression.span, left=kind, right=right_kind))
    return replace(expression, left=left, right=right)


def _right(expression: Expression, kind: Typed, names: Names) -> tuple[Expression, Typed]:
    """The right side; beside a text a name that nobody declared is a text itself."""
    if kind == "text" and isinstance(expression, FormulaTerm):
        return f.ComparedText(expression.text, expression.span), "text"
    return linked(expression, names)


# ---- sums and days ---------------------------------------------------------------------------------------------------


def _sum(
    expression: f.Arithmetic | f.PercentOf | f.Chosen | f.Whole | f.TableAt | f.Total | f.CountOf, names: Names
) -> tuple[Expression, Typed]:
    match expression:
        case f.Arithmetic():
            return _arithmetic(expression, names)
        case f.PercentOf():
            of, kind = _number(expression.of, names)
            return replace(expression, of=of), kind
        case f.Whole():
            return replace(expression, of=of_kind(expression.of, names, "number")), "number"
        case f.Chosen():
            return _chosen(expression, names)
        case f.TableAt():
            table = expression.table
            if table.name not in names.tables or table.path:
                raise WrongFormula(diagnose.unknown_norm_name(table.span, name=table.text, among=names.tables))
            return replace(expression, day=of_kind(expression.day, names, "day")), "percent"
        case f.Total():
            what, kind = _named(expression.what, names)
            if kind not in ("events", "money") or (kind == "money" and expression.after is not None):
                raise WrongFormula(diagnose.formula_types(expression.span, left=kind, right="events"))
            after = of_kind(expression.after, names, "day") if expression.after is not None else None
            return replace(expression, what=what, after=after), "money"
        case f.CountOf():
            what, kind = _named(expression.what, names)
            if kind not in ("events", "persons"):
                raise WrongFormula(diagnose.formula_types(expression.span, left=kind, right="persons"))
            return replace(expression, what=what), "number"


def _number(expression: Expression, names: Names) -> tuple[Expression, Typed]:
    found, kind = linked(expression, names)
    if kind not in _SUMS:
        raise WrongFormula(diagnose.formula_types(expression.span, left=kind, right=", ".join(_SUMS[:3])))
    return found, kind


def _arithmetic(expression: f.Arithmetic, names: Names) -> tuple[Expression, Typed]:
    """Sums are added to sums and multiplied by numbers; one divided by another is a number."""
    left, kind = _number(expression.left, names)
    right, other = _number(expression.right, names)
    made = replace(expression, left=left, right=right)
    bare = {kind, other} - {"figure"}
    match expression.operation:
        case "plus" | "minus":
            if len(bare) < 2:
                return made, bare.pop() if bare else "figure"
        case "times":
            if len(bare - {"number"}) < 2 and not kind == other == "money":
                return made, next(iter(bare - {"number"}), "number" if bare else "figure")
        case "over":
            if other in ("figure", "number"):
                return made, kind
            if kind == other:
                return made, "number"
    raise WrongFormula(diagnose.formula_types(expression.span, left=kind, right=other))


def _chosen(expression: f.Chosen, names: Names) -> tuple[Expression, Typed]:
    left, kind = linked(expression.left, names)
    right, other = linked(expression.right, names)
    days = expression.choice in ("later", "earlier")
    fits = {kind, other} == {"day"} if days else {kind, other} <= set(_SUMS) and len({kind, other} - {"figure"}) < 2
    if not fits:
        raise WrongFormula(diagnose.formula_types(expression.span, left=kind, right=other))
    return replace(expression, left=left, right=right), other if kind == "figure" else kind


def _day(expression: f.Moved | f.LengthBetween | f.EdgeDay, names: Names) -> tuple[Expression, Typed]:
    match expression:
        case f.Moved():
            return replace(expression, base=of_kind(expression.base, names, "day")), "day"
        case f.LengthBetween():
            since, until = of_kind(expression.since, names, "day"), of_kind(expression.until, names, "day")
            return replace(expression, since=since, until=until), "number"
        case f.EdgeDay():
            what, kind = _named(expression.what, names)
            if kind != "events":
                raise WrongFormula(diagnose.formula_types(expression.span, left=kind, right="events"))
            return replace(expression, what=what), "day"


def names_in(node: object) -> tuple[str, ...]:
    """The names that a formula is made of, each where it stands."""
    if isinstance(node, FormulaTerm):
        return (node.name,)
    parts = getattr(node, "__dataclass_fields__", {})
    inner = (getattr(node, one) for one in parts if one != "span")
    flat = (each for one in inner for each in (one if isinstance(one, tuple) else (one,)))
    return tuple(name for one in flat if not isinstance(one, (Span, str)) for name in names_in(one))
