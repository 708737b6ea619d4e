"""From a file of checks to a `CheckFile`, or to every problem in it: unknown names, words, types, ranges."""

from __future__ import annotations

from datetime import date
from typing import Final

from ...figures.tables import read_table
from ...language import diagnose
from ...language.dates import read_day
from ...language.surface_reader import SurfaceReader, read_surface, text_of, texts_of
from ...language.surfaces import Text
from ...model.diagnostics import Diagnostic
from ...model.immutable import replace
from ...model.source import Sources
from . import surfaces as written
from .definition import SEVERITIES, Check, CheckFile, Expression, LawSpan, Offence, Severity, TableUse, Tier
from .schema import LISTS
from .sentences import WHOLE, condition, foreach

FOLDER: Final = "checks"
_FINES: Final = ("required", "may", "none")


def read_checks(sources: Sources, path: str) -> tuple[CheckFile | None, tuple[Diagnostic, ...]]:
    """The checks at a path, if they could be linked, and every problem found on the way."""
    surface, problems, _ = read_surface(written.CheckFileSurface, sources, path)
    if surface is None:
        return None, problems
    reader = _ChecksReader(problems)
    tables = tuple(reader.table(one, sources) for one in surface.tables)
    built = replace(reader.file(surface), tables=tuple(one for one in tables if one is not None))
    return None if reader.failed else built, tuple(reader.problems)


class _ChecksReader(SurfaceReader):
    """Makes checks of their surface."""

    def file(self, surface: written.CheckFileSurface) -> CheckFile:
        self.version(surface.lw)
        checks = [self._check(one) for one in surface.checks]
        return CheckFile(
            surface.check_set.text,
            surface.title.text,
            surface.locale.text,
            tuple(self._offence(one) for one in surface.offences),
            tuple(one for one in checks if one is not None),
            laws=tuple(self._law(one) for one in surface.laws),
        )

    def table(self, surface: written.TableUseSurface, sources: Sources) -> TableUse | None:
        """A table of the project, by its path."""
        found = read_table(sources, surface.table.text)
        if isinstance(found, tuple):
            for problem in found:
                self.report(problem)
            return None
        return TableUse(surface.use.text, found, self._day(surface.since))

    def _law(self, surface: written.LawSpanSurface) -> LawSpan:
        return LawSpan(surface.law.text, self._day(surface.since), self._day(surface.until))

    def _day(self, word: Text | None) -> date | None:
        day = read_day(word.text) if word is not None else None
        if word is not None and day is None:
            self.report(diagnose.invalid_table_date(word.span, found=word.text))
        return day

    def _offence(self, surface: written.OffenceSurface) -> Offence:
        tiers = tuple(self._tier(one) for one in surface.tiers)
        takes = self.truth(surface.takes)
        return Offence(surface.charge.text, surface.law.text, surface.article.text, tiers, takes)

    def _tier(self, surface: written.TierSurface) -> Tier:
        least = self.number(surface.least)
        most = self.number_or_none(surface.most)
        fine = surface.fine.text
        if fine not in _FINES or least < 0 or (most is not None and most < least):
            self.report(diagnose.unreadable_tier(surface.span, found=f"{least:g}-{most} {fine}"))
            fine = "none"
        limit = int(most) if most is not None else None
        return Tier(texts_of(surface.words), int(least), limit, fine)  # type: ignore[arg-type]

    def _check(self, surface: written.CheckSurface) -> Check | None:
        self.declare(surface.check.text, surface.check.span)
        variable, over = "", ""
        if surface.for_each is not None:
            found = foreach(surface.for_each.text, surface.for_each.span)
            if isinstance(found, Diagnostic):
                self.report(found)
                return None
            variable, over = found
        kind = LISTS.get(over, WHOLE)
        when = self._condition(surface.when, variable, kind) if surface.when is not None else None
        must = self._condition(surface.must, variable, kind)
        severity = self._severity(surface)
        if must is None or (surface.when is not None and when is None):
            return None
        return Check(
            *(surface.check.text, surface.title.text, over, when, must, severity),
            basis=text_of(surface.basis),
            span=surface.check.span,
            right=text_of(surface.right),
            wrong=text_of(surface.wrong),
        )

    def _condition(self, text: Text | None, variable: str, kind: str) -> Expression | None:
        assert text is not None
        found = condition(text.text, text.span, variable, kind)
        if isinstance(found, Diagnostic):
            self.report(found)
            return None
        return found

    def _severity(self, surface: written.CheckSurface) -> Severity:
        for severity in SEVERITIES:
            if surface.severity.text == severity:
                return severity
        self.report(diagnose.unknown_severity(surface.severity.span, name=surface.severity.text))
        return "note"
