"""The citations of a run: where, by whom, which, and whether they are good law."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...wording import say
from ...wording.columns import table
from .. import citation_check
from ..lifecycle import OpenRun
from ..project import Problems
from .views import RunView, ShowRequest, events_of


@dataclass(frozen=True, slots=True)
class CitationList:
    """What `citations.json` holds. `titles`: of the documents of the procedure, by name."""

    data: dict[str, Any]
    titles: dict[str, str]


def _read(opened: OpenRun, _: ShowRequest) -> tuple[CitationList, Problems]:
    """As they were checked when the run stopped; checked now where no such file can be read."""
    data = citation_check.kept(opened.folder.path)
    if data is None:
        checked = citation_check.check(opened.procedure, opened.case, events_of(opened), Path.cwd())
        data = citation_check.as_json(checked)
    return CitationList(data, {name: document.title for name, document in opened.procedure.documents.items()}), ()


def _text(citations: CitationList) -> str:
    """One line each, headed by the day and the library by which they were checked."""
    data, titles = citations.data, citations.titles
    day, digest = data["law_at"], data["library"]["digest"]
    lines = [
        say("citation.by_day", date=day["date"], field=day["field"]) if day["date"] else say("citation.by_newest"),
        say("citation.by_library", digest=digest[:12]) if digest else say("citation.by_list"),
        "",
    ]
    if not data["citations"]:
        return "\n".join([*lines, say("citation.none")])
    rows = []
    for row in data["citations"]:
        where = titles.get(row["document"], row["document"]) or say(f"act.{row['act']}")
        outcome = say(f"citation.{row['outcome']}")
        outcome = say("citation.since", outcome=outcome, since=row["since"]) if row["since"] else outcome
        mark = say("citation.mark") if row["wrong"] else ""
        rows.append((mark, row["place"], row["speaker"], where, row["normal"] or row["written"], outcome))
    return "\n".join([*lines, *table(rows)])


CITATIONS = RunView(("citations",), _read, lambda citations: citations.data, _text)
