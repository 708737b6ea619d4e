"""What documents of a run lack: parts of their form, the end of one that broke off, exhibits that are not listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..model.events import Drafted, Event
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..wording import say
from ..wording.columns import table
from .transcript import DocumentNames


@immutable
class Gap:
    """What one document lacks. `missing`: parts and words of its form; `cut`: it breaks off at a limit of tokens;
    `unlisted`: what it names as exhibits and the case does not list."""

    title: str
    missing: tuple[str, ...]
    cut: bool
    unlisted: tuple[str, ...] = ()


def gaps(procedure: Procedure, events: Iterable[Event]) -> dict[str, Gap]:
    """File name -> what the document lacks, as it was last written; complete ones are not in it."""
    papers = DocumentNames(procedure)
    last = {papers.name(event): event for event in events if isinstance(event, Drafted)}
    titles = procedure.documents
    found = {name: Gap(titles[one.document].title, one.missing, one.cut, one.unlisted) for name, one in last.items()}
    return {name: gap for name, gap in found.items() if gap.missing or gap.cut or gap.unlisted}


def gaps_data(found: Mapping[str, Gap]) -> dict[str, Any]:
    """The same as JSON."""
    return {
        name: {
            "missing": list(gap.missing),
            "cut": gap.cut,
            **({"unlisted": list(gap.unlisted)} if gap.unlisted else {}),
        }
        for name, gap in found.items()
    }


def gaps_text(found: Mapping[str, Gap]) -> Iterator[str]:
    """A heading, and a line for each document that is not complete; another, and what is named and not listed."""
    rows = []
    for gap in (gap for gap in found.values() if gap.missing or gap.cut):
        told = [say("run.lacks", parts=say("run.among").join(gap.missing))] if gap.missing else []
        told += [say("run.broken_off")] if gap.cut else []
        rows.append((gap.title, say("run.between").join(told)))
    if rows:
        yield say("run.gaps")
        yield from (f"  {line}" for line in table(rows))
    named = [(gap.title, line) for gap in found.values() for line in gap.unlisted]
    if named:
        yield say("run.unlisted")
        yield from (f"  {line}" for line in table(named))
