"""`lw ratings`: sheets for people who rate runs or compare them, and what came of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ..wording import locale, say
from . import options
from .help import Group
from .inputs import graders_of, rubric_of
from .output import as_json, code_of, complain, got, here, path_of, save, wants_json, write_json
from .output import written as tell_written
from .publications import Wanted, published, sources_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..model.diagnostics import Diagnostic
    from ..publication.page import PublishedPage
    from ..ratings.collect import Returned
    from ..ratings.export import ExportedSheets, ExportRequest
    from ..runs.project import Problems

_sheets = options.together(
    click.option("--raters", metavar="N", type=click.IntRange(1, 1000), default=3),
    click.option("--readers", metavar="N", type=click.IntRange(0, 1000), default=0),
    options.listed("--items", "NAME,..."),
    options.seed,
    click.option("--format", "form", metavar="xlsx|csv", type=click.Choice(["xlsx", "csv"]), default="xlsx"),
    options.needed_out,
    options.as_json,
)


@click.group(cls=Group)
def ratings() -> None:
    """Rate and compare."""


@ratings.command(name="export")
@options.run_folders
@click.option("--rubric", metavar="NAME|FILE", default="environment")
@_sheets
def ratings_export(folders: Sequence[str], rubric: str, **given: Any) -> None:
    from ..ratings.export import export

    _exported(export([path_of(folder) for folder in folders], rubric_of(rubric), _wanted(given)))


@ratings.command(name="pairs")
@click.argument("first", metavar="RUNS_A")
@click.argument("second", metavar="RUNS_B")
@click.option("--aspects", metavar="NAME|FILE", default="simcourt-pairs")
@click.option("--names", metavar="A,B", default="")
@_sheets
def ratings_pairs(first: str, second: str, aspects: str, **given: Any) -> None:
    from ..ratings.export import export_pairs

    _exported(export_pairs(path_of(first), path_of(second), rubric_of(aspects, pairs=True), _wanted(given)))


def _wanted(given: dict[str, Any]) -> ExportRequest:
    from ..ratings.export import ExportRequest
    from ..ratings.plan import RatingPlan

    plan = RatingPlan(given["raters"], given["readers"], given["seed"], given["items"])
    first, _, second = given.get("names", "").partition(",")
    return ExportRequest(path_of(given["out"]), plan, given["form"], locale(), (first.strip(), second.strip()))


def _exported(written: ExportedSheets | Problems) -> NoReturn:
    """Which sheets go to whom, and that the key goes to nobody."""
    sheets = got(written)
    key = sheets.key
    counts = {"records": len(key.records), "things": len(key.things), "rows": len(key.rows)}
    if wants_json():
        files = {"tag": key.tag, "key": str(sheets.file), "sheets": [str(sheet) for sheet in sheets.sheets]}
        write_json({**files, **counts, "problems": as_json(sheets.problems)})
        sys.exit(code_of(sheets.problems))
    complain(sheets.problems)
    click.echo(say("ratings.exported", **counts, tag=key.tag))
    if settled := sum(thing.settled is not None for thing in key.things):
        click.echo(say("ratings.settled", count=settled))
    for sheet in sheets.sheets:
        click.echo(f"  {sheet}")
    click.echo(say("ratings.keep", file=sheets.file))
    sys.exit(code_of(sheets.problems))


@ratings.command(name="compare")
@click.argument("sheets", metavar="SHEET|DIR...", nargs=-1, required=True)
@click.option("--key", "key_file", metavar="FILE", default="")
@click.option("--evaluation", "evaluations", metavar="FILE|RUN", multiple=True)
@click.option("--grader", "graders", metavar="NAME", multiple=True)
@options.rubric
@click.option("--both-orders", "both", is_flag=True)
@options.asked_at_once
@options.deadline
@published
@options.sheet
@options.as_json
def ratings_compare(sheets: Sequence[str], key_file: str, sheet: str, **given: Any) -> None:
    from ..ratings.collect import gather

    wanted = Wanted(**{name: given.pop(name) for name in ("html", "markdown", "latex", "figures")})
    words, key = [path_of(one) for one in sheets], path_of(key_file) if key_file else None
    back = got(gather(words, key, locale(), path_of(sheet) if sheet else None))
    compare = _compare_ratings if back.key.kind == "ratings" else _compare_pairs
    data, text, rows, problems, make = compare(back, given)
    problems = (*back.problems, *problems)
    written = wanted.write(make)
    if sheet:
        save(sheet, rows.encode("utf-8-sig"))
    if wants_json():
        write_json({**data, "problems": as_json(problems)})
    else:
        complain(problems)
        click.echo(text)
        tell_written(filter(None, (*written, sheet)))
    sys.exit(code_of(problems))


# As JSON, text and CSV; problems; how a page is made of it.
ComparedSheets = tuple[dict[str, Any], str, str, "tuple[Diagnostic, ...]", "Callable[[], PublishedPage]"]


def _compare_ratings(back: Returned, given: dict[str, Any]) -> ComparedSheets:
    """With stored evaluations."""
    from ..ratings.collect import compare_ratings
    from ..ratings.page import ratings_page
    from ..ratings.report import csv_ratings, json_ratings, terminal_ratings

    agreement, problems = compare_ratings(back, [path_of(file) for file in given["evaluations"]])
    data, text = json_ratings(back, agreement), terminal_ratings(back, agreement, locale())
    return data, text, csv_ratings(agreement), problems, lambda: ratings_page(back, agreement, sources_of(), locale())


def _compare_pairs(back: Returned, given: dict[str, Any]) -> ComparedSheets:
    """With graders that are asked now; what they were asked before is kept."""
    from ..ratings.collect import compare_pairs
    from ..ratings.judge import Judge
    from ..ratings.page import pairs_page
    from ..ratings.report import csv_pairs, json_pairs, terminal_pairs

    judges = []
    if given["graders"]:
        opened = rubric_of(given["rubric"] or back.key.rubric, pairs=True)
        graders = graders_of(opened, given["graders"], given["deadline"], at_once=given["at_once"])
        judges = [Judge(opened, grader, here(), given["both"]) for grader in graders]
    preference, problems = compare_pairs(back, judges)
    data, text = json_pairs(back, preference), terminal_pairs(back, preference, locale())
    return data, text, csv_pairs(preference), problems, lambda: pairs_page(back, preference, sources_of(), locale())
