"""Tables as they are declared: lines, columns, what they are set beside, and what a paper prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from ..evaluation.rubric.definition import Apply, Expression, FormulaName
from ..evaluation.rubric.formulas import names_in
from ..evaluation.rubric.sentences import formula
from ..language import diagnose
from ..language.surface_reader import text_of
from ..language.surfaces import Texts, canonical, load
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar
from ..model.diagnostics import Diagnostic
from ..model.source import Span
from .definition import PASS_AT, CaseCount, PrintedValues, StudyColumn, StudyContrast, StudyRow, StudyTable, TableBase
from .names import NameReader
from .surfaces import PrintedSurface, StudyColumnSurface, StudyRowSurface, StudyTableSurface
from .words import StudyFilter, fact_of, filter_of, matched, meant, words_of

_BARE: Final = ("-", "")
_OF_RUNS: Final = ("value", "mean_of", "from_table", "of", "only", "stages", "contrast")
_CONTRASTS: Final = ("FACT is VALUE against VALUE",)
_COUNTS: Final = ("count", "number of FIELD", "entries of FIELD", "mean entries of FIELD where KEY is VALUE")


def case_count_of(text: str) -> CaseCount | None:
    """Read what is counted of cases; None where a text says no such thing."""
    if meant("statistics", text) == "count":
        return CaseCount("cases")
    found = matched("case_count", text)
    kind = meant("case_counts", found["kind"]) if found is not None else None
    if found is None or kind is None:
        return None
    only = filter_of(found["only"], of_cases=True) if found["only"] else None
    return None if found["only"] and only is None else CaseCount(kind, found["field"], only)


class TableReader:
    """Reads the tables of a study. `names`: those of conditions, scorings and sets of cases that may be used."""

    def __init__(self, reader: NameReader, names: Mapping[str, tuple[str, ...]]) -> None:
        self.reader = reader
        self.conditions = names["conditions"]
        self.scorings = names["scoring"]
        self.sets = names["cases"]
        self._surfaces: Mapping[str, StudyTableSurface] = {}

    def all(self, surfaces: Mapping[str, StudyTableSurface]) -> dict[str, StudyTable]:
        """Return every table by its name."""
        self._surfaces = surfaces
        return {name: self._table(name, *self._laid_out(name)) for name in surfaces}

    def _laid_out(self, name: str) -> tuple[StudyTableSurface, Mapping[str, str]]:
        """A table with all that it takes over from those that it is like, and which names stand in place of others."""
        surface, path = self._surfaces[name], [name]
        replaced: dict[str, str] = {}
        while surface.like is not None:
            replaced = {old: new.text for old, new in surface.replacing.items()} | replaced
            known = self.reader.listed((surface.like,), self._surfaces, "tables")
            if not known or known[0] in path:
                if known:
                    told = " > ".join((*path, known[0]))
                    self.reader.report(diagnose.study_circle(surface.like.span, name=name, path=told))
                break
            path.append(known[0])
            other = self._surfaces[known[0]]
            own = surface.given - {"like", "replacing"}
            values = {key: getattr(surface, key) for key in own}
            given = frozenset((own | other.given) - ({"printed", "needs"} - own))
            kept = {"span": surface.span, "given": given, "printed": surface.printed, "needs": surface.needs}
            surface = replace(other, **{**values, **kept})
        return surface, replaced

    def _table(self, name: str, surface: StudyTableSurface, replaced: Mapping[str, str]) -> StudyTable:
        parts = _TableParts(self, replaced)
        needs = text_of(surface.needs)
        for lacking in ("title", "rows", "columns"):
            if lacking not in surface.given and surface.like is None and not (needs and lacking != "title"):
                self.reader.report(diagnose.missing_key(surface.span, key=lacking))
        of_cases = self.reader.listed(surface.of_cases, self.sets, "cases")
        rows, columns = tuple(parts.rows(surface.rows)), tuple(parts.columns(surface.columns, bool(of_cases)))
        return StudyTable(
            name,
            text_of(surface.title),
            surface.span,
            parts.named(surface.of),
            parts.filter(surface.only),
            parts.base(surface.base),
            tuple(parts.facts(surface.average_over, "average over")),
            rows,
            columns,
            self.reader.whole_number(surface.best, 0),
            parts.compared(surface),
            self._word(surface.family, "families") or "table",
            self._printed(surface.printed, columns) if surface.printed is not None else None,
            needs,
            of_cases,
            self._word(surface.draw, "drawings"),
            parts.paired_by(surface),
        )

    def _word(self, word: Scalar | None, kind: str) -> str:
        if word is None:
            return ""
        found = meant(kind, word.text)
        if found is None:
            self.reader.unreadable(word, kind, words_of(kind))
        return found or ""

    def _printed(self, surface: PrintedSurface, columns: tuple[StudyColumn, ...]) -> PrintedValues:
        names = tuple(column.name for column in columns)
        chosen = self.reader.listed(surface.columns, names, "columns") if columns else ()
        chosen = chosen or names
        rows: dict[str, tuple[Scalar, ...]] = {}
        spans: dict[str, Span] = {}
        entries = surface.values.entries if isinstance(surface.values, MapNode) else ()
        for entry in entries:
            values = tuple(one for one in _items(entry.value) if isinstance(one, Scalar))
            if columns and len(values) != len(chosen):
                found, count = str(len(values)), str(len(chosen))
                row = entry.key.text
                self.reader.report(diagnose.other_count_of_printed(entry.key.span, row=row, found=found, count=count))
                continue
            rows[entry.key.text], spans[entry.key.text] = values, entry.key.span
        doubtful = self._doubtful(surface.doubtful, tuple(rows), chosen)
        return PrintedValues(surface.source.text, surface.span, chosen, rows, spans, doubtful)

    def _doubtful(
        self, node: Node | None, rows: tuple[str, ...], columns: tuple[str, ...]
    ) -> Mapping[str, tuple[str, ...]]:
        """StudyRow -> columns that are doubtful: of each, those that are named; of a list of rows, all."""
        if isinstance(node, MapNode):
            found = {}
            for entry in node.entries:
                self.reader.listed((entry.key,), rows, "values")
                words = tuple(one for one in _items(entry.value) if isinstance(one, Scalar))
                found[entry.key.text] = self.reader.listed(words, columns, "columns")
            return found
        words = tuple(one for one in _items(node) if isinstance(one, Scalar)) if node is not None else ()
        return dict.fromkeys(self.reader.listed(words, rows, "values"), columns)


class _TableParts:
    """Reads the parts of one table. `replaced`: names that stand in place of those of the table that it is like."""

    def __init__(self, tables: TableReader, replaced: Mapping[str, str]) -> None:
        self.tables = tables
        self.reader = tables.reader
        self.replaced = replaced

    def named(self, words: Texts) -> tuple[str, ...]:
        """Names of conditions."""
        new = tuple(replace(word, text=self.replaced.get(word.text, word.text)) for word in words)
        return self.reader.listed(new, self.tables.conditions, "conditions")

    def filter(self, word: Scalar | None) -> StudyFilter | None:
        return self.reader.filter(word)

    def facts(self, words: Texts, key: str) -> Iterator[str]:
        for word in words:
            fact = fact_of(word.text)
            if fact is None:
                self.reader.unreadable(word, key, words_of("facts"))
            else:
                yield fact

    def base(self, node: Node | None) -> TableBase | None:
        if isinstance(node, Scalar):
            name = next(iter(self.named((node,))), "")
            return TableBase(name) if name else None
        if not isinstance(node, MapNode):
            return None
        facts = {}
        for entry in node.entries:
            for fact in self.facts((entry.key,), "base"):
                facts[fact] = entry.value.text if isinstance(entry.value, Scalar) else ""
        return TableBase("", facts)

    def compared(self, surface: StudyTableSurface) -> str:
        """With what lines are tested: "base", or the name of a row."""
        word = surface.compare
        if word is None:
            return ""
        name = meant("compared", word.text) or word.text
        rows = _items(surface.rows) if surface.rows is not None else ()
        entries = [entry for row in rows if isinstance(row, MapNode) for entry in row.entries]
        own = any(canonical(entry.key.text) == "base" for entry in entries)
        if name == "base" and surface.base is None and not own:
            self.reader.report(diagnose.missing_key(word.span, key="base"))
        return name

    def paired_by(self, surface: StudyTableSurface) -> tuple[str, ...]:
        """What the two runs of a pair have in common: the case, and what a cell has several of."""
        words, facts = surface.paired_by, tuple(self.facts(surface.paired_by, "paired by"))
        if not words:
            return ()
        known = ("case", "seed", *self.facts(surface.average_over, "average over"))
        strange = [fact for fact in facts if fact not in known]
        if strange or "case" not in facts:
            name = strange[0] if strange else "case"
            self.reader.report(diagnose.unfit_pairing(words[0].span, name=name, known=known, nearest=None))
        return tuple(fact for fact in facts if fact in known)

    def statistic(self, word: Scalar | None) -> str:
        """A statistic by its word, or `pass at K`."""
        found = matched("pass_at", word.text) if word is not None else None
        if found is not None:
            return f"{PASS_AT}{found['runs'] or found['within']}"
        name = meant("statistics", word.text) if word is not None else "mean"
        if name is None and word is not None:
            self.reader.unreadable(word, "statistic", (*words_of("statistics"), f"{PASS_AT}3"))
        return name or "mean"

    def contrast(self, word: Scalar | None) -> StudyContrast | None:
        """`FACT is VALUE against VALUE`; None where none is said."""
        if word is None:
            return None
        found = matched("contrast", word.text)
        fact = fact_of(found["fact"]) if found is not None else None
        if found is None or fact is None:
            self.reader.unreadable(word, "contrast", _CONTRASTS)
            return None
        return StudyContrast(fact, found["first"].strip(), found["second"].strip())

    def rows(self, node: Node | None) -> Iterator[StudyRow]:
        for item in _items(node) if node is not None else ():
            surface, problems = load(StudyRowSurface, item)
            self.reader.problems += problems
            if surface is not None:
                yield self._row(surface)

    def _row(self, surface: StudyRowSurface) -> StudyRow:
        if not surface.given.intersection(("row", "group", "each")):
            choices = ("row", "each", "group")
            self.reader.report(diagnose.incomplete_study_part(surface.span, name="rows", known=choices, nearest=None))
        return StudyRow(
            surface.span,
            text_of(surface.row) or text_of(surface.group),
            surface.group is not None,
            tuple(self.facts(surface.each, "each")),
            self.named(surface.of),
            self.filter(surface.only),
            self.formula(surface.unit) if surface.unit is not None else None,
            tuple(self.formula(word) if word.text not in _BARE else None for word in surface.value),
            text_of(surface.label),
            {key: word.text for key, word in surface.labels.items()},
            text_of(surface.needs),
            self.base(surface.base),
        )

    def columns(self, surfaces: tuple[StudyColumnSurface, ...], of_cases: bool) -> Iterator[StudyColumn]:
        known: dict[str, Span] = {}
        for surface in surfaces:
            for column in self._counted(surface) if of_cases else self._column(surface):
                if column.name in known:
                    also = (known[column.name],)
                    self.reader.report(diagnose.duplicate_name(column.span, name=column.name, also=also))
                known.setdefault(column.name, column.span)
                yield column
        for surface in surfaces:
            self.reader.listed(surface.mean_of, known, "columns")

    def _counted(self, surface: StudyColumnSurface) -> Iterator[StudyColumn]:
        """A column of a table of cases."""
        word = surface.statistic
        for key in _OF_RUNS:
            if key in surface.given:
                name, fact = text_of(surface.column), key.replace("_", " ")
                self.reader.report(diagnose.not_of_cases(surface.span, table=name, fact=fact))
        counted = case_count_of(word.text) if word is not None else CaseCount("cases")
        if counted is None and word is not None:
            self.reader.unreadable(word, "statistic", _COUNTS)
        yield StudyColumn(
            surface.span,
            text_of(surface.column) or text_of(word),
            digits=self._digits(surface),
            needs=text_of(surface.needs),
            counted=counted,
            share_of=self.tables._word(surface.share_of, "shares"),
        )

    def _digits(self, surface: StudyColumnSurface) -> int:
        return int(surface.digits.text) if surface.digits is not None and surface.digits.text.isdecimal() else 2

    def _from_table(self, surface: StudyColumnSurface) -> tuple[str, str]:
        """The table and the line of which a column is the mean: one that takes nothing from other tables itself."""
        if surface.from_table is None:
            return "", ""
        if surface.line is None:
            self.reader.report(diagnose.missing_key(surface.span, key="line"))
        tables = self.tables._surfaces
        known = [name for name, one in tables.items() if not any(column.from_table for column in one.columns)]
        return next(iter(self.reader.listed((surface.from_table,), known, "tables")), ""), text_of(surface.line)

    def _column(self, surface: StudyColumnSurface) -> Iterator[StudyColumn]:
        """One column; one for each of several values."""
        table, line = self._from_table(surface)
        head = text_of(surface.column)
        words = tuple(one for one in _items(surface.value) if isinstance(one, Scalar))
        for word in words or (None,):
            part = word.text if word is not None and len(words) > 1 else ""
            name = f"{head} {part}".strip() or (word.text if word is not None else "")
            value = self.formula(word) if word is not None and word.text not in _BARE else None
            yield StudyColumn(
                word.span if word is not None and surface.column is None else surface.span,
                name,
                value,
                tuple(one.text for one in surface.mean_of),
                self.named(surface.of),
                self.filter(surface.only),
                self.statistic(surface.statistic),
                self._digits(surface),
                text_of(surface.needs),
                part,
                table,
                line,
                tuple(one.text for one in surface.stages),
                from_column=text_of(surface.from_column),
                share_of=self.tables._word(surface.share_of, "shares"),
                contrast=self.contrast(surface.contrast),
            )

    def formula(self, word: Scalar) -> Expression | None:
        """A formula over `SCORING.FIGURE` and `run.VALUE`, its names declared."""
        found = formula(word.text, word.span)
        if isinstance(found, Diagnostic):
            self.reader.report(found)
            return None
        found = _renamed(found, self.replaced)
        for name in names_in(found):
            self._known(name)
        return found

    def _known(self, name: FormulaName) -> None:
        word = Scalar(name.name, name.span)
        if meant("runs", name.name):
            if meant("run_values", name.part) is None:
                self.reader.unreadable(Scalar(f"{name.name}.{name.part}", name.span), "value", words_of("run_values"))
        elif self.reader.listed((word,), self.tables.scorings, "scoring") and not name.part:
            self.reader.unreadable(word, "value", (f"{name.name}.FIGURE",))


def _renamed(expression: Expression, names: Mapping[str, str]) -> Expression:
    """The formula over other scorings."""
    match expression:
        case FormulaName():
            return replace(expression, name=names.get(expression.name, expression.name))
        case Apply():
            return replace(expression, arguments=tuple(_renamed(one, names) for one in expression.arguments))
    return expression


def _items(node: Node | None) -> tuple[Node, ...]:
    """A list, or one thing that stands for a list of one."""
    return node.items if isinstance(node, ListNode) else (node,) if node is not None else ()
