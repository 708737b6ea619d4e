"""A run to be read by people: who said what and which documents came of it, in order, without a word on who played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from ..evaluation.stored_run import Stored, plain
from ..model import events as e
from ..model.immutable import immutable
from ..model.struck import struck


@immutable
class Passage:
    """`stage`, `phase`: a heading, `anchor` its place. `speech`: turn and speaker. `document`: title and author."""

    kind: Literal["stage", "phase", "speech", "document"]
    text: str
    speaker: str = ""
    turn: int = 0
    title: str = ""
    anchor: str = ""
    struck: bool = False


def passages(stored: Stored) -> Iterator[Passage]:
    """All of a run, without headings under which nothing was said; a document as often as it was written."""
    waiting: dict[str, Passage] = {}
    turn, seen = 0, set()
    gone = struck(stored.events)
    for number, event in enumerate(stored.events):
        match event:
            case e.Entered(level="stage" | "phase" as level, title=title):
                anchor = plain(event.place)
                if level == "stage":
                    waiting.clear()
                waiting[level] = Passage(level, title, anchor="" if anchor in seen else anchor)
                seen.add(anchor)
            case e.Asked():
                turn = stored.numbers[event.id]
            case e.Spoke(text=text) if text.strip():
                yield from _headed(waiting)
                turn_of = stored.numbers.get(event.request, 0)
                yield Passage("speech", text, event.speaker, turn_of, struck=number in gone)
            case e.Drafted(text=text) if text.strip():
                yield from _headed(waiting)
                title = stored.procedure.documents[event.document].title
                yield Passage("document", text, event.speaker, 0 if event.source == "case" else turn, title)
            case _:
                continue


def _headed(waiting: dict[str, Passage]) -> Iterator[Passage]:
    """Headings that are due, the stage's first."""
    for level in ("stage", "phase"):
        if level in waiting:
            yield waiting.pop(level)


def named_in(stored: Stored, models: Mapping[str, str]) -> tuple[str, ...]:
    """Names of models that the run itself betrays: they stand in what was said or written."""
    # `openai/clerk [temperature=0] + openai/other`: several may have played one role, one of them called otherwise
    played = (one.partition(" [")[0] for joined in models.values() for one in joined.split(" + "))
    names = {one.rpartition("/")[2].partition(":")[0].lower() for one in played}
    text = "\n".join([*(one.text for one in stored.utterances), *(one.text for _, one in stored.documents)]).lower()
    return tuple(sorted(name for name in names if len(name) > 2 and name in text))
