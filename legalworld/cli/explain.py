"""`lw explain`: what the code of a message means; a procedure as a protocol for people who sign it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..language import diagnose
from ..wording import Locale, locale, say, sentences
from . import completion, options
from .help import Command
from .inputs import say_origin
from .output import DONE, WRONG, counted, got, here, leave, path_of, save, wants_json, warn, write_json

if TYPE_CHECKING:
    from ..authoring.protocol import Protocol
    from ..model.procedure import Procedure
    from ..publication.page import PublishedPage
    from ..runs.project import Project

_CODE = re.compile(r"LW\d+", re.IGNORECASE)
DIGEST = 8  # characters of it that are printed
FORMS = ("md", "html", "docx", "pdf")


@click.command(cls=Command)
@click.argument("word", metavar="SPEC|LWnnn", shell_complete=completion.named("specs"))
@click.option("--lang", "language", type=click.Choice(["zh", "en"]), default=None)
@click.option("--format", "form", type=click.Choice(FORMS), default=None)
@click.option("--out", metavar="FILE", default="")
@options.as_json
def explain(word: str, language: Locale | None, form: str | None, out: str) -> None:
    if _CODE.fullmatch(word):
        _code(word.upper(), language or locale())
        return
    _protocol(word, language or locale(), form, out)


def _code(code: str, language: Locale) -> None:
    """A diagnostic's sentence and its repair; what is filled in stands between brackets."""
    from ..wording.diagnostics import catalogue, explanation

    if code not in catalogue():
        leave((diagnose.unknown_code("lw explain", name=code, among=tuple(catalogue())),))
    found = explanation(code, language)
    if wants_json():
        write_json(found)
    else:
        click.echo("\n".join(filter(None, (f"{code} {found['message']}", found["help"]))))


def _protocol(spec: str, language: Locale, form: str | None, out: str) -> None:
    from ..authoring.protocol import protocol
    from ..authoring.protocol_page import page
    from ..runs.project import spec_copy

    project, procedure = read(spec)
    told = protocol(procedure, language, sentences("protocol", language))
    errors = counted(project.problems)["errors"] if project.procedure is None else 0
    digest = spec_copy(project).digest[:DIGEST] if not errors else "–"
    if wants_json():
        write_json({**as_json(told, digest), "errors": errors})
        sys.exit(WRONG if errors else DONE)
    made = page(told, digest, errors)
    form = form or _form_of(out)
    if form in ("docx", "pdf") and not out:
        out = f"{procedure.name}.{form}"
    if form == "pdf":
        _write_pdf(made, path_of(out))
    elif out in ("", "-") and form != "docx":
        click.echo(_bytes(made, form, language).decode(), nl=False)
    else:
        save(out, _bytes(made, form, language))
    if out and out != "-":
        click.echo(say("explain.written", path=out, steps=len(told.lines)))
    sys.exit(WRONG if errors else DONE)


def read(spec: str) -> tuple[Project, Procedure]:
    """A procedure, as far as it can be read where there are errors in it; the command ends where there is none."""
    from ..language.link.linker import link
    from ..runs.project import open_project

    say_origin(spec)
    project = got(open_project(spec, here()))
    procedure = project.procedure or link(project.sources, project.path, partial=True).procedure
    if procedure is None or not procedure.stages:
        leave(project.problems, project)
    warn(project.problems, project)
    return project, procedure


def _form_of(out: str) -> str:
    """The form that the name of a file asks for."""
    ending = Path(out).suffix.lstrip(".").lower()
    return ending if ending in FORMS else "md"


def _bytes(made: PublishedPage, form: str, language: str) -> bytes:
    from ..publication.page import rendered
    from ..publication.page_files import markdown_page, word_page

    if form == "docx":
        return word_page(made)
    text = rendered(made, language) if form == "html" else markdown_page(made)
    return text.encode("utf-8")


def _write_pdf(made: PublishedPage, path: Path) -> None:
    """The Word document, made a PDF by LibreOffice; the command ends here where it is missing or fails."""
    from tempfile import TemporaryDirectory

    from ..export.word import pdf
    from ..files import regular

    with TemporaryDirectory() as folder:
        file = Path(folder) / "protocol.docx"
        regular.write_whole(file, _bytes(made, "docx", ""))
        if (failed := pdf([file], Path(folder))) is not None:
            leave((failed,))
        save(str(path), regular.content(file.with_suffix(".pdf")))


def as_json(told: Protocol, digest: str) -> dict[str, Any]:
    """The protocol for other programs: its steps, what is seen by whom, and all sections in words."""
    steps = [
        {
            "number": line.number,
            "place": line.place,
            "depth": line.depth,
            "otherwise": line.otherwise,
            "who": line.who,
            "what": list(line.what),
            "limit": list(line.limit),
            "basis": list(line.basis),
            "next": line.next,
        }
        for line in told.lines
    ]
    seen = [
        {
            "what": row.what,
            "whose": row.whose,
            "title": row.title,
            "stage": cell.stage,
            "kind": cell.kind,
            "only": [told.matrix.notes[n - 1] for n in cell.notes],
        }
        for row in told.matrix.rows
        for cell in row.cells
    ]
    phrases = told.phrases
    title = phrases.word("title", title=told.procedure.title)
    head = {"procedure": told.procedure.name, "title": title, "language": phrases.language, "digest": digest}
    return {**head, "steps": steps, "seen": seen}
