"""Who decides by norms, and what else templates decide by: norms that are there, words of nobody's reply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...language import diagnose
from ...language.typed_values import yes_and_no
from ...model import procedure as p
from ...model.diagnostics import Diagnostic
from ...model.plan import Step
from ...model.value_types import ValueType
from ...templates.decided_words import DECIDED
from ...templates.reads import Path
from ..template_readers import CheckContext, TemplateUse

_OFFLINE = "/offline/"
_NORMS = "norms"
_SAID = ("heard", "new", "last")


def absent_norms(context: CheckContext) -> Iterator[Diagnostic]:
    """LW951: a decision is to go by norms that are not among those that there are. Without any, nothing is decided by
    them, and each document says so."""
    there = context.templates.sources.names(_NORMS)
    known = tuple(dict.fromkeys(path.split("/")[1] for path in there if path.count("/") > 1))
    for decision in context.procedure.decisions.values():
        if decision.norms and known and decision.norms not in known:
            yield diagnose.absent_norms(decision.norms_at or decision.span, name=decision.norms, known=known)


def decided_for_others(context: CheckContext) -> Iterator[Diagnostic]:
    """LW950: a template that is no scripted actor's reads what norms decide."""
    told: set[tuple[str, int, int]] = set()
    for use in context.uses:
        if _OFFLINE in use.home:
            continue
        for read in context.reads(use.home):
            at = (read.span.file, read.span.line, read.span.column)
            if read.path[0] == DECIDED and at not in told:
                told.add(at)
                yield diagnose.decided_for_others(read.span, path=use.home)


def decided_by_words(context: CheckContext) -> Iterator[Diagnostic]:
    """LW952: a scripted actor who gives an answer goes by words in what somebody said or wrote, or in a value of the
    case that may say anything: by none but closed answers, ids, typed values and what the engine itself names."""
    asked = {(act, step.info.prompt) for step in p.all_steps(context.procedure) for act in _answering_acts(step)}
    told: set[tuple[str, int, int]] = set()
    for use in sorted(_answering(context, asked), key=lambda one: one.home):
        for test in context.templates.word_tests(use.home):
            at = (test.span.file, test.span.line, test.span.column)
            if at not in told and _is_open(context, use, test.path):
                told.add(at)
                yield diagnose.decided_by_words(test.span, path=".".join(one for one in test.path if one != "[]"))


def never_of_its_type(context: CheckContext) -> Iterator[Diagnostic]:
    """LW425: a template compares a typed value of the case with a word that such a value never is as it is kept."""
    told: set[tuple[str, int, int]] = set()
    for use in {(use.home, use.at.loop_record): use for use in context.uses}.values():
        if not any(_kept_as(context, use, read.path) for read in context.reads(use.home)):
            continue
        for test in context.templates.word_tests(use.home):
            known = _kept_as(context, use, test.path)
            wrong = tuple(word for word in test.words if known and word not in known)
            at = (test.span.file, test.span.line, test.span.column)
            if wrong and at not in told:
                told.add(at)
                path = ".".join(one for one in test.path if one != "[]")
                yield diagnose.never_of_its_type(test.span, path=path, word=wrong[0], known=known)


def _kept_as(context: CheckContext, use: TemplateUse, path: Path) -> tuple[str, ...]:
    """The words as which a value of the case is kept that a path leads to; () where it has no such type."""
    match path:
        case ("own" | "other", name, "[]", "value", *below) | ("known", name, *below):
            kind = _typed(context, name, below)
        case ("step", "item", *below) if use.at.loop_record is not None:
            kind = _typed(context, use.at.loop_record.field, below)
        case _:
            return ()
    if kind is not None and kind.kind == "yes or no":
        return yes_and_no(context.procedure.locale)
    return kind.choices if kind is not None and kind.kind == "choice" else ()


def _answering_acts(step: Step) -> Iterator[str]:
    """The acts at which something that is asked for in a step is answered."""
    if step.answer_names:
        yield from (slot.act for slot in step.turn_slots)
    if step.info.objection is not None:
        yield "rule"


def _answering(context: CheckContext, asked: set[tuple[str, str]]) -> Iterator[TemplateUse]:
    """What scripted actors say where an answer is asked for, each template once for each record in hand."""
    found = {
        (use.home, use.at.loop_record): use
        for use in context.uses
        if _OFFLINE in use.home and (use.at.act, use.at.prompt) in asked and use.showing is None
    }
    return iter(found.values())


def _is_open(context: CheckContext, use: TemplateUse, path: Path) -> bool:
    """Whether a path leads to what may be put in any words."""
    procedure = context.procedure
    match path:
        case (root, *_) if root in _SAID:
            return path[-1] in ("text", "value", "title")
        case ("step", "item", *below):
            fields = (use.at.loop_record.field,) if use.at.loop_record is not None else ()
            return any(_untyped(context, name, below) for name in fields)
        case ("step", "draft", "text") | ("step", "review") | ("minutes", *_):
            return True
        case ("own" | "other" | "known", name, *below) if name in procedure.documents:
            return below[-1:] not in (["side"], ["title"])
        case ("known", name, "[]", "item", *below) if name in procedure.answers:
            return any(_untyped(context, one.field, below) for one in context.held.get(name, ()))
        case ("known", name, *below) if name in procedure.answers:
            return procedure.answers[name].form in ("text", "list") and below[-1:] in (["value"], ["[]"])
        case ("own" | "other", name, "[]", "value", *below) | ("known", name, *below):
            return _untyped(context, name, below)
        case ("me", "party", *_):
            return _untyped_of_him(context, use, path[2:])
        case _:
            return False


def _untyped(context: CheckContext, name: str, below: Sequence[str]) -> bool:
    """Whether what stands below a field of the case is of no type that is closed; a list of the spec is."""
    declared = context.procedure.fields.get(name.partition(".")[0])
    if declared is None or declared.items:
        return False
    kind = _typed(context, name, below)
    return kind is None or (kind.kind in ("text", "anything") and not kind.unique)


def _typed(context: CheckContext, name: str, below: Sequence[str]) -> ValueType | None:
    """The type of what stands below a field of the case."""
    field, _, inner = name.partition(".")
    declared = context.procedure.fields.get(field)
    key = ".".join((*filter(None, (inner,)), *(one for one in below if one != "[]")))
    return declared.types.get(key) if declared is not None else None


def _untyped_of_him(context: CheckContext, use: TemplateUse, below: Sequence[str]) -> bool:
    each = context.procedure.roles[use.at.role].each
    return bool(each) and _untyped(context, each, below)


RULES = (absent_norms, decided_for_others, decided_by_words, never_of_its_type)
