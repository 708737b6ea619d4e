"""CSV that others wrote, read row by row: a cell has a bound, whatever quotation marks are left open."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

LONGEST_CELL: Final = 16 << 20  # characters


class BadTable(ValueError):
    """The text is no table from here on; `line`: where."""

    def __init__(self, detail: str, line: int) -> None:
        super().__init__(detail)
        self.line = line


def rows_of(
    lines: Iterable[str], delimiter: str, *, longest: int = LONGEST_CELL, columns: int = 0
) -> Iterator[tuple[int, Sequence[str]]]:
    """Each row with the number of its last line; of so many columns at most, where that is bounded.

    Lines keep their ends. Raises BadTable. The limit of a cell is one of the whole process; it is put back.
    """
    reader = csv.reader(iter(lines), delimiter=delimiter)
    while True:
        others = csv.field_size_limit(longest)
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BadTable(str(error), reader.line_num) from None
        finally:
            csv.field_size_limit(others)
        yield reader.line_num, row[:columns] if columns else row
