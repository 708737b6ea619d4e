"""What the people of a game cite, checked: without any library, by the project's own list of articles."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Game, matter, project

from legalworld.runs.citation_check import check

NOWHERE = Path("/nowhere")  # no project, so no library


def unchecked(found: Game, case: str, spec: str) -> list[str]:
    """What is wrong, or could not be checked: no law is named, or nobody knows the article."""
    procedure = project(spec).procedure
    assert procedure is not None
    with pytest.MonkeyPatch.context() as patched:
        patched.delenv("LW_LIBRARY", raising=False)
        checked = check(procedure, matter(case, spec=spec).case, found.events, NOWHERE)
    assert checked.library == ""
    return [
        f"{one.place}: {one.written} {one.standing.outcome}"
        for one in checked.cited
        if one.standing.outcome != "in_force"
    ]
