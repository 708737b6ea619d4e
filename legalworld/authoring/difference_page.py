"""The page of a difference: its changes group by group, as sentences of a terminal and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..publication.page import Lines, PageBlock, PageSection, PublishedPage
from ..publication.tables import PublishedTable, TableCell, TableHead
from ..wording import sentences
from .difference import GROUPS, PROMPTS, Delta

_FEW = 6
"""So many places of a change are named; of more, their number."""


def page(changes: Sequence[Delta], called: tuple[str, str], language: str, note: str = "") -> PublishedPage:
    """All changes; `called`: the two procedures, `note`: what is said of their prompts."""
    word = sentences("difference", language)
    blocks: tuple[PageBlock, ...] = (Lines(tuple(filter(None, (_counted(changes, language), note)))),)
    sections = [PageSection("head", word("head"), blocks)]
    corner, *heads = word("heads").split("|")
    for group in GROUPS:
        mine = [change for change in changes if change.group == group]
        if mine:
            rows = tuple(tuple(TableCell(text, words=True) for text in _cells(one, language)) for one in mine)
            table = PublishedTable(group, "", corner, tuple(map(TableHead, heads)), rows)
            sections.append(PageSection(group, word(f"group_{group}"), (table,)))
    if unchanged := [word(f"group_{group}") for group in GROUPS if not any(one.group == group for one in changes)]:
        told = word("listed").join(unchanged)
        sections.append(PageSection("same", word("same"), (Lines((told,)),)))
    return PublishedPage(word("title", old=called[0], new=called[1]), "", tuple(sections))


def text(changes: Sequence[Delta], called: tuple[str, str], language: str, note: str = "") -> str:
    """All changes for a terminal: a heading for each group, a line for each change."""
    return "\n".join(_text(changes, called, language, note)) + "\n"


def _text(changes: Sequence[Delta], called: tuple[str, str], language: str, note: str) -> Iterator[str]:
    word = sentences("difference", language)
    yield word("title", old=called[0], new=called[1])
    yield from filter(None, (_counted(changes, language), note))
    for group in GROUPS:
        mine = [change for change in changes if change.group == group]
        if mine:
            yield from ("", word(f"group_{group}"))
        for change in mine:
            mark, what, where, old_, new_, at = _cells(change, language)
            told = word("line", what=what, where=where) if where else what
            shown = word("became", old=old_, new=new_) if old_ and new_ else ""
            shown = word("told", what=old_ or new_) if bool(old_) != bool(new_) else shown
            yield f"{mark:<2} {told}{shown}  {at}".rstrip()


def _counted(changes: Sequence[Delta], language: str) -> str:
    word = sentences("difference", language)
    grave = sum(change.grave for change in changes)
    prompts = sum(change.group in PROMPTS for change in changes)
    return word("counted", count=len(changes) - prompts, grave=grave) if changes else word("equal")


def _cells(change: Delta, language: str) -> tuple[str, ...]:
    word = sentences("difference", language)
    mark = word(f"mark_{change.kind}") + ("!" if change.grave else "")
    what = change.label
    if change.field:
        name = word(f"field_{change.field}")
        what = word("part", label=what, part=change.field if name == f"field_{change.field}" else name)
    where = word("listed").join(change.where[:_FEW])
    if len(change.where) > _FEW:
        where = word("and_more", where=where, count=len(change.where) - _FEW)
    at = f"{change.span.file}:{change.span.line}" if change.span.file else ""
    return mark, what, where, change.old, change.new, at


def as_data(changes: Sequence[Delta]) -> list[dict[str, object]]:
    """The changes for other programs."""
    return [
        {
            "group": change.group,
            "kind": change.kind,
            "label": change.label,
            "where": list(change.where),
            "field": change.field,
            "old": change.old,
            "new": change.new,
            "grave": change.grave,
            "file": change.span.file,
            "line": change.span.line,
        }
        for change in changes
    ]
