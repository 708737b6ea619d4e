"""`lw law` and `lw case-library`: click commands and nothing else. What they do is imported when they do it."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from ..wording import locale
from . import help
from .output import path_of

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from ..law.library.law import FoundArticle
    from ..law.library.library import Library
    from ..law.library.reranker import Ranker
    from ..model.diagnostics import Diagnostic

_Value = TypeVar("_Value")

WRONG = 2


def tell(key: str, **values: object) -> str:
    """A sentence of `words.toml`; "" where there is none."""
    sentence = _words()[locale()].get(key, "")
    if not values:
        return sentence
    from ..language.diagnostics import visible  # not for the help, which must be quick

    shown = {name: "\n".join(map(visible, str(value).split("\n"))) for name, value in values.items()}
    return sentence.format(**shown)


@cache
def _words() -> dict[str, dict[str, str]]:
    import tomllib  # not importlib.resources: it takes longer to import than the whole help to print

    with open(os.path.join(os.path.dirname(__file__), "..", "law", "library", "words.toml"), "rb") as file:
        return tomllib.load(file)


class _Command(help.ByFunction):
    """Its help stands in `words.toml`."""

    def words(self, key: str) -> str:
        return tell(key)


class _Group(_Command, help.Group):
    command_class = _Command


_json = click.option("--json", "as_json", is_flag=True)
_at = click.option("--at", metavar="DATE", default="")
_top = click.option("--top", metavar="N", type=click.IntRange(1, 200), default=10)
_rank = click.option("--rank", metavar="KIND:MODEL", default="")
_query = click.argument("query", metavar="WORDS...", nargs=-1, required=True)
_path = click.argument("path", metavar="PATH")


@click.group(cls=_Group)
def law() -> None:
    """Help in `words.toml`, as that of all below."""


@click.group(name="case-library", cls=_Group)
def case_library() -> None:
    """Cases, beside the laws."""


@law.command(name="add")
@_path
@click.option("--in-force", metavar="DATE", default="")
@click.option("--alias", metavar="NAME", default="")
@_json
def law_add(path: str, in_force: str, alias: str, as_json: bool) -> None:
    from ..law.library.law import Statute

    day = _date("--in-force", in_force, as_json)
    library = _library(as_json, create=True)
    added = _got(library.add_laws(path_of(path), in_force=day, alias=alias), as_json)
    acts: list[dict[str, Any]] = []
    for act in added.new:
        if isinstance(act, Statute):
            row = {"part": act.part, "adopted": str(act.adopted), "articles": len(act.articles), "file": act.source}
            acts.append({"law": act.name, "kind": "statute", **row})
        else:
            row = {"adopted": str(act.event.adopted), "articles": len(act.event.articles or ()), "file": act.source}
            acts.append({"law": act.name, "kind": "amendment", **row})
    if as_json:
        _print({"new": acts, "same": added.same, **_report(added.problems)})
    else:
        _complain(added.problems)
        for act_row in acts:
            key = "added_act" if act_row["kind"] == "statute" else "added_amendment"
            click.echo(tell(key, **{"part": "", **act_row}))
        articles = sum(row["articles"] for row in acts if row["kind"] == "statute")
        click.echo(tell("added", new=len(acts), articles=articles, same=added.same, path=library.folder))
    sys.exit(WRONG if any(problem.severity == "error" for problem in added.problems) else 0)


@law.command(name="find")
@click.argument("name", metavar="NAME")
@click.argument("article", metavar="ARTICLE")
@_at
@_json
def law_find(name: str, article: str, at: str, as_json: bool) -> None:
    from ..law.library.article_numbers import parse_place
    from ..law.library.law import as_data
    from ..law.library.library import Library
    from ..model.diagnostics import Diagnostic

    day = _date("--at", at, as_json) or _today()
    place = parse_place(article)
    library = Library.open(_folder())
    if isinstance(library, Diagnostic):
        _without_text(library, name, article, as_json)
    number, paragraph, item, point = place or (article, 0, 0, 0)
    found = library.check(name, number, paragraph, item, point=point, at=day)
    if isinstance(found, Diagnostic):
        _without_text(found, name, article, as_json)
    if as_json:
        _print(as_data(found))
        return
    click.echo(tell("heading", law=found.law.short, place=_place(found)))
    if found.article.path:
        click.echo("  " + " / ".join(found.article.path))
    key = "validity_until" if found.until else "validity"
    assumed = tell("assumed") if found.version.basis == "assumed" else ""
    click.echo("  " + tell(key, adopted=found.version.adopted, since=found.since, until=found.until) + assumed)
    click.echo()
    click.echo(_visible(found.text))


@law.command(name="search")
@_query
@_at
@_top
@click.option("--law", "only", metavar="NAME", default="")
@_rank
@_json
def law_search(query: tuple[str, ...], at: str, only: str, **given: Any) -> None:
    from ..law.library.law import as_data
    from ..law.library.search import snippet

    as_json = given["as_json"]
    day = _date("--at", at, as_json) or _today()
    ranker = _ranker(given["rank"], as_json)
    library = _library(as_json)
    found = _got(library.search(" ".join(query), at=day, top=given["top"], law=only, ranker=ranker), as_json)
    if as_json:
        hits = [{**as_data(hit.found), "score": round(hit.score, 4), "exact": hit.exact} for hit in found.hits]
        _print({"hits": hits, "changed": found.changed, **_report(found.problems)})
        return
    _complain(found.problems)
    for n, hit in enumerate(found.hits, 1):
        text = snippet(hit.found.article.text, " ".join(query))
        click.echo(tell("hit", n=n, law=hit.found.law.short, place=_place(hit.found), text=text))
    if not found.hits:
        click.echo(tell("nothing"))
    if found.changed:
        click.echo(tell("changed", count=found.changed))


@law.command(name="list")
@_json
def law_list(as_json: bool) -> None:
    library = _library(as_json)
    laws = _got(library.laws(), as_json)
    rows = [(one, version) for one in laws for version in one.versions]
    if as_json:
        found = [
            {
                "law": one.short,
                "name": one.name,
                "adopted": str(version.adopted),
                "since": str(version.since),
                "until": str(version.until) if version.until else None,
                "basis": version.basis,
                "articles": version.articles,
            }
            for one, version in rows
        ]
        _print({"laws": found, "library": str(library.folder)})
        return
    for one, version in rows:
        until = tell("held_until", until=version.until) if version.until else ""
        values = {"adopted": version.adopted, "since": version.since, "articles": version.articles}
        click.echo(tell("held", law=one.short, until=until, **values))
    if not rows:
        click.echo(tell("held_none"))


@case_library.command(name="add")
@_path
@_json
def case_add(path: str, as_json: bool) -> None:
    library = _library(as_json, create=True)
    added = _got(library.add_cases(path_of(path)), as_json)
    if as_json:
        _print({"new": added.new, "same": added.same, **_report(added.problems)})
    else:
        _complain(added.problems)
        click.echo(tell("added_cases", new=added.new, same=added.same, path=library.folder))
    sys.exit(WRONG if any(problem.severity == "error" for problem in added.problems) else 0)


@case_library.command(name="search")
@_query
@_top
@click.option("--without", metavar="NUMBER", multiple=True)
@_rank
@_json
def case_search(query: tuple[str, ...], top: int, without: tuple[str, ...], **given: Any) -> None:
    as_json = given["as_json"]
    ranker = _ranker(given["rank"], as_json)
    library = _library(as_json)
    found = _got(library.search_cases(" ".join(query), top=top, without=without, ranker=ranker), as_json)
    rows = [
        {
            "title": hit.case.title,
            "cause": hit.case.cause,
            "number": hit.case.number,
            "court": hit.case.court,
            "date": hit.case.date,
            "snippet": hit.snippet,
            "score": round(hit.score, 4),
        }
        for hit in found.hits
    ]
    if as_json:
        _print({"hits": rows, **_report(found.problems)})
        return
    _complain(found.problems)
    for n, row in enumerate(rows, 1):
        told = tell("between").join(str(row[key]) for key in ("cause", "number", "court", "date") if row[key])
        click.echo(
            tell("case", n=n, title=row["title"], about=tell("about", about=told) if told else "", text=row["snippet"])
        )
    if not rows:
        click.echo(tell("nothing"))


# ---- shared ----------------------------------------------------------------------------------------------------------


def _folder() -> Path:
    from ..law.library.library import library_folder

    return library_folder(path_of().absolute())


def _library(as_json: bool, create: bool = False) -> Library:
    from ..law.library.library import Library

    return _got(Library.open(_folder(), create=create), as_json)


def _got(value: _Value | Diagnostic, as_json: bool) -> _Value:
    """The value; the command ends here with a problem."""
    from ..model.diagnostics import Diagnostic
    from .output import leave

    if isinstance(value, Diagnostic):
        leave((value,), None, as_json)
    return value


def _without_text(problem: Diagnostic, name: str, article: str, as_json: bool) -> NoReturn:
    """Ends the command: with a line of our own on what the article says, where the project has one but no text."""
    from ..language import diagnose
    from ..law.library.article_numbers import parse_place
    from ..law.library.law_facts import LawNames, Meant
    from ..law.library.shipped import shipped
    from .output import leave

    names, place = LawNames(), parse_place(article)
    meant = names.meant(name)
    short = names.short.get(meant.name, "") if isinstance(meant, Meant) else ""
    textless = diagnose.codes_of(diagnose.missing_law_text, diagnose.missing_library)
    ours = shipped().get((short, place[0])) if place is not None and problem.code in textless else None
    if ours is None:
        leave((problem,), None, as_json)
    if as_json:
        _print({**_report((problem,)), "law": short, "article": str(ours.number), "gist": ours.gist})
    else:
        _complain((problem,))
        click.echo(tell("gist", gist=ours.gist))
    sys.exit(WRONG)


def _ranker(word: str, as_json: bool) -> Ranker | None:
    from ..law.library.reranker import ranker_of

    ranker = ranker_of(word)
    if word and ranker is None:
        _misused("--rank", word, as_json)
    return ranker


def _today() -> date:
    from datetime import date

    return date.today()


def _date(option: str, word: str, as_json: bool) -> date | None:
    from datetime import date

    try:
        return date.fromisoformat(word) if word else None
    except ValueError:
        _misused(option, word, as_json)


def _misused(option: str, word: str, as_json: bool) -> NoReturn:
    from ..language import diagnose
    from .output import leave

    leave((diagnose.invalid_option_value(option, option=option, word=word),), None, as_json)


def _place(found: FoundArticle) -> str:
    from ..law.library.article_numbers import written, written_parts

    parts = (one.n if one is not None else 0 for one in (found.paragraph, found.item, found.point))
    return written(found.article.number) + written_parts(*parts)


def _visible(text: str) -> str:
    from ..language.diagnostics import visible

    return "\n".join(map(visible, text.split("\n")))


def _report(problems: tuple[Diagnostic, ...]) -> dict[str, object]:
    from ..language import diagnostics

    errors = sum(problem.severity == "error" for problem in problems)
    told = diagnostics.as_json(problems, locale())
    return {"errors": errors, "warnings": len(problems) - errors, "problems": told}


def _complain(problems: tuple[Diagnostic, ...]) -> None:
    from .output import complain

    if problems:
        complain(problems)


def _print(value: dict[str, Any]) -> None:
    import json

    click.echo(json.dumps(value, ensure_ascii=False))
