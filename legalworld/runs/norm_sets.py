"""The norms of a project, with the tables that stand beside its forms and the articles that they cite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..figures.tables import FigureTable, read_table
from ..law.text.articles_cited import articles_cited
from ..model.decision import Cite
from ..model.diagnostics import Diagnostic
from ..model.procedure import Procedure
from ..model.source import Sources, Span
from ..norms.definition import NormSet
from ..norms.read import FOLDER, read_norms

_FORMS = "documents"
_TABLE = "table"


@dataclass
class OpenedNorms:
    """A set of norms, None where it cannot be used; its problems; every citation with its place."""

    norms: NormSet | None = None
    problems: tuple[Diagnostic, ...] = ()
    cited: list[tuple[str, Span]] = field(default_factory=list)

    def cite(self, text: str, span: Span) -> tuple[Cite, ...]:
        """The articles of a text, which is remembered."""
        self.cited.append((text, span))
        return articles_cited(text)


def open_norms(sources: Sources, folder: str, *, cause: str | None = None) -> OpenedNorms:
    """The norms in a folder of a project (`norms/cn`). `cause`: what claims of this cause are decided by."""
    found = OpenedNorms()
    tables = dict(_tables(sources))
    found.norms, found.problems = read_norms(sources, folder, tables, found.cite, cause=cause)
    return found


def norm_files(sources: Sources, procedure: Procedure) -> tuple[str, ...]:
    """The files of the norms that a procedure names, and of the tables that these may reckon by."""
    folders = dict.fromkeys(f"{FOLDER}/{one.norms}" for one in procedure.decisions.values() if one.norms)
    norms = [path for folder in folders for path in sources.names(folder)]
    return (*norms, *(path for path, _ in _table_files(sources))) if norms else ()


def _table_files(sources: Sources) -> Iterator[tuple[str, str]]:
    """The files among the forms that hold a table, with their texts."""
    for path in sources.names(_FORMS):
        text = sources.read(path) if path.endswith(".yaml") else None
        if text is not None and f"\n{_TABLE}:" in f"\n{text}":
            yield path, text


def _tables(sources: Sources) -> Iterator[tuple[str, FigureTable]]:
    """The tables of rates and fees among the forms, by name."""
    for path, _ in _table_files(sources):
        table = read_table(sources, path)
        if isinstance(table, FigureTable):
            yield table.name, table
