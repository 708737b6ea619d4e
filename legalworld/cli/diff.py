"""`lw diff`: two procedures, two revisions of one, or a procedure and what it extends, in the terms of a court."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import replace
from ..model.source import Span
from ..wording import Locale, locale, sentences
from . import completion, options
from .help import Command
from .inputs import say_origin
from .output import got, here, leave, save, wants_json, write_json

if TYPE_CHECKING:
    from ..authoring.difference import Delta
    from ..authoring.difference_prompts import Prompts
    from ..authoring.difference_rendered import RenderedPrompts
    from ..runs.project import Project

FORMS = ("text", "md", "html")
EQUAL, DIFFERENT = 0, 1
_UNREAD = ("cases",)  # large, and no part of a procedure


@click.command(cls=Command)
@click.argument("first", metavar="A[@REV]", shell_complete=completion.named("specs"))
@click.argument("second", metavar="[B[@REV]]", default="", shell_complete=completion.named("specs"))
@click.option("--lang", "language", type=click.Choice(["zh", "en"]), default=None)
@click.option("--format", "form", type=click.Choice(FORMS), default="text")
@click.option("--out", metavar="FILE", default="")
@options.as_json
def diff(first: str, second: str, language: Locale | None, form: str, out: str) -> None:
    from ..authoring import difference_page

    language = language or locale()
    if not second:
        first, second = _other(first)
    changes, rendered = _changes(_compared(first, language), _compared(second, language))
    if wants_json():
        prompts = rendered and {"case": rendered.case, "of": rendered.total, "differ": dict(rendered.names)}
        write_json(
            {"old": first, "new": second, "changes": difference_page.as_data(changes), "prompts": prompts or None}
        )
    else:
        told = _worded(changes, (first, second), language, form, _note(changes, rendered, language))
        if out:
            save(out, told.encode("utf-8"))
        else:
            click.echo(told, nl=False)
    sys.exit(DIFFERENT if changes else EQUAL)


def _changes(old: ProcedureSide, new: ProcedureSide) -> tuple[tuple[Delta, ...], RenderedPrompts | None]:
    """All changes. The prompts of two procedures of one line are rendered; of others, and where they cannot be made,
    those that may read differently are listed, None."""
    from ..authoring.difference import difference
    from ..authoring.difference_prompts import prompt_changes
    from ..authoring.difference_rendered import rendered

    changes = difference(old.prompts.phrases, new.prompts.phrases)
    possible = tuple(prompt_changes(old.prompts, new.prompts))
    related = {*old.prompts.procedure.names} & {*new.prompts.procedure.names}
    if not related or not (changes or possible):
        return (*changes, *possible), None
    found = rendered(old.project, new.project, (old.prompts.phrases, new.prompts.phrases), here())
    if isinstance(found, tuple):
        return (*changes, *possible), None
    told = {change.span.file for change in found.deltas}
    rest = (one for one in possible if one.group != "unrendered" or one.label not in told)
    return (*changes, *found.deltas, *rest), found


def _note(changes: Sequence[Delta], rendered: RenderedPrompts | None, language: Locale) -> str:
    """How many prompts read differently, or that none were made."""
    word = sentences("difference", language)
    if rendered is not None:
        return word("rendered", count=rendered.count, total=rendered.total, case=rendered.case)
    return word("not_rendered") if changes else ""


def _worded(changes: Sequence[Delta], called: tuple[str, str], language: Locale, form: str, note: str) -> str:
    from ..authoring import difference_page
    from ..publication.page import rendered
    from ..publication.page_files import markdown_page

    if form == "text":
        return difference_page.text(changes, called, language, note)
    page = difference_page.page(changes, called, language, note)
    return rendered(page, language) if form == "html" else markdown_page(page)


def _other(word: str) -> tuple[str, str]:
    """What one word alone is compared with: a revision with the files of now, a procedure with what it extends."""
    spec, _, revision = word.rpartition("@")
    if spec and revision:
        return word, spec
    project = _project(word)
    assert project.procedure is not None
    if not project.procedure.lineage:
        leave((diagnose.nothing_to_compare("lw diff", spec=word),))
    return project.procedure.lineage[0], word


class ProcedureSide(NamedTuple):
    """A procedure with its project, and all that its prompts are made of."""

    project: Project
    prompts: Prompts


def _compared(word: str, language: Locale) -> ProcedureSide:
    from ..authoring.difference_prompts import Prompts
    from ..authoring.protocol_words import Phrases, stages_of

    project = _project(word)
    procedure = project.procedure
    assert procedure is not None
    phrases = Phrases(procedure, language, sentences("protocol", language), stages_of(procedure))
    return ProcedureSide(project, Prompts(phrases, project.templates, project.sources))


def _project(word: str) -> Project:
    """A procedure on disk, or (`SPEC@REVISION`) as it was; the command ends here where it cannot be read whole."""
    from ..runs.project import open_project

    spec, _, revision = word.rpartition("@")
    if spec and not os.path.lexists(here() / word):
        project = _earlier(spec, revision)
    else:
        say_origin(word)
        project = got(open_project(word, here()))
    if project.procedure is None:
        leave(project.problems, project)
    return project


def _earlier(spec: str, revision: str) -> Project:
    """The procedure as it was: the project's files of then, behind them those that came with the package."""
    from ..files.project_files import EXPERT_FOLDERS, Disk, find, find_root
    from ..files.revisions import SourcesBefore, changed_since
    from ..runs.project import read_project

    place = find("specs", spec, here())
    root, path = find_root(here()), f"specs/{spec}" + ("" if spec.endswith((".yaml", ".yml")) else ".yaml")
    if isinstance(place, tuple):
        root, path = place[0].root or root, place[1]
    elif spec.startswith("specs/"):  # deleted meanwhile
        path = spec
    found = changed_since(root or here(), revision, [folder for folder in EXPERT_FOLDERS if folder not in _UNREAD])
    if isinstance(found, Diagnostic):
        leave((replace(found, span=Span("lw diff", 0, 0)),))
    sources = SourcesBefore(Disk(root), found.before)
    if sources.read(path) is None:
        leave((diagnose.file_not_in_revision("lw diff", path=path, revision=revision),))
    return read_project(sources, path)
