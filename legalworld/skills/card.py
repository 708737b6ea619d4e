"""Skill cards that grew out of runs: what a card says, and the Markdown file that it is kept in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from ..model.immutable import immutable

LONGEST_CARD: Final = 16_000  # characters of a file
MOST_LINES: Final = 8
LONGEST: Final = {"title": 60, "trigger": 300, "stages": 200, "task": 300, "checklist": 300, "output": 300}
"""Characters of a section; of the checklist, of one of its lines."""


@immutable
class CardText:
    """What a card says. `stages`: those of the procedure in which it is shown."""

    title: str
    trigger: str
    stages: tuple[str, ...]
    task: str
    checklist: tuple[str, ...]
    output: str

    @property
    def sayings(self) -> tuple[str, ...]:
        """Every text of it, each by itself."""
        return (self.title, self.trigger, self.task, *self.checklist, self.output)


@immutable
class GrownCard:
    """A version of a card. `who`: the role under test; `acts`: at whose first occurrence it is shown.

    `cases`: "ID DIGEST" of each case that it was made from, `runs`: their runs; `before`, `after`: the mean figure of
    these cases without the card and with it, None where it is not known; `date`: the last day of the runs, "" where
    they have none; `by`: who reflected; `body`: what is said below, to whoever is shown the card.
    """

    name: str
    version: int
    said: CardText
    who: str
    acts: tuple[str, ...]
    body: str
    parents: tuple[str, ...]
    runs: tuple[str, ...]
    cases: tuple[str, ...]
    rubric: str
    date: str
    by: str
    before: float | None = None
    after: float | None = None

    @property
    def id(self) -> str:
        return f"{self.name}@{self.version}"


def as_markdown(card: GrownCard) -> str:
    """The file: YAML in front, with each text in double quotes, and the body below."""
    said = card.said
    lines = [
        *("---", "lw: 1", f"skill: {_quoted(card.name)}", f"title: {_quoted(said.title)}", f"who: {card.who}"),
        f"stages: {_listed(said.stages)}",
        f"trigger: {_quoted(said.trigger)}",
        f"acts: {_listed(card.acts)}",
        f"task: {_quoted(said.task)}",
        *("checklist:", *(f"  - {_quoted(line)}" for line in said.checklist)),
        f"output: {_quoted(said.output)}",
        *("grown:", *(f"  {line}" for line in _origin(card))),
        *("---", "", card.body.strip()),
    ]
    return "\n".join(lines) + "\n"


def _origin(card: GrownCard) -> Iterator[str]:
    yield f"version: {card.version}"
    for key in ("parents", "runs", "cases"):
        if words := getattr(card, key):
            yield f"{key}: {_listed(words)}"
    for key in ("rubric", "date", "by"):
        if word := getattr(card, key):
            yield f"{key}: {_quoted(word)}"
    for key in ("before", "after"):
        if (figure := getattr(card, key)) is not None:
            yield f"{key}: {figure:.2f}"


def _quoted(text: str) -> str:
    """A text as YAML has it in double quotes, on one line."""
    return json.dumps(" ".join(text.split()), ensure_ascii=False)


def _listed(words: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, words))}]"
