"""The proof that whatever is granted can be told: a general template of `know/` is tried with a value of every shape.

A template of one field is compared with what the field is declared to be (`misread_values`). One for all fields asks
first what it has in hand, so that it is not read but rendered, for each grant that it has to tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ...language import diagnose
from ...model.case import MISSING, Record, Value
from ...model.diagnostics import Diagnostic
from ...model.procedure import Grant, Procedure
from ...model.source import Span
from ...templates.shown import told
from ...templates.template_set import TemplateError
from ...templates.words import NAMESPACE
from ..template_readers import CheckContext, TemplateUse

GENERAL: Final = "/know/default.j2"
_SAMPLE: Final = "…"


def untold_fields(context: CheckContext) -> Iterator[Diagnostic]:
    """LW238: the general template of `know/` cannot be rendered for something that is granted."""
    tried: set[str] = set()
    for use in context.uses:
        if use.showing is None or not use.home.endswith(GENERAL) or use.showing.grant.what in tried:
            continue
        tried.add(use.showing.grant.what)
        if not context.templates.check(use.home):  # what is wrong with the template itself is told once
            yield from _untold(context, use, use.showing.grant)


def _untold(context: CheckContext, use: TemplateUse, grant: Grant) -> Iterator[Diagnostic]:
    procedure, name = context.procedure, grant.what
    whose = use.showing.space if use.showing is not None else ""
    shown: dict[str, Any] = {
        "name": name,
        "whose": "all" if whose == "known" else whose,
        "title": name,
        "people": False,
    }
    shown["vote"] = name in context.voted
    for value in _values(procedure, name):
        entries = (told({**_entry(context, name), "value": value}, {}, procedure.locale),)
        if not _tells(context, use.home, {**shown, "entries": entries}):
            at = (context.declaration(name), Span(use.home, 1, 1))
            yield diagnose.untold_field(
                grant.span,
                field=name,
                path=use.home,
                stage=use.at.stage,
                role=use.at.role,
                also=tuple(span for span in at if span is not None),
            )
            return


def _tells(context: CheckContext, home: str, shown: Mapping[str, Any]) -> bool:
    """Whether a template can be rendered with this, for a reader of whom nothing is known."""
    try:
        context.templates.render(home, {**dict.fromkeys(NAMESPACE, MISSING), "shown": shown})
    except TemplateError:
        return False
    return True


def _entry(context: CheckContext, name: str) -> Mapping[str, Any]:
    if name not in context.procedure.answers:
        return {"side": "", "title": ""}
    entry = {"by": "", "name": "", "about": "", "item": MISSING, "items": ()}
    if name not in context.voted:
        return entry
    counts, votes = ({"value": _SAMPLE, "count": 1},), ({"by": _SAMPLE, "value": _SAMPLE},)
    return {**entry, "title": name, "result": _SAMPLE, "mine": _SAMPLE, "counts": counts, "votes": votes}


def _values(procedure: Procedure, name: str) -> tuple[Value, ...]:
    """A value of each shape that a field, document or answer may have; of a record's keys nothing is declared."""
    if name in procedure.answers:
        return (_SAMPLE, (_SAMPLE, _SAMPLE)) if procedure.answers[name].form == "list" else (_SAMPLE,)
    declared = procedure.fields.get(name)
    if declared is None:
        return (_SAMPLE,)
    several = declared.each or any(role.each == name for role in procedure.roles.values())
    if not declared.keys:
        return ((_SAMPLE, _SAMPLE),) if several else (_SAMPLE,)
    cells: tuple[Value, ...] = (_SAMPLE, (_SAMPLE, _SAMPLE))
    records = tuple(Record(dict.fromkeys(declared.keys, cell), declared.keys) for cell in cells)
    return (records,) if several else records


RULES = (untold_fields,)
