"""What came of rating sheets as a page to publish: agreement or preferences, and each thing that was rated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final

from ..evaluation.metrics.agreement import Preference, Shares
from ..evaluation.metrics.values import number, shown
from ..evaluation.provenance import manifest
from ..evaluation.report_page import ReportSources, source_of
from ..evaluation.report_text import Word
from ..evaluation.run_facts import OpenedRun, RunFacts
from ..model.immutable import immutable
from ..publication.chart_parts import Chart
from ..publication.entries import Entry, Finding, PackedEntries, Source, address, pack
from ..publication.page import Charts, Facts, Lines, PageSection, PublishedPage
from ..publication.plots import Bar, ChartPoint, ChartRow, bars, differences
from ..publication.tables import PublishedTable, TableCell, TableHead
from ..wording import sentences
from .agreement import AgreementRow, Pairs, Raters, Ratings, called, grouped
from .collect import Returned
from .plan import RatingItem
from .reasons import reasons
from .report import AGREEMENT_COLUMNS, AMONG_RATERS, COUNTED, kappa_lines, rater_rows, reliability_line, span

FACETS: Final = ("group", "item", "unit", "record", "case")
_OUTCOME: Final = {Preference.WIN: 1.0, Preference.TIE: 0.0, Preference.LOSE: -1.0}


def ratings_page(returned: Returned, found: Ratings, sources: ReportSources, locale: str) -> PublishedPage:
    """Ratings of single runs, beside the graders' scores."""
    word, common = sentences("ratings", locale), sentences("score", locale)
    graders = [name for name in found.rows if name]
    kinds = ("head_people", "head_grader", "head_difference")
    names = [word("head_people"), *(f"{word(kind)} · {name}" for name in graders for kind in kinds)]
    runs: dict[str, RunFacts] = {}
    listing = _packed(returned, (word, common), names, sources, (runs, _ratings_of(returned, found, graders, word)))
    tables = [_agreement(name, rows, graders, word) for name, rows in found.rows.items()]
    tables += [_among(found.raters, word)] if found.raters.pairs else []
    charts = [_gaps(returned, found, name, graders, word) for name in graders]
    given = sum(found.spread.values())
    rated = [Bar(f"{value:g}", ((str(n), n / given),), str(n)) for value, n in found.spread.items()]
    drawn = [*charts, *([bars("spread", word("ratings_given"), rated)] if rated else [])]
    legend = (word("gaps_legend"),) if graders else ()
    parts = RatingParts(tuple(tables), tuple(drawn), listing, legend=legend)
    return _page(returned, (word, common), parts, _told(returned, runs, sources, common))


def pairs_page(returned: Returned, found: Pairs, sources: ReportSources, locale: str) -> PublishedPage:
    """Comparisons of two runs: who was preferred in what."""
    word, common = sentences("ratings", locale), sentences("score", locale)
    names = [_judge(name, word) for name in found.verdicts]
    runs: dict[str, RunFacts] = {}
    listing = _packed(returned, (word, common), names, sources, (runs, _preferences_of(returned, found, word)))
    tables, drawn = [], []
    for place, name in enumerate(found.verdicts):
        of = {one.item: one.people if not name else one.graders[name][0] for one in found.aspects}
        rows = [(one.group, one.title, one.item, of[one.item]) for one in found.aspects if of[one.item].n]
        if rows:
            tables.append(_shares(rows, place, _judge(name, word), word))
            drawn.append(_bars(rows, place, _judge(name, word), word))
    remarks = tuple(kappa_lines(found, bool(returned.filled.counts), word))
    parts = RatingParts(tuple(tables), tuple(drawn), listing, remarks)
    return _page(returned, (word, common), parts, _told(returned, runs, sources, common))


@immutable
class RatingParts:
    """What a page of ratings is made of. `remarks` stand below the tables, `legend` above the charts."""

    tables: tuple[PublishedTable, ...]
    charts: tuple[Chart, ...]
    listing: PackedEntries
    remarks: tuple[str, ...] = ()
    legend: tuple[str, ...] = ()


def _judge(name: str, word: Word) -> str:
    return word("people") if not name else word("offline", name=name) if name == "offline" else name


def _page(
    returned: Returned,
    words: tuple[Word, Word],
    parts: RatingParts,
    facts: Sequence[tuple[str, str]],
) -> PublishedPage:
    (word, common), key = words, returned.key
    counts = returned.filled.counts.items()
    rows = tuple(
        (TableCell(rater, words=True), *(TableCell(str(getattr(mine, name))) for name in COUNTED))
        for rater, mine in counts
    )
    heads = tuple(TableHead(word(f"count_{name}")) for name in COUNTED)
    sheets = (PublishedTable("raters", word("raters"), word("rater"), heads, rows),) if rows else ()
    remarks = (Lines(parts.remarks),) if parts.remarks else ()
    legend = (Lines(parts.legend),) if parts.legend else ()
    sections = (
        PageSection("results", common("results"), (*parts.tables, *remarks, *_themes(returned, word), *sheets)),
        PageSection("charts", common("spread"), (*legend, Charts(parts.charts)) if parts.charts else ()),
        PageSection("sources", common("sources"), (Facts(tuple(facts)),)),
    )
    counted = {"records": len(key.records), "raters": len(key.raters)}
    title = word("title_compare", title=key.title, tag=key.tag, **counted)
    return PublishedPage(
        title, f"{key.rubric} {key.digest[:12]}", tuple(one for one in sections if one.blocks), parts.listing
    )


def _told(
    returned: Returned, runs: Mapping[str, RunFacts], sources: ReportSources, common: Word
) -> list[tuple[str, str]]:
    key = returned.key
    models = {model for record in key.records for model in record.models}
    rows = [(common("m_rubric"), f"{key.rubric} {key.digest}"), (common("m_seeds"), str(key.seed))]
    rows += [(common("facet_model"), "\n".join(sorted(models)))]
    return rows + [row for row in manifest((), runs, sources.price, common) if row[0] != common("m_seeds")]


def _themes(returned: Returned, word: Word) -> Iterator[PublishedTable]:
    """The reasons by theme, where there are any."""
    rows = tuple(
        (
            TableCell(word(f"reasons_{row.group}") if row.group in ("high", "low") else row.group, words=True),
            TableCell(row.theme or "-", words=True),
            TableCell(str(row.n)),
            TableCell(shown(row.share, ".1%") if row.n else "-"),
            TableCell(str(row.other)),
        )
        for row in reasons(returned.key, returned.filled)
    )
    if rows:
        heads = tuple(TableHead(word(head)) for head in ("head_theme", "head_n", "head_share", "head_other"))
        yield PublishedTable("themes", word("themes"), word("head_part"), heads, rows, word("themes_note"))


# ---- tables and charts -----------------------------------------------------------------------------------------------


def _agreement(name: str, rows: Sequence[AgreementRow], graders: Sequence[str], word: Word) -> PublishedTable:
    """All, then family by family the whole, its units, its metrics."""
    columns = tuple(AGREEMENT_COLUMNS) if name else ("people", "n")
    base = 1 + 3 * graders.index(name) if name else 0
    lines = []
    for row in rows:
        marks = {"group": row.group} if row.group else {}
        marks |= {row.level: row.title} if row.level in ("unit", "item") else {}
        both = name and row.agreement.n
        figures = {"people": base if both else 0, "scored": base + 1, "difference": base + 2, "mae": base + 2}
        data = {"people": number(row.people), "scored": number(row.grader), **row.agreement.figures()}
        cells = (
            TableCell(
                shown(data[column], AGREEMENT_COLUMNS[column][1]),
                _span(row, column),
                href=address(FACETS, figures[column], marks) if column in figures and data[column] is not None else "",
            )
            for column in columns
        )
        title = " · ".join(
            filter(None, (row.group or word("whole"), row.title if row.level in ("unit", "item") else ""))
        )
        lines.append((TableCell(title, words=True), *cells))
    heads = tuple(TableHead(word(f"head_{AGREEMENT_COLUMNS[column][0]}")) for column in columns)
    title = word("with_grader", grader=_judge(name, word)) if name else word("no_grader")
    legend = word("agreement_legend") if name else ""
    return PublishedTable(f"agreement-{name}", title, word("head_part"), heads, tuple(lines), legend)


def _span(row: AgreementRow, column: str) -> str:
    """The interval of a figure that has one."""
    found = row.agreement.intervals.get(column)
    form = AGREEMENT_COLUMNS[column][1]
    return "" if found is None or found.low is None else span(found, form)


def _among(raters: Raters, word: Word) -> PublishedTable:
    """People among themselves, with alpha and the intraclass correlation of all of them below."""
    rows = tuple(
        (TableCell(title, words=True), *map(TableCell, figures)) for title, *figures in rater_rows(raters, word)
    )
    heads = tuple(TableHead(word(f"head_{AGREEMENT_COLUMNS[column][0]}")) for column in AMONG_RATERS)
    legend = reliability_line(raters.reliability, word)
    return PublishedTable("between-raters", word("among"), word("raters"), heads, rows, legend)


def _gaps(returned: Returned, found: Ratings, name: str, graders: Sequence[str], word: Word) -> Chart:
    """People minus a grader: a row for each metric, a dot for each thing that both rated."""
    gaps: dict[tuple[str, str], list[tuple[RatingItem, float]]] = {}
    for thing in returned.key.things:
        people, scored = _people(returned, thing.id), number(found.scores[name].get(thing.id))
        if people is not None and scored is not None:
            gaps.setdefault((thing.group, thing.title), []).append((thing, people - scored))
    rows = []
    figure = 3 + 3 * graders.index(name)
    agreed = {(row.group, row.title): row.agreement for row in found.rows[name] if row.level == "item"}
    for (group, item), those in gaps.items():
        href = address(FACETS, figure, {"group": group, "item": item})
        whole = agreed[group, item]
        ends = whole.intervals["difference"]
        points = tuple(ChartPoint(gap, f"{thing.id} {thing.unit}: {gap:+g}", href) for thing, gap in those)
        told = "" if ends.low is None else f" {span(ends, '+.2f')}"
        note = f"{shown(whole.difference, '+.2f')}{told} n={whole.n}"
        rows.append(ChartRow(f"{group} · {item}", number(whole.difference), ends.low, ends.high, note, href, points))
    return differences(f"gap-{name}", f"{word('head_difference')} · {name}", rows)


def _shares(rows: Sequence[tuple[str, str, str, Shares]], place: int, judge: str, word: Word) -> PublishedTable:
    lines = tuple(
        (
            TableCell(title, words=True, href=address(FACETS, place, {"item": title, "group": group})),
            TableCell(group, words=True),
            *(TableCell(shown(share)) for share in (of.win, of.tie, of.lose)),
            TableCell(str(of.n)),
        )
        for group, title, _, of in rows
    )
    heads = tuple(
        TableHead(head) for head in (word("head_part"), word("win"), word("tie"), word("lose"), word("head_n"))
    )
    return PublishedTable(f"preferences-{place}", judge, word("head_item"), heads, lines)


def _bars(rows: Sequence[tuple[str, str, str, Shares]], place: int, judge: str, word: Word) -> Chart:
    drawn = []
    for group, title, _, of in rows:
        parts = ((word("win"), of.win), (word("tie"), of.tie), (word("lose"), of.lose))
        known = tuple((name, value) for name, share in parts if (value := number(share)) is not None)
        drawn.append(
            Bar(f"{group} · {title}", known, f"n={of.n}", address(FACETS, place, {"item": title, "group": group}))
        )
    return bars(f"preferences-{place}", f"{judge}: {word('win')} / {word('tie')} / {word('lose')}", drawn)


# ---- things that were rated ------------------------------------------------------------------------------------------

_Rated = Iterator[tuple[tuple[float | None, ...], tuple[Finding, ...]]]


def _people(returned: Returned, thing: str) -> float | None:
    given = [mine[thing] for mine in returned.filled.values.values() if thing in mine]
    return fmean(given) if given else None


def _remark(returned: Returned, rater: str, thing: str) -> tuple[str, ...]:
    return tuple(text for who, item, text in returned.filled.remarks if (who, item) == (rater, thing))


def _ratings_of(returned: Returned, found: Ratings, graders: Sequence[str], word: Word) -> _Rated:
    for thing in returned.key.things:
        people = _people(returned, thing.id)
        figures: list[float | None] = [people]
        findings = []
        for rater, mine in returned.filled.values.items():
            if thing.id in mine:
                remark = _remark(returned, rater, thing.id)
                findings.append(Finding(f"{word('rater')} {rater}", f"{mine[thing.id]:g}", remark, turns=thing.turns))
        for name in graders:
            scored = number(found.scores[name].get(thing.id))
            figures += [people, scored, people - scored] if people is not None and scored is not None else [None] * 3
            findings.append(Finding(_judge(name, word), "-" if scored is None else f"{scored:g}", turns=thing.turns))
        yield tuple(figures), tuple(findings)


def _preferences_of(returned: Returned, found: Pairs, word: Word) -> _Rated:
    called = {Preference.WIN: word("win"), Preference.TIE: word("tie"), Preference.LOSE: word("lose")}
    for thing in returned.key.things:
        verdicts = [thing.settled or mine.get(thing.id) for mine in found.verdicts.values()]
        figures = tuple(_OUTCOME[one] if isinstance(one, Preference) else None for one in verdicts)
        findings = [
            Finding(f"{word('rater')} {rater}", called[mine[thing.id]], _remark(returned, rater, thing.id))
            for rater, mine in returned.filled.preferences.items()
            if thing.id in mine
        ]
        findings += [
            Finding(_judge(name, word), called[one])
            for name, one in zip(found.verdicts, verdicts, strict=True)
            if isinstance(one, Preference)
        ]
        yield figures, tuple(findings)


def _packed(
    returned: Returned,
    words: tuple[Word, Word],
    names: Sequence[str],
    sources: ReportSources,
    rated: tuple[dict[str, RunFacts], _Rated],
) -> PackedEntries:
    word, common = words
    facets = [common("facet_group"), word("head_item"), word("head_part"), word("head_record"), common("facet_case")]
    return pack(_entries(returned, words, sources, rated), facets, names)


def _entries(
    returned: Returned,
    words: tuple[Word, Word],
    sources: ReportSources,
    rated: tuple[dict[str, RunFacts], _Rated],
) -> Iterator[Entry]:
    """One for each thing, in the order of the key; the run of its record is opened once."""
    (word, common), (runs, values), key = words, rated, returned.key
    units: dict[tuple[str, str], str] = {}
    for group, family in grouped(key.things, lambda thing: thing.group).items():
        of_key = grouped(family, lambda thing: thing.key)
        units |= {(group, name): called(members) for name, members in of_key.items()}
    opened: dict[str, OpenedRun] = {}
    for thing, (figures, findings) in zip(key.things, values, strict=True):
        record = key.record[thing.record]
        places = {run: str(returned.path(run)) for run in record.runs}
        if not opened.keys() >= set(places.values()):
            opened = {place: sources.open(place) for place in places.values()}
            runs |= {place: one.facts for place, one in opened.items() if one.facts is not None}
        facts = [(word("head_asks"), thing.asks)]
        facts += [
            (common("run"), f"{places[run]} ({model})") for run, model in zip(record.runs, record.models, strict=True)
        ]
        known: dict[str, Source] = {}
        if len(places) == 1:
            (place,) = places.values()
            known[""] = source_of(place, opened[place], findings)
        title = " · ".join(filter(None, (thing.id, thing.group, thing.unit, thing.title)))
        yield Entry(
            title,
            (thing.group, thing.title, units[thing.group, thing.key], record.label, record.case),
            figures,
            tuple(facts),
            findings,
            known,
        )
