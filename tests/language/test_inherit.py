"""A procedure made out of another one: every kind of change in both languages, beside what comes of it.

`inherit/NAME.en.yaml` and `NAME.zh.yaml` say the same of the specs in `inherit/shared`; `NAME.expected.yaml` is the
whole with the origin of each line. `LW_BLESS=1` takes over what comes now.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from goldens import compare

from legalworld.files.project_files import Disk
from legalworld.language.link.expanded import expanded
from legalworld.language.link.linker import link
from legalworld.model.procedure import ModelDefaults, Procedure
from legalworld.model.source import MemorySources, Sources, Span
from legalworld.wording.diagnostics import render

FOLDER = Path(__file__).parent / "inherit"
CHILD = "specs/child.yaml"
KINDS = sorted(file.name.removesuffix(".en.yaml") for file in FOLDER.glob("*.en.yaml"))
SHIPPED = [path for path in Disk(None).names("specs") if "/parts/" not in path and not path.endswith(".test.yaml")]


def below(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()
    }


SHARED = below(FOLDER / "shared")


def sources(child: str) -> MemorySources:
    return MemorySources({**SHARED, CHILD: child})


def linked(files: Sources, path: str = CHILD) -> Procedure:
    found = link(files, path)
    assert not found.problems, render(found.problems, files.read, "en")
    assert found.procedure is not None
    return found.procedure


def plain(node: Any) -> Any:
    """A value without the places it was written at, and without what tells of its files."""
    if isinstance(node, Span):
        return None
    if isinstance(node, Mapping):
        return {key: plain(value) for key, value in node.items()}
    if isinstance(node, tuple | list | frozenset):
        return [plain(each) for each in node]
    if not is_dataclass(node):
        return node
    told = {"lines", "files", "lineage", "inherited"} if isinstance(node, Procedure) else set()
    said = {each.name: plain(getattr(node, each.name)) for each in fields(node) if each.name not in told}
    if isinstance(node, Procedure):
        said["grants"] = sorted(said["grants"], key=repr)
    return type(node).__name__, said


def written(files: Sources, path: str, notes: bool = True) -> str:
    """The expanded spec; `notes`: with origins."""
    lines = []
    for line in expanded(files, path):
        origins = ", ".join(f"{span.file.removeprefix('specs/')}:{span.line}" for span in line.origins)
        lines.append(f"{line.text:<70}  # {origins}" if notes and origins else line.text)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", KINDS)
def test_changes(name: str) -> None:
    english, chinese = (sources((FOLDER / f"{name}.{language}.yaml").read_text("utf-8")) for language in ("en", "zh"))
    procedure, whole = plain(linked(english)), written(english, CHILD)
    compare(FOLDER / f"{name}.expected.yaml", whole)
    assert plain(linked(chinese)) == procedure
    assert plain(linked(sources(whole))) == procedure


def texts_of(disk: Disk, procedure: Procedure) -> dict[str, str]:
    return {file: disk.read(file) or "" for file in procedure.files}


EACH_SHIPPED = pytest.mark.parametrize("path", SHIPPED, scope="module")  # both tests of a file, then those of the next


@lru_cache(maxsize=1)
def shipped(path: str) -> tuple[Disk, Procedure, Any]:
    """Where a file lies, its procedure, and that as plain values."""
    disk = Disk(None)
    procedure = linked(disk, path)
    return disk, procedure, plain(procedure)


@EACH_SHIPPED
def test_a_shipped_procedure_written_as_one_file_is_the_same(path: str) -> None:
    disk, procedure, told = shipped(path)
    whole = MemorySources({**texts_of(disk, procedure), CHILD: written(disk, path)})
    assert plain(linked(whole)) == told


@EACH_SHIPPED
def test_a_child_that_changes_nothing_is_its_parent(path: str) -> None:
    disk, parent, told = shipped(path)
    name = path.removeprefix("specs/").removesuffix(".yaml")
    child = f"lw: 1\nprocedure: {parent.name}\nextends: {name}\n"
    assert plain(linked(MemorySources({**texts_of(disk, parent), CHILD: child}))) == told


NOTHING = ("null", "~", "None", "无", "不设")
KEYS = {"temperature": "温度", "top_p": "核采样", "max tokens": "最大词元数", "thought tokens": "思考词元数"}


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("key", KEYS)
def test_a_child_takes_back_what_its_parent_set_of_the_model(key: str, nothing: str) -> None:
    for section, name in (("model", key), ("模型", KEYS[key])):
        child = linked(sources(f"lw: 1\nprocedure: child\nextends: base\n{section}: {{{name}: {nothing}}}\n"))
        base = {"temperature": 0.5, "top_p": 0.9}
        expected = {name: value for name, value in base.items() if name != key}
        assert child.model == ModelDefaults(**expected)


@pytest.mark.parametrize("word", ["nan", "inf", "-inf", "nul", "", "0,7"])
def test_what_is_no_number_of_the_model_is_told(word: str) -> None:
    found = link(sources(f'lw: 1\nprocedure: child\nextends: base\nmodel: {{temperature: "{word}"}}\n'), CHILD)
    assert [problem.code for problem in found.problems] == ["LW079"]


ASKED = ("costs", "ground", "share")  # by the last phase of the base below, which also calls them by titles


@pytest.mark.parametrize("decided", ["", "ground"], ids=["no_decision", "decision"])
@pytest.mark.parametrize("own", [(), ("extra",), ("appeals",)], ids=lambda names: "-".join(names) or "none")
@pytest.mark.parametrize("removed", [names for count in range(4) for names in combinations(ASKED, count)])
def test_a_title_of_what_a_child_no_longer_asks_is_left_out_of_the_whole(
    removed: tuple[str, ...], own: tuple[str, ...], decided: str
) -> None:
    steps = "".join(f"      - {{judge asks plaintiff: of {n}, id: of_{n}, answer: {n} is yes or no}}\n" for n in ASKED)
    titles = "".join(f"  {name}: {{title: Of {name}}}\n" for name in ASKED)
    base = SHARED["specs/base.yaml"].rstrip() + f"\n{steps.replace('      - ', '          - ')}answers:\n{titles}"
    base += f"decisions: {{held: {{documents: ruling, reasons: {decided}}}}}\n" if decided else ""
    changes = "".join(f"  - remove three/end/of_{name}\n" for name in removed)
    child = "lw: 1\nprocedure: child\nextends: base\n" + (f"changes:\n{changes}" if changes else "")
    child += "stages:\n  - {stage: four, steps: [{judge asks plaintiff: of appeals, answer: appeals is yes or no}]}\n"
    child += "answers:\n" + "".join(f"  {name}: {{title: My own}}\n" for name in own) if own else ""
    files = MemorySources({**SHARED, "specs/base.yaml": base, CHILD: child})
    found = link(files, CHILD)
    assert [p.values["name"] for p in found.problems] == [name for name in own if name == "extra"]
    whole = MemorySources({**SHARED, CHILD: written(files, CHILD)})
    again = link(whole, CHILD)
    assert [p.code for p in again.problems] == [p.code for p in found.problems]
    assert plain(again.procedure) == plain(found.procedure)
    kept = {name for name in ASKED if f"\n  {name}: {{title" in written(files, CHILD, notes=False)}
    assert kept == {name for name in ASKED if name not in removed or name == decided}
