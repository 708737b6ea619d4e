"""Whoever stayed away before and is brought in by an office is said to be absent, where his turn would have come.

Neighbours: by a name, by an answer, by his role; he came, or did not; both languages.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import places, played

from legalworld.model.attendance import Attended
from legalworld.model.events import Spoke

SPEC = """\
lw: 1
procedure: office
title: Office
locale: {locale}
case:
  people: {{path: "$.people.{{side}}[*]", per: side, each: party, keys: [name, away]}}
  loser:  {{path: $.loser}}
kinds: {{J: judge, P: party}}
roles:
  judge: {{title: Judge, kind: judge}}
  ann:   {{title: Ann, kind: party, side: one, each: people, absent if: party.away}}
  mover: {{title: Mover, assigned: yes}}
stages:
  - stage: first
    title: F
    steps:
      - judge asks ann: x
  - stage: second
    title: S
    steps:
      - judge announces: x
      - record lost of ann: yes
        when: loser is nobody_at_all
      - assign mover: {who}
      - mover states: x
        id: last
"""
WAYS = {"a name": "parties named in loser", "a role": "ann", "the rest": "remaining parties"}


@pytest.mark.parametrize("way", WAYS)
def test_who_is_brought_in_by_an_office_is_said_to_be_absent(way: str) -> None:
    for locale, away in product(("en", "zh"), ("yes", "no")):
        spec = SPEC.format(locale=locale, who=WAYS[way])
        case = f"lw: 1\ncase: c\nloser: Ann\npeople: {{one: [{{name: Ann, away: {away}}}]}}\n"
        game = played(spec, case)
        told = [one for one in game.of(Attended) if one.place.startswith("second") and one.how == "absent"]
        said = any("last" in places(one.place) for one in game.of(Spoke))
        assert said == (away == "no")
        assert [one.persons for one in told if not one.unnamed] == ([("ann",)] if away == "yes" else [])
