"""What replaces a document replaces all that was decided in it: of the old decision nothing is told any more.

Neighbours: in which form the parts of a decision are kept, which of them can be read in the new document, whether one
was put to the vote, which of several documents states it, in two languages. Asserted of all: what was decided before is
in no prompt after the document was replaced, what was read is, and an answer of no decision stays.
"""

from __future__ import annotations

from itertools import combinations

import pytest
from neighbours import Game, codes, played

from legalworld.engine.settings import Intervention, ReadAnswer
from legalworld.model.decision_parts import Superseded
from legalworld.model.events import Captured, Request

FORMS = {
    "facts": ("text", "OLDfacts", "NEWfacts"),
    "orders": ("list", "OLDorder", ("NEWorder", "NEWsecond")),
    "fate": ("one of OLDfate, NEWfate", "OLDfate", "NEWfate"),
    "sum": ("number", "1111", "2222"),
}
OLD = ("OLDfacts", "OLDorder", "OLDfate", "1111", "OLDvote")


def spec(locale: str, documents: str = "paper", *, vote: bool = False) -> str:
    notes = "".join(
        f"      - judge notes: x\n        id: {name}\n        answer: {name} is {form}\n"
        for name, (form, *_) in FORMS.items()
    )
    voted = "      - judge, member vote: x\n        answer: result is one of OLDvote, NEWvote\n" if vote else ""
    rows = "".join(
        f"  | {name:<7} | J     | J      |\n" for name in (*FORMS, "kept", "paper", *(["result"] if vote else []))
    )
    also = "[fate, sum, result]" if vote else "[fate, sum]"
    return (
        f"lw: 1\nprocedure: replaced\ntitle: Replaced\nlocale: {locale}\nkinds: {{J: judge}}\n"
        "roles:\n  judge: {title: Judge, kind: judge}\n  member: {title: Member, kind: judge}\n"
        "documents:\n  paper: {title: Paper}\n  letter: {title: Letter}\n"
        f"decisions:\n  verdict: {{documents: {documents}, findings: facts, orders: orders, also: {also}}}\n"
        f"visibility: |\n  | field   | trial | review |\n  |---------|-------|--------|\n{rows}"
        f"stages:\n  - stage: trial\n    title: Trial\n    steps:\n{notes}{voted}"
        "      - judge notes: x\n        id: kept\n        answer: kept is text\n"
        "      - judge drafts paper: x\n"
        "  - stage: review\n    title: Review\n    steps:\n      - member states: x\n      - judge states: x\n"
    )


def say(request: Request) -> str:
    if request.act == "draft":
        return "The paper.\n\nThis is what the court decides today in full."
    if request.act == "vote":
        return "【result: OLDvote】"
    name = next((name for name in (*FORMS, "kept") if f"/{name}/" in request.id or f"/{name}#" in request.id), "")
    if not name:
        return "word"
    return f"【{name}: {'STAYS' if name == 'kept' else FORMS[name][1]}】"


def replaced(text: str, read: tuple[str, ...], document: str = "paper") -> Game:
    answers = tuple(ReadAnswer(name, "", FORMS[name][2]) for name in read)
    return played(text, say=say, interventions=(Intervention("review", document, "", "Another paper.", answers),))


def told_in_review(game: Game) -> str:
    asked = [request for request in game.requests if request.id.startswith("review")]
    assert len(asked) == 2
    return "\n".join(message.content for request in asked for message in request.messages)


READ = [names for count in (0, 1, 2, 4) for names in combinations(FORMS, count)]


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("read", READ, ids=lambda names: "+".join(names) or "nothing")
def test_only_what_is_read_in_the_new_document_holds(read: tuple[str, ...], locale: str) -> None:
    game = replaced(spec(locale), read)
    told = told_in_review(game)
    assert not [word for word in OLD if word in told]
    for name in read:
        new = FORMS[name][2]
        assert all(word in told for word in ((new,) if isinstance(new, str) else new))
    assert "STAYS" in told and "Another paper." in told
    assert [event.answers for event in game.of(Superseded)] == [("facts", "orders", "fate", "sum")]
    assert [event.name for event in game.of(Captured) if event.source == "read"] == list(read)


def test_without_a_replacement_all_is_told() -> None:
    told = "\n".join(
        message.content
        for request in played(spec("en"), say=say).requests
        if request.id.startswith("review")
        for message in request.messages
    )
    assert all(word in told for word in OLD[:-1])


def test_a_vote_falls_with_the_document() -> None:
    told = told_in_review(replaced(spec("en", vote=True), ("facts",)))
    assert not [word for word in OLD if word in told]


@pytest.mark.parametrize("documents", ["letter", "[letter]"])
def test_a_document_that_states_no_decision_supersedes_nothing(documents: str) -> None:
    game = replaced(spec("en", documents), ("facts",))
    assert game.of(Superseded) == []
    assert all(word in told_in_review(game) for word in OLD[:-1])


def test_what_is_read_of_another_decision_is_not_taken() -> None:
    """A fork's file may name what it likes: only answers of the decision are changed by it."""
    answers = (ReadAnswer("kept", "", "GONE"),)
    game = played(spec("en"), say=say, interventions=(Intervention("review", "paper", "", "Another.", answers),))
    told = told_in_review(game)
    assert "STAYS" in told and "GONE" not in told


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ("documents: nothing, findings: facts", "LW063"),
        ("documents: paper, findings: nothing", "LW062"),
        ("documents: paper, claims: nothing", "LW062"),
        ("documents: paper, results: fate, outcomes: {granted: nothing}", "LW077"),
        ("documents: paper, results: fate, outcomes: {nothing: OLDfate}", "LW077"),
        ("documents: [paper, paper], findings: facts", "LW048"),
    ],
)
def test_names_in_a_decision_are_checked(wrong: str, code: str) -> None:
    right = "documents: paper, findings: facts, orders: orders, also: [fate, sum]"
    assert code not in codes(spec("en"))
    assert code in codes(spec("en").replace(right, wrong))
