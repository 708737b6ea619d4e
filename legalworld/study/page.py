"""A study as a page to publish: effects as table and charts, where they come from, and both runs behind each pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ..evaluation.figures import items_behind
from ..evaluation.metrics.values import number, shown
from ..evaluation.provenance import manifest
from ..evaluation.report_page import ReportSources, facts_of, findings_of, source_of
from ..evaluation.report_text import Word
from ..evaluation.results import Evaluation
from ..evaluation.run_facts import RunFacts
from ..publication.chart_parts import Chart
from ..publication.entries import Entry, Finding, Source, address, pack
from ..publication.page import Charts, Facts, Lines, PageSection, PublishedPage
from ..publication.plots import ChartPoint, ChartRow, differences
from ..publication.tables import PublishedTable, TableCell, TableHead
from ..wording import say, sentences
from .effects import Effect, Pair
from .report import Compared, notes

FACETS: Final = ("document", "quality", "case", "seed", "target")
_KINDS: Final = ("base", "value", "delta")  # of a stage: with the draft, with what was put in, the difference


def study_page(
    found: Compared, evaluations: Sequence[Evaluation], sources: ReportSources, locale: str
) -> PublishedPage:
    """The page in the reader's language. A figure leads to the pairs that it is made of, a pair to its two runs."""
    word, common = sentences("intervene", locale), sentences("score", locale)
    stages = _stages(found)
    runs: dict[str, RunFacts] = {}
    names = [f"{_stage(found, stage)} · {word(f'head_{kind}')}" for stage in stages for kind in _KINDS]
    facets = [word(f"head_{name}") if name in FACETS[:2] else common(f"facet_{name}") for name in FACETS]
    listing = pack(_entries(found, evaluations, sources, runs, (word, common)), facets, names)
    facts = tuple(manifest(evaluations, runs, sources.price, common))
    told = Lines(tuple(notes(found, word, say("score.offline_grader", locale))), found.offline)
    sections = (
        PageSection("results", common("results"), (told, _table(found, stages, word, common))),
        PageSection("differences", common("differences"), (Charts(tuple(_charts(found, stages, word))),)),
        PageSection("sources", common("sources"), (Facts(facts),)),
    )
    return PublishedPage(word("heading", title=found.declared.title, rubric=found.rubric.title), "", sections, listing)


def _stages(found: Compared) -> tuple[str, ...]:
    return tuple(dict.fromkeys(pair.stage for pair in found.pairs))


def _stage(found: Compared, stage: str) -> str:
    titles = {one.id: one.title for one in found.procedure.stages}
    return titles.get(stage, stage)


def _named(found: Compared, effect: Effect | Pair, word: Word) -> tuple[str, str]:
    """Document and quality by their titles."""
    document = found.procedure.documents.get(effect.document)
    title = document.title if document is not None else word("all_documents")
    return title, found.declared.qualities[effect.quality].title


def _link(found: Compared, effect: Effect, stages: Sequence[str], kind: str, word: Word) -> str:
    document, quality = _named(found, effect, word)
    marks = {"quality": quality, **({"document": document} if effect.document else {})}
    return address(FACETS, len(_KINDS) * stages.index(effect.stage) + _KINDS.index(kind), marks)


def _table(found: Compared, stages: Sequence[str], word: Word, common: Word) -> PublishedTable:
    rows = []
    for effect in found.effects:
        delta, (document, quality) = effect.delta, _named(found, effect, word)
        values = {"base": shown(effect.base.value), "value": shown(effect.intervention.value)}
        values["delta"] = shown(delta.value, "+.2f")
        ends = (delta.interval.low, delta.interval.high)
        real = effect.adjusted is not None and effect.adjusted < 0.05
        rows.append(
            (
                TableCell(document, words=True),
                TableCell(quality, words=True),
                TableCell(_stage(found, effect.stage), words=True),
                TableCell(str(delta.n)),
                *(
                    TableCell(text, mark="best" if real and kind == "delta" else "", href=link if delta.n else "")
                    for kind, text in values.items()
                    for link in (_link(found, effect, stages, kind, word),)
                ),
                TableCell("-" if None in ends else "[{:+.2f}, {:+.2f}]".format(*ends)),
                TableCell(shown(effect.adjusted, ".3f")),
                TableCell(shown(effect.changed, ".0%")),
            )
        )
    heads = ("quality", "stage", "n", "base", "value", "delta", "interval", "p", "changed")
    columns = tuple(TableHead(word(f"head_{head}")) for head in heads)
    return PublishedTable("effects", common("differences"), word("head_document"), columns, tuple(rows))


def _charts(found: Compared, stages: Sequence[str], word: Word) -> Iterator[Chart]:
    """A chart for each stage: a row for each document and quality, a dot for each pair."""
    for stage in stages:
        rows = [_row(found, effect, stages, word) for effect in found.effects if effect.stage == stage]
        yield differences(f"delta-{stage}", f"{_stage(found, stage)} · {word('head_delta')}", rows)


def _row(found: Compared, effect: Effect, stages: Sequence[str], word: Word) -> ChartRow:
    href = _link(found, effect, stages, "delta", word)
    points = tuple(
        ChartPoint(pair.delta, f"{pair.case} · {pair.seed}: {pair.delta:+g}", href)
        for pair in found.pairs
        if pair.stage == effect.stage
        and pair.quality == effect.quality
        and effect.document in ("", pair.document)
        and pair.delta is not None
    )
    low, high = effect.delta.interval.low, effect.delta.interval.high
    spread = "" if low is None or high is None else f" [{low:+.2f}, {high:+.2f}]"
    p = "" if effect.adjusted is None else f" p={effect.adjusted:.3f}"
    note = f"{shown(effect.delta.value, '+.2f')}{spread}{p} n={effect.delta.n}"
    qualities = list(found.declared.qualities)
    return ChartRow(
        " · ".join(_named(found, effect, word)),
        number(effect.delta.value),
        low,
        high,
        note,
        href,
        points,
        qualities.index(effect.quality),
        effect.adjusted is None or effect.adjusted >= 0.05,
    )


# ---- pairs of runs ---------------------------------------------------------------------------------------------------


def _entries(
    found: Compared,
    evaluations: Sequence[Evaluation],
    sources: ReportSources,
    runs: dict[str, RunFacts],
    words: tuple[Word, Word],
) -> Iterator[Entry]:
    """One for each replaced document: its figures at all stages, the scores of both runs."""
    (word, common), stages = words, _stages(found)
    by_run: dict[str, list[Evaluation]] = {}
    for evaluation in evaluations:
        by_run.setdefault(evaluation.run, []).append(evaluation)
    pairs: dict[tuple[str, str], list[Pair]] = {}
    for pair in found.pairs:
        pairs.setdefault((pair.base_run, pair.run), []).append(pair)
    behind = items_behind(found.rubric)
    for (base, fork), those in pairs.items():
        findings: list[Finding] = []
        facts: list[tuple[str, str]] = []
        known: dict[str, Source] = {}
        for kind, run in ((word("head_base"), base), (word("head_value"), fork)):
            place = 0 if run == base else 1
            numbers = _numbers(stages, behind, place)
            opened = sources.open(run)
            if opened.facts is not None:
                runs[run] = opened.facts
            for evaluation in by_run.get(run, ()):
                group = " · ".join(filter(None, (kind, evaluation.graded_by)))
                mine = list(findings_of(evaluation, found.rubric, numbers, common, group))
                findings += mine
                facts += facts_of(evaluation, opened, common) if place else ()
                known[group] = source_of(run, opened, mine)
        first = those[0]
        marks = (*_named(found, first, word), first.case, str(first.seed), first.target)
        title = " · ".join((first.case, *marks[:2], fork))
        yield Entry(title, marks, tuple(_figures(those, stages)), tuple(facts), tuple(findings), known)


def _numbers(stages: Sequence[str], behind: Mapping[str, frozenset[str]], place: int) -> dict[str, tuple[int, ...]]:
    """Item -> the figures of stages that it is part of: of its own run, and of the difference."""
    numbers: dict[str, tuple[int, ...]] = {}
    for number_of, stage in enumerate(stages):
        first = len(_KINDS) * number_of
        for item in behind.get(stage, ()):
            numbers[item] = (*numbers.get(item, ()), first + place, first + 2)
    return numbers


def _figures(pairs: Sequence[Pair], stages: Sequence[str]) -> Iterator[float | None]:
    """Of each stage the figures with the draft and with what was put in, and their difference: all or none."""
    by_stage = {pair.stage: pair for pair in pairs}
    for stage in stages:
        pair = by_stage.get(stage)
        whole = pair is not None and pair.delta is not None
        yield from (pair.base, pair.intervention, pair.delta) if pair is not None and whole else (None, None, None)
