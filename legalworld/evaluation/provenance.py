"""Where figures come from: rubric, graders, models of every role, versions, options, seeds, days, tokens and money.

And which cases were judged before a model's training ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from ..publication.tables import PublishedTable, TableCell, TableHead
from ..runs.adjustments import adjustments_text
from .metrics.values import shown
from .report import Report, by_case, clustered_mean, scaled
from .report_charts import main_formulas
from .report_tables import ReportTrail, heading
from .report_text import Word
from .results import Evaluation
from .run_facts import RunFacts, Usage

Price = Callable[[str, int, int], float | None]
"""US dollars of so many tokens in and out of a model; None where nobody knows."""

_SHOWN: Final = 12  # values of one kind that are listed


def manifest(
    evaluations: Sequence[Evaluation], runs: Mapping[str, RunFacts], price: Price, word: Word
) -> Iterator[tuple[str, str]]:
    """Names and values; what no run tells is not there."""
    infos = [facts.info for facts in runs.values()]
    known = len(runs)
    rubrics = {f"{one.rubric} {one.rubric_digest}" for one in evaluations}
    rows = {
        "rubric": rubrics,
        "graders": {_grader(one, word) for one in evaluations if one.grader},
        "procedures": Counter(f"{info.procedure} {info.digest}" for info in infos if not info.parent)
        or Counter(f"{info.procedure} {info.digest}" for info in infos),
        "forks": Counter(f"{info.procedure} @ {info.at}" for info in infos if info.parent),
        "targets": {one.target for one in evaluations},
        "roles": Counter(f"{role}: {model}" for info in infos for role, model in info.models.items()),
        "served": {name for facts in runs.values() for name in facts.served},
        "adjusted": Counter(text for facts in runs.values() for text in adjustments_text(facts.adjusted)),
        "options": Counter(f"{name}={value}" for info in infos for name, value in info.options.items()),
        "skipped": Counter(f"{place}" for info in infos for place in info.skip),
        "seeds": Counter(str(info.seed) for info in infos),
        "profiles": {one.case.partition("@")[2] for one in evaluations} - {""},
        "versions": Counter(
            f"lw {one.lw}, Python {one.python}, litellm {one.litellm}"
            for facts in runs.values()
            for one in facts.sessions
        )
        or Counter(f"lw {info.version}" for info in infos),
    }
    if evaluations:
        yield word("m_runs"), _counted_runs(evaluations, word)
    for name, values in rows.items():
        if values:
            yield word(f"m_{name}"), _listed(values, known, word)
    days = sorted(one.begun for facts in runs.values() for one in facts.sessions)
    yield word("m_days"), f"{days[0]} – {days[-1]}" if days else word("m_untold")
    yield (
        word("m_tokens"),
        "\n".join(_tokens((facts.usage for facts in runs.values()), price, word)) or word("m_untold"),
    )
    if grading := "\n".join(_tokens(_grading(evaluations), price, word)):
        yield word("m_grading"), grading
    if lost := len({one.run for one in evaluations} - runs.keys()):
        yield word("m_lost"), str(lost)


def _counted_runs(evaluations: Sequence[Evaluation], word: Word) -> str:
    runs = {one.run: one for one in evaluations}
    finished = sum(one.finished for one in runs.values())
    return word("m_counted", runs=len(runs), cases=len({one.case for one in runs.values()}), finished=finished)


def _grader(one: Evaluation, word: Word) -> str:
    """As it was recorded: name, settings, what its provider called it."""
    settings = (
        f"{name}={', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in one.grader.items()
        if name not in ("model", "rule_based") and value not in ([], None, "")
    )
    by_rule = [word("m_by_rule")] if one.grader.get("rule_based") else []
    return "; ".join((one.graded_by, *by_rule, *settings))


def _listed(values: Iterable[str], whole: int, word: Word) -> str:
    """Values one below the other; how many runs have one is told where not all have it."""
    counts = values if isinstance(values, Counter) else Counter()
    lines = [
        value if counts[value] in (0, whole) else word("m_some", value=value, count=counts[value])
        for value in sorted(values)
    ]
    more = [word("m_more", count=len(lines) - _SHOWN)] if len(lines) > _SHOWN else []
    return "\n".join((*lines[:_SHOWN], *more))


def _grading(evaluations: Iterable[Evaluation]) -> Iterator[Mapping[str, Usage]]:
    """What the scores of each run took of their grader, replies that were kept from before too."""
    for one in evaluations:
        if one.grading and not one.grader.get("rule_based"):
            counts = (one.grading.get(name, 0) for name in ("prompt", "completion", "replies", "silent"))
            yield {one.graded_by: Usage(*counts)}


def _tokens(every: Iterable[Mapping[str, Usage]], price: Price, word: Word) -> Iterator[str]:
    """Of each backbone: tokens in and out, replies that told of none, and what that costs by the list of prices."""
    usage: dict[str, Usage] = {}
    for one in every:
        for backbone, used in one.items():
            usage[backbone] = usage.get(backbone, Usage()).plus(used)
    for backbone, used in sorted(usage.items()):
        if used.silent == used.replies:
            yield word("m_no_tokens", model=backbone, replies=used.replies)
            continue
        dollars = price(backbone, used.prompt, used.completion)
        money = word("m_no_price") if dollars is None else f"US$ {dollars:,.4f}"
        counts = {"prompt": f"{used.prompt:,}", "completion": f"{used.completion:,}", "silent": used.silent}
        yield word("m_used", model=backbone, money=money, replies=used.replies, **counts)


# ---- days of judgments -----------------------------------------------------------------------------------------------


def exposure(judged: date | None, cutoff: date | None) -> str:
    """Whether a model may have read a judgment in its training: `before` its cut-off (that day too), `after`, or
    `unknown`."""
    if judged is None or cutoff is None:
        return "unknown"
    return "before" if judged <= cutoff else "after"


def exposure_tables(
    together: Report, runs: Mapping[str, RunFacts], cutoffs: Mapping[str, date], lead: ReportTrail
) -> Iterator[PublishedTable]:
    """Cases by when they were judged; and the figures of either kind beside each other."""
    word = lead.word
    for name, part in together.apart.items():
        apart = bool(name)
        kinds = {
            (each.run, each.graded_by): exposure(_judged(runs, each.run), cutoffs.get(each.model))
            for each in part.counted
        }
        rows, counted = [], []
        for model in part.models:
            mine = {
                kind: [one for one in part.counted if one.model == model and kinds[one.run, one.graded_by] == kind]
                for kind in ("before", "after", "unknown")
            }
            called, day = lead.model(model), cutoffs.get(model)
            cells = tuple(
                TableCell(
                    str(len({one.case for one in those})),
                    href=lead.to(part, None, apart, model=called, judged=word(f"judged_{kind}")) if those else "",
                )
                for kind, those in mine.items()
            )
            counted.append((TableCell(called, words=True), TableCell(day.isoformat() if day else "-"), *cells))
            rows += list(_figures(part, called, mine, lead, apart)) if day else []
        heads = ("cutoff", "judged_before", "judged_after", "judged_unknown")
        columns = tuple(TableHead(word(head)) for head in heads)
        yield PublishedTable("exposure", name, word("model"), columns, tuple(counted), word("exposure_legend"))
        columns = tuple(TableHead(word(head)) for head in ("model", "judged_before", "judged_after"))
        if rows:
            yield PublishedTable(
                "exposure-figures", name, word("figure"), columns, tuple(rows), word("exposure_caution")
            )


def _figures(
    part: Report, called: str, mine: Mapping[str, Sequence[Evaluation]], lead: ReportTrail, apart: bool
) -> Iterator[tuple[TableCell, ...]]:
    for name in main_formulas(part):
        formula = part.rubric.formulas[name]
        cells = []
        for kind in ("before", "after"):
            found = clustered_mean(by_case(mine[kind], name), formula)
            low, high = (shown(scaled(end, formula)) for end in (found.interval.low, found.interval.high))
            note = f"n={found.n}" if found.interval.low is None else f"[{low}, {high}] n={found.n}"
            href = lead.to(part, name, apart, model=called, judged=lead.word(f"judged_{kind}")) if found.n else ""
            cells.append(TableCell(shown(scaled(found.value, formula)), note, href=href))
        if any(cell.href for cell in cells):
            yield TableCell(heading(part.rubric, name), words=True), TableCell(called, words=True), *cells


def _judged(runs: Mapping[str, RunFacts], run: str) -> date | None:
    facts = runs.get(run)
    return None if facts is None else facts.judged
