"""What is told of a vote is told by the titles of its values, by the item that it was about, and when it had no result.

Neighbours: yes or no and one of several, with titles and without; a result, a tie, nothing; revealed as a count, with
names, not at all; outside a loop, over a list of the procedure, over a field that the reader may see or not, over
persons; voters, listeners and who writes; in English and in Chinese.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import Game, codes, played

from legalworld.model.events import Request, Spoke

SPEC = """\
lw: 1
procedure: ballots
title: Ballots
locale: {locale}
lists: {{points: [alpha, beta]}}
case:
  claims: {{title: Claims, path: "$.claims[*]", each: claim, keys: [name]}}
answers:
  carried: {{title: outcome{choices}}}
kinds: {{C: chair, M: member, O: outsider}}
roles:
  chair:  {{title: Chair, kind: chair}}
  member: {{title: Member, kind: member, persons: 2}}
  guest:  {{title: Guest, kind: outsider}}
documents:
  minutes: {{title: Minutes}}
visibility: |
  | field   | court |
  |---------|-------|
  | claims  | C M   |
  | carried | C M O |
stages:
  - stage: court
    title: T
    steps:
{steps}      - guest states: x
        id: later
      - chair drafts minutes: x
        id: write
"""
FORMS = {
    "carried is yes or no": ("yes", "no", ", choices: {yes: upheld, no: rejected}"),
    "carried is one of high, low": ("high", "low", ", choices: {high: upheld, low: rejected}"),
}
OVER = {
    "": ("", "x", ()),
    "points": ("for each one in points", "x {one}", ("alpha", "beta")),
    "claims": ("for each one in claims", "x {one.name}", ("gamma", "delta")),
    "persons": ("for each one in member", "x {one}", ("Member 1", "Member 2", "Member1", "Member2")),
}
CASE = "lw: 1\ncase: c\nclaims: [{name: gamma}, {name: delta}]\n"


def _play(locale: str, form: str, over: str, agree: bool, reveals: str, titles: bool) -> Game:
    first, second, choices = FORMS[form]
    head, cue, _ = OVER[over]
    inner = "          " if head else "      "
    steps = f"      - {head}:\n" if head else ""
    steps += f'{inner}- chair, member vote: "{cue}"\n{inner}  answer: {form}\n{inner}  reveals: {reveals}\n'
    steps += f"{inner}  carried by: all\n"
    said = {"chair": first, "member-1": first, "member-2": first if agree else second}

    def say(request: Request) -> str:
        return f"word <<carried: {said[request.person]}>>" if request.form.answer is not None else "word"

    choices = choices if titles else ""
    return played(SPEC.format(locale=locale, choices=choices, steps=steps), CASE, say)


@pytest.mark.parametrize(("locale", "form", "over"), list(product(("en", "zh"), FORMS, OVER)))
def test_a_vote_is_told_as_it_is_called(locale: str, form: str, over: str) -> None:
    first, second, _ = FORMS[form]
    for agree, reveals, titles in product((True, False), ("count", "names", "nothing"), (True, False)):
        game = _play(locale, form, over, agree, reveals, titles)
        later, write = (game.said(step)[-1] for step in ("later", "write"))
        told = game.task(later) + game.task(write)
        assert "outcome" in told
        if agree and titles:
            assert "upheld" in told
        elif agree:
            assert first in told or "是" in told
        else:
            assert "no result" in told or ": none" in told or "没有结果" in told
        if titles:
            votes = "\n".join(line for line in told.splitlines() if "vote" in line.lower() or "表决" in line)
            words = {*votes.replace("no result", "").replace("，", " ").replace("（", " ").split()}
            assert votes and not {first, second, "是", "否"} & words
        if not agree and reveals != "nothing":
            assert ("rejected 1" if titles else "1") in told
        if over == "points":
            assert all(item in told for item in OVER[over][2]), told
        if over == "claims":
            assert all(item in game.task(write) for item in OVER[over][2])
            assert not any(item in game.task(later) for item in OVER[over][2])
        if over == "persons":
            assert sum(item in told for item in OVER[over][2]) == 2


@pytest.mark.parametrize("locale", ("en", "zh"))
def test_a_number_stays_with_whoever_has_it(locale: str) -> None:
    for count, chosen in [(of, who) for of in (2, 3, 4) for who in range(1, of + 1)]:
        steps = "      - member states: x\n      - chair asks member: x\n        answer: stands is yes or no\n"
        steps += "      - assign head: those who answered yes to stands\n      - member states: x\n"
        spec = SPEC.format(locale=locale, choices="", steps=steps).replace("persons: 2", f"persons: {count}")
        spec = spec.replace("answers:\n  carried: {title: outcome}\n", "").replace("  | carried | C M O |\n", "")
        spec = spec.replace("documents:", "  head: {title: Head, assigned: yes}\ndocuments:")

        def say(request: Request, one: str = f"member-{chosen}") -> str:
            stands = "yes" if request.person == one else "no"
            return f"word <<stands: {stands}>>" if request.form.answer is not None else "word"

        game = played(spec, CASE, say)
        called: dict[str, list[str]] = {}
        for event in game.of(Spoke):
            if event.act == "state" and event.person.startswith("member"):
                called.setdefault(event.person, []).append(event.speaker)
        assert len(called) == count
        for person, (before, after) in called.items():
            assert (after == before) == (person != f"member-{chosen}"), (called, spec)


@pytest.mark.parametrize("key", ("phase", "step"))
@pytest.mark.parametrize("present", ("", "chair, guest", "chair, member, guest"))
@pytest.mark.parametrize("named", ("", "in a step", "in an event", "for the part"))
def test_who_hears_a_part_alone_without_being_there_is_told(key: str, present: str, named: str) -> None:
    own = "heard by: member" + ("\n{0}present: chair, member" if named == "for the part" else "")
    spec = SPEC.format(locale="en", choices="", steps="").replace("answers:\n  carried: {title: outcome}\n", "")
    spec = spec[: spec.index("stages:")].replace("  | carried | C M O |\n", "")
    if named == "in an event":
        spec += "events:\n  break:\n    title: B\n    raised by: chair\n    token: <<break>>\n    steps:\n"
        spec += "      - member states: x\n"
    spec += "stages:\n  - stage: court\n    title: T\n" + (f"    present: {present}\n" if present else "")
    spec += "    phases:\n      - phase: one\n        title: O\n"
    spec += f"        {own.format('        ')}\n" if key == "phase" else ""
    spec += "        steps:\n          - chair states: x\n"
    spec += f"            {own.format('            ')}\n" if key == "step" else ""
    spec += "      - phase: two\n        title: W\n        steps:\n          - guest states: x\n"
    spec += "          - member states: x\n" if named == "in a step" else ""
    there = "member" in present or (not present and named == "in a step") or named == "for the part"
    assert ("LW580" in codes(spec)) == (not there), (spec, codes(spec))


@pytest.mark.parametrize(("locale", "over"), list(product(("en", "zh"), [one for one in OVER if one])))
def test_how_a_vote_came_out_is_never_heard_twice_alike(locale: str, over: str) -> None:
    """Also where the cue does not name the item in hand, or there is none, and in loops in loops."""
    head, around = OVER[over][0], "for each other in points"
    for cue, nested in product((": x", ""), (False, True)):
        heads = [head] if not nested else [around, head] if over != "points" else [head, "for each other in claims"]
        steps = "".join(f"      {'    ' * depth}- {one}:\n" for depth, one in enumerate(heads))
        inner = "      " + "    " * len(heads)
        vote = f'"chair, member vote"{cue}' if cue else '"chair, member vote":'
        steps += f"{inner}- {vote}\n{inner}  answer: carried is yes or no\n{inner}  reveals: names\n"

        def say(request: Request) -> str:
            return "word <<carried: yes>>" if request.form.answer is not None else "word"

        game = played(SPEC.format(locale=locale, choices="", steps=steps), CASE, say)
        told = game.task(game.said("later")[-1]).splitlines()
        results = [line for line in told if line.startswith(("The vote", "表决"))]
        assert len(results) == 2 ** len(heads) and len(set(results)) == len(results), results
        assert "gamma" not in "".join(results)  # a guest may not see what the claims are
