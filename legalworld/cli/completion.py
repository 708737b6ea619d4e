"""What the shell proposes when Tab is pressed: procedures, cases and other named files of the project, runs, files.

The shells ask click (`_LW_COMPLETE`), click asks the argument or option that is being typed. What cannot be read
proposes nothing; nobody is told of it at a prompt that he is still typing at.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from ..files.project_files import Kind

Proposals = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
MOST: Final = 500  # proposals; nobody reads more
LOOKED_AT: Final = 20_000  # files of a folder
DEEPEST: Final = 3  # folders below the working folder in which runs are looked for


def named(kind: Kind, *, listed: bool = False) -> Proposals:
    """Names of files of a kind, as commands take them, then paths. `listed`: several with commas between."""

    def proposals(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",") if listed else ("", "", incomplete)
        found = [name for name in _names(kind) if name.startswith(last)]
        return [CompletionItem(before + comma + name) for name in found[:MOST]] or [CompletionItem(last, type="file")]

    return proposals


def runs(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Folders of runs below the working folder, else any folder."""
    found = [path for path in _runs(incomplete) if path.startswith(incomplete)]
    return [CompletionItem(path) for path in sorted(found)[:MOST]] or [CompletionItem(incomplete, type="dir")]


def _names(kind: Kind) -> list[str]:
    from ..files.project_files import Disk, find_root, name_of

    paths = Disk(find_root(Path.cwd())).names(kind)
    files = (path for path in paths if "/" not in path.removeprefix(f"{kind}/") and ".test." not in path)
    return sorted({name_of(kind, path) for path in files if not path.endswith((".j2", ".md"))})


def _runs(incomplete: str) -> Iterator[str]:
    """The runs in and below the folder that has been typed so far; links are not followed."""
    start = os.path.dirname(incomplete) or "."
    waiting, seen = [(start, 0)], 0
    while waiting:
        folder, depth = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                inner = [one for one in entries if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")]
        except OSError:
            continue
        for one in inner:
            seen += 1
            path = one.path.removeprefix("./").replace(os.sep, "/")
            if seen > LOOKED_AT:
                return
            if os.path.isfile(os.path.join(one.path, "run.yaml")):
                yield path
            elif depth < DEEPEST:
                waiting.append((one.path, depth + 1))
