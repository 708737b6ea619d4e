"""Words around a document that are no part of it: a table of what is cut off behind, and what stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from legalworld.binding.casefile import parse_data
from legalworld.engine.handing_in import without_afterword

TABLE = Path(__file__).parent / "afterwords.yaml"


def rows() -> list[object]:
    data, problems = parse_data(TABLE.name, TABLE.read_text(encoding="utf-8"))
    assert data is not None, problems
    return [pytest.param(row["document"], row.get("behind") or "", id=row["case"]) for row in data.value]


@pytest.mark.parametrize(("document", "behind"), rows())
def test_what_is_said_behind_a_document_is_no_part_of_it(document: str, behind: str) -> None:
    whole = document if not behind else f"{document}\n\n{behind}"
    assert without_afterword(whole) == (document, behind)
    if behind:
        assert without_afterword(f"{document}\n\n---\n\n{behind}\n") == (document, behind)
