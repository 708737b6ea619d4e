"""`all`, `most`, `any` and the like count those whom questions name, present or not, however the questions are put.

Neighbours: who is absent, in one question or in several, in loops and repeats, by asking or by voting, all quantifiers,
both languages. What holds is reckoned here from the answers by themselves, and compared with what the procedure does.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import Game, codes, places, played

from legalworld.model.events import Request, Spoke

PEOPLE = ("ann", "bob", "cid")
CONDITIONS = {
    "all agreed": lambda said: all(one == "yes" for one in said),
    "any agreed": lambda said: any(one == "yes" for one in said),
    "most agreed": lambda said: 2 * said.count("yes") > len(said),
    "at least 2 agreed": lambda said: said.count("yes") >= 2,
    "at most 1 agreed": lambda said: said.count("yes") <= 1,
    "all agreed is no": lambda said: all(one == "no" for one in said),
    "agreed is the same": lambda said: "" not in said and len(set(said)) == 1,
}
WAYS = {
    "one question": "- judge asks ann, bob, cid: x\n  answer: agreed is yes or no\n",
    "one each": "".join(f"- judge asks {who}: x\n  answer: agreed is yes or no\n" for who in PEOPLE),
    "two and one": (
        "- judge asks ann, bob: x\n  answer: agreed is yes or no\n- judge asks cid: x\n  answer: agreed is yes or no\n"
    ),
    "a loop": "- for each one in ann, bob, cid:\n    - judge asks one: x\n      answer: agreed is yes or no\n",
    "stated": "- ann, bob, cid state: x\n  answer: agreed is yes or no\n",
    "twice": ("- repeat 2 rounds:\n    - judge asks ann, bob, cid: x\n      answer: agreed is yes or no\n"),
}


def spec(locale: str, way: str, away: tuple[str, ...]) -> str:
    lines = ["- judge announces: x"]
    lines += [line for who in away for line in (f"- {who} leaves:", "  when: gone")]
    lines += WAYS[way].rstrip("\n").split("\n")
    for number, condition in enumerate(CONDITIONS):
        lines += [f"- judge announces: x\n  id: held{number}\n  when: {condition}".replace("\n", "\n      ")]
    body = "".join(f"      {line}\n" for line in lines)
    roles = "".join(f"  {who}: {{title: {who.title()}, kind: party}}\n" for who in PEOPLE)
    return (
        f"lw: 1\nprocedure: polls\ntitle: Polls\nlocale: {locale}\nkinds: {{J: judge, P: party}}\n"
        f"options: {{gone: {{title: gone, default: yes}}}}\nroles:\n  judge: {{title: Judge, kind: judge}}\n{roles}"
        f"stages:\n  - stage: court\n    title: T\n    present: judge, ann, bob, cid\n    steps:\n{body}"
    )


def held(game: Game) -> set[int]:
    said = [place for event in game.of(Spoke) for place in places(event.place) if place.startswith("held")]
    return {int(place.removeprefix("held")) for place in said}


ANSWERS = [dict(zip(PEOPLE, said, strict=True)) for said in (("yes",) * 3, ("yes", "no", "yes"), ("no",) * 3)]
AWAY = [(), ("cid",), ("ann",), ("ann", "bob"), PEOPLE]


@pytest.mark.parametrize(("way", "away", "answers"), list(product(WAYS, AWAY, range(len(ANSWERS)))))
def test_those_who_are_named_are_counted(way: str, away: tuple[str, ...], answers: int) -> None:
    text = spec(("en", "zh")[len(away) % 2], way, away)
    assert not {"LW449"} & {*codes(text)}

    def say(request: Request) -> str:
        return f"x <<agreed: {ANSWERS[answers][request.person]}>>" if request.form.answer else "x"

    game = played(text, say=say)
    said = ["" if who in away else ANSWERS[answers][who] for who in PEOPLE]
    assert held(game) == {number for number, holds in enumerate(CONDITIONS.values()) if holds(said)}


@pytest.mark.parametrize("away", AWAY)
def test_of_several_persons_all_must_have_said_so(away: tuple[str, ...]) -> None:
    """`agreed of SOMEBODY` where the role is held by several: one yes is not everybody's."""
    text = (
        "lw: 1\nprocedure: polls\ntitle: Polls\nlocale: en\nkinds: {J: judge, P: party}\nroles:\n"
        "  judge: {title: Judge, kind: judge}\n  party: {title: Party, kind: party, persons: 3}\n"
        "stages:\n  - stage: court\n    title: T\n    steps:\n      - judge announces: x\n"
        "      - for each one in party:\n          - judge asks one: stays?\n            answer: stays is yes or no\n"
        "          - if stays is no:\n              - one leaves\n"
        "      - judge asks party: x\n        answer: agreed is yes or no\n"
        "      - judge announces: x\n        id: held0\n        when: agreed of party\n"
        "      - judge announces: x\n        id: held1\n        when: all agreed\n"
    )
    gone = {f"party-{PEOPLE.index(who) + 1}" for who in away}

    def say(request: Request) -> str:
        answer = request.form.answer
        return (
            f"x <<{answer.name}: {'no' if request.person in gone and answer.name == 'stays' else 'yes'}>>"
            if answer
            else "x"
        )

    assert held(played(text, say=say)) == (set() if away else {0, 1})


@pytest.mark.parametrize(("rounds", "sustained"), list(product((1, 2, 3), range(4))))
def test_a_ruling_does_not_stay_true_in_the_next_round(rounds: int, sustained: int) -> None:
    """In each round a warning follows where the objection of that round was sustained, and nowhere else."""
    text = (
        "lw: 1\nprocedure: rulings\ntitle: Rulings\nlocale: en\nkinds: {J: judge, L: lawyer, W: witness}\nroles:\n"
        "  judge: {title: Judge, kind: judge}\n  pl: {title: Counsel A, kind: lawyer}\n"
        "  dl: {title: Counsel B, kind: lawyer}\n  wit: {title: Witness, kind: witness}\n"
        "stages:\n  - stage: court\n    title: T\n    steps:\n"
        f"      - repeat {rounds} rounds:\n          - wit states: x\n            id: said\n"
        "            objections by: dl\n"
        "            object: <<objection>>\n            let pass: <<none>>\n            ruled by: judge\n"
        "            ruling: sustained is yes or no\n"
        "          - judge announces: x\n            id: held0\n            when: sustained\n"
        "      - pl states: x\n"
    )
    seen: list[str] = []

    def say(request: Request) -> str:
        if request.act == "object":
            seen.append(request.id)
            return "<<objection>> x" if len(seen) == sustained else "<<none>>"
        return "x <<sustained: yes>>" if request.act == "rule" else "x"

    game = played(text, say=say)
    warned = [event for event in game.of(Spoke) if "held0" in places(event.place)]
    assert len(warned) == (1 if 1 <= sustained <= rounds else 0)


@pytest.mark.parametrize("outer", ["", "for each thing in things:", "repeat 2 rounds:"])
def test_a_round_of_one_loop_is_none_of_another(outer: str) -> None:
    """Two loops one after the other ask for one answer: in each round what counts is what was asked in it."""
    loops = "".join(
        f"- for each one in things:\n    - judge asks ann, bob: x\n      id: ask{n}\n"
        "      answer: agreed is yes or no\n"
        f"    - judge announces: x\n      id: held{n}\n      when: any agreed\n"
        for n in range(2)
    )
    lines = loops.splitlines()
    if outer:
        lines = [f"- {outer}", *(f"    {line}" for line in lines)]
    body = "".join(f"      {line}\n" for line in lines)
    text = (
        "lw: 1\nprocedure: polls\ntitle: Polls\nlocale: en\nlists: {things: [a, b]}\nkinds: {J: judge, P: party}\n"
        "roles:\n  judge: {title: Judge, kind: judge}\n  ann: {title: Ann, kind: party}\n"
        f"  bob: {{title: Bob, kind: party}}\nstages:\n  - stage: c\n    title: C\n    steps:\n{body}"
    )

    def say(request: Request) -> str:
        return f"x <<agreed: {'yes' if 'ask0' in request.id else 'no'}>>" if request.form.answer else "x"

    assert held(played(text, say=say)) == {0}
