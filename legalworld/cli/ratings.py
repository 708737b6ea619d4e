"""`lw ratings`: sheets for people who rate runs or compare them, and what came of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ..wording import locale, say
from . import help
from .help import positive, word
from .output import WRONG, complain, leave, path_of, save, write_json

if TYPE_CHECKING:
    from ..evaluation.rubric.open import OpenRubric
    from ..model.diagnostics import Diagnostic
    from ..ratings.collect import Returned
    from ..ratings.export import ExportedSheets, ExportRequest


class _Command(help.ByFunction):
    """What options of all these commands mean stands under `ratings`."""

    def words(self, key: str) -> str:
        topic, _, option = key.partition(".")
        return word(key) or (word(f"ratings.{option}") if option and topic == self.topic else "")


class _Group(_Command, help.Group):
    command_class = _Command


_json = click.option("--json", "as_json", is_flag=True)
_raters = click.option("--raters", metavar="N", type=click.IntRange(1, 1000), default=3)
_readers = click.option("--readers", metavar="N", type=click.IntRange(0, 1000), default=0)
_items = click.option("--items", metavar="NAME,...", default="")
_seed = click.option("--seed", metavar="N", type=int, default=0)
_format = click.option("--format", "form", metavar="xlsx|csv", type=click.Choice(["xlsx", "csv"]), default="xlsx")
_out = click.option("--out", metavar="DIR", required=True)


@click.group(cls=_Group)
def ratings() -> None:
    """Help under the names of the functions, as that of all below."""


@ratings.command(name="export")
@click.argument("folders", metavar="RUN...", nargs=-1, required=True)
@click.option("--rubric", metavar="NAME|FILE", default="environment")
@_raters
@_readers
@_items
@_seed
@_format
@_out
@_json
def ratings_export(folders: Sequence[str], rubric: str, **given: Any) -> None:
    from ..ratings.export import export

    opened = _opened(rubric, False, given["as_json"])
    _told(export([path_of(one) for one in folders], opened, _wanted(given)), given["as_json"])


@ratings.command(name="pairs")
@click.argument("first", metavar="RUNS_A")
@click.argument("second", metavar="RUNS_B")
@click.option("--aspects", metavar="NAME|FILE", default="simcourt-pairs")
@click.option("--names", metavar="A,B", default="")
@_raters
@_readers
@_items
@_seed
@_format
@_out
@_json
def ratings_pairs(first: str, second: str, aspects: str, **given: Any) -> None:
    from ..ratings.export import export_pairs

    opened = _opened(aspects, True, given["as_json"])
    _told(export_pairs(path_of(first), path_of(second), opened, _wanted(given)), given["as_json"])


def _opened(rubric: str, pairs: bool, as_json: bool) -> OpenRubric:
    from ..evaluation.rubric.open import open_rubric

    found = open_rubric(rubric, path_of().absolute(), pairs=pairs)
    if isinstance(found, tuple):
        leave(found, None, as_json)
    return found


def _wanted(given: dict[str, Any]) -> ExportRequest:
    from ..ratings.export import ExportRequest
    from ..ratings.plan import RatingPlan

    items = tuple(one.strip() for one in given["items"].split(",") if one.strip())
    plan = RatingPlan(given["raters"], given["readers"], given["seed"], items)
    first, _, second = given.get("names", "").partition(",")
    return ExportRequest(path_of(given["out"]), plan, given["form"], locale(), (first.strip(), second.strip()))


def _told(done: ExportedSheets | tuple[Diagnostic, ...], as_json: bool) -> None:
    """Which sheets go to whom, and that the key goes to nobody."""
    if isinstance(done, tuple):
        leave(done, None, as_json)
    key = done.key
    if as_json:
        from ..language.diagnostics import as_json as data

        told = {"tag": key.tag, "key": str(done.file), "sheets": [str(one) for one in done.sheets]}
        counts = {"records": len(key.records), "things": len(key.things), "rows": len(key.rows)}
        write_json({**told, **counts, "problems": data(done.problems, locale())})
        sys.exit(_code(done.problems))
    complain(done.problems)
    settled = sum(one.settled is not None for one in key.things)
    figures = {"records": len(key.records), "things": len(key.things), "rows": len(key.rows), "tag": key.tag}
    click.echo(_say("exported", **figures))
    if settled:
        click.echo(_say("settled", count=settled))
    for one in done.sheets:
        click.echo(f"  {one}")
    click.echo(_say("keep", file=done.file))
    sys.exit(_code(done.problems))


def _code(problems: Sequence[Diagnostic]) -> int:
    return WRONG if any(one.severity == "error" for one in problems) else 0


@ratings.command(name="compare")
@click.argument("sheets", metavar="SHEET|DIR...", nargs=-1, required=True)
@click.option("--key", "key_file", metavar="FILE", default="")
@click.option("--evaluation", "evaluations", metavar="FILE|RUN", multiple=True)
@click.option("--grader", "graders", metavar="NAME", multiple=True)
@click.option("--rubric", metavar="NAME|FILE", default="")
@click.option("--deadline", metavar="SECONDS", type=float, default=600.0, callback=positive)
@click.option("--csv", "sheet", metavar="FILE", default="")
@_json
def ratings_compare(sheets: Sequence[str], key_file: str, sheet: str, as_json: bool, **given: Any) -> None:
    from ..ratings.collect import gather

    words, key = [path_of(one) for one in sheets], path_of(key_file) if key_file else None
    back = gather(words, key, locale(), path_of(sheet) if sheet else None)
    if isinstance(back, tuple):
        leave(back, None, as_json)
    found = _ratings(back, given) if back.key.kind == "ratings" else _pairs(back, given, as_json)
    told, text, rows, problems = found
    problems = (*back.problems, *problems)
    if sheet:
        save(sheet, rows.encode("utf-8-sig"))
    if as_json:
        from ..language.diagnostics import as_json as data

        write_json({**told, "problems": data(problems, locale())})
    else:
        complain(problems)
        click.echo(text)
        click.echo(sheet) if sheet else None
    sys.exit(_code(problems))


Found = tuple[dict[str, Any], str, str, "tuple[Diagnostic, ...]"]


def _ratings(back: Returned, given: dict[str, Any]) -> Found:
    """With stored evaluations."""
    from ..ratings.collect import compare_ratings
    from ..ratings.report import csv_ratings, json_ratings, terminal_ratings

    found, problems = compare_ratings(back, [path_of(one) for one in given["evaluations"]])
    return json_ratings(back, found), terminal_ratings(back, found, locale()), csv_ratings(found), problems


def _pairs(back: Returned, given: dict[str, Any], as_json: bool) -> Found:
    """With graders that are asked now; what they were asked before is kept."""
    from ..evaluation.grader import GraderSettings
    from ..ratings.collect import compare_pairs
    from ..ratings.pairwise import Judge
    from ..ratings.report import csv_pairs, json_pairs, terminal_pairs

    judges = []
    for name in given["graders"]:
        opened = _opened(given["rubric"] or back.key.rubric, True, as_json)
        told = opened.rubric.grader
        settings = GraderSettings(
            name, float(told.get("temperature", "0")), int(told.get("max tokens", "4096")), given["deadline"]
        )
        judges.append(Judge(opened, settings, path_of().absolute()))
    found, problems = compare_pairs(back, judges)
    return json_pairs(back, found), terminal_pairs(back, found, locale()), csv_pairs(found), problems


def _say(key: str, **values: object) -> str:
    return say(locale(), "ratings", key, **values)
