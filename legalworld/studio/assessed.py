"""How a run came out, for pages: citations and the articles they name, checks of decisions, conduct, scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from ..evaluation.asked_questions import AskedQuestion
from ..evaluation.results import Evaluation
from ..evaluation.rubric.open import OpenRubric, open_rubric
from ..evaluation.score_files import all_kept, asked_of
from ..evaluation.soundness.audit import DocumentAudit
from ..evaluation.soundness.definition import CheckResult
from ..evaluation.soundness.report import audits_of, json_rows, shown
from ..files.project_files import Disk
from ..law.library.library import Library, library_folder
from ..model.diagnostics import Diagnostic
from ..model.remarks import breaches
from ..runs.show.decided import decisions_of, record_data
from ..runs.show.decided_text import decision_text
from ..runs.show.views import event_data
from ..wording import read_toml
from .documents import Documents
from .lines import Transcript
from .responses import TwoLanguages
from .responses_assessed import (
    ArticlePage,
    AskedMessage,
    AskedPage,
    AskedRow,
    CheckList,
    CheckPlace,
    CheckRow,
    CitationList,
    CitationRow,
    ConductList,
    ConductRow,
    DecisionList,
    DecisionPage,
    EvaluationPage,
    FigureRow,
    ScoredItem,
    ScoreList,
)
from .studio_run import StudioRun
from .told import both, in_both, problem_of, told


def conduct_list(run: StudioRun) -> ConductList:
    """The rules that were broken, as `lw show --violations` has them."""
    speakers = {call.id: call.speaker for call in run.calls}
    titles = {rule.id: rule.title for rule in run.procedure.conduct}
    rows = tuple(
        ConductRow(
            turn=run.turn_of.get(event.request, 0),
            speaker=speakers.get(event.request, ""),
            title=_rule(event.rule, titles),
            **event_data(event),
        )
        for event in breaches(run.events)
    )
    return ConductList(violations=rows)


def _rule(rule: str, titles: Mapping[str, str]) -> TwoLanguages:
    """What a rule is called: by its author, else by the program."""
    if titles.get(rule):
        return both(titles[rule])
    return told(f"violation.{rule}") if rule in read_toml("en.toml")["violation"] else both(rule)


# ---- citations -------------------------------------------------------------------------------------------------------


def citation_list(run: StudioRun, transcript: Transcript, documents: Documents) -> CitationList:
    """All citations, as `lw show --citations` has them, each with its call or its document."""
    data = transcript.cited
    rows = []
    for row in data["citations"]:
        turn = run.turn_of.get(row["request"], 0)
        found = [doc for doc in documents.rows if doc.document and _stands_in(row, doc.document, doc.side, doc.place)]
        doc, title = (found[-1].name, found[-1].title) if found else ("", "")
        line = transcript.line_of(turn) if turn else 0
        rows.append(CitationRow(turn=turn, line=line, doc=doc, doc_title=title, **row))
    totals = {name: data[name] for name in ("law_at", "library", "all", "wrong", "unknown", "outcomes")}
    return CitationList(**totals, citations=tuple(rows))


def _stands_in(row: Mapping[str, Any], document: str, side: str, place: str) -> bool:
    return bool((row["document"], row["side"], row["place"]) == (document, side, place))


def article_page(law: str, article: str, at: str, root: Path) -> ArticlePage:
    """An article of the law library as of a day (YYYY-MM-DD, "" for the newest text); or why there is none."""
    day = date.fromisoformat(at) if at else None
    page = ArticlePage(
        found=False, law=law, article=article, at=at, title="", since="", until="", text="", problem=None
    )
    library = Library.open(library_folder(Path.cwd()))
    if isinstance(library, Diagnostic):
        return page.model_copy(update={"problem": problem_of(library, root)})
    try:
        found = library.check(law, article, at=day)
    finally:
        library.close()
    if isinstance(found, Diagnostic):
        return page.model_copy(update={"problem": problem_of(found, root)})
    return page.model_copy(
        update={
            "found": True,
            "title": found.law.name,
            "since": found.since.isoformat(),
            "until": found.until.isoformat() if found.until is not None else "",
            "text": found.text,
        }
    )


# ---- checks ----------------------------------------------------------------------------------------------------------


def check_list(run: StudioRun, documents: Documents) -> CheckList:
    """The checks of the decisions of a run, as `lw show --checks` has them."""
    audits, problems = audits_of(run.opened, Disk(Path.cwd()))
    names = {doc.document: doc.name for doc in documents.rows if doc.document}
    rows = tuple(row for audit in audits for row in _checks(audit, names))
    return CheckList(rows=rows, problems=tuple(problem_of(one, run.root) for one in problems))


def _checks(audit: DocumentAudit, names: Mapping[str, str]) -> Iterator[CheckRow]:
    for one, row in zip(audit.results, json_rows(audit, ""), strict=True):
        yield CheckRow(
            document=row["document"],
            check=row["check"],
            title=one.check.title,
            severity=row["severity"],
            part=row["part"],
            result=row["result"],
            missing=str(row["missing"] or ""),
            basis=one.check.basis or "",
            places=tuple(_places(audit, one, row["places"], names)),
        )


def _places(
    audit: DocumentAudit, result: CheckResult, rows: list[dict[str, Any]], names: Mapping[str, str]
) -> Iterator[CheckPlace]:
    for place, row in zip(result.places, rows, strict=True):
        document = row["document"] or audit.name
        yield CheckPlace(
            document=row["document"],
            doc=names.get(document, ""),
            line=row.get("line") or 0,
            start=row["start"] or 0,
            end=row["end"] or 0,
            text=row.get("text", ""),
            shown=in_both(partial(shown, audit, place)),
        )


# ---- decisions and scores --------------------------------------------------------------------------------------------


def decision_list(run: StudioRun, documents: Documents) -> DecisionList:
    """The decisions of a run, in words and as `lw show --record` has them."""
    names = {doc.document: doc.name for doc in documents.rows if doc.document and doc.last}
    return DecisionList(
        decisions=tuple(
            DecisionPage(
                name=one.parts.name,
                title=one.parts.title or one.parts.name,
                doc=names.get(one.document, ""),
                text=in_both(partial(decision_text, one)),
                record=record_data(one),
            )
            for one in decisions_of(run.opened)
        )
    )


def score_list(run: StudioRun) -> ScoreList:
    """All evaluations beside a run, as `lw show --scores` has them."""
    read = list(all_kept(run.opened.folder.path))
    pages = tuple(_evaluation(one) for one in read if isinstance(one, Evaluation))
    problems = tuple(problem_of(one, run.root) for one in read if isinstance(one, Diagnostic))
    return ScoreList(evaluations=pages, problems=problems)


@lru_cache(64)
def _titles(name: str, digest: str, cwd: Path) -> tuple[str, Mapping[str, str]]:
    """The title of a rubric and those of its figures; none where the rubric at hand is not the one of the scores."""
    opened = open_rubric(name, cwd)
    if not isinstance(opened, OpenRubric) or opened.rubric.digest != digest:
        return "", {}
    return opened.rubric.title, {formula.name: formula.title for formula in opened.rubric.formulas.values()}


def _evaluation(one: Evaluation) -> EvaluationPage:
    title, titles = _titles(one.rubric, one.rubric_digest, Path.cwd())
    scores = tuple(
        ScoredItem(**{**score.model_dump(mode="json"), "gap": score.gap.value if score.gap is not None else ""})
        for score in one.scores
    )
    figures = tuple(
        FigureRow(
            **{**figure.model_dump(mode="json"), "gap": figure.gap.value if figure.gap is not None else ""},
            title=titles.get(figure.formula, ""),
        )
        for figure in one.figures
    )
    return EvaluationPage(
        rubric=one.rubric,
        title=title,
        grader=one.graded_by or "",
        target=one.target,
        finished=one.finished,
        given=one.given,
        figures=figures,
        passes=dict(one.passes),
        scores=scores,
    )


def asked_page(run: StudioRun, place: str) -> AskedPage | None:
    """Return what a grader was asked for a score, by where it stands: `0.12` is the thirteenth of the first evaluation.
    None where there is no such score."""
    told = place.split(".")
    if len(told) != 2 or not all(one.isascii() and one.isdigit() and len(one) < 9 for one in told):
        return None
    of, n = map(int, told)
    path = run.opened.folder.path
    kept = [one for one in all_kept(path) if isinstance(one, Evaluation)]
    if of >= len(kept) or n >= len(kept[of].scores):
        return None
    score = kept[of].scores[n]
    asked = (one for one in asked_of(path, kept[of]) if score.item in one.items and score.key in one.units)
    return AskedPage(questions=tuple(map(_asked_row, asked)))


def _asked_row(one: AskedQuestion) -> AskedRow:
    messages = tuple(AskedMessage(role=message.role, content=message.content) for message in one.sent)
    return AskedRow(question=one.question, repeat=one.repeat, messages=messages, reply=one.reply)


def scored_turns(scores: ScoreList) -> dict[int, int]:
    """Turn -> how many scores rest on it."""
    found: dict[int, int] = {}
    for evaluation in scores.evaluations:
        for score in evaluation.scores:
            for turn in score.turns:
                found[turn] = found.get(turn, 0) + 1
    return found
