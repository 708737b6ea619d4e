"""Dialogues of one role with all others, as MASER's SynthLaw has them: what was said aloud and nothing else.

Of each stage the words that the role heard are the user's, its own are the assistant's, the documents that it wrote
too; of what was reviewed only the version that counted is there, and nothing of the reviewer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..model.events import Asked, Drafted, Reviewed, Spoke
from ..runs.open_run import OpenRun
from ..wording.struck import marked
from .dataset_tables import DatasetRequest, source_of

Row = dict[str, Any]


@dataclass(slots=True)
class _Dialogue:
    """What was said in a stage, taken as it came. `order`: the last instruction; `others`: who else spoke."""

    system: str = ""
    order: str = ""
    said: list[tuple[str, str, str]] = field(default_factory=list)  # (user or assistant, speaker, words)
    revised: int = 0

    def messages(self) -> list[Row]:
        """System, then user and assistant in turn; words of several others have their names before them."""
        others = {speaker for role, speaker, _ in self.said if role == "user" and speaker}
        found: list[Row] = []
        for role, speaker, words in self.said:
            text = f"{speaker}：{words}" if role == "user" and speaker and len(others) > 1 else words
            if found and found[-1]["role"] == role:
                found[-1]["content"] += "\n" + text
            else:
                found.append({"role": role, "content": text})
        while found and found[-1]["role"] == "user":
            found.pop()
        return [*([{"role": "system", "content": self.system}] if self.system and found else []), *found]


def dialogue_rows(opened: OpenRun, wanted: DatasetRequest) -> Iterator[Row]:
    """A row for each stage in which the role under test (or one that is asked for) said anything."""
    info, played = opened.folder.info, opened.played
    roles = wanted.roles or frozenset({info.target})
    for role in sorted(roles):
        for stage, talk in _talks(opened, role).items():
            messages = talk.messages()
            if messages:
                metadata = {"role": role, "stage": stage, "model": played.get(role, ""), "revised": talk.revised}
                yield {"messages": messages, "metadata": source_of(opened) | metadata}


def _talks(opened: OpenRun, role: str) -> dict[str, _Dialogue]:
    persons = {event.person for event in opened.events if isinstance(event, Asked) and event.role == role}
    talks: dict[str, _Dialogue] = {}
    for event in marked(opened.events, opened.procedure.locale):
        if not isinstance(event, Asked | Spoke | Drafted | Reviewed):
            continue
        talk = talks.setdefault(event.place.partition("/")[0], _Dialogue())
        mine = event.person in persons
        match event:
            case Asked(role=asked) if asked == role:
                systems = [one.content for one in event.added if one.role == "system"]
                talk.system = talk.system or "\n".join(systems)
                talk.order = next((one.content for one in reversed(event.added) if one.role == "user"), talk.order)
            case Spoke(text=text) if mine:
                _own(talk, text)
            case Spoke(text=text, speaker=speaker, heard_by=heard) if not persons.isdisjoint(heard):
                talk.said.append(("user", speaker, text))
            case Drafted(text=text, source="reply") if mine:
                _own(talk, text)
            case Reviewed(heard=False) if mine:
                talk.revised += 1
            case _:
                pass
    return talks


def _own(talk: _Dialogue, text: str) -> None:
    """His own words; where nobody spoke before them, they answer what he was told to do."""
    if (not talk.said or talk.said[-1][0] == "assistant") and talk.order:
        talk.said.append(("user", "", talk.order))
    talk.said.append(("assistant", "", text))
