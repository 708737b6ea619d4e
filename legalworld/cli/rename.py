"""`lw rename`: a name of a procedure changed in every file in which it stands, or in none."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..wording import say
from . import options
from .help import Command
from .inputs import say_origin
from .output import here, leave, wants_json, write_json

if TYPE_CHECKING:
    from ..authoring.edits import Edits
    from ..files.project_files import Disk


@click.command(cls=Command)
@options.spec
@click.argument("name", metavar="NAME")
@click.argument("new", metavar="NEW")
@click.option("--check", is_flag=True)
@options.as_json
def rename(spec: str, name: str, new: str, check: bool) -> None:
    from ..authoring.occurrences import names_of
    from ..authoring.picture import Picture
    from ..authoring.rename import declaration, renamed
    from ..files.project_files import Snapshot, find
    from ..language import diagnose

    say_origin(spec)
    found = find("specs", spec, here())
    if not isinstance(found, tuple):
        leave((found,))
    disk, main = found
    picture = Picture(Snapshot(disk))
    cursor = declaration(picture, main, name)
    if cursor is None:
        known = sorted({one.name for one in names_of(picture, main).occurrences if one.declares})
        leave((diagnose.no_such_name(main, name=name, among=known),))
    edits = renamed(picture, cursor, new)
    if edits.why is not None:
        leave((edits.why,))
    if not check:
        _write(disk, edits)
    _told(edits, check)


def _told(edits: Edits, check: bool) -> None:
    counts = {path: sum(edit.region.path == path for edit in edits.texts) for path in edits.files}
    if wants_json():
        write_json({"files": counts, "moved": dict(edits.renames), "written": not check})
        return
    for path, count in counts.items():
        click.echo(say("rename.file", path=path, count=count))
    for old, moved in edits.renames:
        click.echo(say("rename.moved", old=old, new=moved))
    click.echo(say("rename.would" if check else "rename.done", files=len(counts), moved=len(edits.renames)))


def _write(disk: Disk, edits: Edits) -> None:
    """All files are read and changed before the first is written. The command ends here where one cannot be: it is
    shipped with the package, or in an encoding that is not written."""
    from ..files import regular
    from ..files.project_files import unreadable
    from ..language import diagnose
    from ..language.charset import UTF_8, encoding_of
    from ..model.source import Span

    touched = (*edits.files, *(old for old, _ in edits.renames))
    if shipped := [path for path in touched if disk.root is None or disk.built_in(path)]:
        leave((diagnose.edit_of_shipped_file(Span(shipped[0], 1, 1), path=shipped[0]),))
    root, at = Path(disk.root or "."), ""
    try:
        texts: dict[str, str] = {}
        for at in edits.files:
            data = regular.content(root / at)
            encoding = encoding_of(data)
            if encoding and encoding != UTF_8:
                leave((diagnose.unwritable_encoding(at, encoding=encoding),))
            texts[at] = data.decode("utf-8", "surrogateescape")
        for at, text in edits.applied(texts).items():
            regular.write_whole(root / at, text.encode("utf-8", "surrogateescape"))
        for at, new in edits.renames:
            (root / new).parent.mkdir(parents=True, exist_ok=True)
            os.replace(root / at, root / new)
            _emptied((root / at).parent, root)
    except OSError as error:
        leave((unreadable(at, error),))


def _emptied(folder: Path, root: Path) -> None:
    """Folders that hold nothing any more are removed."""
    while folder != root and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
