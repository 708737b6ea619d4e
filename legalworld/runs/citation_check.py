"""What the people of a run cite: read out of their words and documents, checked, and kept in `citations.json`.

Checked by the law of the day on which it was said or written, where the procedure has come to one; else by that of one
day of the case, which the spec names under `law at`; by the newest law where there is neither.
Everything comes from the events, the case and the library, so it can be made again at any time; the file says which
library it was, for another one may tell more.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from ..files import regular
from ..law.library.citation_checker import WRONG, CitationChecker, Standing
from ..law.library.library import Library, library_folder
from ..law.library.shipped import as_of
from ..law.text.citations import Citation, citations
from ..law.text.times import DAY, Date, times
from ..model.case import Case, texts
from ..model.events import Asked, Drafted, Event, Spoke
from ..model.immutable import immutable
from ..model.json_text import read_json
from ..model.procedure import Procedure
from ..model.schedule import Dated

FILE: Final = "citations.json"
MOST: Final = 20_000  # citations of one run that are kept
LONGEST: Final = 120  # characters of one as it was written
_MADE: Final = ("place", "request", "person", "speaker", "act", "document", "side")
_PARTS: Final = ("law", "article", "paragraph", "item", "sub_item", "version", "former")
_STANDS: Final = ("outcome", "wrong", "at", "basis", "code", "adopted", "since")
_KEYS: Final = {*_MADE, "written", "normal", *_PARTS, *_STANDS}


@immutable
class Day:
    """The day whose law is asked for: the field that says it, as it says it. Without `date`: the newest law."""

    date: date | None = None
    field: str = ""
    written: str = ""


@immutable
class CitedPlace:
    """A citation, where it was made, and how it stands. `act` is for words, `document` and `side` for a document.

    `day`: by whose law it was checked, None for the newest.
    """

    place: str
    request: str
    person: str
    speaker: str
    act: str
    document: str
    side: str
    written: str
    day: date | None
    citation: Citation
    standing: Standing

    @property
    def wrong(self) -> bool:
        """Whether it is no law on that day, and the text does not itself call it former law."""
        former = self.standing.outcome == "repealed" and self.citation.former
        return self.standing.outcome in WRONG and not former


@immutable
class Checked:
    """All citations of a run. `library`: the digest of the one that was used, "" where there is none to be used."""

    day: Day
    library: str
    cited: tuple[CitedPlace, ...]

    @property
    def counts(self) -> dict[str, int]:
        """`all`; `wrong`; `unknown`: neither the library nor what the project knows could tell."""
        unknown = sum(cited.standing.outcome in ("unknown", "ambiguous") for cited in self.cited)
        return {"all": len(self.cited), "wrong": sum(cited.wrong for cited in self.cited), "unknown": unknown}


# ---- checking --------------------------------------------------------------------------------------------------------


def check(procedure: Procedure, case: Case, events: Iterable[Event], cwd: Path) -> Checked:
    """Every citation of a run; the library is that of the project of `cwd` (or LW_LIBRARY's)."""
    day = relevant_day(procedure, case)
    citations_made = list(_made(events, day.date))
    if not citations_made:
        return Checked(day, "", ())
    library = Library.open(library_folder(cwd))
    held = library if isinstance(library, Library) else None
    try:
        checker = CitationChecker(held)
        cited = tuple(
            CitedPlace(**where, citation=citation, standing=checker.standing(citation, where["day"]))
            for where, citation in citations_made
        )
        digest = held.digest() if held is not None else ""
    finally:
        if held is not None:
            held.close()
    return Checked(day, digest if isinstance(digest, str) else "", cited)


def relevant_day(procedure: Procedure, case: Case) -> Day:
    """The first of the days named under `law at` that the case gives in full."""
    for field, key in procedure.law_at:
        for text in texts(case.fields.get(field), key):
            days = (time for time in times(text[:200]) if isinstance(time, Date) and time.precision == DAY)
            day = next((day for day in days if not (day.wrong or day.approx or day.part)), None)
            if day is not None and day.iso is not None:
                name = f"{field}.{key}" if key else field
                return Day(date.fromisoformat(day.iso), name, text[day.start : day.end])
    return Day()


def _made(events: Iterable[Event], day: date | None) -> Iterator[tuple[dict[str, Any], Citation]]:
    """Every citation that somebody made, with where he did: not those of documents that came with the case.

    `day`: that of the case, which counts until the procedure comes to one of its own.
    """
    asked: dict[str, str] = {}
    count = 0
    for event in events:
        match event:
            case Dated(day=reached, reason=""):
                day = date.fromisoformat(reached)
                continue
            case Asked(person=person, id=identity):
                asked[person] = identity
                continue
            case Spoke(request=request, act=act):
                where = {"request": request, "act": act, "document": "", "side": ""}
            case Drafted(source="reply", document=document, side=side, person=person):
                where = {"request": asked.get(person, ""), "act": "", "document": document, "side": side}
            case _:
                continue
        where |= {"place": event.place, "person": event.person, "speaker": event.speaker}
        for citation in _said(event.text):
            if count < MOST:
                written = event.text[citation.start : citation.end]
                yield {**where, "day": day, "written": " ".join(written.split())[:LONGEST]}, citation
            count += 1


def _said(text: str) -> Iterator[Citation]:
    """The citations of a text, but not its relative words alone (the paragraph before)."""
    return (cited for cited in citations(text) if cited.law is not None or (cited.article or "")[:1].isdigit())


# ---- the file --------------------------------------------------------------------------------------------------------


def as_json(checked: Checked) -> dict[str, Any]:
    """What `citations.json` holds; dates are ISO, None where there is none."""
    day = checked.day
    outcomes = Counter(cited.standing.outcome for cited in checked.cited)
    return {
        "law_at": {"date": _iso(day.date), "field": day.field, "written": day.written},
        "library": {"digest": checked.library, "list_as_of": str(as_of())},
        **checked.counts,
        "outcomes": dict(sorted(outcomes.items())),
        "citations": [_row(cited) for cited in checked.cited],
    }


def as_text(data: Mapping[str, Any]) -> str:
    """The file: a line for each citation, so that two runs can be compared line by line."""
    head = json.dumps({**data, "citations": []}, ensure_ascii=False, indent=1).removesuffix("[]\n}")
    rows = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in data["citations"])
    return f"{head}[\n{rows}\n ]\n}}\n" if rows else f"{head}[]\n}}\n"


def kept(folder: Path) -> dict[str, Any] | None:
    """What the file of a run holds; None where it is not there or is not as we write it."""
    try:
        data = read_json(regular.text(folder / FILE, folder))
        rows = data["citations"]
        whole = data["all"] == len(rows) and all(set(row) == _KEYS for row in rows)
        whole = whole and {"date", "field"} <= set(data["law_at"]) and isinstance(data["library"]["digest"], str)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return data if whole else None


def _row(cited: CitedPlace) -> dict[str, Any]:
    standing = cited.standing
    return {
        **{name: getattr(cited, name) for name in _MADE},
        "written": cited.written,
        "normal": standing.law + standing.place,
        **{name: getattr(cited.citation, name) for name in _PARTS},
        "outcome": standing.outcome,
        "wrong": cited.wrong,
        "at": _iso(cited.day),
        "basis": standing.basis,
        "code": standing.code,
        "adopted": _iso(standing.adopted),
        "since": _iso(standing.since),
    }


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None
