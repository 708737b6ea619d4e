"""Scores of a grader beside a run that was played, made by hand."""

from __future__ import annotations

from pathlib import Path

from legalworld.evaluation.asked_questions import AskedQuestion
from legalworld.evaluation.metrics.values import Reason
from legalworld.evaluation.results import Evaluation, Figure, Score
from legalworld.evaluation.score_files import keep
from legalworld.runs.folder import RunFolder
from legalworld.runs.journal import standing


def graded(folder: Path, canary: str) -> None:
    """Scores of a grader that has read the reference, and says so in every place where words can stand."""
    opened = RunFolder.open(folder)
    assert isinstance(opened, RunFolder)
    told = {name: f"{canary} {name}" for name in ("reason", "detail", "raw", "truth")}
    by_grader = Score(item="a", key="", title="A", value=7.0, turns=(3,), by="openai/grader", **told)
    again = Score(item="c", key="2", title="C", value=3.0, by="openai/grader")
    by_rule = Score(item="b", key="", title="B", value=1.0, turns=(4,), by="rule", **told)
    questions = [
        AskedQuestion(question=name, items=items, units=units, messages=(("user", f"{canary} {name}"),), reply=canary)
        for name, items, units in (("q1", ("a",), ("",)), ("q2", ("a", "c"), ("2",)), ("q3", ("c",), ("",)))
    ]
    info = opened.info
    keep(
        folder,
        Evaluation(
            run=str(folder),
            procedure=info.procedure,
            case=info.case,
            target=info.target,
            model="offline",
            outcome="",
            finished=True,
            rubric="made",
            rubric_digest="0",
            run_digest=standing(folder / "journal.jsonl").chain,
            grader={"model": "openai/grader"},
            figures=(Figure(formula="mean", value=5.0), Figure(formula="b", value=None, gap=Reason.EMPTY, detail="c")),
            passes={},
            scores=(by_grader, again, by_rule),
        ),
        questions,
    )
