"""Rows with columns as a Parquet file, written a block of rows at a time. pyarrow is imported when it is needed."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from ..files import regular
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from .dataset_tables import Columns

BLOCK: Final = 2_000  # rows that are held before they are written


def lacking_pyarrow(option: str) -> Diagnostic | None:
    """What is to be installed, where it is not."""
    try:
        import_module("pyarrow.parquet")
    except ImportError:
        return diagnose.missing_extra(option, library="pyarrow", extra="parquet")
    return None


def arrow_schema(columns: Columns) -> Any:
    """The `pyarrow.Schema` of some columns."""
    arrow = import_module("pyarrow")
    types = {"text": arrow.string(), "whole": arrow.int64(), "number": arrow.float64()}
    types["texts"] = arrow.list_(arrow.string())
    return arrow.schema([(name, types[kind]) for name, kind in columns])


class ParquetFile:
    """A file that rows are appended to. The same rows give the same bytes."""

    def __init__(self, path: Path, columns: Columns) -> None:
        """Raises OSError."""
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        self._schema = arrow_schema(columns)
        self._table = arrow.Table
        regular.created(path).close()
        self._writer = parquet.ParquetWriter(str(path), self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def append(self, rows: Iterable[dict[str, Any]]) -> int:
        """How many there were."""
        count = 0
        for row in rows:
            self._rows.append(row)
            count += 1
            if len(self._rows) >= BLOCK:
                self._flush()
        return count

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._table.from_pylist(self._rows, schema=self._schema))
            self._rows.clear()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def __enter__(self) -> ParquetFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
