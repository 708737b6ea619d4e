"""What a judgment is known by: court, number, date, cause, parties; from its text, else from what the data says of it.

Where both say something else, the record is kept and the difference noted.
"""

from __future__ import annotations

from ..law.text.judgment_head import SECOND, JudgmentHead, case_number, decides, head
from .records import TEXT, Dropped, Outcome, Row


def identify(row: Row) -> Outcome:
    """The judgment with what it is known by, or why it cannot be told."""
    if row["kind"] != TEXT:
        return row
    told, found = row.get("said", {}), head(row["text"])
    if not found.paper and told.get("title"):  # the text begins behind its heading, which has a column of its own
        heading = (told.get("court", ""), told["title"], told.get("number", ""))
        row = row | {"text": "\n".join(filter(None, (*heading, row["text"])))}
        found = head(row["text"])
    number, cause = found.number or case_number(told.get("number", "")), found.cause or told.get("cause", "")
    reason = _unfit(row["text"], found, number)
    if reason:
        return Dropped(row["id"], reason, told.get("title", "") or row["text"][:80], number)
    said_number = case_number(told.get("number", ""))
    notes = ["number_differs"] if said_number and said_number != number else []
    if told.get("cause") and found.cause and told["cause"] != found.cause:
        notes.append("cause_differs")
    return row | {
        "number": number,
        "court": found.court or told.get("court", ""),
        "date": found.date or told.get("date", "")[:10],
        "cause": cause,
        "instance": found.instance,
        "appealed": list(found.appealed),
        "named": sorted({(party.side, party.name.text) for party in found.parties}),
        "notes": notes,
    }


def _unfit(text: str, found: JudgmentHead, number: str) -> str:
    """Why a text is no judgment of a civil matter that was decided; "" where it is one."""
    if not found.paper:
        return "no_civil_judgment"
    if found.instance == SECOND and not found.heard:
        return "not_heard"
    if not decides(found.paper):
        return "no_judgment"
    if not number:
        return "no_number"
    return "" if found.parties else "no_parties"
