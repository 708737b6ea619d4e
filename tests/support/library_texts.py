"""What the tests of the library share: small statutes of our own, a library made of them, outlines of what is read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from places import DATA, TESTS

from legalworld.law.library.law import Amendment, ArticleItem, LawEvent, Statute
from legalworld.law.library.library import Added, Library
from legalworld.law.library.statute_reader import read_statute
from legalworld.model.diagnostics import Diagnostic
from legalworld.wording.diagnostics import render

HERE = TESTS / "law" / "library"
STATUTES = HERE / "statutes"
BROKEN = HERE / "broken"
CASES = HERE / "cases"
REAL = DATA / "laws"
WITHOUT_REAL = "the real laws (../shared/data/laws) are not on this machine; nothing of them is in the project"


def day(text: str) -> date:
    return date.fromisoformat(text)


def made(folder: Path, laws: Path | None = STATUTES) -> Library:
    """A new library, with the statutes of a folder."""
    library = Library.open(folder, create=True)
    assert isinstance(library, Library)
    if laws is not None:
        assert isinstance(library.add_laws(laws), Added)
    return library


def opened(folder: Path) -> Library:
    library = Library.open(folder)
    assert isinstance(library, Library)
    return library


def code(found: object) -> str:
    """The code of a problem; "" for anything else."""
    return found.code if isinstance(found, Diagnostic) else ""


# ---- outlines --------------------------------------------------------------------------------------------------------


def outline(file: Path) -> str:
    """What is read out of a file, and what is said about it."""
    text = file.read_bytes().decode("utf-8", "surrogateescape")
    act, problems = read_statute(file.name, text, "digest")
    lines: list[str] = []
    match act:
        case Statute():
            lines += _statute(act)
        case Amendment():
            touched = sorted(act.event.articles or ())
            lines += [f"{act.name} -> {act.law}", *_events((act.event,)), f"touches: {' '.join(map(str, touched))}"]
    said = render(problems, {file.name: text}.get, "zh")
    return "\n".join([*lines, "", said]).strip("\n") + "\n"


def _statute(act: Statute) -> Iterator[str]:
    yield " / ".join(filter(None, (act.name, act.part)))
    yield from _events(act.events)
    for repeal in act.repeals:
        yield f"repeals: {repeal.law} from {repeal.on}"
    for article in act.articles:
        yield ""
        marks = " (deleted)" if article.deleted else ""
        yield f"{article.number}{marks} [{' / '.join(article.path)}]"
        for paragraph in article.paragraphs:
            yield f"  {paragraph.n}. {paragraph.text}"
            yield from _items(paragraph.items, "    ")


def _items(items: tuple[ArticleItem, ...], indent: str) -> Iterator[str]:
    for item in items:
        yield f"{indent}{item.n}: {item.text}"
        yield from _items(item.points, indent + "  ")


def _events(events: tuple[LawEvent, ...]) -> Iterator[str]:
    for event in events:
        published = f", published {event.published}" if event.published else ""
        yield f"event: {event.adopted}, in force {event.in_force or 'unknown'}{published}"
