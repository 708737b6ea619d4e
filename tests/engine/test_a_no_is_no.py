"""A field that says no does not hold where it is written by itself, whether its type is declared or not.

Neighbours: ways to say yes and no, in both languages; attendance, conditions, the contrary; fields, keys of records.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import Game, places, played

from legalworld.model.attendance import Attended
from legalworld.model.events import Spoke

SPEC = """\
lw: 1
procedure: away
title: Away
locale: {locale}
case:
  parties: {{path: "$.parties.{{side}}[*]", per: side, each: party, keys: [name, away]{types}}}
  late:    {{path: $.late{type}}}
kinds: {{J: judge, P: party}}
roles:
  judge: {{title: Judge, kind: judge}}
  ann:   {{title: Ann, kind: party, side: one, each: parties, absent if: party.away}}
visibility: |
  | field | court |
  |-------|-------|
  | late  | J     |
stages:
  - stage: court
    title: T
    present: judge, ann
    steps:
      - judge announces: x
        id: late
        when: late
      - judge announces: x
        id: timely
        when: not late
      - judge announces: x
        id: given
        when: late is not empty
"""
WORDS = {"no": False, '"No"': False, "false": False, "否": False, "yes": True, "true": True, "是": True, "unwell": True}


def reached(game: Game) -> set[str]:
    return {place for one in game.of(Spoke) for place in places(one.place)} & {"late", "timely", "given"}


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_a_no_holds_nowhere_and_is_a_value_all_the_same(locale: str) -> None:
    for (word, holds), declared in product(WORDS.items(), (False, True)):
        if declared and word == "unwell":
            continue
        types, type_ = (", types: {away: yes or no}", ", type: yes or no") if declared else ("", "")
        spec = SPEC.format(locale=locale, types=types, type=type_)
        game = played(spec, f"lw: 1\ncase: c\nlate: {word}\nparties: {{one: [{{name: Ann, away: {word}}}]}}\n")
        assert reached(game) == {"late" if holds else "timely", "given"}, (word, declared)
        assert bool([one for one in game.of(Attended) if one.how == "absent"]) == holds, (word, declared)
