"""What a corpus came to, step by step: how many went on, what fell out and why; and its card."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from ..files import regular
from ..files.regular import write_whole
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.json_text import read_json
from ..wording import Locale, sentences
from .build import REQUEST, files_in
from .records import Row
from .step_files import StepDone

CARD: Final = "card.md"
_LANGUAGES: Final[tuple[Locale, ...]] = ("zh", "en")


@immutable
class CorpusReport:
    """The steps that are done, what was asked for, and the steps whose files are not what they were."""

    steps: tuple[StepDone, ...]
    asked: Row
    problems: tuple[Diagnostic, ...]

    def row(self) -> Row:
        return {"asked": self.asked, "steps": [step.row() for step in self.steps]}


def report_of(folder: Path) -> CorpusReport | Diagnostic:
    """What stands in a folder that `lw corpus build` filled."""
    steps, problems = [], []
    for files in files_in(folder):
        if not files.mark.exists():
            continue
        done = files.done()
        if done is None:
            problems.append(diagnose.changed_corpus_step(str(files.kept), step=files.name))
        else:
            steps.append(done)
    if not steps and not problems:
        return diagnose.no_corpus(str(folder), path=str(folder))
    try:
        asked = read_json(regular.text(folder / REQUEST))
    except (OSError, ValueError):
        asked = {}
    return CorpusReport(tuple(steps), asked if isinstance(asked, dict) else {}, tuple(problems))


def report_text(report: CorpusReport, language: str) -> str:
    """The steps as lines: what went on, what fell out by reason, with examples."""
    say = sentences("corpus", language)
    lines: list[str] = []
    for step in report.steps:
        lines.append(say("step", name=say(f"step_{step.name}"), kept=step.kept, taken=step.taken))
        for reason, count in sorted(step.fallen.items(), key=lambda one: (-one[1], one[0])):
            lines.append(say("fell", reason=reason_words(reason, language), count=count))
            lines += [say("example", text=_example(one)) for one in step.examples.get(reason, ())]
    return "\n".join(lines)


def reason_words(reason: str, language: str) -> str:
    """Why a record fell out, in words: a reason of ours, or the code of a problem."""
    words = sentences("corpus", language)(f"why_{reason}")
    return reason if words == f"why_{reason}" else words


def _example(one: Row) -> str:
    return " ".join(str(one[key]) for key in ("id", "detail", "other") if one.get(key))


def write_card(folder: Path, report: CorpusReport) -> None:
    """The card, in both languages. Raises OSError."""
    text = "\n\n".join(_card(report, language) for language in _LANGUAGES)
    write_whole(folder / CARD, (text + "\n").encode("utf-8"))


def _card(report: CorpusReport, language: str) -> str:
    say, asked = sentences("corpus", language), report.asked
    licence = asked.get("licence") or say("no_licence")
    model = asked.get("model") or say("by_rules")
    head = [
        say("card_title"),
        say("card_source", sources=", ".join(map(str, asked.get("sources", ())))),
        say("card_licence", licence=licence),
        say("card_made", binding=asked.get("binding") or "-", model=model, seed=asked.get("seed")),
    ]
    rows = [
        f"| {say(f'step_{step.name}')} | {step.taken} | {step.kept} | {_fallen(step, language)} |"
        for step in report.steps
    ]
    table = [say("card_columns"), "|---|---|---|---|", *rows]
    return "\n\n".join(("\n".join(head), "\n".join(table), *_told(report.steps, language), say("card_faults")))


def _fallen(step: StepDone, language: str) -> str:
    reasons = sorted(step.fallen.items(), key=lambda one: (-one[1], one[0]))
    return "; ".join(f"{reason_words(reason, language)} {count}" for reason, count in reasons) or "-"


def _told(steps: Sequence[StepDone], language: str) -> Iterator[str]:
    """What steps tell of all their records together: personas before and after, bands, splits."""
    say = sentences("corpus", language)
    for step in steps:
        if step.notes:
            yield say("card_notes", name=say(f"step_{step.name}")) + "\n\n" + "\n".join(_list(step.notes))


def _list(notes: dict[str, Any]) -> Iterator[str]:
    for key, value in notes.items():
        yield f"- {key}: {json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value}"
