"""How a run came out: its status, what it cost, where its files are, its citations and violations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from ...model.procedure import Procedure
from ...wording import locale, say
from ...wording.columns import table
from ...wording.diagnostics import as_json
from ..adjustments import adjustments_data, adjustments_text
from ..gaps import gaps_data, gaps_text
from ..lifecycle import RunResult
from ..progress import dollars


def outcome_data(result: RunResult) -> dict[str, Any]:
    """The JSON object of `lw run`, `lw resume` and `lw fork`."""
    return {
        "run": str(result.folder),
        "status": result.status,
        "outcome": result.outcome,
        "place": result.place,
        **({"missed": result.missed} if result.missed else {}),
        "turns": result.turns,
        "tokens": result.tokens,
        "documents": list(result.documents),
        **({"lacking": gaps_data(result.gaps)} if result.gaps else {}),
        "violations": result.violations,
        "citations": dict(result.cited),
        **(
            {"answered_as": {model: list(names) for model, names in result.answered.items()}} if result.answered else {}
        ),
        **({"adjusted": adjustments_data(result.adjusted)} if result.adjusted else {}),
        "problems": as_json(result.problems, locale()),
    }


def outcome_text(result: RunResult, procedure: Procedure, cost: float) -> str:
    """The same as a person reads it; `cost` in US dollars."""
    path = str(result.folder)
    spent = [say("run.turns", turns=result.turns)]
    spent += [say("run.tokens_counted", count=result.tokens)] if result.tokens else []
    spent += [say("run.cost", cost=dollars(cost))] if cost else []
    lines = [_ending(result), say("run.between").join(spent)]
    lines += [
        say("run.answered_as", model=model, names=say("run.between").join(names))
        for model, names in result.answered.items()
    ]
    lines += adjustments_text(result.adjusted)
    lines += [say("run.transcript", path=f"{path}/transcript.md")]
    lines += [say("run.documents"), *_documents(result, procedure)] if result.documents else []
    lines += gaps_text(result.gaps)
    lines += [_cited(result)] if result.cited["all"] else []
    lines += [say("run.violations", count=result.violations, path=path)] if result.violations else []
    return "\n".join(lines)


def _ending(result: RunResult) -> str:
    match result.status:
        case "ended" if result.outcome:
            return say("run.done", outcome=result.ending or result.outcome)
        case "ended":
            return say("run.done_plain")
        case "paused" if result.missed:
            return say("run.missed", missed=result.missed, place=result.place, path=str(result.folder))
        case "paused" | "stopped" | "interrupted":
            return say(f"run.{result.status}", place=result.place, path=str(result.folder))
        case _:
            assert_never(result.status)


def _cited(result: RunResult) -> str:
    """How many citations were made, how many of them are wrong, of how many nothing could be told."""
    cited = result.cited
    parts = [say("run.cited", count=cited["all"]), say("run.cited_wrong", count=cited["wrong"])]
    parts += [say("run.cited_unknown", count=cited["unknown"])] if cited["unknown"] else []
    return say("run.cited_line", counts=say("run.between").join(parts), path=result.folder)


def _documents(result: RunResult, procedure: Procedure) -> Iterator[str]:
    """One line per document: its title and its file."""
    rows = []
    for file in result.documents:
        name = file.removeprefix("documents/").removesuffix(".md")
        known = [document for document in procedure.documents if name == document or name.startswith(f"{document}-")]
        rows.append((procedure.documents[max(known, key=len)].title if known else name, f"{result.folder}/{file}"))
    yield from (f"  {line}" for line in table(rows))
