"""Facts about laws that need no text (dates, repeals, article counts), and which law a name means.

Dates are in `law_facts.yaml`; the names that laws go by are those of `text.law_names`, so that a citation read there
and one typed by a person find the same law.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from datetime import date
from functools import cache, lru_cache
from typing import Any

from ...language import diagnose
from ...language.spelling import nearest
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.text import folded
from ..text import law_names
from ..text.lexicon import pattern
from .article_numbers import parse_article
from .law import Law, LawEvent, Repeal
from .own_data import own_data

LONGEST = 200  # characters of a name


@immutable
class KnownLaws:
    """`last`: date of adoption of a version -> the number of its last article."""

    name: str
    also: tuple[str, ...] = ()
    events: tuple[LawEvent, ...] = ()
    repealed: Repeal | None = None
    last: Mapping[date, int] = field(default_factory=dict)


@cache
def known() -> Mapping[str, KnownLaws]:
    """Key of the full name -> what is known."""
    return {name_key(entry["law"]): _known(entry) for entry in own_data("law_facts.yaml")}


def _known(entry: Mapping[str, Any]) -> KnownLaws:
    name = entry["law"]
    published = {adopted: day for day, adopted in entry.get("published", {}).items()}
    events = [
        LawEvent(
            date.fromisoformat(adopted),
            date.fromisoformat(in_force),
            published=date.fromisoformat(published[adopted]) if adopted in published else None,
        )
        for adopted, in_force in entry.get("in force", {}).items()
    ]
    for adopted, change in entry.get("changed", {}).items():
        touched = frozenset(number for text in change["articles"] if (number := parse_article(text)) is not None)
        events.append(LawEvent(date.fromisoformat(adopted), date.fromisoformat(change["in force"]), touched))
    repealed = Repeal(name, date.fromisoformat(entry["repealed"]), entry["by"]) if "repealed" in entry else None
    last = {date.fromisoformat(adopted): int(number) for adopted, number in entry.get("last", {}).items()}
    return KnownLaws(name, tuple(entry.get("also", ())), tuple(events), repealed, last)


# ---- names -----------------------------------------------------------------------------------------------------------


@lru_cache(8192)
def name_key(name: str) -> str:
    """What two spellings of one name share: no marks, no 中华人民共和国, no issuing court. Stored by the library."""
    name = folded(pattern("names", "drop").sub("", name[:LONGEST]))
    for key in ("drop", "serial", "issuers"):
        name = pattern("names", key).sub("", name)
    return name


def short_name(name: str) -> str:
    """民法典 for 中华人民共和国民法典, 劳动争议解释（一） for what the Supreme Court calls it."""
    listed = _listed(name_key(name))
    if listed is not None:
        return listed.short
    return _widened(min(_shortened(name_key(name)), key=len, default="") or name_key(name))


def _listed(key: str) -> law_names.LawName | None:
    """The law of a key in the table of names."""
    return law_names.known(_widened(key)) if key else None


def _widened(key: str) -> str:
    return key.replace("(", "\uff08").replace(")", "\uff09")


def _shortened(name: str) -> Iterator[str]:
    """The keys of shorter names that people make of a full one."""
    title = pattern("names", "shortened").match(name)
    if title is not None:
        end = title["kind"] + (title["n"] or "")
        yield title["about"] + end
        if pattern("names", "parent").match(title["about"]):
            yield pattern("names", "parent").sub("", title["about"]) + end


@immutable
class Meant:
    """The full name of a law, and the year of a version where one was named, as in 民事诉讼法（2021修正）; else 0."""

    name: str
    year: int = 0


class LawNames:
    """The names of all laws that are known or held. `also`: name a person has given -> full name."""

    def __init__(self, held: Iterable[str] = (), also: Iterable[tuple[str, str]] = ()) -> None:
        self._exact: dict[str, set[str]] = {}
        self._made: dict[str, set[str]] = {}
        full = {name_key(name): name for name in held}
        for key, entry in known().items():
            name = full.setdefault(key, entry.name)
            for other in entry.also:
                self._exact.setdefault(name_key(other), set()).add(name)
        for key, name in full.items():
            self._exact.setdefault(key, set()).add(name)
            for made in _shortened(key):
                self._made.setdefault(made, set()).add(name)
        for other, name in also:
            self._exact.setdefault(name_key(other), set()).add(name)
        self.short = {name: short_name(name) for name in full.values()}

    def meant(self, text: str) -> Meant | Diagnostic:
        """The law that a person names; LW210 for none, LW219 for several."""
        key, year = name_key(text), 0
        dated = pattern("names", "year").search(key)
        if dated is not None and key not in self._exact:
            key, year = pattern("names", "serial").sub("", key[: dated.start()]), int(dated["year"])
        for attempt in dict.fromkeys((key, pattern("names", "formerly").sub("", key))):
            names = self._named(attempt)
            if len(names) == 1:
                return Meant(next(iter(names)), year)
            if names:
                shown = tuple(sorted(self.short[name] for name in names))
                return diagnose.ambiguous_law(text[:LONGEST], name=text[:LONGEST], known=shown, nearest=None)
        close = nearest(key, self.short.values()) if len(key) <= 40 else None
        return diagnose.unknown_law(text[:LONGEST], name=text[:LONGEST], nearest=close)

    def _named(self, key: str) -> set[str]:
        """Names as given and as listed come before those that we make of a full one."""
        if key in self._exact:
            return self._exact[key]
        listed = _listed(key)
        if listed is not None:
            return self._exact.get(name_key(listed.title)) or {listed.title}
        return self._made.get(key, set())

    def full(self, text: str) -> str | None:
        """The law of exactly this name, for files that name laws in full."""
        names = self._exact.get(name_key(text), set())
        return next(iter(names)) if len(names) == 1 else None


def unheld(name: str) -> Law:
    """A law that is only listed by its name."""
    listed = _listed(name_key(name))
    day = date.fromisoformat(listed.repealed) if listed is not None and listed.repealed else None
    return Law(name, short_name(name), repealed=Repeal(name, day, "") if day is not None else None)
