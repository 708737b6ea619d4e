"""Tables of runs: rows with typed columns, handed over to pandas, polars or Arrow, whichever is installed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from ..evaluation.score_rows import score_rows
from ..export.dataset import FORMS, SCORES, RowsOf
from ..export.dataset_tables import FLAT, Columns, DatasetRequest, Kind
from ..export.parquet import arrow_schema
from ..language import diagnose
from ..model.immutable import immutable
from ..runs.open_run import open_run
from ..runs.project import Problems
from .errors import LegalWorldError

_PANDAS: Final[Mapping[Kind, str]] = {"text": "object", "texts": "object", "whole": "Int64", "number": "float64"}
_POLARS: Final[Mapping[Kind, str]] = {"text": "String", "texts": "List", "whole": "Int64", "number": "Float64"}


@immutable
class Table:
    """Rows of one form. `columns`: name and kind (`text`, `texts`, `whole`, `number`) of each; a value may be None.

    `problems`: why some of several runs have no rows in it.
    """

    name: str
    columns: Columns
    rows: tuple[dict[str, Any], ...]
    problems: Problems = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def to_pandas(self) -> Any:
        """A pandas `DataFrame`; whole numbers are `Int64`, which knows missing values."""
        pandas = _library("pandas")
        kinds = {name: _PANDAS[kind] for name, kind in self.columns}
        return pandas.DataFrame(list(self.rows), columns=list(kinds), dtype=object).astype(kinds)

    def to_polars(self) -> Any:
        """A polars `DataFrame`."""
        polars = _library("polars")
        types = {name: getattr(polars, _POLARS[kind]) for name, kind in self.columns}
        texts = {name: polars.List(polars.String) for name, kind in self.columns if kind == "texts"}
        return polars.DataFrame(list(self.rows), schema={**types, **texts}, orient="row")

    def to_arrow(self) -> Any:
        """A `pyarrow.Table`."""
        return _library("pyarrow").Table.from_pylist(list(self.rows), schema=arrow_schema(self.columns))


def _library(name: str) -> Any:
    """A library that not everybody needs. Raises LegalWorldError, which says how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise LegalWorldError((diagnose.missing_frame_library(name, library=name),)) from error


class RunTables(ABC):
    """One run or several, as tables."""

    @property
    @abstractmethod
    def paths(self) -> tuple[Path, ...]:
        """The folders of the runs."""

    def turns(self) -> Table:
        """Each speech: where, who, to whom, what, by which model, for how many tokens."""
        return self._table("turns", FORMS["turns"])

    def calls(self) -> Table:
        """Each request that was answered: where, who, which model, how many tokens."""
        return self._table("calls", FORMS["calls"])

    def spending(self) -> Table:
        """What each role took, by model: calls, tokens, dollars."""
        return self._table("spending", FORMS["spending"])

    def decisions(self) -> Table:
        """Each part of a decision as it was decided; `filled` is what it says, as JSON."""
        return self._table("decisions", FORMS["decisions"])

    def scores(self) -> Table:
        """Each figure and each item that was scored, of all evaluations that are kept beside the runs."""
        return self._table(SCORES, score_rows)

    def _table(self, form: str, rows_of: RowsOf) -> Table:
        """The rows of all runs that can be read. Raises LegalWorldError where none can."""
        rows: list[dict[str, Any]] = []
        problems: Problems = ()
        read, wanted = 0, DatasetRequest()
        for path in self.paths:
            opened = open_run(path)
            if isinstance(opened, tuple):
                problems += opened
                continue
            read += 1
            rows += rows_of(opened, wanted)
        if problems and not read:
            raise LegalWorldError(problems)
        return Table(form, FLAT[form], tuple(rows), problems)
