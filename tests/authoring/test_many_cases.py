"""A folder of many cases costs for each of them what one costs: nothing is read again for each procedure or file."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

from legalworld.authoring.expert_files import checked
from legalworld.runs import case_file

FILES = {"cases/bargain.yaml": 0, "cases/legalworld-sample.json": 1}  # by whether a binding reads it


@pytest.mark.parametrize("file", FILES)
def test_files_are_read_once_and_bindings_no_more_often_than_there_are_procedures(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: dict[str, int] = {}

    def counted(name: str) -> Any:
        inner = getattr(case_file, name)

        def call(*args: Any) -> Any:
            read[name] = read.get(name, 0) + 1
            return inner(*args)

        return call

    for name in ("parse_data", "load_binding"):
        monkeypatch.setattr(case_file, name, counted(name))
    case_file._bindings.cache_clear()
    suffix = Path(file).suffix
    for number in range(3):
        shutil.copy(ROOT / file, tmp_path / f"{number}{suffix}")
    found = []
    bindings: list[int] = []
    for one in checked(str(tmp_path), ROOT):
        found.append(one)
        bindings.append(read.get("load_binding", 0))
    assert [one.wrong for one in found] == [False] * 3
    assert {one.serves for one in found} == {found[0].serves}
    assert found[0].serves
    assert read["parse_data"] == 3
    assert bindings == [bindings[0]] * 3
    assert bool(bindings[0]) == bool(FILES[file])
