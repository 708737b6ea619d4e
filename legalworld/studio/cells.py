"""The visibility matrix as pages ask it: which cells open a field to a kind of person, where, and why others do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from ..authoring.protocol_matrix import restrictions
from ..authoring.protocol_words import Phrases
from ..engine.view import reach
from ..model.immutable import immutable
from ..model.procedure import Grant, Procedure
from ..model.source import Span
from ..wording import sentences
from .responses import TwoLanguages
from .responses_run import CellRef
from .told import both, told

Key = tuple[str, str]
"""A field, document, answer or date, or a stage whose minutes it is; and whose: `own`, `other`, `all`, `minutes`."""
UnseenCode = Literal["no_cell", "not_here", "condition", "later", "empty"]


@immutable
class Cell:
    """A cell as it is declared, and as pages show it."""

    grant: Grant
    shown: CellRef


class Cells:
    """All cells of a procedure. `line`: the line of the spec at a place."""

    def __init__(self, procedure: Procedure, line: Callable[[Span], str]) -> None:
        self.procedure, self._line = procedure, line
        self._phrases = [Phrases(procedure, language, sentences("protocol", language), {}) for language in ("zh", "en")]
        self._stages = {stage.id: stage.title or stage.id for stage in procedure.stages}
        self.by_key: dict[Key, list[Cell]] = {}
        for grant in procedure.grants:
            cell = Cell(grant, self._shown(grant))
            for whose in reach(procedure, grant):
                self.by_key.setdefault((grant.what, whose), []).append(cell)

    def of(self, key: Key, kind: str, stage: str = "") -> list[Cell]:
        """The cells that open something to a kind of person, in one stage or in any."""
        return [
            cell
            for cell in self.by_key.get(key, ())
            if cell.grant.kind == kind and (not stage or cell.grant.stage == stage)
        ]

    def _shown(self, grant: Grant) -> CellRef:
        zh, en = (restrictions(grant, self.procedure, phrases) for phrases in self._phrases)
        return CellRef(
            stage=grant.stage,
            kind=grant.kind,
            letter=self.procedure.kinds.get(grant.kind, grant.kind),
            whose=grant.whose,
            file=grant.span.file,
            line=grant.span.line,
            text=self._line(grant.span),
            after=grant.after,
            restrictions=tuple(TwoLanguages(zh=one, en=other) for one, other in zip(zh, en, strict=True)),
        )

    # ---- names -------------------------------------------------------------------------------------------------------

    def title(self, key: Key) -> str:
        """What something is called, without whose it is; the name where it has no title."""
        what, whose = key
        if whose == "minutes":
            return self._stages.get(what, what)
        procedure = self.procedure
        declared = procedure.fields.get(what) or procedure.documents.get(what) or procedure.dates.get(what)
        if declared is not None:
            return declared.title or what
        return procedure.answers[what].called if what in procedure.answers else what

    def stage(self, stage: str) -> str:
        """The title of a stage."""
        return self._stages.get(stage, stage)

    def letter(self, kind: str) -> str:
        """The letter of a kind."""
        return self.procedure.kinds.get(kind, kind)

    # ---- reasons -----------------------------------------------------------------------------------------------------

    def why_seen(self, cells: Iterable[Cell], kind: str, stage: str) -> TwoLanguages:
        """Why something is seen: which cells open it, and on what they depend."""
        said = [self._opens(cell) for cell in cells]
        return told("studio.seen_here", letter=self.letter(kind), stage=self.stage(stage), cells=joined(said))

    def why_unseen(self, key: Key, kind: str, stage: str, open_: bool, waits: Mapping[str, str]) -> UnseenReason:
        """Why something is not seen. `open_`: its cell is open and holds nothing; `waits`: the phases that are not over
        for this person, by id, with their titles."""
        here, letter, title = self.of(key, kind, stage), self.letter(kind), self.stage(stage)
        if not here:
            return self._without_cell(key, kind, title)
        if open_:
            return UnseenReason("empty", told("studio.unseen_empty", letter=letter, stage=title), here)
        later = [cell for cell in here if cell.grant.after and cell.grant.after in waits]
        if len(later) == len(here):
            phases = both("/".join(waits[cell.grant.after] for cell in later))
            return UnseenReason("later", told("studio.unseen_later", letter=letter, phase=phases), here)
        if any(cell.grant.condition is not None for cell in here):
            cells = joined([self._opens(cell) for cell in here])
            return UnseenReason("condition", told("studio.unseen_condition", letter=letter, cells=cells), here)
        return UnseenReason("empty", told("studio.unseen_empty", letter=letter, stage=title), here)

    def _without_cell(self, key: Key, kind: str, stage: str) -> UnseenReason:
        letter, others = self.letter(kind), self.of(key, kind)
        if others:
            stages = both("、".join(dict.fromkeys(self.stage(cell.grant.stage) for cell in others)))
            sentence = told("studio.unseen_not_here", letter=letter, stage=stage, stages=stages)
            return UnseenReason("not_here", sentence, others)
        field = self.procedure.fields.get(key[0])
        if field is not None and field.evaluation_only:
            return UnseenReason("no_cell", told("studio.unseen_scoring"), [])
        rest = self.by_key.get(key, [])
        letters = both(" ".join(dict.fromkeys(self.letter(cell.grant.kind) for cell in rest)))
        sentence = (
            told("studio.unseen_others", letter=letter, letters=letters) if rest else told("studio.unseen_nobody")
        )
        return UnseenReason("no_cell", sentence, rest)

    def _opens(self, cell: Cell) -> TwoLanguages:
        """A cell as a sentence: its place, and what it depends on."""
        place = both(f"{cell.shown.file}:{cell.shown.line}")
        if not cell.shown.restrictions:
            return told("studio.cell", place=place)
        return told("studio.cell_restricted", place=place, restrictions=joined(cell.shown.restrictions))


@immutable
class UnseenReason:
    """Why something is not seen, and the cells that tell so."""

    code: UnseenCode
    reason: TwoLanguages
    cells: list[Cell]


def joined(parts: Iterable[TwoLanguages]) -> TwoLanguages:
    """Return phrases as one, with the mark between the parts of a sentence."""
    found = tuple(parts)
    marks = told("studio.between")
    if not found:
        return both("")
    return TwoLanguages(zh=marks.zh.join(one.zh for one in found), en=marks.en.join(one.en for one in found))
