"""What is read in a judgment of the offline bench is what the bench had decided: nothing else, and nearly all of it."""

from __future__ import annotations

import pytest
from playing import Game, matter, play, project

from legalworld.engine.conditions import record_at
from legalworld.law.text.decision_claims import costs_alone
from legalworld.model.case import texts
from legalworld.model.events import Captured, Drafted
from legalworld.runs.read_decisions import decision_stated, read_answers

CASES = [
    ("civil", "jiedai", "plaintiff_lawyer"),
    ("civil", "cases/legalworld-sample.json#1", "plaintiff_lawyer"),
    ("civil", "cases/legalworld-sample.json#2", "plaintiff_lawyer"),
    ("quexi", "quexi-huokuan", ""),
    ("criminal", "kuaijian", "judge"),
    ("criminal-appeal", "dianlan", "judge"),
    ("administrative", "chachao", "plaintiff_agent"),
    ("administrative", "xiaofang", "plaintiff_agent"),
]


def decided(game: Game) -> dict[tuple[str, str], object]:
    """The last answer of each name about each record, up to the document that states the decision."""
    return {(event.name, event.about): event.value for event in game.of(Captured)}


@pytest.mark.parametrize(("spec", "case", "target"), CASES)
def test_what_is_read_is_what_was_decided(spec: str, case: str, target: str) -> None:
    procedure = project(spec).procedure
    assert procedure is not None
    game = play(case, target, spec=spec)
    stated = next(event for event in game.of(Drafted) if decision_stated(procedure, event.document) is not None)
    parts = decision_stated(procedure, stated.document)
    assert parts is not None
    opened = matter(case, spec=spec)
    read = {
        (one.name, one.about): one.value for one in read_answers(procedure, opened.case, stated.document, stated.text)
    }
    said = decided(game)
    for (name, about), value in read.items():
        if name in (parts.findings, parts.reasons):
            continue  # texts: the form joins them with what it says itself
        if name == parts.results and costs_alone(" ".join(texts(record_at(opened.case, about)))):
            continue  # by the text they are granted in part where both sides bear some; the bench allows the claim
        expected = said[name, about]
        assert value == (expected if isinstance(expected, str) else tuple(expected)), (name, about)
    wanted = {key for key in said if key[0] in (parts.results, parts.verdicts, parts.sentences, parts.orders)}
    assert wanted - read.keys() == set()
