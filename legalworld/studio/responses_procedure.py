"""What pages are sent of a procedure: matrix, reasons, graph, protocol, the path of a role, coverage."""

from __future__ import annotations

from typing import Literal

from ..model.frozen import FrozenModel
from .responses import TwoLanguages
from .responses_run import CellRef


class ProcedureRow(FrozenModel):
    """A procedure that can be looked at. `project`: it is one of the project, not only of runs."""

    name: str
    title: str
    runs: int
    project: bool


class ProcedureList(FrozenModel):
    """All of them."""

    procedures: tuple[ProcedureRow, ...]


class ProcedureHead(FrozenModel):
    """What a procedure is called. `locale`: of its own words."""

    name: str
    title: str
    locale: str


class MatrixHead(FrozenModel):
    """A column of a table, or a choice."""

    id: str
    title: str


class MatrixCell(FrozenModel):
    """An open cell, its footnotes and where it is written."""

    stage: str
    kind: str
    letter: str
    whose: str
    notes: tuple[int, ...]
    file: str
    line: int
    text: str


class MatrixRow(FrozenModel):
    """What is seen."""

    what: str
    whose: str
    title: TwoLanguages
    cells: tuple[MatrixCell, ...]


class MatrixPage(FrozenModel):
    """The visibility matrix."""

    name: str
    title: str
    stages: tuple[MatrixHead, ...]
    kinds: tuple[MatrixKind, ...]
    rows: tuple[MatrixRow, ...]
    notes: tuple[TwoLanguages, ...]
    unseen: tuple[TwoLanguages, ...]
    scoring: tuple[TwoLanguages, ...]


class MatrixKind(FrozenModel):
    """A kind of person, its letter and its roles."""

    id: str
    letter: str
    roles: tuple[str, ...]


class WhyPage(FrozenModel):
    """Why a kind of person sees something in a stage, or why not."""

    what: str
    whose: str
    kind: str
    stage: str
    seen: bool
    reasons: tuple[TwoLanguages, ...]
    cells: tuple[CellRef, ...]
    elsewhere: tuple[CellRef, ...]


class GraphPage(FrozenModel):
    """The graph of a procedure. `runs`: whose ways are drawn on it; `elsewhere`: places it does not have."""

    name: str
    depth: Literal["stage", "phase", "step"]
    svg: str
    runs: int
    elsewhere: tuple[str, ...]


class ProtocolBlock(FrozenModel):
    """A block of the protocol: names with values, sentences, or a table with `heads`."""

    kind: Literal["facts", "lines", "table"]
    title: str
    rows: tuple[tuple[str, ...], ...]
    heads: tuple[str, ...]
    warn: bool


class ProtocolSection(FrozenModel):
    """A section of the protocol."""

    anchor: str
    title: str
    blocks: tuple[ProtocolBlock, ...]


class ProtocolPage(FrozenModel):
    """A procedure as a protocol."""

    name: str
    title: str
    subtitle: str
    sections: tuple[ProtocolSection, ...]


class PathStep(FrozenModel):
    """A line of the protocol as one role meets it."""

    place: str
    number: str
    depth: int
    who: str
    what: tuple[str, ...]
    part: Literal["acts", "hears", ""]
    limit: tuple[str, ...]
    basis: tuple[str, ...]
    next: str
    file: str
    line: int
    came: int


class PathPage(FrozenModel):
    """The path of one role through a procedure."""

    name: str
    role: str
    title: str
    roles: tuple[MatrixHead, ...]
    steps: tuple[PathStep, ...]


class CoverageRow(FrozenModel):
    """A branch of a procedure and how many runs came there. `title`: that of the part, else who does what there."""

    place: str
    title: TwoLanguages
    kind: str
    file: str
    line: int
    came: int
    missed: bool


class CoveragePage(FrozenModel):
    """Which branches chosen runs came to."""

    name: str
    runs: int
    rows: tuple[CoverageRow, ...]
    reached: int
    all: int
