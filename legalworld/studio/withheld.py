"""What is left out of published pages: names of persons, what is kept for scoring, what a provider gave with a call."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache
from typing import Any, Final

from ..model.json_text import read_json
from ..model.punctuation import joined
from .responses_assessed import ScoredItem, ScoreList
from .studio_run import StudioRun

LEFT_OUT: Final = "…"
_LONG: Final = 6
"""Characters of a sealed text by which it is known; what is shorter stands in any text."""

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’-]{2,}")
_RULE: Final = "rule"
_CHINESE, _OTHER = "〔{}〕", "[{}]"
_ADDRESSES: Final = frozenset(("ltd", "llp", "plc", "inc", "mrs", "miss", "sir", "dame"))
"""What stands at an end of many names and names nobody. One that is missing here is replaced too, which hides too much
and shows nothing."""


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
    """The names of those who can take part -> what stands for them: their titles in brackets, with a number where
    several bear one. A name behind its title goes with it: the title alone stays. Of a name of several words, any two
    or more that follow one another are replaced too, and the first and the last one unless they are ordinary words."""
    titles = {person.id: person.title for person in (*run.people[0], *run.people[1])}
    persons = [person for person in run.persons.values() if len(person.name) > 1]
    shared = Counter(titles.get(person.id, person.role) for person in persons)
    numbers: Counter[str] = Counter()
    ordinary = _ordinary_words(run) if any(" " in person.name for person in persons) else frozenset()
    brackets = _CHINESE if run.procedure.locale == "zh" else _OTHER
    found: dict[str, str] = {}
    for person in persons:
        title = titles.get(person.id, person.role)
        numbers[title] += 1
        called = joined(title, str(numbers[title])) if shared[title] > 1 else title
        found[joined(title, person.name)] = called
        found[person.name] = brackets.format(called)
        for part in _parts(person.name, ordinary):
            found.setdefault(part, brackets.format(called))
    return found


def _parts(name: str, ordinary: Set[str]) -> Iterator[str]:
    """The parts of a name of several words by which somebody can be known."""
    words = name.split()
    for count in range(len(words) - 1, 1, -1):
        for first in range(len(words) - count + 1):
            yield " ".join(words[first : first + count])
    for word in {words[0], words[-1]} if len(words) > 1 else ():
        if _WORD.fullmatch(word) and word[0].isupper() and word.lower() not in ordinary:
            yield word


def _ordinary_words(run: StudioRun) -> frozenset[str]:
    """The words that the run uses with a small letter, or of which several names are made: forms of address."""
    names = Counter(word.lower() for person in run.persons.values() for word in set(person.name.split()))
    said = (word for reply in run.answers.values() for word in _WORD.findall(reply.text) if word[0].islower())
    return frozenset((*said, *(word for word, times in names.items() if times > 1), *_ADDRESSES))


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
