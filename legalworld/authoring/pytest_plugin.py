"""Prompts under snapshots as tests: `pytest` in a project folder compares every prompt that is kept in `snapshots/`.

Each kept prompt is a test; one more tells of prompts that are not kept yet. `pytest --snapshot-update` takes them over.
Nothing of the package is imported before such a folder is met.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..runs.project import Problems
    from .snapshots import PromptChange, Taken

_FILE, _FOLDER, _NEW = "ways.yaml", "snapshots", "prompts that are not kept"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SnapshotFolder | None:
    """A folder of snapshots, by its file of ways."""
    if file_path.name != _FILE or _FOLDER not in file_path.parts:
        return None
    return SnapshotFolder.from_parent(parent, path=file_path)


class Differs(Exception):
    """A prompt is not as it is kept; the text says how."""


class SnapshotFolder(pytest.File):
    """The prompts that are kept of one case; they are made once, when the first of them is compared."""

    def collect(self) -> Iterator[pytest.Item]:
        from .snapshots import kept_prompts

        for name in (*kept_prompts(self.path.parent), _NEW):
            yield SnapshotItem.from_parent(self, name=name)

    @cached_property
    def made(self) -> Taken | Problems:
        from . import snapshots

        root = next(above for above in self.path.parents if above.name == _FOLDER)
        here = self.path.parent.relative_to(root).as_posix()
        for ways in snapshots.kept_ways(root):
            if isinstance(ways, snapshots.Ways) and ways.folder == here:
                return snapshots.taken(ways, root.parent)
        return tuple(one for ways in snapshots.kept_ways(root) if isinstance(ways, tuple) for one in ways)

    @cached_property
    def differing(self) -> Mapping[str, PromptChange]:
        """Name -> how it differs. Raises Differs where the prompts cannot be made."""
        from ..wording import locale
        from ..wording.diagnostics import render
        from . import snapshots

        if isinstance(self.made, tuple):
            raise Differs(render(self.made, lambda _: None, locale()))
        kept = snapshots.kept_prompts(self.path.parent)
        return {change.name: change for change in snapshots.changes(kept, self.made)}

    def keep(self, names: tuple[str, ...]) -> None:
        from . import snapshots

        assert isinstance(self.made, snapshots.Taken)
        snapshots.keep(self.path.parent, self.made, names)


class SnapshotItem(pytest.Item):
    """One prompt, or all that are not kept."""

    parent: SnapshotFolder

    def runtest(self) -> None:
        changes = self.parent.differing
        mine = [one for one in changes.values() if one.name == self.name or (self.name == _NEW and one.kind == "new")]
        if mine and self.config.getoption("--snapshot-update", default=False):
            self.parent.keep(tuple(one.name for one in mine))
        elif mine:
            raise Differs("\n".join(line for one in mine for line in _told(one)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any, **__: Any) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, Differs) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path.parent / self.name, None, self.name


def _told(change: PromptChange) -> Iterator[str]:
    from ..wording import say

    yield say(f"snapshot.{change.kind}", name=change.name)
    if change.cause is not None:
        yield "  " + say("snapshot.cause", file=change.cause.file, line=change.cause.line)
    yield from change.lines
