"""What a person heard in a run: what was said, who came and went, what was read to him, how votes came out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...engine.polls import counts_of, votes_of
from ...model.attendance import Attended, ReadOut
from ...model.diagnostics import Diagnostic
from ...model.events import Entered, Event, Reopened, Spoke, Withheld
from ...model.immutable import immutable
from ...model.procedure import parts_of
from ...model.struck import struck
from ...model.votes import Voted
from ...wording import say, sentences
from ..open_run import OpenRun
from ..project import Problems
from ..transcript import outcome_of
from .memory import person_in_run
from .views import RunView, ShowRequest

Row = dict[str, Any]


@immutable
class HeardInRun:
    """What a person heard, a row each, in order. `word`: as he was named; `events`: of each row the number of its event
    among those of the run, from 0."""

    word: str
    person: str
    rows: list[Row]
    events: list[int]


def _read(opened: OpenRun, asked: ShowRequest) -> tuple[HeardInRun | None, Problems]:
    person = person_in_run(opened, asked.heard, "--as")
    if isinstance(person, Diagnostic):
        return None, (person,)
    return heard_in(opened, person.id, asked.heard), ()


def heard_in(opened: OpenRun, person: str, word: str = "") -> HeardInRun:
    """Return what the person with an id heard."""
    rows: list[Row] = []
    numbers: list[int] = []
    began: dict[str, int] = {}
    events = opened.events
    gone = struck(events)
    for number, event in enumerate(events):
        match event:
            case Entered(level="phase", place=place) | Reopened(place=place):
                began[place] = len(rows)
            case Withheld(phase=phase, persons=persons) if person in persons:
                for row in rows[began.get(phase, 0) :]:
                    row["withheld"] = row["withheld"] or row["phase"] == phase
            case _:
                rows += [row | ({"struck": True} if number in gone else {}) for row in _rows(event, person, opened)]
                numbers += [number] * (len(rows) - len(numbers))
    return HeardInRun(word, person, rows, numbers)


def _rows(event: Event, person: str, opened: OpenRun) -> Iterator[Row]:
    """What an event lets a person hear; `withheld` when it is taken back later."""
    match event:
        case Spoke() | Attended() | ReadOut() | Voted() if person in event.heard_by:
            base: Row = {"place": event.place, "phase": event.place.rpartition("/")[0], "withheld": False}
        case _:
            return
    match event:
        case Spoke(speaker=speaker, text=text):
            yield {**base, "kind": "spoke", "speaker": speaker, "text": text}
        case Attended(how="titled", speakers=speakers, titles=titles):
            yield {
                **base,
                "kind": "titled",
                "who": [f"{old} → {new}" for old, new in zip(speakers, titles, strict=True)],
            }
        case Attended(how=how, speakers=speakers):
            yield {**base, "kind": how, "who": list(speakers)}
        case Voted(title=title, result=result):
            words = outcome_of(event, opened.procedure, sentences("transcript"), opened.case)
            told = {"title": title, "result": result, "counts": [*counts_of(event)], "votes": [*votes_of(event)]}
            yield {**base, "kind": "voted", **told, "text": words}
        case ReadOut(speaker=speaker, title=title, lines=lines, struck=struck_lines):
            read = [
                {"speaker": who, "text": words} | ({"struck": True} if number in struck_lines else {})
                for number, (who, words) in enumerate(lines)
            ]
            yield {**base, "kind": "read_out", "speaker": speaker, "title": title, "lines": read}


def _data(heard: HeardInRun) -> dict[str, Any]:
    return {"person": heard.person, "heard": heard.rows}


def _text(heard: HeardInRun, opened: OpenRun) -> str:
    """Line by line below the titles of stages and phases."""
    if not heard.rows:
        return say("run.heard_nothing", who=heard.word)
    titles = {place: part.title for place, part in parts_of(opened.procedure).items()}
    lines, phase = [say("run.heard_heading", who=heard.word)], ""
    for row in heard.rows:
        if row["phase"] != phase:
            phase = row["phase"]
            lines += ["", f"{phase}  {titles.get(phase, '')}".rstrip()]
        lines += [f"  {line}" for line in _words(row, opened.procedure.marks.listed)]
    return "\n".join(lines)


def _words(row: Row, listed: str) -> Iterator[str]:
    told = sentences("transcript")
    taken_back = say("run.heard_withheld") if row["withheld"] else ""
    match row["kind"]:
        case "spoke":
            yield told("said", speaker=row["speaker"], text=_said(row)) + taken_back
        case "read_out":
            yield say("run.heard_read", speaker=row["speaker"], title=row["title"]) + taken_back
            yield from ("  " + told("said", speaker=one["speaker"], text=_said(one)) for one in row["lines"])
        case "voted":
            yield row["text"] + taken_back
        case how:
            yield told(how, names=listed.join(row["who"])) + taken_back


def _said(row: Row) -> str:
    """Words on one line, with a mark where they were struck."""
    text = " ".join(row["text"].split())
    return sentences("transcript")("struck", text=text) if row.get("struck") else text


HEARD = RunView(("heard",), _read, _data, _text)
