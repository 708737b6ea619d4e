"""A report in the terminal, and the scores of one run with their reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from ..wording import sentences
from ..wording.columns import table, width
from .base_rates import base_rates
from .between_runs import between_runs
from .metrics.statistics import SIGNIFICANT, least_p, origin
from .metrics.values import Reason, shown
from .report import Report, ReportCell, scaled
from .results import Evaluation, Score
from .rubric.definition import ScoreTable, TableColumn

Word = Callable[..., str]
"""A sentence of the section `score` in the reader's language, by its key, with its holes filled."""

EVIDENCE_SHOWN: Final = 3  # turns of a score that are shown with their first words
EXCLUDED_SHOWN: Final = 10
_MARKS: Final = {1: "*", 2: "°"}


def terminal(together: Report, locale: str, wide: int) -> str:
    """The tables of the rubric, a row a model, best and second marked; then n, gaps, differences, notes.

    `wide`: columns of the terminal; a table that does not fit has a column a model.
    """
    word = sentences("score", locale)
    parts = [together.rubric.title]
    if together.parts:
        parts.append(word("apart"))
    for name, apart in together.apart.items():
        parts += [f"== {name}"] if name else []
        parts += _tables(apart, word, wide)
        if any(cell.mark for cell in apart.cells.values()):
            parts.append(word("marks"))
        for label, part in apart.groups.items():
            runs = len({evaluation.run for evaluation in part.evaluations})
            parts += [word("group", name=label or word("unlabelled"), runs=runs), *_tables(part, word, wide)]
        parts += ["\n".join(lines(apart, word)) for lines in (made_otherwise, counts, by_chance, by_seed, differences)]
    parts += ["\n".join(lines(together, word)) for lines in (agreement, _excluded, notes)]
    return "\n\n".join(part for part in parts if part)


def _tables(together: Report, word: Word, wide: int) -> Iterator[str]:
    for layout in together.tables:
        yield "\n".join(_table(together, layout, word, wide))


def _table(together: Report, layout: ScoreTable, word: Word, wide: int) -> Iterator[str]:
    if layout.title:
        yield layout.title
    rows: list[Sequence[str]] = [[word("model"), *map(_head, layout.columns)]]
    for model in together.models:
        columns = (together.column(model, column) for column in layout.columns)
        rows.append([model_name(model, word), *(" / ".join(map(_marked, cells)) for cells in columns)])
    lines = list(_numbers(rows))
    if max(map(width, lines)) > wide:
        lines = list(_numbers(list(zip(*rows, strict=True))))
    yield from lines


def _numbers(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table with a name in the first column and figures in all others."""
    return table(rows, frozenset(range(1, len(rows[0]))))


def _head(column: TableColumn) -> str:
    return f"{column.title} {'/'.join(column.heads)}" if column.heads else column.title


def _marked(cell: ReportCell) -> str:
    """`7.4`; the best is marked `*`, the second `°`."""
    return cell.figure + _MARKS.get(cell.mark, "")


def model_name(model: str, word: Word) -> str:
    return word("offline_model", name=model) if model.startswith("offline") else model


def made_otherwise(together: Report, word: Word) -> Iterator[str]:
    """Yield what differs within a table beside model, case and seed: what was averaged over, what goes with rows."""
    for name, texts in together.over.items():
        yield word("averaged_over", name=name, values=" | ".join(f"{text or '-'} ({n})" for text, n in texts.items()))
    for name, by_model in together.rows.items():
        yield word(
            "rows_differ", name=name, values="; ".join(f"{one}: {text or '-'}" for one, text in by_model.items())
        )


def counts(together: Report, word: Word) -> Iterator[str]:
    """How much there is of each model."""
    for model in together.models:
        mine = together.by_model(model)
        cases = len({evaluation.case for evaluation in mine})
        gaps = sum(len(evaluation.excluded) for evaluation in mine)
        yield word("counted", model=model, runs=len(mine), cases=cases, excluded=gaps)
        clusters = len({origin(evaluation.case) for evaluation in mine})
        if clusters < cases:
            yield word("clustered", model=model, cases=cases, clusters=clusters)
        if undecided := sum(len(evaluation.undecided) for evaluation in mine):
            due = sum(len(evaluation.due) for evaluation in mine)
            runs = sum(bool(evaluation.undecided) for evaluation in mine)
            yield word("not_decided", model=model, count=undecided, all=due, runs=runs)


def by_chance(together: Report, word: Word) -> Iterator[str]:
    """Yield, beside the figures, what a text would score in an item that says the same in every case."""
    named = {name: one.item.title for name, one in together.rubric.measures.items()}
    for one in base_rates(together.counted):
        told = {"item": named.get(one.item, one.item), "truth": one.truth, "share": f"{100 * one.share:.0f}"}
        yield word("base_rate", **told, count=one.count, n=one.n)


def by_seed(together: Report, word: Word) -> Iterator[str]:
    """Yield how the means of a model differ from run to run of the same cases, for the first column of each table."""
    for layout in together.tables:
        for model in together.models:
            name = layout.columns[0].formulas[0]
            found, formula = between_runs(together.counted, model, name), together.rubric.formulas[name]
            if found is not None:
                row = {
                    key: f"{value:.2f}" for key, value in found.row(formula.scale).items() if isinstance(value, float)
                }
                yield word("between_runs", model=model, title=formula.title, runs=found.runs, cases=found.cases, **row)


def differences(together: Report, word: Word) -> Iterator[str]:
    """Only those that are no noise; when there is none, that is said, and how many cases the greatest would take."""
    every = together.contrasts
    real = [(key, contrast) for key, contrast in every.items() if contrast.significant]
    if every and not real:
        n = max(contrast.difference.n for contrast in every.values())
        family = max(contrast.family for contrast in every.values())
        yield word("no_difference", family=family) if family else word("untested", n=n)
        if family and least_p(n) > SIGNIFICANT:
            yield word("too_few", n=n, least=f"{least_p(n):g}")
        yield from _power(together, word)
    for (first, second, name), contrast in real:
        formula, gap = together.rubric.formulas[name], contrast.difference
        ends = (gap.interval.low, gap.interval.high)
        span = "-" if None in ends else "[{:+.2f}, {:+.2f}]".format(*(scaled(end, formula) or 0.0 for end in ends))
        told = {"title": formula.title, "n": gap.n, "value": f"{scaled(gap.value, formula) or 0.0:+.2f}", "ends": span}
        p = {"p": f"{contrast.adjusted:.3f}", "alone": f"{gap.p:.3f}", "family": contrast.family}
        yield word("control" if contrast.control else "difference", first=first, second=second, **told, **p)


def _power(together: Report, word: Word) -> Iterator[str]:
    """Of what was not found, the difference that takes the fewest cases to be found."""
    unfound = [
        (gap.needed, key, contrast)
        for key, contrast in together.contrasts.items()
        if (gap := contrast.difference).needed is not None and not contrast.control
    ]
    if not unfound:
        return
    needed, (first, second, name), contrast = min(unfound, key=lambda one: one[0])
    formula, gap = together.rubric.formulas[name], contrast.difference
    value = f"{scaled(gap.value, formula) or 0.0:+.2f}"
    yield word("power", first=first, second=second, title=formula.title, value=value, n=gap.n, needed=needed)


def agreement(together: Report, word: Word) -> Iterator[str]:
    """How far the graders of the same runs agree, in points."""
    for (first, second), found in together.agreement.items():
        values = {"difference": found.difference, "mae": found.mae, "within": found.within_one, "kappa": found.kappa}
        figures = {name: shown(value) for name, value in values.items()}
        yield word("agreement", first=first, second=second, n=found.n, **figures)
    if whole := together.reliability.get(""):
        ends = whole.alpha_interval
        span = "" if ends.low is None else f" [{shown(ends.low)}, {shown(ends.high)}]"
        yield word("alpha", raters=whole.raters, alpha=f"{shown(whole.alpha)}{span}", icc=shown(whole.icc), n=whole.n)


def _excluded(together: Report, word: Word) -> Iterator[str]:
    every = together.excluded
    if every:
        yield word("audit", count=len(every))
    for evaluation, score in every[:EXCLUDED_SHOWN]:
        why = word(f"gap_{score.gap}")
        yield "  " + word("audit_line", run=evaluation.run, item=score.item, unit=score.key or "-", why=why)
    if len(every) > EXCLUDED_SHOWN:
        yield "  " + word("audit_more", count=len(every) - EXCLUDED_SHOWN)


def notes(together: Report, word: Word) -> Iterator[str]:
    """What a reader of the figures must know; last the notes of the rubric."""
    if "offline" in together.graders:
        yield word("offline_grader")
    for apart in together.apart.values():
        cases = {model: frozenset(each.case for each in apart.by_model(model)) for model in apart.models}
        if len(set(cases.values())) > 1:
            yield word("uneven", cases=", ".join(f"{model} {len(known)}" for model, known in cases.items()))
    if together.stopped:
        out = together.left_out
        within = [evaluation for evaluation in together.stopped if evaluation not in out]
        if out:
            yield word("stopped_out", count=len(out), runs=", ".join(evaluation.run for evaluation in out))
        if within:
            yield word("stopped_in", count=len(within), runs=", ".join(evaluation.run for evaluation in within))
    if short := sum(score.left_out > 0 for evaluation in together.evaluations for score in evaluation.scores):
        yield word("shortened", count=short)
    if scored := sum(one.given for one in together.evaluations):
        yield word("given_scored", count=scored)
    yield from together.rubric.notes


# ---- one run, score by score -----------------------------------------------------------------------------------------


def explained(evaluation: Evaluation, texts: Mapping[int, str], locale: str) -> Iterator[str]:
    """Every score of a run with its reason and the words it rests on. `texts`: turn -> what was said in it."""
    word = sentences("score", locale)
    grader = evaluation.graded_by or "-"
    yield word("explained", rubric=evaluation.rubric, target=evaluation.target, model=evaluation.model, grader=grader)
    for score in evaluation.scores:
        if score.gap is Reason.NOT_APPLICABLE:
            continue
        unit = f" {score.key}" if score.key else ""
        by = scored_by(score, word)
        yield f"{shown(score.value, '.4g'):>7}  {score.item}{unit}  {shortened(score.title, 40)}  〔{by}〕"
        if score.gap is not None:
            yield " " * 9 + word(f"gap_{score.gap}") + (f": {score.detail}" if score.detail else "")
        if score.reason:
            yield " " * 9 + score.reason
        for turn in score.turns[:EVIDENCE_SHOWN]:
            yield " " * 9 + f"[{turn}] {shortened(' '.join(texts.get(turn, '').split()), 60)}"
        if len(score.turns) > EVIDENCE_SHOWN:
            yield " " * 9 + word("more_turns", turns=", ".join(map(str, score.turns[EVIDENCE_SHOWN:])))


def scored_by(score: Score, word: Word) -> str:
    """Who scored: a rule by its name, or the grader."""
    rule = score.by.removeprefix("rule ")
    return word("by_rule", rule=rule) if rule != score.by else score.by or "-"


def shortened(text: str, most: int = 300) -> str:
    """The beginning of what was said: the whole stands in the run."""
    return text if len(text) <= most else text[:most] + "…"
