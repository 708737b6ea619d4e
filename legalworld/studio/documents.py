"""The documents of a run as pages: laid out as their Word files are, each with its history."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import cached_property

from ..export.export import ExportedDocument, layout_of, papers, paragraphs
from ..export.layout import Layout
from ..model.events import Asked, Drafted, Spoke
from ..model.immutable import names_of
from ..model.procedure import parts_of
from ..runs.transcript import DocumentNames
from .lines import document_name
from .responses import DiffLine
from .responses_assessed import DocList, DocPage, DocParagraph, DocRow, DocStyle
from .studio_run import StudioRun


class Documents:
    """`line_of`: document -> row of the transcript in which it was drafted."""

    def __init__(self, run: StudioRun, line_of: dict[str, int]) -> None:
        self.run, self._line_of = run, line_of

    @cached_property
    def rows(self) -> tuple[DocRow, ...]:
        """All documents, in the order of drafting; records of hearings come last."""
        drafted = list(self._drafted())
        last = {(row.document, row.side): row.name for row in drafted}
        rows = [row.model_copy(update={"last": last[row.document, row.side] == row.name}) for row in drafted]
        minutes = [paper for paper in self._papers.values() if paper.form.whose == "minutes"]
        return (*rows, *(_minutes_row(paper, self._stage_of(paper)) for paper in minutes))

    @property
    def any(self) -> bool:
        """Whether there may be any; minutes are made when they are looked at."""
        minutes = any(stage.minutes for stage in self.run.procedure.stages)
        return any(isinstance(event, Drafted) or (minutes and isinstance(event, Spoke)) for event in self.run.events)

    def _stage_of(self, paper: ExportedDocument) -> tuple[str, str]:
        """The stage whose record a paper is, and its title."""
        stage = paper.key.partition("@")[2]
        parts, marks = parts_of(self.run.procedure), self.run.procedure.marks
        titled = parts[stage].title if stage in parts else stage
        return stage, marks.bracketed(paper.form.title, titled)

    def listed(self) -> DocList:
        return DocList(docs=self.rows)

    def page(self, name: str) -> DocPage | None:
        """A document; None where the run has none of this name."""
        row = next((row for row in self.rows if row.name == name), None)
        if row is None:
            return None
        paper, layout = self._papers[name], self._layout
        history = [one for one in self.rows if (one.document, one.side) == (row.document, row.side)]
        history = history if row.document else [row]
        place = history.index(row)
        before = self._papers[history[place - 1].name].text if place else None
        styled = paragraphs(paper, layout) if layout is not None else _plain(paper.text)
        styles = layout.styles if layout is not None else {}
        return DocPage(
            row=row,
            history=tuple(history),
            page=dict(layout.page) if layout is not None else {},
            styles={
                name: DocStyle(**{key: getattr(style, key) for key in names_of(style)})
                for name, style in styles.items()
            },
            footer=layout.footer if layout is not None else "",
            paragraphs=tuple(DocParagraph(style=style, text=text) for style, text in styled),
            text=paper.text,
            changed=tuple(_changed(before, paper.text)) if before is not None else (),
        )

    @cached_property
    def _layout(self) -> Layout | None:
        """How documents look in this project; None where its file of that cannot be read."""
        layout = layout_of(self.run.procedure)
        return layout if isinstance(layout, Layout) else None

    @cached_property
    def _papers(self) -> Mapping[str, ExportedDocument]:
        return {paper.file: paper for paper in papers(self.run.opened)}

    def _drafted(self) -> Iterator[DocRow]:
        names, turn = DocumentNames(self.run.procedure), 0
        for event in self.run.events:
            turn += isinstance(event, Asked)
            if isinstance(event, Drafted):
                name = document_name(names, event)
                yield DocRow(
                    name=name,
                    document=event.document,
                    title=self.run.procedure.documents[event.document].title,
                    side=event.side,
                    person=event.person,
                    speaker=event.speaker,
                    place=event.place,
                    turn=turn if event.source == "reply" else 0,
                    line=self._line_of.get(name, 0),
                    day=event.day,
                    source=event.source,
                    cut=event.cut,
                    missing=event.missing,
                    unlisted=event.unlisted,
                    last=False,
                )


def _minutes_row(paper: ExportedDocument, stage: tuple[str, str]) -> DocRow:
    """The row of the record of a hearing."""
    place, title = stage
    return DocRow(
        name=paper.file,
        document="",
        title=title,
        side="",
        person="",
        speaker="",
        place=place,
        turn=0,
        line=0,
        day="",
        source="minutes",
        cut=False,
        missing=(),
        unlisted=(),
        last=True,
    )


def _plain(text: str) -> list[tuple[str, str]]:
    """The lines of a document where the project has no layout that can be read."""
    return [("body", line) for line in text.splitlines() if line.strip()]


def _changed(before: str, after: str) -> Iterator[DiffLine]:
    """The lines that came and went against the version before."""
    for line in difflib.ndiff(before.splitlines(), after.splitlines()):
        if line.startswith("+ "):
            yield DiffLine(mark="+", text=line[2:])
        elif line.startswith("- "):
            yield DiffLine(mark="-", text=line[2:])
