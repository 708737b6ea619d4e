"""`lw fmt`: spec files laid out anew, or in the keywords of one language, or looked at whether they are."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from ..wording import say
from . import options
from .help import Command
from .output import DONE, WRONG, complain, counted, here, leave, wants_json, write_json

if TYPE_CHECKING:
    from pathlib import Path

    from ..authoring.keywords import Language
    from ..model.diagnostics import Diagnostic

DIFFERS = 1
_SUFFIXES = (".yaml", ".yml")


@click.command(cls=Command)
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--check", is_flag=True)
@click.option("--keywords", type=click.Choice(("zh", "en")))
@options.as_json
def fmt(files: Sequence[str], check: bool, keywords: Language | None) -> None:
    changed: list[str] = []
    refused: list[Diagnostic] = []
    named = list(_files(files))
    for file, name in named:
        found = _laid_out(file, name, check, keywords)
        if isinstance(found, bool):
            changed += [name] if found else []
        else:
            refused.append(found)
    if wants_json():
        write_json({"files": len(named), "changed": changed, "refused": counted(refused)["problems"]})
    else:
        for name in changed:
            click.echo(say("fmt.differs" if check else "fmt.changed", file=name))
        complain(refused)
        click.echo(say("fmt.sum", files=len(named), changed=len(changed), refused=len(refused)))
    sys.exit(WRONG if refused else DIFFERS if check and changed else DONE)


def _files(words: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """The files that are named, those of folders, else those of the specs of the project here, with their names."""
    from ..files.project_files import find_root
    from ..language import diagnose

    root = find_root(here())
    if not words and root is None:
        leave((diagnose.missing_command_argument("lw fmt", command="lw fmt", usage="lw fmt FILE...", name="FILE"),))
    for word in words or (str((root or here()) / "specs"),):
        path = here() / word
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES and file.is_file())
        else:
            found = [path]
        for file in found:
            yield file, file.relative_to(here()).as_posix() if file.is_relative_to(here()) else str(file)


def _laid_out(file: Path, name: str, check: bool, keywords: Language | None) -> bool | Diagnostic:
    """Whether a file changes, and was written unless it is only looked at; or why it was left as it is."""
    from ..authoring.format import formatted
    from ..files import regular
    from ..files.project_files import unreadable
    from ..language import diagnose
    from ..language.charset import UTF_8, encoding_of

    try:
        data = regular.content(file)
        encoding = encoding_of(data)
        if encoding and encoding != UTF_8:
            return diagnose.unwritable_encoding(name, encoding=encoding)
        text = data.decode("utf-8", "surrogateescape")
        made = _rewritten(name, text, keywords) if keywords else formatted(name, text)
        if not isinstance(made, str):
            return made
        if made != text and not check:
            regular.write_whole(file, made.encode("utf-8", "surrogateescape"))
        return made != text
    except OSError as error:
        return unreadable(name, error)


def _rewritten(name: str, text: str, keywords: Language) -> str | Diagnostic:
    """The text in the keywords of one language; what stays as it is is told."""
    from ..authoring.keywords import rewritten
    from ..model.diagnostics import Diagnostic

    made = rewritten(name, text, keywords)
    if isinstance(made, Diagnostic):
        return made
    if not wants_json():
        click.echo(say("fmt.keywords", file=name, keys=made.keys, changed=made.changed))
        if made.free:
            click.echo(say("fmt.free", lines=", ".join(map(str, dict.fromkeys(made.free)))))
    return made.text
