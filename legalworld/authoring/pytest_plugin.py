"""Tests of procedures and prompts under snapshots, found by `pytest` in a project folder.

`NAME.test.yaml` and the `tests` of a spec: each is a test, as for `lw test`.
`snapshots/`: each kept prompt is a test; one more tells of prompts that are not kept yet. `pytest --snapshot-update`
takes them over. Nothing of the package is imported before such a file is met.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..runs.project import Problems
    from .find_tests import OpenedTests
    from .snapshots import PromptChange, Taken

_FILE, _FOLDER, _NEW = "ways.yaml", "snapshots", "prompts that are not kept"
_TESTS, _SPECS = (".test.yaml", ".test.yml"), "specs"
_IN_SPEC = re.compile(rb"^(?:tests|\xe5\x90\x84\xe6\xb5\x8b\xe8\xaf\x95)[ \t]*:", re.MULTILINE)  # or its Chinese alias
_LOOKED_AT = 4 << 20


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SnapshotFolder | TestsFile | None:
    """A folder of snapshots, by its file of ways; a file of tests of a procedure, or a procedure with tests in it."""
    if file_path.name == _FILE and _FOLDER in file_path.parts:
        return SnapshotFolder.from_parent(parent, path=file_path)
    if file_path.name.endswith(_TESTS) or _is_spec_with_tests(file_path):
        return TestsFile.from_parent(parent, path=file_path)
    return None


def _is_spec_with_tests(file: Path) -> bool:
    if not file.name.endswith((".yaml", ".yml")) or _SPECS not in file.parts:
        return False
    return _IN_SPEC.search(_content(file)) is not None


def _content(file: Path) -> bytes:
    from ..files import regular

    try:
        return regular.content(file, most=_LOOKED_AT)
    except OSError:
        return b""


class Differs(Exception):
    """A prompt is not as it is kept, or a run not as a test expects; the text says how."""


# ---- tests of procedures ---------------------------------------------------------------------------------------------


class TestsFile(pytest.File):
    """The tests of one file; those of a file that cannot be read are one, which says why."""

    __test__ = False

    def collect(self) -> Iterator[pytest.Item]:
        opened = self.opened
        for test in () if isinstance(opened, tuple) else opened.tests:
            yield TestItem.from_parent(self, name=test.name)
        if isinstance(opened, tuple):
            yield TestItem.from_parent(self, name=self.path.name)

    @cached_property
    def opened(self) -> OpenedTests | Problems:
        from .find_tests import open_tests

        return open_tests(self.path, Path.cwd())


class TestItem(pytest.Item):
    """One test of a procedure."""

    parent: TestsFile
    __test__ = False

    def runtest(self) -> None:
        from .find_tests import result, worded

        opened = self.parent.opened
        if isinstance(opened, tuple):
            raise Differs(_rendered(opened))
        test = next(test for test in opened.tests if test.name == self.name)
        found = result(opened, test)
        if found.broken:
            raise Differs(_rendered(found.broken))
        if found.failures:
            raise Differs("\n".join(line for one in found.failures for line in worded(opened, one, Path.cwd())))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any, **__: Any) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, Differs) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name


def _rendered(problems: Problems) -> str:
    """Problems as commands show them; those of a file of the project with the line of it."""
    from ..language.charset import decoded
    from ..wording import locale
    from ..wording.diagnostics import render

    def text_of(path: str) -> str | None:
        return decoded(_content(Path(path))).text

    return render(problems, text_of, locale())


# ---- prompts under snapshots -----------------------------------------------------------------------------------------


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
