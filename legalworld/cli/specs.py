"""`lw specs`, `lw check`, `lw coverage`, `lw schema`, `lw init`: procedures, their mistakes, what runs left untried."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..wording import say
from . import completion, options
from .help import Command
from .inputs import run_of, say_origin
from .output import DONE, WRONG, code_of, complain, counted, got, here, leave, path_of, save, wants_json, write_json

if TYPE_CHECKING:
    from ..model.diagnostics import Diagnostic
    from ..runs.coverage import Coverage

_WORST = 20  # templates that are listed with the share of their tags
_SERVING = ("cases", "bindings", "rubrics", "interventions")  # files that are for procedures


@click.command(cls=Command)
@click.argument("name", metavar="[NAME]", default="", shell_complete=completion.named("specs"))
@click.option("--expanded", is_flag=True)
@options.as_json
@click.pass_context
def specs(context: click.Context, name: str, expanded: bool) -> None:
    from ..runs import catalogue

    if expanded and not name:
        raise click.MissingParameter(ctx=context, param=context.command.params[0])
    if expanded:
        text = got(catalogue.expanded_text(name, here()))
        if wants_json():
            write_json({"name": name, "text": text})
        else:
            click.echo(text, nl=False)
        return
    entries = (got(catalogue.named(name, here())),) if name else catalogue.catalogue(here())
    rows = [catalogue.as_json(entry) for entry in entries]
    if wants_json():
        write_json({"specs": rows})
    else:
        click.echo("\n\n".join("\n".join(_described(row)) for row in rows))


def _described(row: dict[str, Any]) -> Iterator[str]:
    """A procedure in a few lines: what it is, who takes part, what it needs, what can be chosen."""
    if not row["usable"]:
        yield f"{row['name']}  {row['file']}"
        yield "  " + say("run.spec_broken", file=row["file"])
        return
    yield f"{row['name']}  {row['title']}  {row['file']}"
    lines = {
        "run.spec_source": [row["source"]],
        "run.spec_roles": list(dict.fromkeys(role["title"] for role in row["roles"])),
        "run.spec_stages": [f"{stage['id']} {stage['title']}" for stage in row["stages"]],
        "run.spec_needs": [f"{field['field']} {field['title']}" for field in row["needs"]],
        "run.spec_options": [
            say("run.spec_option", name=option["name"], choices="/".join(option["choices"]))
            for option in row["options"]
        ],
        "run.spec_example": [row["example"]],
    }
    for key, words in lines.items():
        if any(words):
            yield "  " + say(key, words=say("run.among").join(words))


@click.command(cls=Command)
@options.spec
@options.data
@options.allow_failed
@options.allow_odd
@click.option("--format", "form", type=click.Choice(["sarif", "github"]), default=None)
@click.option("--strict", is_flag=True)
@click.option("--tags", is_flag=True)
@options.as_json
def check(spec: str, data: tuple[str, ...], allow_failed: float, allow_odd: float, **how: Any) -> None:
    form: str | None = how["form"]
    strict: bool = how["strict"]

    if data:
        _refuse_strict(strict, "--data")
        from .data import check_binding

        check_binding(spec, data, allow_failed, allow_odd)
        return
    if Path(spec).parent.name == "rubrics":
        _refuse_strict(strict, spec)
        _check_rubric(spec, form)
        return
    from ..authoring.expert_files import is_expert_file

    if is_expert_file(spec, here()):
        _check_files(spec, form, strict)
        return
    _check_procedure(spec, form, strict, bool(how["tags"]))


def _check_procedure(spec: str, form: str | None, strict: bool, tags: bool) -> None:
    """What is wrong with a procedure, its example and its tests; how large it is, and what of it is tags."""
    from ..authoring.procedure_problems import example_problems, strict_problems, tests_problems
    from ..runs.project import open_project

    say_origin(spec)
    project = got(open_project(spec, here()))
    tests = tests_problems(spec, here(), project) if project.procedure is not None else ()
    problems = (*project.problems, *example_problems(project, here()), *tests)
    if strict:
        problems += strict_problems(project, here())
    code = WRONG if strict and problems else code_of(problems)
    _annotated(problems, form, code)
    counts = counted(problems)
    shares = _shares(project) if tags else {}
    if wants_json():
        write_json({**counts, **shares})
        sys.exit(code)
    complain(problems, project)
    if code or project.procedure is None:
        click.echo("\n" + say("run.check_bad", **counts), err=True)
        sys.exit(WRONG)
    from ..model.procedure import all_steps

    stages = project.procedure.stages
    steps = sum(1 for _ in all_steps(project.procedure))
    size = {"stages": len(stages), "steps": steps, "templates": len(project.templates.homes)}
    key = "run.check_warned" if problems else "run.check_good"
    click.echo(say(key, path=project.path, **size, **counts))
    if shares:
        _tell_shares(shares["tags"])


def _shares(project: Any) -> dict[str, list[dict[str, Any]]]:
    """The share of characters inside tags: of all templates of scripted actors together, and of each."""
    from ..templates.tag_share import offline_shares, together

    each = offline_shares(project.templates) if project.procedure is not None else ()
    rows = (together(each), *each)
    return {
        "tags": [
            {
                "template": one.home,
                "inside": one.inside,
                "all": one.all,
                "lines": one.lines,
                "percent": round(one.percent, 1),
            }
            for one in rows
        ]
    }


def _tell_shares(rows: Sequence[dict[str, Any]]) -> None:
    whole, *each = rows
    click.echo("\n" + say("check.tags", count=len(each), **whole))
    for row in each[:_WORST]:
        click.echo("  " + say("check.tags_of", **row))


def _refuse_strict(strict: bool, word: str) -> None:
    """End the command where a strict check was asked for of what has no steps."""
    from ..language import diagnose
    from ..model.source import Span

    if strict:
        leave((diagnose.strict_of_no_procedure(Span("--strict", 0, 0), name=word),))


def _annotated(problems: Sequence[Diagnostic], form: str | None, code: int | None = None) -> None:
    """Write problems as another program takes them, where that was asked for, and end the command."""
    if form is None:
        return
    from ..model.version import __version__
    from ..wording import locale, problem_formats

    log = problem_formats.sarif(problems, locale(), __version__) + "\n" if form == "sarif" else ""
    click.echo(log or problem_formats.github(problems, locale()), nl=False)
    sys.exit(code_of(problems) if code is None else code)


def _check_files(word: str, form: str | None, strict: bool) -> None:
    """Each expert file that a path leads to: what is wrong with it, what it serves; a count of all at the end.

    A strict check is one of the procedures among them; where there is none it is refused.
    """
    from ..authoring.expert_files import checked, holds_procedure

    if strict and not holds_procedure(word, here()):
        _refuse_strict(strict, word)
    if form is not None:
        files = tuple(checked(word, here(), strict=strict))
        code = WRONG if any(one.failed(strict) for one in files) else None
        _annotated([problem for one in files for problem in one.problems], form, code)
    rows, wrong, found = [], 0, 0
    for one in checked(word, here(), strict=strict):
        counts = counted(one.problems)
        found, wrong = found + 1, wrong + one.failed(strict)
        row = {
            "file": one.file,
            "kind": one.kind,
            "usable": not one.failed(strict),
            "serves": list(one.serves),
            **counts,
        }
        rows.append({**row, "unchecked": list(one.unchecked)} if one.kind == "norms" else row)
        if not wants_json():
            complain(one.problems)
            idle = one.kind in _SERVING and not one.serves
            key = "follows" if one.follows else "bad" if one.failed(strict) else "unserved" if idle else "good"
            serves = say("run.among").join(one.serves)
            kind = say(f"check.{one.kind}")
            told = say(f"check.{key}", file=one.file, kind=kind, **{"serves": serves, **counts})
            told += say("check.serves", serves=serves) if one.serves else ""
            click.echo(told + (say("check.unchecked", count=len(one.unchecked)) if one.unchecked else ""))
    if wants_json():
        write_json({"files": rows, "wrong": wrong})
    else:
        click.echo("\n" + say("check.sum" if found else "check.none", files=found, wrong=wrong))
    sys.exit(WRONG if wrong or not found else DONE)


def _check_rubric(word: str, form: str | None) -> None:
    """A rubric, its questions' templates, and whether it fits the procedures here that it says it is for."""
    from ..evaluation.rubric.fit import fits
    from ..evaluation.rubric.open import open_rubric
    from ..runs.catalogue import catalogue

    opened = open_rubric(word, here())
    if isinstance(opened, tuple):  # perhaps one that compares runs
        pairs = open_rubric(word, here(), pairs=True)
        opened = got(opened if isinstance(pairs, tuple) else pairs)
    rubric = opened.rubric
    entries = catalogue(here(), rubric.procedures)
    held = [entry.procedure for entry in entries if entry.procedure is not None]
    problems = [*opened.problems, *(problem for procedure in held for problem in fits(rubric, procedure))]
    _annotated(problems, form)
    counts = counted(problems)
    if wants_json():
        write_json(counts)
        sys.exit(code_of(problems))
    complain(problems)
    if counts["errors"]:
        click.echo("\n" + say("run.check_bad", **counts), err=True)
        sys.exit(WRONG)
    size = {"asks": len(rubric.asks), "measures": len(rubric.measures), "formulas": len(rubric.formulas)}
    names = say("run.among").join(procedure.name for procedure in held) or say("run.check_for_none")
    click.echo(say("run.check_rubric", path=word, procedures=names, **size))


@click.command(cls=Command)
@options.run_folders
@options.as_json
def coverage(folders: Sequence[str]) -> None:
    from ..runs.coverage import grouped

    opened = [(folder, run_of(folder, brief=True)) for folder in folders]
    covered = grouped([(folder, run.procedure, run.events) for folder, run in opened])
    rows = [_as_json(names, result) for names, result in covered]
    if wants_json():
        write_json({"procedures": rows})
        return
    titles = [result.procedure.title for _, result in covered]
    click.echo("\n\n".join("\n".join(_missed(title, row)) for title, row in zip(titles, rows, strict=True)))


def _missed(title: str, row: dict[str, Any]) -> Iterator[str]:
    """How many branches were reached, and where those stand that were not."""
    from ..wording.columns import table

    yield say("run.coverage", title=title, reached=row["reached"], total=row["total"], runs=len(row["runs"]))
    gaps = [(f"{gap['file']}:{gap['line']}", gap["place"], say(f"coverage.{gap['kind']}")) for gap in row["missed"]]
    yield from table(gaps) if gaps else ()


def _as_json(names: list[str], result: Coverage) -> dict[str, Any]:
    return {
        "procedure": result.procedure.name,
        "runs": names,
        "total": len(result.branches),
        "reached": len(result.branches) - len(result.missed),
        "missed": [
            {"place": gap.place, "kind": gap.kind, "file": gap.span.file, "line": gap.span.line}
            for gap in result.missed
        ],
    }


@click.command(cls=Command)
@click.argument("kind", metavar="[spec|models]", type=click.Choice(["spec", "models"]), default="spec")
@click.option("--names", is_flag=True)
@click.option("--out", metavar="FILE", default="")
def schema(kind: str, names: bool, out: str) -> None:
    import json

    from ..authoring.picture import Picture
    from ..authoring.project_schema import declared_names
    from ..files.project_files import Disk, Snapshot, find_root
    from ..language.json_schema import json_schema
    from ..language.schema import SpecSurface
    from ..models.named.surfaces import ModelsSurface
    from ..wording.keys import explained

    if kind == "models":
        made = json_schema(ModelsSurface)
    else:
        found = declared_names(Picture(Snapshot(Disk(find_root(here()))))) if names else None
        made = json_schema(SpecSurface, found, explained)
    text = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
    if out:
        save(out, text.encode("utf-8"))
    else:
        click.echo(text, nl=False)


@click.command(cls=Command)
@click.argument("folder", metavar="DIR")
def init(folder: str) -> None:
    from ..files.project_files import init as copy

    copied = got(copy(path_of(folder)))
    click.echo(say("run.init_done", written=len(copied.written), same=len(copied.same), path=folder))
    if copied.kept:
        click.echo(say("run.init_kept", files="\n".join(f"  {name}" for name in copied.kept)))
