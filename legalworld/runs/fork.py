"""Forks: a run that begins as another did, up to a place, and goes on otherwise: a document replaced, other models."""

from __future__ import annotations

from dataclasses import replace
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import Final

from ..binding.casefile import as_json
from ..engine.settings import Intervention
from ..files import regular
from ..files.digest import digest
from ..files.document_text import DocumentText, document_text
from ..language import diagnose
from ..language.spelling import nearest
from ..model.diagnostics import Diagnostic
from ..model.events import Drafted
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import Span
from ..model.text import clean
from .actors import Backbones
from .changes import NO_CHANGE, LineUp, RunChange, line_up
from .folder import RunFolder
from .journal import EventLine, Line, changes_in
from .open_run import CHANGES, OpenRun, interventions_text, lines_before
from .project import Problems, spec_copy
from .read_decisions import read_answers

MOST_OF_A_DOCUMENT: Final = 4 << 20  # bytes


@immutable
class Replacement:
    """A fork's intervention: `document` (of `side`, "" for the only one) replaced by `text` just before `at`."""

    at: str
    document: str
    side: str
    text: str


def document(path: Path) -> DocumentText | Diagnostic:
    """The text of a document that a person wrote."""
    read = document_text(path, most=MOST_OF_A_DOCUMENT)
    return read if isinstance(read, Diagnostic) else replace(read, text=clean(read.text))


def fork_of(
    opened: OpenRun,
    what: Replacement | str,
    out: Path | None,
    change: RunChange = NO_CHANGE,
    *,
    called: bool = True,
    home: Path | None = None,
) -> Path | Problems:
    """A run of its own, ready to be resumed: a document is replaced in it, or (`what` is the place alone) nothing is.

    `change`: what it is to be resumed with; that its models can be `called` is known before the fork is made. `home`:
    where it lies without `out`, if not where we are.
    """
    parent, place = opened.folder, what if isinstance(what, str) else what.at
    prefix = lines_before(opened.loaded.lines, place)
    if prefix is None:
        return (diagnose.unreached_place("--at", place=place),)
    if isinstance(what, Replacement) and not any(_is_replaced(line, what) for line in prefix):
        return (_nothing_to_replace(opened.procedure, what),)
    now = line_up_at(opened, place).after(change)
    backbones = Backbones(now.models, opened.project.templates, parent.info.seed, profiles=now.profiles)
    if called and (problems := backbones.open()):
        return problems
    sealed = parent.sealed_json()
    if isinstance(sealed, Diagnostic):
        return (sealed,)
    replaced = [_intervention(opened, what)] if isinstance(what, Replacement) else []
    texts = {**spec_copy(opened.project).texts}
    if changes := [*opened.settings.interventions, *replaced]:
        texts[CHANGES] = interventions_text(changes)
    endpoints = {name: one.recorded for name, one in line_up_at(opened, place).profiles.items()}
    info = replace(
        parent.info, digest=digest(texts), parent=opened.loaded.chain, at=place, until="", endpoints=endpoints
    )
    with regular.opened(parent.journal, parent.path) as raw, BufferedReader(raw) as recorded:
        journal = b"".join(islice(recorded, len(prefix)))
    created = RunFolder.create(
        out, info, texts, case_json=as_json(opened.case), sealed_json=sealed, journal=journal.decode(), home=home
    )
    return (created,) if isinstance(created, Diagnostic) else created.path


def _intervention(opened: OpenRun, what: Replacement) -> Intervention:
    """The replacement with what it says of the decision that the document states."""
    read = read_answers(opened.procedure, opened.last_case, what.document, what.text)
    return Intervention(what.at, what.document, what.side, what.text, read)


def line_up_at(opened: OpenRun, place: str) -> LineUp:
    """Who played a run just before a place; that of the end where it never came there."""
    prefix = lines_before(opened.loaded.lines, place)
    return line_up(opened.folder.info, changes_in(opened.loaded.lines if prefix is None else prefix))


def _is_replaced(line: Line, change: Replacement) -> bool:
    """Whether a line tells of the document that is to be replaced."""
    event = line.event if isinstance(line, EventLine) else None
    return isinstance(event, Drafted) and event.document == change.document and change.side in ("", event.side)


def _nothing_to_replace(procedure: Procedure, change: Replacement) -> Diagnostic:
    """The document is none of the procedure's, or has not been written by then."""
    place = Span("--replace", 0, 0)
    if change.document not in procedure.documents:
        near = nearest(change.document, procedure.documents)
        return diagnose.unknown_replaced_document(
            place, name=change.document, known=tuple(procedure.documents), nearest=near
        )
    name = f"{change.document}@{change.side}" if change.side else change.document
    return diagnose.document_not_yet_written(place, name=name, place=change.at)
