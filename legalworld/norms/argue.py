"""The steps from facts and law to what became of a claim, as its norm says them and as the facts were found.

Nothing is weighed here a second time: which row holds, and what a condition turned on, is read off the same values by
which the claim was decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..model import formulas as f
from ..model.decision import Argument, ArgumentStep, Cite, SaidValue
from ..model.formulas import Expression
from .definition import AccountOf, Gives, Norm, Plea
from .formula_values import Scope, holds
from .formulas import names_in
from .sentences import said, said_because


def arguments(norm: Norm, scope: Scope, head: str) -> tuple[Argument, ...]:
    """The steps from a norm to what becomes of a claim with some head; those that say nothing are left out."""
    return tuple(one for one in _steps(norm, scope, head) if one.text or one.facts or one.about)


def _steps(norm: Norm, scope: Scope, head: str) -> Iterator[Argument]:
    rows = [row for row in norm.gives if not row.heads or head in row.heads]
    stands = holds(norm.stands, scope).value is True
    row = next((one for one in rows if holds(one.when, scope).value is True), None) if stands else None
    yield _argument("relation", scope, said(norm.premise, scope))
    yield _argument("rests", scope, facts=_rests(norm, scope, rows if row is None else [row]))
    if row is not None:
        yield _argument("rule", scope, said(row.premise, scope), cites=row.cites)
        yield _argument("reckoned", scope, _reckoned(row, scope))
    elif not stands:
        yield _argument("lacking", scope, facts=failing(norm.stands, scope))
    else:
        yield _argument("lacking", scope, facts=(name for one in rows for name in failing(one.when, scope)))
    if stands:
        for plea in norm.pleas:
            if plea.id in scope.pleas:
                yield from _of_plea(plea, scope)
    if row is not None:
        yield from _payer(norm, scope)


def _argument(
    step: ArgumentStep,
    scope: Scope,
    text: tuple[str | SaidValue, ...] = (),
    *,
    facts: Iterable[str] = (),
    cites: tuple[Cite, ...] = (),
    about: str = "",
) -> Argument:
    names = tuple(name for name in dict.fromkeys(facts) if name in scope.held)
    found = tuple(name for name in names if scope.held[name].proved)
    return Argument(step=step, about=about, text=text, facts=names, found=found, cites=cites)


def _of_plea(plea: Plea, scope: Scope) -> Iterator[Argument]:
    """What a defence needs, and why it holds or does not."""
    holds_true = holds(plea.when, scope).value is True
    yield _argument("shows", scope, said(plea.shows, scope), facts=names_in(plea.when), about=plea.id)
    text = said_because(plea.succeeds if holds_true else plea.fails, scope)
    turns = (holding if holds_true else failing)(plea.when, scope)
    step: ArgumentStep = "sustained" if holds_true else "failed"
    yield _argument(step, scope, text, facts=turns, cites=plea.cites, about=plea.id)


def _reckoned(row: Gives, scope: Scope) -> tuple[str | SaidValue, ...]:
    """What the rows say by which a sum is reckoned, the first of each name that holds."""
    for name in _closure(names_in(row.ruling), scope):
        rows = scope.reckon.get(name, ())
        for one in () if isinstance(rows, AccountOf) else rows:
            if holds(one.when, scope).value is True:
                if text := said(one.premise, scope):
                    return text
                break
    return ()


def _payer(norm: Norm, scope: Scope) -> Iterator[Argument]:
    """Why those pay who do: the first row of liability that holds, where it says more than that there is but one."""
    for row in norm.liability:
        named = [scope.named(term).value for term in row.who]
        if holds(row.when, scope).value is True and all(isinstance(one, tuple) and one for one in named):
            facts = (term.name for term in row.who)
            yield _argument("payer", scope, said(row.premise, scope), facts=facts, cites=row.cites)
            return


# ---- what a condition turns on ---------------------------------------------------------------------------------------


def failing(condition: Expression | None, scope: Scope) -> tuple[str, ...]:
    """The facts by which a condition does not hold: of several that must all hold, those that do not."""
    return tuple(dict.fromkeys(_turning(condition, scope, False)))


def holding(condition: Expression | None, scope: Scope) -> tuple[str, ...]:
    """The facts by which a condition holds."""
    return tuple(dict.fromkeys(_turning(condition, scope, True)))


def _turning(condition: Expression | None, scope: Scope, wanted: bool) -> Iterator[str]:
    match condition:
        case None:
            return
        case f.Joined(parts=parts):
            for part in parts:
                if holds(part, scope).value is not (not wanted):  # what is open does not hold, either
                    yield from _turning(part, scope, wanted)
        case f.Denied(part=part):
            yield from _turning(part, scope, not wanted)
        case _:
            yield from (name for name in _closure(names_in(condition), scope) if name in scope.held)


def _closure(names: Iterable[str], scope: Scope) -> tuple[str, ...]:
    """Names, and those that they are reckoned from."""
    found: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name in found:
            continue
        found[name] = None
        rows = scope.reckon.get(name, ())
        waiting += names_in(rows) if isinstance(rows, AccountOf) else [one for row in rows for one in names_in(row)]
    return tuple(found)


def _rests(norm: Norm, scope: Scope, rows: Iterable[Gives]) -> tuple[str, ...]:
    """The facts that a claim rests on: those of what must stand, of its rows, of who pays, and those that follow."""
    wanted = [*names_in(norm.stands)]
    for row in rows:
        wanted += [*names_in(row.when), *names_in(row.ruling)]
    for one in norm.liability:
        if holds(one.when, scope).value is True:
            wanted += [name for part in (one.when, *one.who) for name in names_in(part)]
            break
    facts = [name for name in _closure(wanted, scope) if name in scope.held]
    for name in facts:
        origin = scope.held[name].origin
        if origin is not None and origin.hand == "norm" and norm.needs[name].otherwise is not None:
            facts += [one for one in names_in(norm.needs[name].otherwise) if one in scope.held and one not in facts]
    return tuple(name for name in scope.held if name in facts)
