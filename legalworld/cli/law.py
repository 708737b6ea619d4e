"""`lw law` and `lw case-library`: laws and cases imported, looked up and searched."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ..wording import say
from ..wording.columns import visible
from . import options
from .help import Group
from .output import WRONG, code_of, complain, counted, got, here, leave, path_of, wants_json, write_json

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from ..law.library.law import FoundArticle
    from ..law.library.library import Library
    from ..law.library.reranker import Ranker
    from ..model.diagnostics import Diagnostic

_at = click.option("--at", metavar="DATE", default="")
_top = click.option("--top", metavar="N", type=click.IntRange(1, 200), default=10)
_rank = click.option("--rank", metavar="KIND:MODEL", default="")
_query = click.argument("query", metavar="WORDS...", nargs=-1, required=True)
_path = click.argument("path", metavar="PATH")


@click.group(cls=Group)
def law() -> None:
    """The law library; like every command, its help stands in the store of sentences."""


@click.group(name="case-library", cls=Group)
def case_library() -> None:
    """The case library, beside the laws."""


@law.command(name="add")
@_path
@click.option("--in-force", metavar="DATE", default="")
@click.option("--alias", metavar="NAME", default="")
@options.as_json
def law_add(path: str, in_force: str, alias: str) -> None:
    from ..law.library.law import Statute

    day = _date("--in-force", in_force)
    with _filled() as library:
        added = got(library.add_laws(path_of(path), in_force=day, alias=alias))
    acts: list[dict[str, Any]] = []
    for act in added.new:
        if isinstance(act, Statute):
            row = {"part": act.part, "adopted": str(act.adopted), "articles": len(act.articles), "file": act.source}
            acts.append({"law": act.name, "kind": "statute", **row})
        else:
            row = {"adopted": str(act.event.adopted), "articles": len(act.event.articles or ()), "file": act.source}
            acts.append({"law": act.name, "kind": "amendment", **row})
    if wants_json():
        write_json({"new": acts, "same": added.same, **counted(added.problems)})
    else:
        complain(added.problems)
        for row in acts:
            click.echo(say("law.added_act" if row["kind"] == "statute" else "law.added_amendment", **row))
        articles = sum(row["articles"] for row in acts if row["kind"] == "statute")
        click.echo(say("law.added", new=len(acts), articles=articles, same=added.same, path=library.folder))
    sys.exit(code_of(added.problems))


@law.command(name="find")
@click.argument("name", metavar="NAME")
@click.argument("article", metavar="ARTICLE")
@_at
@options.as_json
def law_find(name: str, article: str, at: str) -> None:
    from ..law.library.article_numbers import parse_place
    from ..law.library.law import as_data
    from ..law.library.library import Library
    from ..model.diagnostics import Diagnostic
    from ..model.text import clean

    day = _date("--at", at) or _today()
    library = Library.open(_folder())
    if isinstance(library, Diagnostic):
        _without_text(library, name, article)
    number, paragraph, item, point = parse_place(article) or (article, 0, 0, 0)
    held = library.check(clean(name), number, paragraph, item, point=point, at=day)
    if isinstance(held, Diagnostic):
        _without_text(held, name, article)
    if wants_json():
        write_json(as_data(held))
        return
    click.echo(say("law.heading", law=held.law.short, place=_place(held)))
    if held.article.path:
        click.echo("  " + " / ".join(held.article.path))
    key = "law.validity_until" if held.until else "law.validity"
    assumed = say("law.assumed") if held.version.basis == "assumed" else ""
    click.echo("  " + say(key, adopted=held.version.adopted, since=held.since, until=held.until) + assumed)
    click.echo()
    click.echo("\n".join(map(visible, held.text.split("\n"))))


@law.command(name="search")
@_query
@_at
@_top
@click.option("--law", "only", metavar="NAME", default="")
@_rank
@options.as_json
def law_search(query: tuple[str, ...], at: str, only: str, top: int, rank: str) -> None:
    from ..law.library.law import as_data
    from ..law.library.search import snippet

    day = _date("--at", at) or _today()
    ranker = _ranker(rank)
    found = got(_library().search(" ".join(query), at=day, top=top, law=only, ranker=ranker))
    if wants_json():
        hits = [{**as_data(hit.found), "score": round(hit.score, 4), "exact": hit.exact} for hit in found.hits]
        write_json({"hits": hits, "changed": found.changed, **counted(found.problems)})
        return
    complain(found.problems)
    for n, hit in enumerate(found.hits, 1):
        text = snippet(hit.found.article.text, " ".join(query))
        click.echo(say("law.hit", n=n, law=hit.found.law.short, place=_place(hit.found), text=text))
    if not found.hits:
        click.echo(say("law.nothing"))
    if found.changed:
        click.echo(say("law.changed", count=found.changed))


@law.command(name="list")
@options.as_json
def law_list() -> None:
    from ..model.diagnostics import Diagnostic

    library = _library()
    held = library.laws()
    if isinstance(held, Diagnostic):
        leave((held,))
    rows = [
        {
            "law": law.short,
            "name": law.name,
            "adopted": str(version.adopted),
            "since": str(version.since),
            "until": str(version.until) if version.until else None,
            "basis": version.basis,
            "articles": version.articles,
        }
        for law in held
        for version in law.versions
    ]
    if wants_json():
        write_json({"laws": rows, "library": str(library.folder)})
        return
    for row in rows:
        until = say("law.held_until", until=row["until"]) if row["until"] else ""
        click.echo(say("law.held", **{**row, "until": until}))
    if not rows:
        click.echo(say("law.held_none"))


@case_library.command(name="add")
@_path
@options.as_json
def case_add(path: str) -> None:
    with _filled() as library:
        added = got(library.add_cases(path_of(path)))
    if wants_json():
        write_json({"new": added.new, "same": added.same, **counted(added.problems)})
    else:
        complain(added.problems)
        click.echo(say("law.added_cases", new=added.new, same=added.same, path=library.folder))
    sys.exit(code_of(added.problems))


@case_library.command(name="search")
@_query
@_top
@click.option("--without", metavar="NUMBER", multiple=True)
@_rank
@options.as_json
def case_search(query: tuple[str, ...], top: int, without: tuple[str, ...], rank: str) -> None:
    ranker = _ranker(rank)
    cases = got(_library().search_cases(" ".join(query), top=top, without=without, ranker=ranker))
    rows = [
        {
            **{name: getattr(hit.case, name) for name in ("title", "cause", "number", "court", "date")},
            "snippet": hit.snippet,
            "score": round(hit.score, 4),
        }
        for hit in cases.hits
    ]
    if wants_json():
        write_json({"hits": rows, **counted(cases.problems)})
        return
    complain(cases.problems)
    for n, row in enumerate(rows, 1):
        known = say("law.between").join(str(row[key]) for key in ("cause", "number", "court", "date") if row[key])
        about = say("law.about", about=known) if known else ""
        click.echo(say("law.case", n=n, title=row["title"], about=about, text=row["snippet"]))
    if not rows:
        click.echo(say("law.nothing"))


# ---- shared ----------------------------------------------------------------------------------------------------------


def _folder() -> Path:
    from ..law.library.library import library_folder

    return library_folder(here())


def _library(create: bool = False) -> Library:
    from ..law.library.library import Library

    return got(Library.open(_folder(), create=create))


@contextmanager
def _filled() -> Iterator[Library]:
    """The library, made where there is none; where nothing comes into a new one, none is left."""
    from ..law.library.library import discard, held_in

    folder = _folder()
    new = not held_in(folder)
    try:
        library = _library(create=True)
        yield library
        empty = new and not any(library.holds(kind) is True for kind in ("article", "case"))
        if empty:
            library.close()
    except BaseException:
        if new:
            discard(folder)
        raise
    if empty:
        discard(folder)


def _without_text(problem: Diagnostic, name: str, article: str) -> NoReturn:
    """Ends the command: with a line of our own on what the article says, where the project has one but no text."""
    from ..language import diagnose
    from ..law.library.article_numbers import parse_place
    from ..law.library.law_facts import LawNames, Meant
    from ..law.library.shipped import shipped

    names, place = LawNames(), parse_place(article)
    meant = names.meant(name)
    short = names.short.get(meant.name, "") if isinstance(meant, Meant) else ""
    textless = diagnose.codes_of(diagnose.missing_law_text, diagnose.missing_library)
    ours = shipped().get((short, place[0])) if place is not None and problem.code in textless else None
    if place is None or ours is None:
        leave((problem,))
    if wants_json():
        write_json({**counted((problem,)), "law": short, "article": str(place[0]), "gist": ours})
    else:
        complain((problem,))
        click.echo(say("law.gist", gist=ours))
    sys.exit(WRONG)


def _ranker(word: str) -> Ranker | None:
    from ..law.library.reranker import ranker_of

    ranker = ranker_of(word)
    if word and ranker is None:
        _misused("--rank", word)
    return ranker


def _today() -> date:
    from datetime import date

    return date.today()


def _date(option: str, word: str) -> date | None:
    from datetime import date

    try:
        return date.fromisoformat(word) if word else None
    except ValueError:
        _misused(option, word)


def _misused(option: str, word: str) -> NoReturn:
    from ..language import diagnose

    leave((diagnose.invalid_option_value(option, option=option, word=word),))


def _place(article: FoundArticle) -> str:
    from ..law.library.article_numbers import written, written_parts

    parts = (part.n if part is not None else 0 for part in (article.paragraph, article.item, article.point))
    return written(article.article.number) + written_parts(*parts)
