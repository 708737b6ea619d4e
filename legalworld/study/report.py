"""Scores of base runs and forks put side by side: pairs, effects, a table in the terminal, JSON, two CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..evaluation.metrics.values import Reason
from ..evaluation.report import number
from ..evaluation.results import Evaluation
from ..evaluation.rubric.definition import Formula, Rubric
from ..evaluation.run_store import RunStore
from ..files.project_files import write_whole
from ..files.spreadsheet import harmless
from ..language import diagnose
from ..language.diagnostics import nearest
from ..model import events as e
from ..model.procedure import Procedure
from ..runs.project import Problems
from ..wording import say
from ..wording.columns import table
from .effects import Effect, Pair, changed, effects
from .interventions import Interventions
from .play import Arm


@dataclass(frozen=True, slots=True)
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
    known = tuple(rubric.formulas)
    return tuple(
        diagnose.missing_stage_figure("--rubric", rubric=rubric.name, stage=stage, known=known, nearest=near)
        for stage in dict.fromkeys(stages)
        if stage not in known
        for near in (nearest(stage, known),)
    )


def compare(
    arms: Sequence[Arm], evaluations: Sequence[Evaluation], declared: Interventions, scale: tuple[Procedure, Rubric]
) -> Compared:
    """Every arm against its base run, by stage."""
    procedure, rubric = scale
    by_run: dict[str, list[Evaluation]] = {}
    for one in evaluations:
        by_run.setdefault(one.run, []).append(one)
    told = _Told(RunStore(), {})
    order = list(declared.documents), list(declared.qualities)
    sorted_arms = sorted(arms, key=lambda arm: (order[0].index(arm.document), order[1].index(arm.quality)))
    pairs = tuple(_pair(arm, stage, by_run, rubric, told) for arm in sorted_arms for stage in arm.stages)
    graders = tuple(dict.fromkeys(str(one.grader.get("model", "")) for one in evaluations if one.grader))
    offline = bool(evaluations) and all(one.model.startswith("offline") for one in evaluations)
    pairs = tuple(one for one in pairs if one.gap != Reason.NOT_APPLICABLE.value)  # neither run came to the stage
    return Compared(declared, procedure, rubric, pairs, effects(pairs), graders, offline)


@dataclass(frozen=True, slots=True)
class _Told:
    """What was said in runs, each read once."""

    openings: RunStore
    kept: dict[Path, tuple[e.Spoke, ...]]

    def words(self, path: Path) -> tuple[e.Spoke, ...]:
        if path not in self.kept:
            found = self.openings.open(path)
            events = () if isinstance(found, tuple) else found.stored.events
            self.kept[path] = tuple(event for event in events if isinstance(event, e.Spoke))
        return self.kept[path]


def _pair(arm: Arm, stage: str, by_run: Mapping[str, Sequence[Evaluation]], rubric: Rubric, told: _Told) -> Pair:
    formula = rubric.formulas[stage]
    before, base_gap = _figures(by_run.get(arm.base.as_posix(), ()), formula)
    after, gap = _figures(by_run.get(arm.folder.as_posix(), ()), formula)
    graders = before.keys() & after.keys() if before and after else ()
    base = _mean(value for name, value in before.items() if name in graders or not after)
    value = _mean(value for name, value in after.items() if name in graders or not before)
    both = base_gap == gap == Reason.NOT_APPLICABLE.value
    return Pair(
        arm.target,
        arm.case,
        arm.seed,
        arm.document,
        arm.quality,
        stage,
        base,
        value,
        changed(told.words(arm.base), told.words(arm.folder), stage),
        gap if both else _lacking(base_gap, gap),
        arm.base.as_posix(),
        arm.folder.as_posix(),
    )


def _lacking(base: str, value: str) -> str:
    """Why a pair has one figure at most; that a stage was come to in one run alone is a result, and told as such."""
    gap = base or value
    return "one_sided" if gap == Reason.NOT_APPLICABLE.value else gap


def _figures(evaluations: Sequence[Evaluation], formula: Formula) -> tuple[dict[str, float], str]:
    """Grader -> a figure as it is shown; or why there is none."""
    found: dict[str, float] = {}
    gaps = []
    for one in evaluations:
        figure = one.figure(formula.name)
        if figure is not None and figure.value is not None:
            found[str(one.grader.get("model", ""))] = figure.value * formula.scale
        elif figure is not None and figure.gap is not None:
            gaps.append(str(figure.gap.value))
    return found, "" if found else next(iter(gaps), "failed")


def _mean(values: Iterable[float]) -> float | None:
    """Of what the graders gave; None of nothing."""
    found = list(values)
    return sum(found) / len(found) if found else None


# ---- for people ------------------------------------------------------------------------------------------------------


def terminal(found: Compared, locale: str) -> str:
    """The table, the cases behind it, notes."""
    parts = [say(locale, "intervene", "heading", title=found.declared.title, rubric=found.rubric.title)]
    if not found.effects:
        return "\n\n".join([*parts, say(locale, "intervene", "nothing")])
    parts.append("\n".join(table([_heads(locale), *_rows(found, locale)], frozenset(range(3, 10)))))
    parts.append("\n".join(_notes(found, locale)))
    return "\n\n".join(parts)


def _heads(locale: str) -> list[str]:
    words = ("document", "quality", "stage", "n", "base", "value", "delta", "interval", "p", "changed")
    return [say(locale, "intervene", f"head_{word}") for word in words]


def _rows(found: Compared, locale: str) -> Iterator[list[str]]:
    for one in found.effects:
        delta = one.delta
        low, high = delta.interval.low, delta.interval.high
        interval = "-" if low is None or high is None else f"[{low:+.2f}, {high:+.2f}]"
        yield [
            _document(found, one.document, locale),
            found.declared.qualities[one.quality].title,
            _stage(found, one.stage),
            str(delta.n),
            _number(number(one.base.value)),
            _number(number(one.value.value)),
            _number(number(delta.value), "+"),
            interval,
            "-" if one.adjusted is None else f"{one.adjusted:.3f}",
            "-" if one.changed is None else f"{one.changed:.0%}",
        ]


def _number(value: float | None, sign: str = "") -> str:
    return "-" if value is None else f"{value:{sign}.2f}"


def _document(found: Compared, name: str, locale: str) -> str:
    document = found.procedure.documents.get(name)
    return document.title if document is not None else say(locale, "intervene", "all_documents")


def _stage(found: Compared, name: str) -> str:
    return next((stage.title for stage in found.procedure.stages if stage.id == name), name)


def _notes(found: Compared, locale: str) -> Iterator[str]:
    def tell(key: str, **values: object) -> str:
        return say(locale, "intervene", key, **values)

    yield tell("changed_means")
    makings = {name: one.makings for name, one in found.declared.documents.items()}
    pairs = [one for one in found.pairs if not makings[one.document][one.quality].control]
    still = [one for one in pairs if one.changed == 0]
    moved = [one for one in still if one.complete and one.base != one.value]
    if moved:
        yield tell("ruler_moved", count=len(moved))
    if still:
        yield tell("unchanged", count=len(still), all=len(pairs))
    if left := sum(not one.complete for one in found.pairs):
        yield tell("left_out", count=left)
    if any(one.delta.n < 6 for one in found.effects):
        yield tell("few_cases")
    if found.offline:
        yield tell("offline_actors")
    if "offline" in found.graders:
        yield say(locale, "score", "offline_grader")
    yield from found.declared.notes


# ---- as data ---------------------------------------------------------------------------------------------------------


def as_json(found: Compared) -> dict[str, Any]:
    """Everything; the scores behind the figures lie beside the runs."""
    return {
        "study": found.declared.name,
        "rubric": found.rubric.name,
        "grader": list(found.graders),
        "effects": [_effect(one) for one in found.effects],
        "pairs": [_plain(one) for one in found.pairs],
        "notes": list(found.declared.notes),
    }


def _effect(one: Effect) -> dict[str, Any]:
    delta = one.delta
    return {
        "quality": one.quality,
        "document": one.document,
        "stage": one.stage,
        "n": delta.n,
        "base": number(one.base.value),
        "intervention": number(one.value.value),
        "delta": number(delta.value),
        "low": delta.interval.low,
        "high": delta.interval.high,
        "p": delta.p,
        "adjusted": one.adjusted,
        "changed": one.changed,
        "left_out": one.left_out,
    }


def _plain(one: Pair) -> dict[str, Any]:
    return {
        "target": one.target,
        "case": one.case,
        "seed": one.seed,
        "document": one.document,
        "quality": one.quality,
        "stage": one.stage,
        "base": one.base,
        "intervention": one.value,
        "delta": one.value - one.base if one.value is not None and one.base is not None else None,
        "changed": one.changed,
        "gap": one.gap,
        "base_run": one.base_run,
        "run": one.run,
    }


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """A row each; the columns are those of the first."""
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: harmless(value) for key, value in row.items()})
    return out.getvalue()


def write(found: Compared, out: Path) -> tuple[Path, ...]:
    """`effects.json`, `effects.csv` and, a row for each pair, `pairs.csv`. Raises OSError."""
    import json

    data = as_json(found)
    texts = {
        "effects.json": json.dumps(data, ensure_ascii=False, indent=1) + "\n",
        "effects.csv": "\ufeff" + csv_text(data["effects"]),
        "pairs.csv": "\ufeff" + csv_text(data["pairs"]),
    }
    for name, text in texts.items():
        write_whole(out / name, text.encode("utf-8"))
    return tuple(out / name for name in texts)
