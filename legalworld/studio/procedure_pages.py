"""A procedure for pages: its matrix and the reasons of each cell, graph, protocol, the path of one role, coverage."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from ..authoring.graph import DEPTHS, Depth, graph
from ..authoring.graph_svg import picture
from ..authoring.protocol import Protocol, protocol
from ..authoring.protocol_page import page as protocol_page
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import Event
from ..model.plan import Step
from ..model.procedure import Procedure, parts_of, roles_in
from ..model.source import Span
from ..model.step_facts import actors_of
from ..publication.page import Facts, Lines, PageBlock
from ..publication.tables import PublishedTable
from ..runs.catalogue import catalogue
from ..runs.coverage import coverage, passages
from ..runs.project import Project, open_project, spec_copy
from ..wording import Locale, sentences
from .cells import Cell, Cells
from .responses import TwoLanguages
from .responses_procedure import (
    CoveragePage,
    CoverageRow,
    GraphPage,
    MatrixCell,
    MatrixHead,
    MatrixKind,
    MatrixPage,
    MatrixRow,
    PathPage,
    PathStep,
    ProcedureHead,
    ProcedureList,
    ProcedureRow,
    ProtocolBlock,
    ProtocolPage,
    ProtocolSection,
    WhyPage,
)
from .run_pages import RunPages
from .shelf import RunShelf
from .told import both

Query = Mapping[str, Sequence[str]]
_SHOWN = 8  # characters of a digest
_KEPT: Final = 8  # procedures
FRESH: Final = 5.0
"""Seconds for which a procedure of the project is believed to be as it was read."""

LANGUAGES: Final[tuple[Locale, Locale]] = ("zh", "en")


class ProcedurePages:
    """What is told of one procedure, whose copies are those of a run or of the project at hand."""

    def __init__(self, project: Project, procedure: Procedure) -> None:
        self.project, self.procedure = project, procedure
        self._protocols: dict[Locale, Protocol] = {}
        self._worded_lines: dict[Locale, Mapping[str, str]] = {}
        self._source: dict[str, list[str]] = {}

    def answer(self, what: str, query: Query, runs: Sequence[Sequence[Event]]) -> BaseModel | None:
        """What stands at an address below the procedure's; None where nothing does."""
        language: Locale = "zh" if _one(query, "lang") == "zh" else "en"
        match what:
            case "head":
                procedure = self.procedure
                return ProcedureHead(name=procedure.name, title=procedure.title, locale=procedure.locale)
            case "matrix":
                return self.matrix()
            case "why":
                return self.why(query)
            case "graph":
                return self.graph(language, _one(query, "depth") or "phase", runs)
            case "protocol":
                return self.protocol(language)
            case "path":
                return self.path(language, _one(query, "role"), runs)
            case "coverage":
                return self.coverage(runs)
            case _:
                return None

    def _protocol(self, language: Locale) -> Protocol:
        if language not in self._protocols:
            self._protocols[language] = protocol(self.procedure, language, sentences("protocol", language))
        return self._protocols[language]

    def line(self, span: Span) -> str:
        """The line of a spec that a place names, without the blanks around it."""
        if span.file not in self._source:
            self._source[span.file] = (self.project.sources.read(span.file) or "").splitlines()
        lines = self._source[span.file]
        return lines[span.line - 1].strip() if 0 < span.line <= len(lines) else ""

    @cached_property
    def cells(self) -> Cells:
        return Cells(self.procedure, self.line)

    # ---- the matrix --------------------------------------------------------------------------------------------------

    def matrix(self) -> MatrixPage:
        """The matrix as its protocol has it, with the place of every cell."""
        zh, en = self._protocol("zh").matrix, self._protocol("en").matrix
        procedure = self.procedure
        rows = tuple(
            MatrixRow(
                what=row.what,
                whose=row.whose,
                title=TwoLanguages(zh=row.title, en=other.title),
                cells=tuple(
                    MatrixCell(
                        stage=cell.stage,
                        kind=cell.kind,
                        letter=cell.letter,
                        whose=cell.grant.whose,
                        notes=cell.notes,
                        file=cell.grant.span.file,
                        line=cell.grant.span.line,
                        text=self.line(cell.grant.span),
                    )
                    for cell in row.cells
                ),
            )
            for row, other in zip(zh.rows, en.rows, strict=True)
        )
        return MatrixPage(
            name=procedure.name,
            title=procedure.title,
            stages=tuple(MatrixHead(id=stage.id, title=stage.title or stage.id) for stage in procedure.stages),
            kinds=tuple(self._kinds()),
            rows=rows,
            notes=_paired(zh.notes, en.notes),
            unseen=_paired(zh.unseen, en.unseen),
            scoring=_paired(zh.scoring, en.scoring),
        )

    def _kinds(self) -> list[MatrixKind]:
        roles = self.procedure.roles.values()
        return [
            MatrixKind(
                id=kind,
                letter=letter,
                roles=tuple(role.title or role.label or role.id for role in roles if role.kind == kind),
            )
            for kind, letter in self.procedure.kinds.items()
        ]

    def why(self, query: Query) -> WhyPage:
        """Why a kind of person sees something in a stage, or why not; by the matrix alone, whatever a run comes to."""
        what, whose, kind, stage = (_one(query, name) for name in ("what", "whose", "kind", "stage"))
        key = what, whose or "all"
        row = self._rows_of(what, whose, kind)
        here = [cell for cell in row if cell.shown.stage == stage]
        if here:
            reasons = (self.cells.why_seen(here, kind, stage),)
            elsewhere = [cell for cell in row if cell not in here]
        else:
            found = self.cells.why_unseen(key, kind, stage, False, {})
            reasons, elsewhere = (found.reason,), found.cells
        return WhyPage(
            what=what,
            whose=whose,
            kind=kind,
            stage=stage,
            seen=bool(here),
            reasons=reasons,
            cells=tuple(cell.shown for cell in here),
            elsewhere=tuple(cell.shown for cell in elsewhere),
        )

    def _rows_of(self, what: str, whose: str, kind: str) -> list[Cell]:
        """The cells of a row of the matrix as it is written: `all` there may be own and other."""
        keys = [key for key in self.cells.by_key if key[0] == what]
        cells = [cell for key in keys for cell in self.cells.of(key, kind) if whose in ("", cell.shown.whose)]
        return [cell for place, cell in enumerate(cells) if cell not in cells[:place]]

    # ---- graph, protocol, path ---------------------------------------------------------------------------------------

    def graph(self, language: Locale, depth: str, runs: Sequence[Sequence[Event]]) -> GraphPage:
        """The graph as a picture; with runs, how many of them came where."""
        deep: Depth = next((one for one in DEPTHS if one == depth), "phase")
        made, word = graph(self._protocol(language), deep), sentences("protocol", language)
        passed = passages(self.procedure, runs) if runs else None
        subtitle = word("graph_subtitle", name=self.procedure.name, digest=self._digest, at=self.procedure.title)
        return GraphPage(
            name=self.procedure.name,
            depth=deep,
            svg=picture(made, word, subtitle=subtitle, passed=passed).file,
            runs=len(runs),
            elsewhere=passed.elsewhere if passed is not None else (),
        )

    @cached_property
    def _digest(self) -> str:
        return spec_copy(self.project).digest[:_SHOWN] if self.project.procedure is not None else "–"

    def protocol(self, language: Locale) -> ProtocolPage:
        """The protocol, section by section."""
        made = protocol_page(self._protocol(language), self._digest)
        sections = tuple(
            ProtocolSection(anchor=one.anchor, title=one.title, blocks=tuple(map(_block, one.blocks)))
            for one in made.sections
        )
        return ProtocolPage(name=self.procedure.name, title=made.title, subtitle=made.subtitle, sections=sections)

    def path(self, language: Locale, role: str, runs: Sequence[Sequence[Event]]) -> PathPage:
        """Every step as one role meets it: where he acts, and what lies between."""
        told_ = self._protocol(language)
        passed = passages(self.procedure, runs) if runs else None
        steps = tuple(
            PathStep(
                place=line.place,
                number=line.number,
                depth=line.depth,
                who=line.who,
                what=line.what,
                part="acts" if role in _roles(line.step) else "",
                limit=line.limit,
                basis=line.basis,
                next=line.next,
                file=line.step.info.span.file,
                line=line.step.info.span.line,
                came=passed.at(line.place) if passed is not None else 0,
            )
            for line in told_.lines
        )
        roles = tuple(
            MatrixHead(id=one.id, title=one.title or one.label or one.id) for one in self.procedure.roles.values()
        )
        title = next((one.title for one in roles if one.id == role), role)
        return PathPage(name=self.procedure.name, role=role, title=title, roles=roles, steps=steps)

    def coverage(self, runs: Sequence[Sequence[Event]]) -> CoveragePage:
        """Every branch, and how many of the runs came to it."""
        found, passed = coverage(self.procedure, runs), passages(self.procedure, runs)
        missed, titles = set(found.missed), parts_of(self.procedure)
        rows = tuple(
            CoverageRow(
                place=branch.place,
                title=both(titles[branch.place].title)
                if branch.place in titles
                else self._worded(branch.place) or both(self.line(branch.span)),
                kind=branch.kind,
                file=branch.span.file,
                line=branch.span.line,
                came=passed.came.get((branch.place, branch.kind), 0),
                missed=branch in missed,
            )
            for branch in found.branches
        )
        reached = len(found.branches) - len(found.missed)
        return CoveragePage(name=self.procedure.name, runs=len(runs), rows=rows, reached=reached, all=len(rows))

    def _worded(self, place: str) -> TwoLanguages | None:
        """A step as the protocol words it: who does what; None for a place that is no line of it."""
        zh, en = (self._lines(language).get(place) for language in LANGUAGES)
        return TwoLanguages(zh=zh, en=en) if zh is not None and en is not None else None

    def _lines(self, language: Locale) -> Mapping[str, str]:
        if language not in self._worded_lines:
            self._worded_lines[language] = {
                line.place: f"{line.number} {line.who} {' '.join(line.what)}" for line in self._protocol(language).lines
            }
        return self._worded_lines[language]


def _roles(step: Step) -> set[str]:
    """The roles that have a part in a step."""
    return {role for actor in (*step.named_actors, *actors_of(step)) for role in roles_in(actor)}


def _one(query: Query, name: str) -> str:
    return query.get(name, [""])[-1]


def _paired(zh: Sequence[str], en: Sequence[str]) -> tuple[TwoLanguages, ...]:
    return tuple(TwoLanguages(zh=one, en=other) for one, other in zip(zh, en, strict=True))


def _block(block: PageBlock) -> ProtocolBlock:
    match block:
        case Facts(rows=rows):
            return ProtocolBlock(kind="facts", title="", rows=rows, heads=(), warn=False)
        case Lines(texts=texts, warn=warn, title=title):
            return ProtocolBlock(kind="lines", title=title, rows=tuple((text,) for text in texts), heads=(), warn=warn)
        case PublishedTable(title=title, corner=corner, heads=heads, rows=rows):
            found = tuple(tuple("\n".join(filter(None, (cell.text, cell.note))) for cell in row) for row in rows)
            texts = (corner, *(text for head in heads for text in head.texts))
            return ProtocolBlock(kind="table", title=title, rows=found, heads=texts, warn=False)
        case _:
            return ProtocolBlock(kind="lines", title="", rows=(), heads=(), warn=False)


class ProcedureShelf:
    """The procedures of runs and of the project at hand; those of runs are read from their own copies."""

    def __init__(self, shelf: RunShelf) -> None:
        self._shelf = shelf
        self._kept: dict[tuple[int, str], ProcedurePages] = {}
        self._read: dict[str, tuple[float, Project | Diagnostic]] = {}

    def listed(self, runs: Mapping[str, int]) -> ProcedureList:
        """The procedures of the project, and those of which there are runs. `runs`: procedure -> how many."""
        entries = catalogue(Path.cwd())
        titles = {entry.name: entry.procedure.title if entry.procedure is not None else "" for entry in entries}
        rows = [
            ProcedureRow(name=name, title=titles.get(name, ""), runs=runs.get(name, 0), project=name in titles)
            for name in sorted({*titles, *runs})
        ]
        return ProcedureList(procedures=tuple(rows))

    def answer(self, name: str, what: str, query: Query) -> BaseModel | Diagnostic | None:
        """What is told of a procedure; a problem where it, or a run that is named, is not there."""
        opened = []
        for identity in query.get("run", ()):
            found = self._shelf.find(identity)
            if not isinstance(found, RunPages):
                return diagnose.studio_run_gone(identity, name=identity)
            opened.append(found.run)
        if opened and name not in opened[0].procedure.names:
            return diagnose.no_such_studio_page(what, name=name)
        if opened:
            pages = self._pages(opened[0].opened.project, opened[0].procedure)
        else:
            project = self._project(name)
            if isinstance(project, Diagnostic):
                return project
            if project.procedure is None:
                return project.problems[0]
            pages = self._pages(project, project.procedure)
        return pages.answer(what, query, [run.events for run in opened])

    def _project(self, name: str) -> Project | Diagnostic:
        """A procedure of the project at hand, as it is on the disk now or was a few seconds ago."""
        read, known = self._read.get(name, (0.0, None))
        if known is None or time.monotonic() - read > FRESH:
            known = open_project(name, Path.cwd())
            if len(self._read) > _KEPT:
                self._read.clear()
            self._read[name] = time.monotonic(), known
        return known

    def _pages(self, project: Project, procedure: Procedure) -> ProcedurePages:
        key = id(procedure), procedure.name
        if key not in self._kept or self._kept[key].procedure is not procedure:
            if len(self._kept) > _KEPT:
                self._kept.clear()
            self._kept[key] = ProcedurePages(project, procedure)
        return self._kept[key]
