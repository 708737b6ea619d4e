"""The errands of a run: searches, citations looked up, documents compared. Every result is JSON text, never a crash.

The libraries are those of the project of the working folder (or LW_LIBRARY's), opened when they are first needed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from ..language.diagnostics import message
from ..library.law import Found
from ..library.library import Library, library_folder
from ..library.numbering import parse_article
from ..library.shipped import shipped
from ..library.standing import Clerk
from ..model.case import Case, Record, Sided, Value
from ..model.events import Errand, Reply
from ..model.procedure import Procedure
from ..model.source import Problem
from ..text.citations import citations
from ..text.comparing import compare
from .citing import relevant_day

TOP: Final = 5
LONGEST: Final = 8_000  # characters of one result
QUOTED: Final = 600  # characters of one article or snippet in a list
NUMBER: Final = 60  # characters of a text of the case that may be its number


class Errands:
    """What agents send for. The law is that of the case's day; the running case is in no list of similar ones."""

    def __init__(self, procedure: Procedure, case: Case, cwd: Path, locale: str) -> None:
        self._day: date | None = relevant_day(procedure, case).date
        self._numbers = frozenset(_short(case))
        self._cwd = cwd
        self._locale: Any = locale
        self._library: Library | None = None
        self._opened = False

    def close(self) -> None:
        if self._library is not None:
            self._library.close()

    async def carry(self, errand: Errand) -> Reply:
        """The result of an errand."""
        result = await asyncio.to_thread(self._done, errand)
        return Reply(text=json.dumps(result, ensure_ascii=False)[:LONGEST])

    def _done(self, errand: Errand) -> Mapping[str, object]:
        given = errand.arguments
        match errand.operation:
            case "search articles":
                return self._articles(given["query"], given.get("law", ""))
            case "find article":
                return self._article(given["law"], given["article"])
            case "search cases":
                return self._cases(given["query"])
            case "check citations":
                return self._citations(given["text"])
            case _:
                return compare(given["first"], given["second"]).as_data()

    # ---- the libraries -----------------------------------------------------------------------------------------------
    def _held(self) -> Library | None:
        """The library, where there is one that can be read."""
        if not self._opened:
            self._opened = True
            library = Library.open(library_folder(self._cwd))
            self._library = library if isinstance(library, Library) else None
        return self._library

    def _words(self, problem: Problem) -> str:
        return message(problem, self._locale)

    def _articles(self, query: str, law: str) -> Mapping[str, object]:
        library = self._held()
        if library is None:
            return {"found": [], "note": "empty library"}
        hits = library.search(query, at=self._day, top=TOP, law=law)
        if isinstance(hits, Problem):
            return {"found": [], "note": self._words(hits)}
        return {"found": [_told(hit.found, QUOTED) for hit in hits.hits]}

    def _article(self, law: str, article: str) -> Mapping[str, object]:
        """By name and number; of a law that is not held, what the project's own list says."""
        library = self._held()
        found = library.check(law, article, at=self._day) if library is not None else None
        if isinstance(found, Found):
            return {"found": [_told(found, LONGEST // 2)]}
        number = parse_article(article)
        listed = [one for one in shipped().values() if number == one.number and law.endswith(one.law)]
        note = self._words(found) if isinstance(found, Problem) else "empty library"
        if listed:  # what the project says of it in its own words
            return {"found": [{"law": one.law, "article": str(one.number), "gist": one.gist} for one in listed]}
        return {"found": [], "note": note}

    def _cases(self, query: str) -> Mapping[str, object]:
        library = self._held()
        if library is None:
            return {"found": [], "note": "empty library"}
        hits = library.search_cases(query, top=TOP, without=self._numbers)
        if isinstance(hits, Problem):
            return {"found": [], "note": self._words(hits)}
        return {
            "found": [
                {
                    "title": hit.case.title,
                    "number": hit.case.number,
                    "court": hit.case.court,
                    "cause": hit.case.cause,
                    "snippet": hit.snippet[:QUOTED],
                }
                for hit in hits.hits
            ]
        }

    def _citations(self, text: str) -> Mapping[str, object]:
        clerk = Clerk(self._held())
        found = []
        for one in citations(text):
            standing = clerk.standing(one, self._day)
            written = text[one.start : one.end]
            found.append(
                {"written": written[:NUMBER], "law": standing.law, "place": standing.place, "outcome": standing.outcome}
            )
        return {"citations": found}


def _told(found: Found, longest: int) -> Mapping[str, object]:
    text = found.text
    return {
        "law": found.law.name,
        "article": str(found.article.number),
        "text": text if len(text) <= longest else text[: longest - 1] + "…",
        "since": str(found.since),
    }


def _short(case: Case) -> Iterator[str]:
    """Every short text of a case: its numbers are among them."""
    for values in (case.fields, case.sealed):
        for value in values.values():
            yield from _texts(value)


def _texts(value: Value | Sided) -> Iterator[str]:
    match value:
        case str():
            if 0 < len(value) <= NUMBER:
                yield value
        case Sided(values=values):
            for one in values.values():
                yield from _texts(one)
        case Record():
            for key in value:
                yield from _texts(value[key])
        case tuple():
            for one in value:
                yield from _texts(one)
        case _:
            return
