"""Answers of a server that no run has given: long, hostile or many, in the types of real ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stand_in import Answer, Query

from legalworld.studio.responses import Problem, RunChoices, RunList, RunListRow, TwoLanguages
from legalworld.studio.responses_assessed import ArticlePage, CitationList, CitationRow
from legalworld.studio.responses_procedure import MatrixCell, MatrixHead, MatrixKind, MatrixPage, MatrixRow, WhyPage
from legalworld.studio.responses_run import (
    CiteMark,
    FieldState,
    LinePage,
    LineRow,
    PartText,
    PersonRow,
    Prompt,
    PromptMessage,
    RunHead,
    SeenField,
    SightPage,
    TurnPage,
    TurnRow,
)

RUN = "made"
SPEAKERS = ("甲", "乙", "Ω")


def both(text: str) -> TwoLanguages:
    return TwoLanguages(zh=text, en=text)


def line(n: int, **values: Any) -> LineRow:
    """The line of call `n + 1`."""
    text = values.get("text", f"words {n + 1}")
    given: dict[str, Any] = {
        "n": n,
        "kind": "call",
        "event": "",
        "place": "p/q",
        "turn": n + 1,
        "level": "",
        "act": "state",
    }
    given |= {
        "person": f"p{n % 3}",
        "role": f"p{n % 3}",
        "speaker": SPEAKERS[n % 3],
        "asked": "",
        "calls": (),
        "said": True,
    }
    given |= {"text": text, "length": len(text), "struck": False, "withheld": (), "to": (), "heard_by": (), "day": ""}
    given |= {"confined": False, "seconds": None, "tokens": None, "model": "m", "doc": "", "cites": (), "conduct": 0}
    return LineRow(**given | {"scored": 0} | values)


def head(turns: int, **values: Any) -> RunHead:
    people = tuple(
        PersonRow(id=f"p{n}", role=f"p{n}", title=name, name="", kind="k", letter="K", side="", model="m")
        for n, name in enumerate(SPEAKERS)
    )
    given: dict[str, Any] = {
        "id": RUN,
        "status": "ended",
        "live": False,
        "torn": False,
        "procedure": "made",
        "people": people,
    }
    given |= {"procedure_title": "Made", "locale": "zh", "case": "c", "case_title": "A case", "target": "", "seed": 0}
    given |= {
        "options": {},
        "option_titles": {},
        "models": (),
        "parts": (),
        "calendar": (),
        "outcome": "",
        "ending": "",
        "place": "p/q",
    }
    given |= {"turns": turns, "calls": turns, "lines": turns, "tokens": 10, "cost": 0.5}
    given |= {"lacking": (), "adjusted": (), "changes": ()}
    given |= {"has": ("prompts", "tools", "citations", "docs", "checks", "scores"), "problems": (), "names": True}
    return RunHead(**given | values)


def turn_page(n: int, turns: int, reply: str) -> TurnPage:
    row: dict[str, Any] = {"turn": n, "request": f"r{n}", "place": "p/q", "person": "p0", "role": "p0", "speaker": "甲"}
    row |= {"act": "state", "heard": None, "asked": "", "only_calls": None, "answered": True, "reply": reply, "by": ""}
    row |= {
        "thought": "",
        "cut": False,
        "calls": (),
        "provider_data": "",
        "model": "m",
        "prompt_tokens": 1,
        "reckoned": {},
    }
    row |= {"completion_tokens": 1, "cached_tokens": 0, "spoken_from": ()}
    given: dict[str, Any] = {"turn": n, "turns": turns, "line": n - 1, "row": TurnRow(**row), "kept": None, "came": ()}
    return TurnPage(**given, reads=None, day="", seconds=None, place_title="Part", step=None)


def sight(n: int, value: str = "a value") -> SightPage:
    state = FieldState(name="field", whose="all", title="A field", entries=({"value": value},))
    seen = SeenField(state=state, cells=(), reason=both("a cell opens it"), fresh="new", since=n, opened=n)
    given: dict[str, Any] = {"turn": n, "person": "p0", "speaker": "甲", "kind": "k", "letter": "K", "stage": "p"}
    return SightPage(**given, today="", before=max(n - 3, 0), next=n + 3, fields=(seen,), unseen=(), back=())


def prompt(n: int) -> Prompt:
    parts = (PartText(home="part.j2", text=f"asked {n}", file="prompts/part.j2", line=1),)
    given: dict[str, Any] = {
        "role": "user",
        "content": f"asked {n}",
        "parts": parts,
        "calls": (),
        "call": "",
        "added": True,
    }
    return Prompt(turn=n, messages=(PromptMessage(**given, provider_data=""),), included={}, tools=())


def told_run(
    turns: int,
    text: Callable[[int], str] = "words {}".format,
    marks: Mapping[int, Sequence[CiteMark]] | None = None,
    **values: Any,
) -> dict[str, Answer]:
    """The answers for a run of so many turns; `text`: number of a turn -> what was said in it."""
    marks = marks or {}

    def lines(query: Query) -> Any:
        first, count = int(query.get("from", ["0"])[0]), int(query.get("count", ["1000"])[0])
        rows = [
            line(n, text=text(n + 1)[:20_000], length=len(text(n + 1)), cites=tuple(marks.get(n + 1, ())))
            for n in range(first, min(first + count, turns))
        ]
        return LinePage(first=first, total=turns, lines=tuple(rows)).model_dump(mode="json")

    answers: dict[str, Answer] = {
        f"run/{RUN}/head": head(turns, **values).model_dump(mode="json"),
        f"run/{RUN}/lines": lines,
    }
    for n in {*range(1, min(turns, 12) + 1), *range(max(1, turns - 3), turns + 1)}:
        answers[f"run/{RUN}/turn/{n}"] = turn_page(n, turns, text(n)).model_dump(mode="json")
        answers[f"run/{RUN}/sight/{n}"] = sight(n).model_dump(mode="json")
        answers[f"run/{RUN}/prompt/{n}"] = prompt(n).model_dump(mode="json")
    return answers | {"runs": run_list([RUN])}


def run_list(names: Sequence[str], live: bool = False, problems: tuple[Problem, ...] = ()) -> Any:
    rows = tuple(
        RunListRow(
            **{
                "id": name,
                "procedure": "made",
                "procedure_title": "",
                "case": f"case {n}",
                "case_title": "",
                "target": "",
                "model": "m",
                "models": "m",
                "seed": n,
            },
            **{"options": "", "status": "unfinished" if live else "ended", "live": live, "place": "p"},
            **{"outcome": "won", "ending": "" if live else f"Won {n}", "turns": n, "tokens": 10 * n, "figures": ()},
        )
        for n, name in enumerate(names)
    )
    choices = RunChoices(procedure=("made", "other"), case=(), model=("m",), status=("ended",))
    given = {"first": 0, "total": len(rows), "rows": rows, "figures": (), "damaged": 1, "choices": choices}
    return RunList(**given, problems=problems, writing=False).model_dump(mode="json")


def citations() -> dict[str, Answer]:
    """One citation in turn 1, and the article that it cites."""
    row: dict[str, Any] = {
        "turn": 1,
        "line": 0,
        "place": "p/q",
        "request": "r1",
        "person": "p0",
        "speaker": "甲",
        "act": "state",
    }
    row |= {
        "document": "",
        "doc": "",
        "doc_title": "",
        "side": "",
        "written": "第五条",
        "normal": "某法第五条",
        "law": "某法",
        "article": "5",
    }
    row |= {"paragraph": None, "item": None, "sub_item": None, "version": None, "former": False, "outcome": "in_force"}
    cited = CitationRow(**row, wrong=False, at="2024-01-01", basis="", code="", adopted=None, since=None)
    listed = CitationList(
        law_at={}, library={}, all=1, wrong=0, unknown=0, outcomes={"in_force": 1}, citations=(cited,)
    )
    article = ArticlePage(
        found=True,
        law="某法",
        article="5",
        at="2024-01-01",
        title="某法",
        since="",
        until="",
        text="第五条的文字",
        problem=None,
    )
    return {
        f"run/{RUN}/citations": listed.model_dump(mode="json"),
        f"run/{RUN}/article": article.model_dump(mode="json"),
    }


def matrix() -> dict[str, Answer]:
    """A matrix of one field that is seen by K in stage A alone, and the reasons."""
    cell = MatrixCell(stage="A", kind="k", letter="K", whose="all", notes=(), file="made.yaml", line=3, text="K")
    rows = (MatrixRow(what="field", whose="all", title=both("A field"), cells=(cell,)),)
    heads = (MatrixHead(id="A", title="First"), MatrixHead(id="B", title="Second"))
    page = MatrixPage(
        name="made",
        title="Made",
        stages=heads,
        kinds=(MatrixKind(id="k", letter="K", roles=("p0",)),),
        rows=rows,
        notes=(),
        unseen=(),
        scoring=(),
    )

    def why(query: Query) -> Any:
        seen = query["stage"] == ["A"]
        reason = both("a cell opens it" if seen else "no cell opens it here")
        given = {"what": "field", "whose": "all", "kind": "k", "stage": query["stage"][0], "seen": seen}
        return WhyPage(**given, reasons=(reason,), cells=(), elsewhere=()).model_dump(mode="json")

    return {"procedure/made/matrix": page.model_dump(mode="json"), "procedure/made/why": why}
