"""Who decides by norms, and what else templates decide by: norms that are there, words of nobody's reply."""

from __future__ import annotations

from collections.abc import Iterator

from ...language import diagnose
from ...model import procedure as p
from ...model.diagnostics import Diagnostic
from ...model.steps.decide import Decide
from ...model.steps.vote import Vote
from ...templates.decided_words import DECIDED
from ...templates.reads import Path
from ..template_readers import CheckContext

_OFFLINE = "/offline/"
_NORMS = "norms"
_SAID = ("heard", "new", "last", "minutes")


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
    """LW952: a scripted actor who decides goes by words in what somebody said, in a document or in a text answer."""
    deciding = {step.info.prompt for step in p.all_steps(context.procedure) if isinstance(step, (Decide, Vote))}
    told: set[tuple[str, int, int]] = set()
    for home in sorted({use.home for use in context.uses if _OFFLINE in use.home and use.at.prompt in deciding}):
        for test in context.templates.word_tests(home):
            at = (test.span.file, test.span.line, test.span.column)
            if at not in told and _is_said(context, test.path):
                told.add(at)
                yield diagnose.decided_by_words(test.span, path=".".join(one for one in test.path if one != "[]"))


def _is_said(context: CheckContext, path: Path) -> bool:
    """Whether a path leads to words: a turn, a document, an answer that is a text or a list."""
    procedure = context.procedure
    if path[0] in _SAID:
        return path[-1] in ("text", "value")
    if path[0] not in ("own", "other", "known") or len(path) < 2:
        return False
    name = path[1]
    if name in procedure.documents:
        return path[-1] not in ("side", "title")
    answer = procedure.answers.get(name)
    return answer is not None and answer.form in ("text", "list") and path[-1] in ("value", "[]")


RULES = (absent_norms, decided_for_others, decided_by_words)
