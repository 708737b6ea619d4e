"""Two roles of one side that come to hold one title are told apart, and nobody's title is said twice over.

Neighbours: both parties or one; former titles alike and different; names and none; whoever is on the side without
being a party; in English and in Chinese.
"""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from neighbours import played

from legalworld.model.events import Spoke

SPEC = """\
lw: 1
procedure: holders
title: Holders
locale: {locale}
case: {{people: {{path: "$.people[*]", each: person, keys: [name]}}}}
kinds: {{P: party, L: lawyer}}
roles:
  first: {{title: {first}, kind: party, side: a}}
  second: {{title: {second}, kind: party, side: b{named}}}
  third: {{title: {third}, kind: party, side: b, party: {party}}}
  counsel: {{title: Counsel, kind: lawyer, side: b, represents: second}}
  appellee: {{title: Appellee, assigned: yes}}
stages:
  - stage: court
    title: T
    steps:
      - first, second, third, counsel state: x
      - assign appellee: {given}
      - appellee states: x
      - third, counsel state: x
"""
GIVEN = ("second, third", "third, second", "third", "second", "opposing parties of first", "first, second, third")
THIRD = ("Intervener", "Defendant")


@pytest.mark.parametrize(("locale", "given", "third"), list(product(("en", "zh"), GIVEN, THIRD)))
def test_nobody_is_called_by_his_title_twice(locale: str, given: str, third: str) -> None:
    for party, named in product(("yes", "no"), ("", ", persons: 2")):
        words = {"first": "Claimant", "second": "Defendant", "third": third, "party": party, "named": named}
        game = played(SPEC.format(locale=locale, given=given, **words))
        called: dict[str, set[str]] = {}
        for event in game.of(Spoke):
            called.setdefault(event.speaker, set()).add(event.person)
            said = event.speaker.replace("（", " ").replace("(", " ").split()
            assert not any(one == then for one, then in pairwise(said)), event.speaker
            assert "AppelleeAppellee" not in event.speaker and "DefendantDefendant" not in event.speaker
        assert all(len(persons) == 1 for persons in called.values()), called


@pytest.mark.parametrize(
    ("locale", "told"), [("en", "Appellee (below Intervener)"), ("zh", "Appellee（below Intervener）")]
)
def test_the_former_title_is_worded_as_beside_another_side(locale: str, told: str) -> None:
    words = {"first": "Claimant", "second": "Defendant", "third": "Intervener", "party": "yes", "named": ""}
    for given in ("second, third", "first, third"):
        spec = SPEC.format(locale=locale, given=given, **words).replace(
            "assigned: yes", "assigned: yes, formerly: below"
        )
        assert told in {event.speaker for event in played(spec).of(Spoke)}
