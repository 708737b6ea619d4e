"""A cell whose condition asks about a role that nobody holds yet stays closed: of nobody every value is empty."""

from __future__ import annotations

import pytest
from neighbours import played

SPEC = """\
lw: 1
procedure: cells
title: Cells
locale: en
case:
  note:   {title: Note, path: "$.{side}.note", per: side}
  secret: {title: Secret, path: $.secret}
kinds: {J: judge, P: party}
roles:
  judge: {title: Judge, kind: judge}
  left:  {title: Left, kind: party, side: left}
  right: {title: Right, kind: party, side: right}
  chief: {title: Chief, assigned: yes}
visibility: |
  | field                | court |
  |----------------------|-------|
  | secret if CONDITION  | J     |
stages:
  - stage: court
    title: T
    present: judge, left, right
    steps:
      - judge announces: before
        id: before
      - assign chief: HOLDER
      - judge announces: after
        id: after
"""
CASE = "lw: 1\ncase: cells\nleft: {note: something}\nright: {}\nsecret: SEALED\n"
CONDITIONS = {
    "note of chief is empty": {"right"},
    "note of chief is empty or note of chief is something": {"left", "right"},
    "not note of chief is something": {"right"},
    "note of chief is not empty": {"left"},
    "note of opponent of chief is empty": {"left"},
}


@pytest.mark.parametrize("holder", ["left", "right"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_nothing_is_opened_by_what_nobody_has(condition: str, holder: str) -> None:
    spec = SPEC.replace("CONDITION", condition).replace("HOLDER", holder)
    game = played(spec, CASE, lambda _: "x")
    seen = ["SEALED" in str(request.view.variables["known"].get("secret", "")) for request in game.requests]
    assert seen == [False, holder in CONDITIONS[condition]]
