"""The cards of folders and files, as `lw skills list` shows them: where each comes from and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..files import regular
from ..files.project_files import Disk, find_root, unreadable
from ..language import diagnose
from ..language.charset import decoded
from ..language.front_matter import FrontMatter
from ..language.schema import GrownSurface, SkillSurface
from ..language.surface_reader import read_surface, text_of, texts_of
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, names_of
from ..model.source import MemorySources
from ..runs.project import Problems
from .card import LONGEST_CARD

FOLDER = "skills"
_ENDINGS = (".yaml", ".yml", ".md")


@immutable
class ListedCard:
    """A card as its file says it; all but `file`, `name` and `title` may be empty."""

    file: str
    name: str
    title: str
    who: tuple[str, ...]
    stages: tuple[str, ...]
    version: str
    parents: tuple[str, ...]
    runs: tuple[str, ...]
    cases: tuple[str, ...]
    before: str
    after: str
    date: str
    by: str

    def row(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            name: list(value) if isinstance(value := getattr(self, name), tuple) else value for name in names_of(self)
        }


def cards_in(words: Sequence[str], cwd: Path) -> tuple[tuple[ListedCard, ...], Problems]:
    """The cards of files and folders (of a session, all its versions); of the project's own folder, without words."""
    found: list[ListedCard] = []
    problems: list[Diagnostic] = []
    if not words:
        disk = Disk(find_root(cwd))
        for path in disk.names(FOLDER):
            if path.endswith(_ENDINGS) and not _is_about(path):
                _take(path, disk.read(path) or "", found, problems)
        return tuple(found), (*problems, *disk.problems)
    for word in words:
        for file in _files(cwd / word):
            try:
                text = decoded(regular.start(file, most=4 * LONGEST_CARD + 1)).text
            except OSError as error:
                problems.append(unreadable(str(file), error))
                continue
            _take(_named(file, cwd), text, found, problems)
    return tuple(found), tuple(problems)


def _is_about(path: str) -> bool:
    """A page about the folder is no card."""
    return path.rpartition("/")[2].upper().startswith("README")


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for file in sorted((*path.glob("*.md"), *path.glob("*.yaml"), *path.glob("cards/*.md"))):
        if not _is_about(file.name):
            yield file


def _named(file: Path, cwd: Path) -> str:
    return (file.relative_to(cwd) if file.is_relative_to(cwd) else file).as_posix()


def _take(path: str, text: str, found: list[ListedCard], problems: list[Diagnostic]) -> None:
    if len(text) > LONGEST_CARD:
        problems.append(diagnose.oversized_card(path, path=path, most=LONGEST_CARD))
        return
    sources = MemorySources({path: text})
    surface, wrong, _ = read_surface(SkillSurface, FrontMatter(sources) if path.endswith(".md") else sources, path)
    problems += wrong
    if surface is not None:
        found.append(_listed(path, surface))


def _listed(path: str, surface: SkillSurface) -> ListedCard:
    grown: GrownSurface | None = surface.grown
    return ListedCard(
        path,
        surface.skill.text,
        surface.title.text,
        texts_of(surface.who),
        texts_of(surface.stages),
        version=text_of(grown.version) if grown is not None else "",
        parents=texts_of(grown.parents) if grown is not None else (),
        runs=texts_of(grown.runs) if grown is not None else (),
        cases=texts_of(grown.cases) if grown is not None else (),
        before=text_of(grown.before) if grown is not None else "",
        after=text_of(grown.after) if grown is not None else "",
        date=text_of(grown.date) if grown is not None else "",
        by=text_of(grown.by) if grown is not None else "",
    )
