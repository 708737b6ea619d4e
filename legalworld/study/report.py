"""Scores of base runs and forks put side by side: pairs, effects, a table in the terminal, JSON, two CSV files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ..evaluation.metrics.values import Reason, mean_of, number, shown
from ..evaluation.report import scaled
from ..evaluation.report_text import Word
from ..evaluation.results import Evaluation
from ..evaluation.rubric.definition import Formula, Rubric
from ..evaluation.run_store import open_stored
from ..files.regular import write_whole
from ..files.spreadsheet import csv_text
from ..language import diagnose
from ..language.spelling import nearest
from ..model import events as e
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import Span
from ..runs.project import Problems
from ..wording import say, sentences
from ..wording.columns import table
from .effects import Effect, Pair, changed, effects
from .interventions import Interventions
from .play import Arm

_HEADS: Final = ("document", "quality", "stage", "n", "base", "value", "delta", "interval", "p", "changed")
_PAIR_COLUMNS: Final = (
    *("target", "case", "seed", "document", "quality", "stage"),
    *("base", "intervention", "delta", "changed", "gap", "base_run", "run"),
)


@immutable
class Compared:
    """A study, scored. Figures of `pairs` and `effects` are as the rubric shows them."""

    declared: Interventions
    procedure: Procedure
    rubric: Rubric
    pairs: tuple[Pair, ...]
    effects: tuple[Effect, ...]
    graders: tuple[str, ...]
    offline: bool


def figures_there(rubric: Rubric, stages: Sequence[str]) -> Problems:
    """A problem for each stage of which the rubric has no figure: that is a formula with the name of the stage."""
    known, at = tuple(rubric.formulas), Span("--rubric", 0, 0)
    return tuple(
        diagnose.missing_stage_figure(at, rubric=rubric.name, stage=stage, known=known, nearest=nearest(stage, known))
        for stage in dict.fromkeys(stages)
        if stage not in known
    )


def compare(
    arms: Sequence[Arm], evaluations: Sequence[Evaluation], declared: Interventions, scale: tuple[Procedure, Rubric]
) -> Compared:
    """Every arm against its base run, by stage."""
    procedure, rubric = scale
    by_run: dict[str, list[Evaluation]] = {}
    for evaluation in evaluations:
        by_run.setdefault(evaluation.run, []).append(evaluation)
    folders = dict.fromkeys(folder for arm in arms for folder in (arm.base, arm.folder))
    words = {folder: _words(folder) for folder in folders}
    documents, qualities = list(declared.documents), list(declared.qualities)
    ordered = sorted(arms, key=lambda arm: (documents.index(arm.document), qualities.index(arm.quality)))
    every = (_pair(arm, rubric.formulas[stage], by_run, words) for arm in ordered for stage in arm.stages)
    pairs = tuple(pair for pair in every if pair.gap != Reason.NOT_APPLICABLE.value)  # neither run came to the stage
    graders = tuple(dict.fromkeys(evaluation.graded_by for evaluation in evaluations if evaluation.grader))
    offline = bool(evaluations) and all(evaluation.model.startswith("offline") for evaluation in evaluations)
    controls = {
        (name, quality)
        for name, document in declared.documents.items()
        for quality, making in document.makings.items()
        if making.control
    }
    return Compared(declared, procedure, rubric, pairs, effects(pairs, controls), graders, offline)


def _words(folder: Path) -> tuple[e.Spoke, ...]:
    """What was said in a run; nothing where it cannot be opened."""
    stored = open_stored(folder)
    events = () if isinstance(stored, tuple) else stored.events
    return tuple(event for event in events if isinstance(event, e.Spoke))


def _pair(
    arm: Arm, formula: Formula, by_run: Mapping[str, Sequence[Evaluation]], words: Mapping[Path, Sequence[e.Spoke]]
) -> Pair:
    """The figure of a stage with the draft and with the other document, of the graders that gave both."""
    base, base_gap = _figures(by_run.get(arm.base.as_posix(), ()), formula)
    fork, gap = _figures(by_run.get(arm.folder.as_posix(), ()), formula)
    if base and fork:
        both = base.keys() & fork.keys()
        base, fork = ({name: values[name] for name in values if name in both} for values in (base, fork))
    if {base_gap, gap} != {Reason.NOT_APPLICABLE.value}:
        gap = base_gap or gap
        gap = "one_sided" if gap == Reason.NOT_APPLICABLE.value else gap  # a result, and told as such
    return Pair(
        arm.target,
        arm.case,
        arm.seed,
        arm.document,
        arm.quality,
        formula.name,
        number(mean_of(base.values())),
        number(mean_of(fork.values())),
        changed(words[arm.base], words[arm.folder], formula.name),
        gap,
        arm.base.as_posix(),
        arm.folder.as_posix(),
    )


def _figures(evaluations: Sequence[Evaluation], formula: Formula) -> tuple[dict[str, float], str]:
    """Grader -> a figure as it is shown; or why there is none."""
    values: dict[str, float] = {}
    gaps = []
    for evaluation in evaluations:
        figure = evaluation.figure(formula.name)
        value = scaled(figure.value, formula) if figure is not None else None
        if value is not None:
            values[evaluation.graded_by] = value
        elif figure is not None and figure.gap is not None:
            gaps.append(str(figure.gap.value))
    return values, "" if values else next(iter(gaps), "failed")


# ---- for people ------------------------------------------------------------------------------------------------------


def terminal(found: Compared, locale: str) -> str:
    """The table, the cases behind it, notes."""
    word = sentences("intervene", locale)
    heading = word("heading", title=found.declared.title, rubric=found.rubric.title)
    if not found.effects:
        return "\n\n".join([heading, word("nothing")])
    rows = [[word(f"head_{name}") for name in _HEADS], *(_line(found, effect, word) for effect in found.effects)]
    told = notes(found, word, say("score.offline_grader", locale))
    return "\n\n".join([heading, "\n".join(table(rows, frozenset(range(3, 10)))), "\n".join(told)])


def _line(found: Compared, effect: Effect, word: Word) -> list[str]:
    """An effect under the heads of the table; figures are printed with two decimals."""
    document = found.procedure.documents.get(effect.document)
    stages = {stage.id: stage.title for stage in found.procedure.stages}
    low, high = effect.delta.interval.low, effect.delta.interval.high
    return [
        document.title if document is not None else word("all_documents"),
        found.declared.qualities[effect.quality].title,
        stages.get(effect.stage, effect.stage),
        str(effect.delta.n),
        shown(effect.base.value),
        shown(effect.intervention.value),
        shown(effect.delta.value, "+.2f"),
        "-" if low is None or high is None else f"[{low:+.2f}, {high:+.2f}]",
        shown(effect.adjusted, ".3f"),
        shown(effect.changed, ".0%"),
    ]


def notes(found: Compared, word: Word, offline_grader: str) -> Iterator[str]:
    yield word("changed_means")
    makings = {name: document.makings for name, document in found.declared.documents.items()}
    pairs = [pair for pair in found.pairs if not makings[pair.document][pair.quality].control]
    still = [pair for pair in pairs if pair.changed == 0]
    if moved := sum(pair.delta not in (None, 0) for pair in still):
        yield word("ruler_moved", count=moved)
    if still:
        yield word("unchanged", count=len(still), all=len(pairs))
    if left := sum(pair.delta is None for pair in found.pairs):
        yield word("left_out", count=left)
    if any(effect.delta.n < 6 for effect in found.effects):
        yield word("few_cases")
    if found.offline:
        yield word("offline_actors")
    if "offline" in found.graders:
        yield offline_grader
    yield from found.declared.notes


# ---- as data ---------------------------------------------------------------------------------------------------------


def as_json(found: Compared) -> dict[str, Any]:
    """Everything; the scores behind the figures lie beside the runs."""
    return {
        "study": found.declared.name,
        "rubric": found.rubric.name,
        "grader": list(found.graders),
        "effects": [_effect_row(effect) for effect in found.effects],
        "pairs": [{name: getattr(pair, name) for name in _PAIR_COLUMNS} for pair in found.pairs],
        "notes": list(found.declared.notes),
    }


def _effect_row(effect: Effect) -> dict[str, Any]:
    delta = effect.delta
    return {
        "quality": effect.quality,
        "document": effect.document,
        "stage": effect.stage,
        "n": delta.n,
        "base": number(effect.base.value),
        "intervention": number(effect.intervention.value),
        "delta": number(delta.value),
        "low": delta.interval.low,
        "high": delta.interval.high,
        "interval": delta.interval.how,
        "p": delta.p,
        "adjusted": effect.adjusted,
        "needed": delta.needed,
        "detectable": delta.detectable,
        "changed": effect.changed,
        "left_out": effect.left_out,
    }


def write(found: Compared, out: Path) -> tuple[Path, ...]:
    """`effects.json`, `effects.csv` and, a row for each pair, `pairs.csv`. Raises OSError."""
    data = as_json(found)
    texts = {
        "effects.json": json.dumps(data, ensure_ascii=False, indent=1) + "\n",
        "effects.csv": "\ufeff" + csv_text(data["effects"]),
        "pairs.csv": "\ufeff" + csv_text(data["pairs"]),
    }
    for name, text in texts.items():
        write_whole(out / name, text.encode("utf-8"))
    return tuple(out / name for name in texts)
