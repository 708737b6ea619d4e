"""`lw diff`: two procedures, two revisions of one, or a procedure and what it extends, in the terms of a court."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import replace
from ..model.source import Span
from ..wording import Locale, locale, sentences
from . import options
from .help import Command
from .inputs import say_origin
from .output import got, here, leave, save, wants_json, write_json

if TYPE_CHECKING:
    from ..authoring.difference import Delta
    from ..authoring.difference_prompts import Prompts
    from ..runs.project import Project

FORMS = ("text", "md", "html")
EQUAL, DIFFERENT = 0, 1
_UNREAD = ("cases",)  # large, and no part of a procedure


@click.command(cls=Command)
@click.argument("first", metavar="A[@REV]")
@click.argument("second", metavar="[B[@REV]]", default="")
@click.option("--lang", "language", type=click.Choice(["zh", "en"]), default=None)
@click.option("--format", "form", type=click.Choice(FORMS), default="text")
@click.option("--out", metavar="FILE", default="")
@options.as_json
def diff(first: str, second: str, language: Locale | None, form: str, out: str) -> None:
    from ..authoring import difference_page
    from ..authoring.difference import difference
    from ..authoring.difference_prompts import prompt_changes

    language = language or locale()
    if not second:
        first, second = _other(first)
    old, new = (_prompts(word, language) for word in (first, second))
    changes = (*difference(old.phrases, new.phrases), *prompt_changes(old, new))
    if wants_json():
        write_json({"old": first, "new": second, "changes": difference_page.as_data(changes)})
    else:
        told = _worded(changes, first, second, language, form)
        if out:
            save(out, told.encode("utf-8"))
        else:
            click.echo(told, nl=False)
    sys.exit(DIFFERENT if changes else EQUAL)


def _worded(changes: Sequence[Delta], old: str, new: str, language: Locale, form: str) -> str:
    from ..authoring import difference_page
    from ..publication.page import rendered
    from ..publication.page_files import markdown_page

    if form == "text":
        return difference_page.text(changes, old, new, language)
    page = difference_page.page(changes, old, new, language)
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


def _prompts(word: str, language: Locale) -> Prompts:
    from ..authoring.difference_prompts import Prompts
    from ..authoring.protocol_words import Phrases, stages_of

    project = _project(word)
    procedure = project.procedure
    assert procedure is not None
    phrases = Phrases(procedure, language, sentences("protocol", language), stages_of(procedure))
    return Prompts(phrases, project.templates, project.sources)


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
