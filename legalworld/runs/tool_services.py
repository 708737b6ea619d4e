"""What tool calls need of the world: the law library searched, citations checked, documents compared.

    services = ToolServices(procedure, case, cwd, "zh", whole)
    reply = await services.carry(errand)            # its text is JSON: {"found": [...], "note": ...}

The libraries are those of the project of the working folder (or LW_LIBRARY's), opened when they are first needed. What
is brought back names no path of this machine, and no case from which the running one could be told.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ..language import diagnose
from ..language.tool_operations import tool_operations
from ..law.library.article_numbers import parse_place
from ..law.library.citation_checker import WRONG, CitationChecker
from ..law.library.law import ArticleNumber, FoundArticle
from ..law.library.library import Library, library_folder
from ..law.library.search import snippet
from ..law.library.shipped import shipped
from ..law.library.store import CaseRecord
from ..law.text.citations import Citation, citations
from ..law.text.redline import compare
from ..model.case import Case, texts
from ..model.diagnostics import Diagnostic
from ..model.equipment import ToolUse
from ..model.events import Errand, Reply
from ..model.procedure import Procedure
from ..model.text import clean, parse_json
from ..wording import Locale, say, sentences
from ..wording.diagnostics import message
from .citation_check import relevant_day
from .likeness import Likeness

LONGEST: Final = 8_000  # characters of a result
STEPS: Final = ((6_000, 50), (600, 50), (300, 30), (150, 20), (80, 10), (40, 5), (40, 2))
"""(characters of a text, entries of a list) to which a result is cut, one after the other, until it is short enough."""
TOP: Final = 5  # articles or cases of a search
SHOWN: Final = 300  # characters of an article or case among others
CITATIONS: Final = 50  # of one text that are checked
SPARE: Final = 20  # cases looked at beyond those that are shown: the running one may be among them

Row = dict[str, Any]
Result = dict[str, Any]
_PLACES: Final = diagnose.codes_of(  # problems whose sentences name a folder
    diagnose.missing_library, diagnose.busy_library, diagnose.unusable_library
)
_TEXTLESS: Final = _PLACES | {diagnose.code_of(diagnose.missing_law_text)}  # nothing is held that could tell


class ToolServices:
    """Answers errands. The law is that of the day that has come in the procedure, before any of the case's day; the
    running case is in no list of similar ones.

    `whole`: the case with its sealed values, fetched when cases are first searched, and only to tell it from others.
    """

    def __init__(
        self, procedure: Procedure, case: Case, cwd: Path, locale: str, whole: Callable[[], Case | Diagnostic]
    ) -> None:
        self._procedure = procedure
        self._case = case
        self._whole = whole
        self._cwd = cwd
        self._locale: Locale = "en" if locale == "en" else "zh"
        self._note = sentences("errand", self._locale)
        self._one_at_a_time = threading.Lock()

    def close(self) -> None:
        """Let the library go, if it was opened."""
        held = self.__dict__.pop("_library", None)
        if isinstance(held, Library):
            held.close()

    async def carry(self, errand: Errand) -> Reply:
        """The result of an errand. The work is done beside the event loop: a first search may build an index."""
        return Reply(text=await asyncio.to_thread(self.result, errand))

    def result(self, errand: Errand) -> str:
        """The result as JSON of at most `LONGEST` characters. ValueError for no errand at all, a bug of ours."""
        served = tool_operations().parts[errand.operation].serve
        if served is not None:
            return fitted(self._served(served, errand))
        with self._one_at_a_time:
            return fitted(self._done(errand, errand.arguments))

    def _served(self, serve: Callable[[ToolUse], object], errand: Errand) -> Result:
        """What the operation of another package gives; what it raises is told to the caller, and the run goes on."""
        try:
            given = serve(ToolUse(errand.arguments, self._locale, errand.day))
            value = parse_json(json.dumps(given, ensure_ascii=False, allow_nan=False))
        except Exception as error:
            return {"failed": clean(f"{type(error).__name__}: {error}")[:SHOWN]}
        return value if isinstance(value, dict) else {"found": value}

    def _done(self, errand: Errand, arguments: Mapping[str, str]) -> Result:
        day = date.fromisoformat(errand.day) if errand.day else self._day
        match errand.operation:
            case "search articles":
                return self._search(arguments["query"], arguments.get("law", ""), day)
            case "find article":
                return self._find(arguments["law"], arguments["article"], day)
            case "search cases":
                return self._cases(arguments["query"], errand.case)
            case "check citations":
                return self._check(arguments["text"], day)
            case "compare documents":
                return compare(arguments["first"], arguments["second"]).as_data()
            case _:
                raise ValueError(f"no errand: {errand.operation}")

    @cached_property
    def _library(self) -> Library | Diagnostic:
        return Library.open(library_folder(self._cwd))

    @cached_property
    def _day(self) -> date | None:
        """The day by whose law the case is judged where no day has come; None: the newest."""
        return relevant_day(self._procedure, self._case).date

    def _why(self, problem: Diagnostic) -> str:
        """A problem in words that name no path."""
        if problem.code in _PLACES:
            return self._note("no_library" if problem.code == diagnose.code_of(diagnose.missing_library) else "no_use")
        return message(problem, self._locale)

    def _outcome(self, outcome: str) -> str:
        return say(f"citation.{outcome}", self._locale)

    # ---- articles ----------------------------------------------------------------------------------------------------

    def _search(self, query: str, law: str, day: date | None) -> Result:
        library = self._library
        hits = library if isinstance(library, Diagnostic) else library.search(query, at=day, top=TOP, law=law)
        if isinstance(hits, Diagnostic):
            return _result([], self._why(hits))
        notes = [self._why(problem) for problem in hits.problems]
        notes += [self._note("changed", count=hits.changed)] if hits.changed else []
        return _result([_article(hit.found, SHOWN) for hit in hits.hits], *notes, nothing=self._note("nothing"))

    def _find(self, law: str, article: str, day: date | None) -> Result:
        """An article, or the part of it that is named; without a text, what the project itself knows of it."""
        place = parse_place(article)
        if place is None:
            return _result([], self._note("no_number", word=article[:40]))
        number, paragraph, item, point = place
        library = self._library
        if isinstance(library, Diagnostic):
            return self._by_list(law, place, library, day)
        text = library.check(law, number, paragraph, item, point=point, at=day)
        return (
            self._by_list(law, place, text, day) if isinstance(text, Diagnostic) else _result([_article(text, LONGEST)])
        )

    def _by_list(
        self, law: str, place: tuple[ArticleNumber, int, int, int], why: Diagnostic, day: date | None
    ) -> Result:
        if why.code not in _TEXTLESS:
            return _result([], self._why(why))
        number, paragraph, item, point = place
        asked = Citation(0, 0, law, str(number), paragraph or None, item or None, point or None)
        checker = CitationChecker(None)
        stands = checker.standing(asked, day)
        if stands.outcome in WRONG:
            values = {"law": stands.law, "place": stands.place, "outcome": self._outcome(stands.outcome)}
            return _result([], self._note("outcome", **values))
        ours = shipped().get((stands.law, number))
        if ours is None:
            return _result([], self._why(why))
        row = {"law": checker.full_name(stands.law), "article": str(number), "gist": ours}
        return _result([row], self._why(why), self._note("gist"))

    # ---- citations ---------------------------------------------------------------------------------------------------

    def _check(self, text: str, day: date | None) -> Result:
        library = self._library
        held, notes = (None, [self._why(library)]) if isinstance(library, Diagnostic) else (library, [])
        checker = CitationChecker(held)
        rows: dict[tuple[str, ...], Row] = {}
        for citation in citations(text):
            if len(rows) == CITATIONS:
                notes.append(self._note("more_citations", count=CITATIONS))
                break
            stands = checker.standing(citation, day)
            row: Row = {"written": " ".join(text[citation.start : citation.end].split())[:60]}
            row |= {"law": checker.full_name(stands.law), "article": stands.place, "outcome": stands.outcome}
            row["wrong"] = stands.outcome in WRONG and not (stands.outcome == "repealed" and citation.former)
            row["says"] = self._outcome(stands.outcome)
            if stands.since is not None:
                row["since"] = str(stands.since)
            rows.setdefault((stands.law or row["written"], stands.place, stands.outcome), row)
        return _result(list(rows.values()), *notes, nothing=self._note("no_citation"))

    # ---- cases -------------------------------------------------------------------------------------------------------

    def _cases(self, query: str, running: str) -> Result:
        library = self._library
        without = (running,) if running else ()
        hits = (
            library
            if isinstance(library, Diagnostic)
            else library.search_cases(query, top=TOP + SPARE, without=without)
        )
        if isinstance(hits, Diagnostic):
            return _result([], self._why(hits))
        mine = self._likeness
        if isinstance(mine, Diagnostic):  # what cannot be compared could be the case itself
            return _result([], self._why(mine))
        others = [hit.case for hit in hits.hits if not (mine.has(hit.case.number) or mine.tells(hit.case.text))]
        notes = [self._why(problem) for problem in hits.problems]
        left_out = len(hits.hits) - len(others)
        notes += [self._note("own_case", count=left_out)] if left_out else []
        return _result([_similar(case, query) for case in others[:TOP]], *notes, nothing=self._note("nothing"))

    @cached_property
    def _likeness(self) -> Likeness | Diagnostic:
        """What the running case is known by, sealed texts too: nobody reads in the library what he is not told."""
        whole = self._whole()
        if isinstance(whole, Diagnostic):
            return whole
        values = (*whole.fields.values(), *whole.sealed.values())
        return Likeness(text for value in values for text in texts(value))


def _similar(case: CaseRecord, query: str) -> Row:
    known = {"number": case.number, "cause": case.cause, "court": case.court, "date": case.date}
    row = {"title": case.title, **{name: word for name, word in known.items() if word}}
    return {**row, "text": snippet(case.text, query, SHOWN)}


def _article(article: FoundArticle, longest: int) -> Row:
    """An article with its law and the days between which it has these words."""
    parts = {"paragraph": article.paragraph, "item": article.item, "point": article.point}
    row: Row = {"law": article.law.name, "article": str(article.article.number)}
    row |= {name: part.n for name, part in parts.items() if part is not None}
    row |= {"text": _cut(article.text, longest), "since": str(article.since)}
    if article.until is not None:
        row["until"] = str(article.until)
    return row


# ---- the result ------------------------------------------------------------------------------------------------------


def _result(rows: list[Row], *notes: str, nothing: str = "") -> Result:
    """Rows with notes on them; `nothing` is the note where neither is."""
    note = "".join(one if one.endswith("。") else f"{one} " for one in notes).strip() or ("" if rows else nothing)
    return {"found": rows, "note": note} if note else {"found": rows}


def fitted(result: Result) -> str:
    """Compact JSON of at most `LONGEST` characters; what had to be cut has `shortened` in it."""
    text = _json(result)
    for longest, most in STEPS:
        if len(text) <= LONGEST:
            break
        text = _json({**_smaller(result, longest, most), "shortened": True})
    return text


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _smaller(value: Any, longest: int, most: int) -> Any:
    match value:
        case str():
            return _cut(value, longest)
        case list():
            return [_smaller(entry, longest, most) for entry in value[:most]]
        case dict():
            return {key: _smaller(entry, longest, most) for key, entry in value.items()}
        case _:
            return value


def _cut(text: str, longest: int) -> str:
    """The text, or its beginning and an ellipsis."""
    return text if len(text) <= longest else text[: longest - 1] + "\u2026"
