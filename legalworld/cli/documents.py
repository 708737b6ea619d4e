"""`lw export`: the documents of a run as Word, PDF or Markdown. `lw compare`: two documents, red-lined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ..wording import locale, say
from .help import Command
from .output import WRONG, complain, leave, path_of, tell, write_json

if TYPE_CHECKING:
    from pathlib import Path

    from ..law.text.redline import ComparedItem, Comparison
    from ..model.diagnostics import Diagnostic


@click.command(cls=Command)
@click.argument("folder", metavar="RUN")
@click.option("--document", "documents", metavar="NAME", multiple=True)
@click.option("--format", "formats", type=click.Choice(["md", "docx", "pdf"]), multiple=True)
@click.option("--to", "target", metavar="DIR", default="")
@click.option("--template", metavar="FILE", default="")
@click.option("--json", "as_json", is_flag=True)
def export(
    folder: str, documents: Sequence[str], formats: Sequence[str], target: str, template: str, as_json: bool
) -> None:
    from ..export.export import export as written
    from ..model.diagnostics import Diagnostic
    from ..runs.lifecycle import open_run

    if template:
        _template(path_of(template))
        return
    opened = open_run(path_of(folder))
    if isinstance(opened, tuple):
        leave(opened, None, as_json)
    where = path_of(target) if target else path_of(folder) / "exports"
    found = written(opened, documents, formats or ("md", "docx"), where)
    if isinstance(found, Diagnostic):
        leave((found,), None, as_json)
    if as_json:
        write_json(
            {
                "files": [str(path) for path in found.files],
                "lacking": {name: list(missing) for name, missing in found.lacking},
                "problems": [problem.code for problem in found.problems],
            }
        )
    else:
        for path in found.files:
            click.echo(str(path))
        for name, missing in found.lacking:
            click.echo(tell("export_lacking", name=name, missing="、".join(missing)))
        if found.problems:
            complain(found.problems)
    if found.problems:
        raise SystemExit(WRONG)


def _template(path: Path) -> None:
    """An empty Word file with the styles of the layout."""
    from ..export.layout import read_layout
    from ..export.word import template
    from ..files.project_files import Disk, find_root, unreadable

    layout = read_layout(Disk(find_root(path_of().absolute())))
    if isinstance(layout, tuple):
        leave(layout)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(template(layout))
    except OSError as error:
        leave((unreadable(str(path), error),))
    click.echo(tell("export_template", path=str(path)))


# ---- comparing -------------------------------------------------------------------------------------------------------


@click.command(cls=Command)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--json", "as_json", is_flag=True)
def compare(first: str, second: str, as_json: bool) -> None:
    from ..law.text.redline import compare as compared

    texts = [_document(word, as_json) for word in (first, second)]
    found = compared(*texts)
    if as_json:
        write_json(found.as_data())
    else:
        click.echo("\n".join(_lines(found)))


def _document(word: str, as_json: bool) -> str:
    """The text that a word names: a file, or RUN:DOCUMENT."""
    from ..language import diagnose
    from ..model.diagnostics import Diagnostic

    path = path_of(word)
    if path.is_file():
        return _file(path, as_json)
    run, colon, name = word.rpartition(":")
    if not colon:
        leave((diagnose.unreadable_document(word, path=word, detail=tell("no_such_file")),), None, as_json)
    from ..export.export import chosen, papers
    from ..runs.lifecycle import open_run

    opened = open_run(path_of(run))
    if isinstance(opened, tuple):
        leave(opened, None, as_json)
    found = chosen(papers(opened), (name,))
    if isinstance(found, Diagnostic):
        leave((found,), None, as_json)
    return found[-1].text


MOST = 20_000_000  # bytes of a file that is compared


def _file(path: Path, as_json: bool) -> str:
    from ..language import diagnose

    try:
        data = path.read_bytes()[:MOST]
        if path.suffix.lower() == ".docx":
            from ..export.word import text_of

            return text_of(data)
        return data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        detail = getattr(error, "strerror", None) or str(error)[:120]
        problem: Diagnostic = diagnose.unreadable_document(str(path), path=str(path), detail=detail)
        leave((problem,), None, as_json)


def _lines(found: Comparison) -> list[str]:
    """Kind by kind what came, went and changed; what stayed is counted."""
    if found.same:
        return [tell("compare_same")]
    lines: list[str] = []
    for kind in dict.fromkeys(item.kind for item in found.items):
        mine = [item for item in found.items if item.kind == kind]
        changed = [item for item in mine if item.change != "same"]
        if not changed:
            continue
        lines += [*([""] if lines else []), say(locale(), "compare", kind or "rest"), *map(_item, changed)]
        if same := len(mine) - len(changed):
            lines.append("  " + tell("compare_unchanged", count=same))
    for name, pair in (("amounts", found.amounts), ("citations", found.citations)):
        if any(pair):
            lines += ["", say(locale(), "compare", name)]
            lines += [f"  {_mark('dropped', one)}" for one in pair[0]] + [f"  {_mark('added', one)}" for one in pair[1]]
    return lines


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
