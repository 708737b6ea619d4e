"""Differences that are to be found, as a study declares them: in which column of which table, how great, how surely."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..evaluation.metrics.statistics import POWER
from ..language import diagnose
from ..language.yaml.nodes import Scalar
from .definition import StudyPower, StudyTable
from .names import NameReader
from .surfaces import CaseSetSurface, StudyPowerSurface

_EFFECTS: Final = ("a number above 0",)
_CHANCES: Final = ("a number between 0.5 and 1",)


class PowerReader:
    """Reads the differences that a study is to find, each held against the tables and sets of cases there are."""

    def __init__(
        self, reader: NameReader, tables: Mapping[str, StudyTable], cases: Mapping[str, CaseSetSurface]
    ) -> None:
        self.reader = reader
        self.tables = tables
        self.cases = cases

    def all(self, surfaces: Mapping[str, StudyPowerSurface]) -> dict[str, StudyPower]:
        """Return every one by its name."""
        return {name: self._one(name, surface) for name, surface in surfaces.items()}

    def _one(self, name: str, surface: StudyPowerSurface) -> StudyPower:
        table = next(iter(self.reader.listed((surface.of_table,), self.tables, "tables")), "")
        columns = self.tables[table].columns if table else ()
        known = [one.name for one in columns]
        column = next(iter(self.reader.listed((surface.column,), known, "columns")), "") if columns else ""
        found = next((one for one in columns if one.name == column), None)
        if found is not None and not found.compares:
            self.reader.report(diagnose.power_without_difference(surface.column.span, table=table, column=column))
        pilot = ""
        if surface.pilot is not None:
            pilot = next(iter(self.reader.listed((surface.pilot,), self.cases, "cases")), "")
        effect = self._number(surface.effect, "effect", _EFFECTS)
        chance = self._number(surface.chance, "chance", _CHANCES) if surface.chance is not None else POWER
        if not 0.5 <= chance < 1 and surface.chance is not None:
            self.reader.unreadable(surface.chance, "chance", _CHANCES)
        spread = self._number(surface.spread, "spread", _EFFECTS) if surface.spread is not None else None
        return StudyPower(name, surface.span, table, column, effect, chance, spread, pilot)

    def _number(self, word: Scalar, key: str, known: tuple[str, ...]) -> float:
        """A number above nothing."""
        try:
            value = float(word.text)
        except ValueError:
            value = 0.0
        if not 0 < value < 1e9:
            self.reader.unreadable(word, key, known)
            return 1.0
        return value
