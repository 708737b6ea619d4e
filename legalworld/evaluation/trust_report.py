"""What a check of graders says: plants, repetitions, and a line for each metric; in the terminal and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ..model.immutable import immutable
from ..wording import sentences
from ..wording.columns import table
from .grader_check import CheckedGrader
from .metrics.reliability import Reliability
from .metrics.values import number, shown
from .plants import CONTROL, PlantRow, row, rows
from .report_text import Word
from .trust import Against, Trust

_HEADS: Final = ("plant", "n", "topped", "raised", "interval", "lowered", "shift", "lost")


@immutable
class TrustReport:
    """A grader: `lines`, one for each metric; `retest`: agreement of its repetitions, None where there were none."""

    grader: str
    checked: CheckedGrader
    lines: Sequence[Trust]
    retest: Reliability | None


def terminal(found: TrustReport, locale: str) -> str:
    """The table of plants, the repetitions, the lines on the metrics."""
    word = sentences("grader", locale)
    parts = [word("heading", grader=found.grader)]
    if found.checked.questions:
        parts.append("\n".join(_plants(found.checked, word)))
    if found.retest is not None:
        one = found.retest
        parts.append(word("retest", times=one.raters, n=one.n, alpha=shown(one.alpha), icc=shown(one.icc)))
    if found.lines:
        parts.append("\n".join(_lines(found.lines, word)))
    return "\n\n".join(parts)


def _plants(checked: CheckedGrader, word: Word) -> Iterator[str]:
    yield word("plants", questions=checked.questions)
    listed = [[word(f"head_{name}") for name in _HEADS]]
    listed += [_plant(each, word) for each in (*rows(checked.plants), _whole(checked))]
    yield from table(listed, frozenset(range(1, len(_HEADS))))


def _whole(checked: CheckedGrader) -> PlantRow:
    return row("all", [one for one in checked.plants if one.kind != CONTROL])


def _plant(one: PlantRow, word: Word) -> list[str]:
    ends = one.interval
    span = "-" if ends.low is None else f"{shown(ends.low, '.0%')}-{shown(ends.high, '.0%')}"
    shares = [shown(one.raised, ".0%"), span, shown(one.lowered, ".0%"), shown(one.shift, "+.1f")]
    return [word(f"plant_{one.plant.replace('-', '_')}"), str(one.n), str(one.topped), *shares, str(one.lost)]


def _lines(lines: Sequence[Trust], word: Word) -> Iterator[str]:
    """A line for each metric; what speaks against all of them is told once, above them."""
    shared = frozenset[Against]()
    if len(lines) > 1:
        shared = frozenset.intersection(*(frozenset(line.reasons) for line in lines))
    yield word("trust")
    if shared:
        yield word("shared", reasons=_reasons(lines[0], [one for one in lines[0].reasons if one in shared], word))
    for line in lines:
        own = [one for one in line.reasons if one not in shared]
        reasons = _reasons(line, own, word) if own else word("no_other_reason" if shared else "no_reason")
        verdict = word(f"verdict_{line.verdict}")
        yield word("line", metric=line.metric, title=line.title, verdict=verdict, n=line.scores, reasons=reasons)


def _reasons(line: Trust, reasons: Sequence[Against], word: Word) -> str:
    return word("between").join(
        word(f"why_{why}", value=shown(value, ".0%" if why == "plants" else ".2f"), n=line.plants.n)
        for why, value in reasons
    )


def as_json(found: TrustReport) -> dict[str, Any]:
    """Everything."""
    return {
        "grader": found.grader,
        "questions": found.checked.questions,
        "plants": [_row(each) for each in (*rows(found.checked.plants), _whole(found.checked))],
        "retest": None if found.retest is None else found.retest.figures(),
        "metrics": [
            {
                "metric": line.metric,
                "title": line.title,
                "trust": line.verdict,
                "reasons": [{"why": why, "value": value} for why, value in line.reasons],
                "scores": line.scores,
                "wobble": number(line.wobble),
                "plants": _row(line.plants),
                "controls": _row(line.controls),
                "graders": None if line.graders is None else line.graders.figures(),
                "people": None
                if line.people is None
                else line.people.agreement.figures() | line.people.reliability.figures(),
            }
            for line in found.lines
        ],
    }


def _row(one: PlantRow) -> dict[str, Any]:
    return {
        "plant": one.plant,
        "n": one.n,
        "topped": one.topped,
        "lost": one.lost,
        "raised": number(one.raised),
        "raised_low": one.interval.low,
        "raised_high": one.interval.high,
        "lowered": number(one.lowered),
        "shift": number(one.shift),
    }
