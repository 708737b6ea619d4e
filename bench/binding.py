"""Binding 1,000 records of the published format, made from the fictional sample, on one core."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from legalworld.batch.cases import cases_in
from legalworld.runs.case_file import OpenedCase
from legalworld.runs.project import Project, open_project

ROOT = Path(__file__).resolve().parent.parent
RECORDS, MOST = 1000, 20.0


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    project = open_project("civil", ROOT)
    assert isinstance(project, Project)
    sample = json.loads((ROOT / "cases" / "legalworld-sample.json").read_text(encoding="utf-8"))
    records = [{**sample[number % len(sample)], "original_id": number} for number in range(RECORDS)]
    with tempfile.TemporaryDirectory() as folder:
        whole, lines = Path(folder) / "records.json", Path(folder) / "records.jsonl"
        whole.write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
        lines.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
        for what, file in (("one file", whole), ("one a line", lines)):
            begun = process_time()
            bound = sum(
                isinstance(one.matter, OpenedCase) for one in cases_in(project, (str(file),), "legalworld", ROOT)
            )
            seconds = process_time() - begun
            assert bound == RECORDS
            yield f"{RECORDS:,} records bound, {what}", f"{seconds:.1f} s", f"< {MOST:.0f} s", seconds < MOST
