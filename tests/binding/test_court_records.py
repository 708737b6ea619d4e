"""Real court records, where they are at hand: the outcome is hidden, the court's account nobody's story."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playing import ROOT

from legalworld.batch.cases import cases_in
from legalworld.batch.data_check import OpenBinding, opened_for
from legalworld.model.case import Sided, texts
from legalworld.runs.case_file import OpenedCase

DATA = ROOT.parent / "shared" / "data"
WITHOUT = "real records are not in the project: ../shared/data"
TOLD = {"simcourt": ["LW513", "LW513"]}
"""What is told of these records, looked at: a fine paid beforehand that is the one imposed, twice in one record."""
KINDS = {"civil": "民事", "criminal": "刑事", "administrative": "行政"}


def records(folder: Path, name: str) -> str:
    """The records of SimuCourt of one kind and instance, or the folder of SimCourt."""
    if name == "simcourt":
        return str(DATA / "simcourt")
    file = DATA / "simucourt" / ("second-instance.json" if name.endswith("appeal") else "first-instance.json")
    kind = KINDS[name.split("-")[1]]
    chosen = [one for one in json.loads(file.read_text(encoding="utf-8")) if one["类别"] == kind]
    (folder / "records.json").write_text(json.dumps(chosen, ensure_ascii=False), encoding="utf-8")
    return str(folder / "records.json")


@pytest.mark.skipif(not DATA.is_dir(), reason=WITHOUT)
@pytest.mark.parametrize(
    "name", ["simcourt", *(f"simucourt-{kind}{instance}" for kind in KINDS for instance in ("", "-appeal"))]
)
def test_every_record_is_read_and_nothing_else_looks_odd(name: str, tmp_path: Path) -> None:
    opened = opened_for(name, ROOT)
    assert isinstance(opened, OpenBinding)
    count, told = 0, []
    for one in cases_in(opened.project, (records(tmp_path, name),), name, ROOT):
        assert isinstance(one.matter, OpenedCase), one.matter
        told += [problem.code for problem in one.matter.problems]
        case = one.matter.case
        account = next(texts(case.fields.get("court_account")), "")
        for field, value in case.fields.items():
            if field != "court_account":
                assert not account or account not in list(texts(value)), field
        names = [case.fields[field] for field in ("parties", "people", "persons") if field in case.fields]
        sides = [side for value in names if isinstance(value, Sided) for side in value.values.values() if side]
        assert sides and all(next(texts(side, "name"), "") for side in sides)
        count += 1
    assert count and sorted(told) == TOLD.get(name, [])
