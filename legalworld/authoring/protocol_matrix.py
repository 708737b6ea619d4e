"""The visibility matrix as a table with footnotes: who sees what in which stage, from when, and on what condition."""

from __future__ import annotations

from ..model.immutable import immutable
from ..model.procedure import Grant, Procedure
from .protocol_words import Phrases


@immutable
class SeenCell:
    """A kind of person that sees something in a stage; `notes`: the numbers of the footnotes that restrict it."""

    stage: str
    kind: str
    letter: str
    notes: tuple[int, ...]
    grant: Grant


@immutable
class SeenRow:
    """`what`: a field, document, answer or (`whose` is `minutes`) the record of a stage, in words in `title`."""

    what: str
    whose: str
    title: str
    cells: tuple[SeenCell, ...]


@immutable
class SeenMatrix:
    """`notes`: the footnotes, the first has the number 1; `unseen`: what nobody is ever shown; `scoring`: what is kept
    for scoring a run alone."""

    rows: tuple[SeenRow, ...]
    notes: tuple[str, ...]
    unseen: tuple[str, ...]
    scoring: tuple[str, ...]


def matrix(procedure: Procedure, phrases: Phrases) -> SeenMatrix:
    """Every cell of the matrix that is open, once."""
    notes: dict[str, int] = {}
    cells: dict[tuple[str, str], list[SeenCell]] = {}
    for grant in procedure.grants:
        numbers = tuple(notes.setdefault(note, len(notes) + 1) for note in restrictions(grant, procedure, phrases))
        letter = procedure.kinds.get(grant.kind, grant.kind)
        cell = SeenCell(grant.stage, grant.kind, letter, numbers, grant)
        cells.setdefault((grant.what, grant.whose), []).append(cell)
    rows = tuple(
        SeenRow(what, whose, row_title(what, whose, procedure, phrases), tuple(found))
        for (what, whose), found in cells.items()
    )
    shown = {what for what, _ in cells}
    scoring = [field.name for field in procedure.case_fields.values() if field.evaluation_only]
    every = (*procedure.case_fields, *procedure.documents, *procedure.answers)
    unseen = tuple(phrases.called(name) for name in every if name not in shown and name not in scoring)
    return SeenMatrix(rows, tuple(notes), unseen, tuple(map(phrases.called, scoring)))


def row_title(what: str, whose: str, procedure: Procedure, phrases: Phrases) -> str:
    """What a row is about: whose of it only where each side has its own."""
    if whose == "minutes":
        return phrases.word("row_minutes", name=phrases.called(what))
    declared = procedure.fields.get(what) or procedure.documents.get(what)
    sided = declared is not None and declared.sided
    return phrases.word(f"row_{whose}", name=phrases.called(what)) if sided else phrases.called(what)


def restrictions(grant: Grant, procedure: Procedure, phrases: Phrases) -> tuple[str, ...]:
    """From when a cell is open, and on what condition; nothing for one that opens with its stage."""
    found = []
    if grant.after:
        phases = (phase for stage in procedure.stages if stage.id == grant.stage for phase in stage.phases)
        title = next((phase.title for phase in phases if phase.id == grant.after and phase.title), grant.after)
        sides = {bool(role.side) for role in procedure.roles.values() if role.kind == grant.kind}
        if True in sides:  # who belongs to no side does not wait
            found.append(phrases.word("seen_after", phase=title))
    if grant.condition is not None:
        key = "seen_each" if grant.each else "seen_if"
        found.append(phrases.word(key, condition=phrases.condition(grant.condition)))
    if grant.full:
        found.append(phrases.word("seen_full"))
    return tuple(found)
