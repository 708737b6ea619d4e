"""Forks: a run that begins as another one did, up to a place, with a document replaced there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import Final

from ..binding.casefile import as_json
from ..engine.settings import Intervention
from ..files import regular
from ..files.digest import digest
from ..language import diagnose
from ..language.spelling import nearest
from ..model.diagnostics import Diagnostic
from ..model.events import Asked, Drafted
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import Span
from ..model.text import clean
from ..models.named.profile import ModelProfile
from .actors import Backbones, protocols
from .folder import RunFolder
from .journal import EventLine, Line, events_in
from .open_run import CHANGES, OpenRun, interventions_text, lines_before
from .project import Problems, spec_copy
from .run_info import TEXT, RunInfo

MOST_OF_A_DOCUMENT: Final = 4 << 20  # bytes


@immutable
class Replacement:
    """A fork's intervention: `document` (of `side`, "" for the only one) replaced by `text` just before `at`."""

    at: str
    document: str
    side: str
    text: str


def document(path: Path) -> str | None:
    """The text of a document that a person wrote; None where no UTF-8 text is to be read."""
    try:
        return clean(regular.content(path, most=MOST_OF_A_DOCUMENT).decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError):
        return None


def fork_of(
    opened: OpenRun,
    change: Replacement,
    out: Path | None,
    models: Mapping[str, str] | None = None,
    *,
    profiles: Mapping[str, ModelProfile] | None = None,
) -> Path | Problems:
    """A run of its own, ready to be resumed; `models` play from the fork on, without them those of the parent.

    `profiles`: what names of `models` stand for now; without `models` they stand for what they stood for.
    """
    parent = opened.folder
    prefix = lines_before(opened.loaded.lines, change.at)
    if prefix is None:
        return (diagnose.unreached_place("--at", place=change.at),)
    if not any(_is_replaced(line, change) for line in prefix):
        return (_nothing_to_replace(opened.procedure, change),)
    profiles = parent.info.profiles if models is None else profiles or {}
    models = models or parent.info.models
    if problems := Backbones(models, opened.project.templates, parent.info.seed, profiles=profiles).open():
        return problems
    sealed = parent.sealed_json()
    if isinstance(sealed, Diagnostic):
        return (sealed,)
    changes = [*opened.settings.interventions, Intervention(change.at, change.document, change.side, change.text)]
    texts = {**spec_copy(opened.project).texts, CHANGES: interventions_text(changes)}
    info = replace(
        parent.info,
        digest=digest(texts),
        parent=opened.loaded.chain,
        at=change.at,
        until="",
        models=models,
        tools=protocols(opened.procedure, models, _kept_protocols(parent.info, models, prefix), profiles),
        endpoints={name: one.recorded for name, one in profiles.items()},
    )
    with regular.opened(parent.journal, parent.path) as raw, BufferedReader(raw) as recorded:
        journal = b"".join(islice(recorded, len(prefix)))
    created = RunFolder.create(
        out, info, texts, case_json=as_json(opened.case), sealed_json=sealed, journal=journal.decode()
    )
    return (created,) if isinstance(created, Diagnostic) else created.path


def _is_replaced(line: Line, change: Replacement) -> bool:
    """Whether a line tells of the document that is to be replaced."""
    event = line.event if isinstance(line, EventLine) else None
    return isinstance(event, Drafted) and event.document == change.document and change.side in ("", event.side)


def _kept_protocols(info: RunInfo, models: Mapping[str, str], prefix: Sequence[Line]) -> dict[str, str]:
    """Role -> protocol, for those who were asked before the fork (how to call a tool was told them there), and those
    whose model stays."""
    asked = {event.role for event in events_in(prefix) if isinstance(event, Asked)}
    kept = asked | {role for role, name in info.models.items() if models.get(role) == name}
    return {role: info.tools.get(role, TEXT) for role in kept}


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
