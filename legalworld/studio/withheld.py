"""What is left out of published pages: names of persons, what is kept for scoring, what a provider gave with a call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from ..model.json_text import read_json
from .responses_assessed import ScoredItem, ScoreList
from .studio_run import StudioRun

LEFT_OUT: Final = "…"
_LONG: Final = 6
"""Characters of a sealed text by which it is known; what is shorter stands in any text."""

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’-]{2,}")
_RULE: Final = "rule"


class Withholding:
    """Changes every text of an answer. `names`: text -> what stands for it; `sealed`: texts that nothing may hold."""

    def __init__(self, names: Mapping[str, str], sealed: Iterable[str]) -> None:
        self._names = dict(names)
        self._sealed = tuple(sealed)
        ordered = sorted(self._names, key=lambda name: (-len(name), name))
        parts = [rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name) for name in ordered]
        self._pattern = re.compile("|".join(parts)) if parts else None
        self.text = lru_cache(1 << 14)(self._text)

    def __call__(self, value: Any) -> Any:
        """The value with every text changed, those of keys too."""
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(name): self(one) for name, one in value.items()}
            case list() | tuple():
                return [self(one) for one in value]
            case _:
                return value

    def moved(self, text: str, place: int) -> int:
        """Where a place of a text, in code points, is when the text is changed."""
        return len(self.text(text[:place]))

    def _text(self, text: str) -> str:
        if any(one in text for one in self._sealed):
            return LEFT_OUT
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda match: self._names[match[0]], text)


def names_of(run: StudioRun) -> dict[str, str]:
    """The names of those who can take part -> what they are called instead: by their titles, with numbers where several
    bear one. Of a name of several words, the last one too."""
    titles = {person.id: person.title for person in (*run.people[0], *run.people[1])}
    found: dict[str, str] = {}
    for person in run.persons.values():
        title = titles.get(person.id, person.role)
        if len(person.name) > 1:
            found[person.name] = title
            words = _WORD.findall(person.name)
            if len(words) > 1 and words[-1][0].isupper():
                found.setdefault(words[-1], title)
    return found


def sealed_of(run: StudioRun) -> tuple[str, ...]:
    """The texts of a run that are kept for scoring alone and stand nowhere in its case and its record."""
    told = run.opened.folder.sealed_json() if run.opened.folder.info.sealed_sum else ""
    if not isinstance(told, str) or not told:
        return ()
    case = run.opened.folder.case_json()
    known = json.dumps(read_json(case), ensure_ascii=False) if isinstance(case, str) else ""
    record = "\n".join(reply.text for reply in run.answers.values())
    texts = dict.fromkeys(text.strip() for text in _texts(read_json(told)))
    lines = dict.fromkeys(line.strip() for text in texts for line in text.splitlines())
    return tuple(one for one in lines if len(one) >= _LONG and one not in known and one not in record)


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            yield from (text for one in value.values() for text in _texts(one))
        case list():
            yield from (text for one in value for text in _texts(one))
        case _:
            return


def open_scores(scores: ScoreList, sealed: bool) -> ScoreList:
    """Scores without what the reference is; where a run has one, also without the words of a grader who has read it."""
    pages = []
    for page in scores.evaluations:
        rows = [_open(one, sealed and one.by != _RULE) for one in page.scores]
        pages.append(page.model_copy(update={"scores": tuple(rows)}))
    return scores.model_copy(update={"evaluations": tuple(pages)})


def _open(one: ScoredItem, read: bool) -> ScoredItem:
    """A score without what the reference is; `read`: without the words of who gave it, too."""
    left = {**one.model_dump(), **dict(truth="")}  # noqa: C408
    return ScoredItem(**{**left, **(dict(reason="", detail="", raw="") if read else {})})  # noqa: C408
