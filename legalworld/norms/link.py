"""Surfaces of norms to norms: every name resolved, every row checked, all problems told."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Final, Literal, cast

from ..figures.sums import read_sum
from ..language import diagnose
from ..language.dates import read_day
from ..language.sentences.norm_words import BURDENS, CLAIM_SIDES, COLUMNS, EMPTY_CELLS, TAKES
from ..language.sentences.parser import parser_of
from ..language.surface_reader import SurfaceReader, text_of, texts_of
from ..language.surfaces import Text, load
from ..language.yaml.nodes import ListNode, Node, Scalar
from ..language.yaml.tables import table
from ..model.decision import Cite, OrderKind
from ..model.formulas import Expression, FormulaTerm, Ruling
from ..model.source import Span
from .contradictions import reached
from .definition import (
    AccountOf,
    Because,
    Burden,
    Gives,
    Kind,
    LiabilityRow,
    Need,
    NormExample,
    Plea,
    ReckonRow,
    Saying,
    Sentence,
    Take,
    Value,
    Words,
)
from .formulas import Names, WrongFormula, linked, of_kind
from .penal_words import FORMS, PenalWords, plain_words
from .surfaces import (
    BecauseSurface,
    ExampleSurface,
    ForceSurface,
    GivesSurface,
    LiabilitySurface,
    PleaSurface,
    RowSurface,
)
from .values import read_said, read_value

Cited = Callable[[str, Span], tuple[Cite, ...]]
"""The articles that a text at some place cites."""
ALWAYS: Final = date.min
_HOLE: Final = re.compile(r"\{([^{}]*)\}")
"""A name in a sentence, whose value stands there."""
_NEEDED: Final = ("fact", "burden", "takes", "otherwise")
"""Columns of the table of needs; the last may be missing."""


@dataclass
class NormLinker:
    """What the norms of one folder share while they are linked."""

    reader: SurfaceReader
    words: Words
    tables: Collection[str]
    cited: Cited
    spoken: PenalWords = field(default_factory=plain_words)

    def force(self, surface: ForceSurface | None) -> tuple[date, date | None]:
        """From when a norm is in force, and until when."""
        if surface is None:
            return ALWAYS, None
        since = self._day(surface.since)
        until = self._day(surface.until) if surface.until is not None else None
        if until is not None and until < since:
            self.reader.report(diagnose.inverted_range(surface.span, found=f"{since} - {until}"))
        return since, until

    def _day(self, word: Text) -> date:
        found = read_day(word.text)
        if found is None:
            self.reader.report(diagnose.invalid_table_date(word.span, found=word.text))
        return found or ALWAYS

    def cites(self, written: Iterable[Text]) -> tuple[Cite, ...]:
        """Articles, each written as a text of its own."""
        found: list[Cite] = []
        for word in written:
            articles = self.cited(word.text, word.span)
            if not articles:
                self.reader.report(diagnose.unreadable_article(word.span, cite=word.text))
            found += articles
        return tuple(found)

    def cell(self, word: Scalar, known: Mapping[str, str]) -> str:
        """What a cell says, of the words that can stand in its column."""
        if word.text not in known:
            words = ", ".join(known)
            self.reader.report(diagnose.unknown_norm_word(word.span, name=word.text, words=words, among=known))
            return next(iter(known.values()))
        return known[word.text]

    def rows(self, written: Text | None, needed: Sequence[str]) -> Iterator[Mapping[str, Scalar]]:
        """The rows of a table by its columns; one that lacks a column that is needed has none."""
        if written is None:
            return
        found = self.reader.kept(table(written))
        heads = [COLUMNS.get(cell.text, cell.text) for cell in found[0]] if found else []
        lacking = [name for name in needed if name not in heads]
        for name in lacking if found else ():
            self.reader.report(diagnose.missing_column(found[0][0].span, name=name))
        for cells in found[1:] if not lacking else ():
            yield dict(zip(heads, cells, strict=True))

    def names(self, needs: Collection[str], pleas: Collection[str] = (), bands: Collection[str] = ()) -> Names:
        return Names(self.words, needs, {}, pleas, self.tables, CLAIM_SIDES, bands)

    def needs(self, tables: Iterable[Text | None], names: Callable[[Collection[str]], Names]) -> dict[str, Need]:
        """The facts of tables of needs; the first that names one counts."""
        read: dict[str, Mapping[str, Scalar]] = {}
        plain = self.names(())
        for one in tables:
            for row in self.rows(one, _NEEDED[:3]):
                fact = plain.fact(row["fact"].text)
                if fact is None:
                    known = self.words.facts
                    self.reader.report(diagnose.unknown_norm_name(row["fact"].span, name=row["fact"].text, among=known))
                else:
                    read.setdefault(fact.id, row)
        known_names = names(read)
        return {name: self._need(name, row, known_names) for name, row in read.items()}

    def _need(self, fact: str, row: Mapping[str, Scalar], names: Names) -> Need:
        burden, takes = self.cell(row["burden"], {**BURDENS, **self.spoken["burden"]}), self.cell(row["takes"], TAKES)
        cell = row.get("otherwise")
        plain = cell is None or cell.text in EMPTY_CELLS
        wanted = self.words.facts[fact].kind
        otherwise = None if plain or cell is None else self.expression(cell, names, wanted)
        empty = cell is not None and cell.text in EMPTY_CELLS and bool(cell.text.strip("-"))
        return Need(fact, cast(Burden, burden), cast(Take, takes), otherwise, empty)

    # ---- formulas ----------------------------------------------------------------------------------------------------
    def expression(self, word: Text | None, names: Names, *kinds: str) -> Expression | None:
        """A formula of one of some types (none: of any that is no condition); None with its problem."""
        if word is None:
            return None
        found = self.reader.kept(parser_of(frozenset(names.all())).expression(word.text, word.span))
        if found is None:
            return None
        try:
            return of_kind(found, names, *kinds) if kinds else linked(found, names)[0]  # type: ignore[arg-type]
        except WrongFormula as wrong:
            self.reader.report(wrong.problem)
            return None

    def name(self, word: Text | None, names: Names, *kinds: str) -> FormulaTerm | None:
        """A name alone."""
        found = self.expression(word, names, *kinds)
        if found is not None and not isinstance(found, FormulaTerm):
            self.reader.report(diagnose.unknown_norm_name(found.span, name=text_of(word)))
            return None
        return found

    def ruling(self, word: Text | None, names: Names) -> Ruling | None:
        if word is None:
            return None
        found = self.reader.kept(parser_of(frozenset(names.all())).ruling(word.text, word.span))
        if found is None:
            return None
        try:
            return _linked_ruling(found, names)
        except WrongFormula as wrong:
            self.reader.report(wrong.problem)
            return None

    def gives(self, written: Iterable[GivesSurface], names: Names) -> tuple[Gives, ...]:
        return tuple(
            Gives(
                self.ruling(one.order, names),
                self.expression(one.when, names, "yes"),
                self.reader.all_known(one.heads, self.words.heads, diagnose.unknown_norm_name),
                self.cites(one.cites),
                text_of(one.discretion),
                text_of(one.declines),
                self._form(one.as_),
                self._spans(one),
                self.number(one.factor),
                self.sentence(one.premise, names),
            )
            for one in written
        )

    def _spans(self, one: GivesSurface) -> str:
        """The table by which interest goes in spans; it must be there, and the row must order interest."""
        if one.spans is None:
            return ""
        return self.reader.known(one.spans, self.tables, diagnose.unknown_norm_name)

    def number(self, word: Text | None) -> Decimal:
        """A factor; 1 where none is written."""
        found = read_sum(word.text) if word is not None else Decimal(1)
        if found is None and word is not None:
            self.reader.report(diagnose.expected_number(word.span, found=word.text))
        return found or Decimal(1)

    def _form(self, word: Text | None) -> OrderKind | None:
        """The kind of order that is written behind `as`."""
        found = self.cell(word, self.words.forms) if word is not None else ""
        return next((kind for kind in FORMS if kind == found), None)

    def pleas(self, written: Iterable[PleaSurface], names: Names) -> tuple[Plea, ...]:
        return tuple(
            Plea(
                one.plea.text,
                text_of(one.title) or one.plea.text,
                self.expression(one.when, names, "yes"),
                self.ruling(one.order, names),
                self.cites(one.cites),
                text_of(one.declines),
                self.sentence(one.shows, names),
                self._because(one.succeeds, names),
                self._because(one.fails, names),
            )
            for one in written
        )

    def _because(self, written: Iterable[BecauseSurface], names: Names) -> tuple[Because, ...]:
        return tuple(Because(self.sentence(one.is_, names), self.expression(one.when, names, "yes")) for one in written)

    def sentence(self, word: Text | None, names: Names) -> Sentence:
        """A sentence, the names in its braces resolved; one that is none is told where the sentence stands."""
        if word is None:
            return ()
        plain, *rest = _HOLE.split(word.text)
        parts: list[str | FormulaTerm] = [plain]
        for hole, words in zip(rest[::2], rest[1::2], strict=True):
            term = self.name(Scalar(hole.strip() or "{}", word.span), names)
            parts += (term, words) if term is not None else (words,)
        return tuple(one for one in parts if one)

    def liability(self, written: Iterable[LiabilitySurface], names: Names) -> tuple[LiabilityRow, ...]:
        found = []
        for one in written:
            who = [self.name(word, names, "persons") for word in (*one.jointly, *one.alone)]
            when, named = self.expression(one.when, names, "yes"), tuple(filter(None, who))
            kind: Literal["one", "jointly"] = "jointly" if one.jointly else "one"
            premise = self.sentence(one.premise, names)
            found.append(LiabilityRow(kind, named, when, self.cites(one.cites), premise))
        return tuple(found)

    # ---- examples ----------------------------------------------------------------------------------------------------
    def examples(self, written: Iterable[ExampleSurface]) -> tuple[NormExample, ...]:
        return tuple(self._example(one) for one in written)

    def _example(self, surface: ExampleSurface) -> NormExample:
        return NormExample(
            name=surface.example.text,
            cause=text_of(surface.cause),
            claims={name: self._claim(node) for name, node in surface.claims.items()},
            says={name: self.said(node) for name, node in surface.says.items()},
            admits={name: self.said(node) for name, node in surface.admits.items()},
            pleads=texts_of(surface.pleads),
            days={name: self._day(word) for name, word in surface.on.items()},
            recommended=text_of(surface.recommended),
            gives=texts_of(surface.gives),
            span=surface.example.span,
        )

    def _claim(self, node: Node) -> dict[str, Value]:
        """`46800`, or what is known of a claim by name."""
        return {name: said.value for name, said in self._facts(node, self.words.of_claim, "amount").items()}

    def said(self, node: Node) -> dict[str, Saying]:
        """What an exhibit states, or a party admits: facts and their values."""
        return self._facts(node, self.words.facts, "")

    def _facts(self, node: Node, known: Mapping[str, object], alone: str) -> dict[str, Saying]:
        names = self.names(())
        entries = getattr(node, "entries", None)
        if entries is None:
            if not alone or isinstance(node, ListNode):
                self.reader.report(diagnose.wrong_value_shape(node.span, key="says"))
                return {}
            value = read_value(node, "money", alone, self.reader)
            return {alone: Saying(value)} if value is not None else {}
        found: dict[str, Saying] = {}
        for entry in entries:
            mine = self.words.of_claim if alone else self.words.facts
            fact = mine.get(entry.key.text) or (None if alone else names.fact(entry.key.text))
            if fact is None:
                self.reader.report(diagnose.unknown_norm_name(entry.key.span, name=entry.key.text, among=known))
                continue
            said = read_said(entry.value, fact, self.reader)
            found |= {fact.id: said} if said is not None else {}
        return found


def _linked_ruling(found: Ruling, names: Names) -> Ruling:
    clause = found.interest
    if clause is not None:
        clause = type(clause)(
            cast(FormulaTerm, of_kind(clause.base, names, "money")),
            of_kind(clause.rate, names, "percent", "number"),
            of_kind(clause.since, names, "day"),
            of_kind(clause.until, names, "day") if clause.until is not None else None,
            clause.span,
        )
    amount = of_kind(found.amount, names, "money") if found.amount is not None else None
    return Ruling(found.order, amount, clause, found.span)


@dataclass
class Reckonings:
    """What a norm reckons, linked as it is asked for: a name may stand before those it is reckoned from."""

    linker: NormLinker
    written: Mapping[str, Node]
    names: Names
    kinds: dict[str, Kind] = field(default_factory=dict)
    found: dict[str, tuple[ReckonRow, ...] | AccountOf] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)

    def all(self) -> dict[str, tuple[ReckonRow, ...] | AccountOf]:
        """Every name with its rows, those first that others are reckoned from."""
        for name in self.written:
            self.kind(name)
        return self.found

    def kind(self, name: str) -> Kind:
        """The type of what is reckoned under a name, which is linked before it is told."""
        if name in self.waiting:
            raise WrongFormula(diagnose.circular_norm(self._span(name), chain=" - ".join((*self.waiting, name))))
        if name not in self.kinds:
            self.waiting.append(name)
            try:
                self._link(name)
            except WrongFormula as wrong:
                self.linker.reader.report(wrong.problem)
            self.waiting.pop()
        return self.kinds.setdefault(name, "money")

    def _span(self, name: str) -> Span:
        return self.written[name].span

    def _link(self, name: str) -> None:
        node = self.written[name]
        items = node.items if isinstance(node, ListNode) else (node,)
        rows = [one for item in items if (one := self._surface(item)) is not None]
        if rows and rows[0].account_of is not None:
            events = self.linker.name(rows[0].account_of, self.names, "events")
            self.kinds[name] = "events"
            rate = self.linker.expression(rows[0].rate, self.names, "percent", "number")
            if events is not None and rate is not None:
                self.found[name] = AccountOf(events, rate, rows[0].span)
            return
        linked_rows = [self._row(row) for row in rows]
        kinds = [kind for _, kind in linked_rows if kind not in ("figure", "")]
        self.kinds[name] = cast(Kind, kinds[0] if kinds else "number")
        self.found[name] = tuple(row for row, _ in linked_rows)
        reached(rows, self.linker.reader)

    def _surface(self, node: Node) -> RowSurface | None:
        found, problems = load(RowSurface, node)
        self.linker.reader.problems += problems
        return found

    def _row(self, surface: RowSurface) -> tuple[ReckonRow, str]:
        formula, kind = None, ""
        if surface.is_ is not None:
            found = self.linker.reader.kept(
                parser_of(frozenset(self.names.all())).expression(surface.is_.text, surface.is_.span)
            )
            if found is not None:
                formula, kind = self._typed(found)
        when = self.linker.expression(surface.when, self.names, "yes")
        premise = self.linker.sentence(surface.premise, self.names)
        return ReckonRow(formula, when, text_of(surface.discretion), text_of(surface.declines), premise), kind

    def _typed(self, found: Expression) -> tuple[Expression | None, str]:
        try:
            return linked(found, self.names)
        except WrongFormula as wrong:
            self.linker.reader.report(wrong.problem)
            return None, ""


class LazyKinds(dict[str, Kind]):
    """The types of what a norm reckons, each linked when it is first asked for."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(names, "money"))
        self.reckonings: Reckonings | None = None

    def __getitem__(self, name: str) -> Kind:
        return self.reckonings.kind(name) if self.reckonings is not None else super().__getitem__(name)
