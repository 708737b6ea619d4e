"""A report as one page that needs nothing else: tables, charts, where figures come from, and each run behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from datetime import date
from typing import Final

from ..model.immutable import immutable
from ..publication.chart_parts import Chart
from ..publication.entries import Entry, Finding, Source, pack
from ..publication.page import Charts, Facts, Lines, PageBlock, PageSection, PublishedPage
from ..publication.tables import PublishedTable, TableCell, TableHead
from ..wording import sentences
from .figures import items_behind
from .metrics.values import Reason, number
from .provenance import Price, exposure, exposure_tables, manifest
from .report import Report, scaled
from .report_charts import ChartedReport, contrasts, distributions, main_formulas, profile
from .report_tables import (
    FACETS,
    ReportTrail,
    agreement_table,
    difference_table,
    figures_of,
    item_means,
    item_table,
    score_tables,
    titled,
    titles,
    trail,
)
from .report_text import Word, by_chance, counts, differences, made_otherwise, notes, scored_by
from .results import Evaluation, Score
from .rubric.definition import Rubric
from .run_facts import OpenedRun, RunFacts

MOST_TURNS: Final = 12  # of a score, that are shown with their words

OpenRun = Callable[[str], OpenedRun]
"""A run by its name, opened to be looked at."""


@immutable
class ReportSources:
    """What a page wants beside the report: runs, what tokens cost, and model -> the end of its training."""

    open: OpenRun
    price: Price
    cutoffs: Mapping[str, date] = field(default_factory=dict)


def report_page(together: Report, sources: ReportSources, locale: str) -> PublishedPage:
    """The page in the reader's language; runs are opened one after the other, and none is kept."""
    word, rubric = sentences("score", locale), together.rubric
    lead = trail(rubric, word)
    runs: dict[str, RunFacts] = {}
    named = [word(f"facet_{name}") for name in FACETS]
    listing = pack(_entries(together, sources, lead, runs), named, [title for _, title in figures_of(rubric)])
    judged = tuple(exposure_tables(together, runs, sources.cutoffs, lead)) if sources.cutoffs else ()
    parts = together.apart.values()
    made = [line for part in parts for told in (made_otherwise, by_chance) for line in told(part, word)]
    facts = tuple(manifest(together.evaluations, runs, sources.price, word))
    warned = Lines(
        (*notes(together, word), *made, *([word("apart")] if together.parts else [])), "offline" in together.graders
    )
    sections = [
        PageSection("results", word("results"), (warned, *score_tables(together, lead))),
        *_sections(together, lead),
        PageSection("judged", word("exposure"), judged),
        PageSection("audit", word("audit", count=len(together.excluded)), _audit(together, word), folded=True),
        PageSection("sources", word("sources"), (Facts(facts),)),
    ]
    subtitle = titled(rubric.source, rubric.name, rubric.digest[:12])
    return PublishedPage(rubric.title, subtitle, tuple(one for one in sections if one.blocks), listing)


def _sections(together: Report, lead: ReportTrail) -> Iterator[PageSection]:
    """Differences, charts and items, of all that stands apart."""
    word = lead.word
    every = [ChartedReport(part, lead, name) for name, part in together.apart.items()]
    first = {id(each): main_formulas(each.part) for each in every}
    rest = {id(each): [n for n in each.part.rubric.formulas if n not in first[id(each)]] for each in every}
    tested = tuple(line for each in every for line in (*counts(each.part, word), *differences(each.part, word)))
    tables = [
        table for table in (difference_table(together, lead), agreement_table(together, word)) if table is not None
    ]
    profiles = [chart for each in every if (chart := profile(each)) is not None]
    spreads = [chart for each in every for chart in distributions(each, first[id(each)])]
    gaps = [chart for each in every for chart in contrasts(each, first[id(each)])]
    more = [
        chart for each in every for chart in (*distributions(each, rest[id(each)]), *contrasts(each, rest[id(each)]))
    ]
    items = [
        table
        for each in every
        if (table := item_table(each.part, each.apart, lead, apart=bool(each.apart))) is not None
    ]
    yield PageSection("profile", word("radar"), _charts(profiles, word("radar_legend")))
    yield PageSection("spread", word("spread"), _charts(spreads, word("spread_legend")))
    yield PageSection("differences", word("differences"), (Lines(tested), *_charts(gaps, word("difference_legend"))))
    yield PageSection("tests", word("tests"), tuple(tables), folded=True)
    yield PageSection("items", word("items"), tuple(items))
    yield PageSection("more", word("more_charts"), _charts(more), folded=True)


def _charts(charts: list[Chart], legend: str = "") -> tuple[PageBlock, ...]:
    return (*((Lines((legend,)),) if legend else ()), Charts(tuple(charts))) if charts else ()


def _audit(together: Report, word: Word) -> tuple[PageBlock, ...]:
    rows = tuple(
        (
            TableCell(evaluation.run, words=True),
            TableCell(f"{score.item} {score.key}".strip(), words=True),
            TableCell(word(f"gap_{score.gap}"), words=True),
            TableCell(score.detail, words=True),
        )
        for evaluation, score in together.excluded
    )
    heads = tuple(TableHead(word(head)) for head in ("item", "why", "detail"))
    return (PublishedTable("audit", "", word("run"), heads, rows),) if rows else ()


# ---- runs ------------------------------------------------------------------------------------------------------------


def _entries(together: Report, sources: ReportSources, lead: ReportTrail, runs: dict[str, RunFacts]) -> Iterator[Entry]:
    """One for each evaluation, in the order of the report; `runs` is filled with what is known of the runs."""
    counted = {(one.run, one.graded_by): one for one in together.counted}
    groups = {
        (one.run, one.graded_by): label
        for apart in together.apart.values()
        for label, part in apart.groups.items()
        for one in part.evaluations
    }
    conditions = {id(one): part.label for part in together.apart.values() for one in part.evaluations}
    behind, rubric = items_behind(together.rubric), together.rubric
    numbers = {
        item: (*(lead.numbers[name] for name in rubric.formulas if item in behind[name]), lead.numbers[f"item {item}"])
        for item in titles(rubric)
    }
    for evaluation in together.evaluations:
        opened = sources.open(evaluation.run)
        if opened.facts is not None:
            runs[evaluation.run] = opened.facts
        who = evaluation.run, evaluation.graded_by
        marks = _marks(evaluation, opened.facts, sources.cutoffs, lead)
        marks |= {"condition": conditions[id(evaluation)]}
        marks |= {"group": groups.get(who, ""), "counted": lead.word("yes" if who in counted else "no")}
        used = counted.get(who, evaluation)
        findings = tuple(findings_of(used, rubric, numbers, lead.word))
        entry = _entry(used, opened, marks, rubric, findings)
        yield replace(entry, facts=facts_of(used, opened, lead.word))


def _marks(
    evaluation: Evaluation, facts: RunFacts | None, cutoffs: Mapping[str, date], lead: ReportTrail
) -> dict[str, str]:
    judged = exposure(None if facts is None else facts.judged, cutoffs.get(evaluation.model)) if cutoffs else ""
    return {
        "model": lead.model(evaluation.model),
        "case": evaluation.case,
        "seed": "" if facts is None else str(facts.info.seed),
        "judged": lead.word(f"judged_{judged}") if judged else "",
    }


def _entry(
    evaluation: Evaluation, opened: OpenedRun, marks: Mapping[str, str], rubric: Rubric, findings: tuple[Finding, ...]
) -> Entry:
    """A run with its figures, every score with its reason, and the turns that it rests on."""
    means = item_means(evaluation, rubric)
    formulas = {
        figure.formula: scaled(figure.value, rubric.formulas[figure.formula])
        for figure in evaluation.figures
        if figure.formula in rubric.formulas
    }
    figures = (*(formulas.get(name) for name in rubric.formulas), *(means[name] for name in titles(rubric)))
    title = titled(marks["case"], marks["model"], evaluation.run)
    source = source_of(evaluation.run, opened, findings)
    return Entry(title, tuple(marks[name] for name in FACETS), figures, (), findings, {"": source})


def facts_of(evaluation: Evaluation, opened: OpenedRun, word: Word) -> tuple[tuple[str, str], ...]:
    """What is told of a run above its scores."""
    facts = [
        (word("run"), evaluation.run),
        (word("facet_target"), evaluation.target),
        (word("outcome"), evaluation.outcome or word("not_finished")),
        (word("run_digest"), evaluation.run_digest),
        *((word("passes"), f"{name}: {word('yes' if good else 'no')}") for name, good in evaluation.passes.items()),
    ]
    if opened.facts is not None and opened.facts.judged is not None:
        facts.append((word("judged_day"), opened.facts.judged.isoformat()))
    return tuple(facts)


def findings_of(
    evaluation: Evaluation, rubric: Rubric, numbers: Mapping[str, tuple[int, ...]], word: Word, group: str = ""
) -> Iterator[Finding]:
    """Every score of a run that applies to it. `numbers`: item -> the figures that it is part of."""
    named = titles(rubric)
    for score in evaluation.scores:
        if score.gap is not Reason.NOT_APPLICABLE:
            yield Finding(
                titled(named.get(score.item, score.item), score.title if score.key else ""),
                "-" if score.value is None else f"{score.value:g}",
                tuple(_lines(score, word)),
                scored_by(score, word),
                numbers.get(score.item, ()),
                score.turns[:MOST_TURNS],
                group,
                titled(score.item, score.key, *score.documents),
            )


def source_of(run: str, opened: OpenedRun, findings: Iterable[Finding]) -> Source:
    """A run with the words of the turns that findings rest on."""
    cited = sorted({turn for finding in findings for turn in finding.turns if turn in opened.said})
    return Source(run, f"lw show {run} --scores", {turn: opened.said[turn] for turn in cited})


def _lines(score: Score, word: Word) -> Iterator[str]:
    if score.reason:
        yield score.reason
    if score.gap is not None:
        yield word(f"gap_{score.gap}")
    if score.detail:
        yield score.detail
    if score.capped:
        yield word("capped", rule=score.capped, raw=score.raw)
    if score.left_out:
        yield word("material_cut", count=score.left_out)
    if len(score.turns) > MOST_TURNS:
        yield word("more_turns", turns=", ".join(map(str, score.turns[MOST_TURNS:])))
    if parts := {name: number(value) for name, value in score.parts.items()}:
        yield ", ".join(f"{name} {value:g}" for name, value in parts.items() if value is not None)
