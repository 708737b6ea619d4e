"""Records are found wherever a list of them stands: one file each, a list, lines, or a list where one was expected."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from playing import ROOT
from test_mutants import BINDINGS, opened, original

from legalworld.batch.cases import cases_in
from legalworld.binding.casefile import as_json
from legalworld.runs.case_file import OpenedCase


def layouts(folder: Path, records: list[dict[str, Any]]) -> dict[str, Path]:
    """The same records as a folder of files, as one list, as lines."""
    texts = [json.dumps(one, ensure_ascii=False) for one in records]
    (folder / "files").mkdir()
    for number, text in enumerate(texts):
        (folder / "files" / f"{number}.json").write_text(text, "utf-8")
    (folder / "list.json").write_text(f"[{','.join(texts)}]", "utf-8")
    (folder / "lines.jsonl").write_text("\n".join(texts), "utf-8")
    return {name: folder / name for name in ("files", "list.json", "lines.jsonl")}


@pytest.mark.parametrize("binding", BINDINGS)
@pytest.mark.parametrize("count", [1, 3])
def test_the_same_records_in_every_layout(tmp_path: Path, binding: str, count: int) -> None:
    records = [copy.deepcopy(original(binding)[0]) for _ in range(count)]
    read = {}
    for name, place in layouts(tmp_path, records).items():
        found = list(cases_in(opened(binding).project, (str(place),), binding, ROOT))
        assert len(found) == count, name
        assert all(isinstance(one.matter, OpenedCase) for one in found), name
        cases = [one.matter.case for one in found if isinstance(one.matter, OpenedCase)]
        read[name] = [json.loads(as_json(case))["fields"] for case in cases]
        assert len({one.where for one in found}) == count, name
    assert read["files"] == read["list.json"] == read["lines.jsonl"]
