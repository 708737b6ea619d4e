"""`lw export`: the documents of a run as Word, PDF or Markdown. `lw dataset`: runs as lines for other programs.

`lw compare`: two documents, red-lined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ..wording import say
from . import options
from .help import Command
from .inputs import run_of
from .output import WRONG, complain, got, leave, path_of, tell_damaged, wants_json, warn, write_json

if TYPE_CHECKING:
    from pathlib import Path

    from ..law.text.redline import ComparedItem, Comparison
    from ..model.procedure import Procedure

FORMS = (
    "chat",
    "sharegpt",
    "preference",
    "synthlaw",
    "turns",
    "calls",
    "spending",
    "decisions",
    "scores",
    "inspect",
    "sealed",
)


@click.command(cls=Command)
@options.run_folder
@click.option("--document", "documents", metavar="NAME", multiple=True)
@click.option("--format", "formats", type=click.Choice(["md", "docx", "pdf"]), multiple=True)
@click.option("--to", "target", metavar="DIR", default="")
@click.option("--template", metavar="FILE", default="")
@options.as_json
def export(folder: str, documents: Sequence[str], formats: Sequence[str], target: str, template: str) -> None:
    from ..export.export import export as written

    opened = run_of(folder)
    if template:
        _template(opened.procedure, path_of(template))
        return
    where = path_of(target) if target else path_of(folder) / "exports"
    result = got(written(opened, documents, formats or ("md", "docx"), where))
    if wants_json():
        write_json(
            {
                "files": [str(path) for path in result.files],
                "lacking": {name: list(missing) for name, missing in result.lacking},
                "problems": [problem.code for problem in result.problems],
            }
        )
    else:
        for path in result.files:
            click.echo(str(path))
        for name, missing in result.lacking:
            click.echo(say("run.export_lacking", name=name, missing="、".join(missing)))
        complain(result.problems)
    if result.problems:
        raise SystemExit(WRONG)


def _template(procedure: Procedure, path: Path) -> None:
    """An empty Word file with the styles of the layout."""
    from ..export.export import layout_of
    from ..export.word import template
    from ..files.project_files import unreadable
    from ..files.regular import write_named

    layout = got(layout_of(procedure))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_named(path, template(layout))
    except OSError as error:
        leave((unreadable(str(path), error),))
    click.echo(say("run.export_template", path=str(path)))


class _FormName(click.Choice[str]):
    """A form that ships, or that another package adds; the latter are looked for when one is named."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value not in self.choices:
            from ..export.forms import dataset_forms

            if value in dataset_forms().foreign:
                return value
        return super().convert(value, param, ctx)


@click.command(cls=Command)
@options.run_folders
@click.option("--form", "forms", type=_FormName(FORMS), multiple=True)
@options.listed("--role", "ROLE,...")
@click.option("--parquet", is_flag=True)
@options.prices
@options.needed_out
@options.as_json
def dataset(folders: Sequence[str], forms: Sequence[str], out: str, **given: Any) -> None:
    from ..batch.limit_words import limits_of
    from ..evaluation.run_store import runs_in
    from ..evaluation.score_rows import score_rows
    from ..export.dataset import write_dataset
    from ..export.dataset_tables import DatasetRequest
    from ..export.forms import dataset_forms
    from ..files.project_files import unreadable

    runs = runs_in([path_of(folder) for folder in folders])
    parquet = given["parquet"]
    wanted = DatasetRequest(frozenset(given["role"]), got(limits_of((), (), given["prices"])).prices)
    forms = forms or (("turns",) if parquet else ("chat",))
    known = dataset_forms()
    warn(known.problems)
    how: Any = {"scores": score_rows, "parquet": parquet, "forms_of": known.parts}
    try:
        result = got(write_dataset(runs, forms, wanted, path_of(out), **how))
    except OSError as error:
        leave((unreadable(str(error.filename or out), error),))
    if wants_json():
        problems = [problem.code for problem in result.problems]
        counts = {"runs": result.runs, "damaged": result.damaged}
        write_json({"out": out, **counts, "lines": result.lines, "problems": problems})
    else:
        for form, count in result.lines.items():
            file = result.files.get(form, path_of(out) / form)
            click.echo(say("dataset.written", file=file, count=count))
        click.echo(say("dataset.together", runs=result.runs))
        complain(result.problems)
        tell_damaged(result.damaged)
    if result.problems:
        raise SystemExit(WRONG)


@click.command(cls=Command)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@options.as_json
def compare(first: str, second: str) -> None:
    from ..export.named_document import document_named
    from ..law.text.redline import compare as compared

    documents = [got(document_named(word)) for word in (first, second)]
    warn([problem for document in documents for problem in document.problems])
    comparison = compared(*(document.text for document in documents))
    if wants_json():
        write_json(comparison.as_data())
    else:
        click.echo(_comparison(comparison))


def _comparison(comparison: Comparison) -> str:
    """Kind by kind what came, went and changed; what stayed is counted."""
    if comparison.same:
        return say("run.compare_same")
    lines: list[str] = []
    for kind in dict.fromkeys(item.kind for item in comparison.items):
        mine = [item for item in comparison.items if item.kind == kind]
        changed = [item for item in mine if item.change != "same"]
        if not changed:
            continue
        lines += [*([""] if lines else []), say(f"compare.{kind or 'rest'}"), *map(_item, changed)]
        if same := len(mine) - len(changed):
            lines.append("  " + say("run.compare_unchanged", count=same))
    for name, (dropped, added) in (("amounts", comparison.amounts), ("citations", comparison.citations)):
        if dropped or added:
            lines += ["", say(f"compare.{name}")]
            lines += [f"  {_mark('dropped', text)}" for text in dropped]
            lines += [f"  {_mark('added', text)}" for text in added]
    return "\n".join(lines)


def _item(item: ComparedItem) -> str:
    return (
        "  "
        + {"changed": "~ ", "added": "+ ", "dropped": "- "}[item.change]
        + "".join(_mark(change, text) if item.change == "changed" else text for change, text in item.pieces)
    )


def _mark(change: str, text: str) -> str:
    """As a red-line shows it: dropped struck through, added underlined, both in brackets of their own."""
    match change:
        case "dropped":
            return click.style(f"[-{text}-]", fg="red", strikethrough=True)
        case "added":
            return click.style(f"{{+{text}+}}", fg="green", underline=True)
        case _:
            return text
