"""In a loop every prompt says which item has been reached, and two rounds are never sent the same words.

Neighbours: all verbs in which somebody has the word, loops over a list of the spec, over a field that is seen or is
not, over persons, loops in loops, cues with and without holes, both languages.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import codes, opened, played

from legalworld.model.events import Request, Spoke, Voted
from legalworld.models.scripted import Offline

CASE = (
    "lw: 1\ncase: c\ntitle: t\n"
    "charges: [{id: C1, name: Theft, text: took a car}, {id: C2, name: Fraud, text: sold it}]\n"
)
VERBS = {  # sentence -> the acts whose prompts must name the item
    "judge asks p: x": {"ask", "answer"},
    "judge announces: x": {"announce"},
    "p states: x": {"state"},
    "p responds: x": {"respond"},
    "judge notes: x": {"note"},
    "a, b vote: x": {"vote"},
    "judge drafts paper: x": {"draft"},
    "a and b converse: x": {"converse"},
    "judge moderates a, b: x": {"moderate"},
}
KEYS = {
    "a, b vote: x": "answer: carried is yes or no",
    "judge notes: x": "answer: noted is yes or no",
    "a and b converse: x": "until: b says 【done】\n  at most: 3 turns",
    "judge moderates a, b: x": "call: 【to {role}】\n  close: 【closed】\n  at most: 3 turns",
}
LOOPS = {  # heads -> what names each item, in order
    "list": (("for each point in points:",), ("the contract", "the damages")),
    "field": (("for each charge in charges:",), ("Theft", "Fraud")),
    "persons": (("for each one in panel:",), ("Panel member 1", "Panel member 2")),
    "nested": (("for each point in points:", "for each charge in charges:"), ("the contract", "Theft", "Fraud")),
}


def spec(locale: str, heads: tuple[str, ...], verb: str, cue: str = "", seen: bool = True) -> str:
    lines = []
    for depth, head in enumerate(heads):
        lines.append("    " * depth + f"- {head}")
    inner = "    " * len(heads)
    sentence = verb.replace(": x", f": {cue}") if cue else verb
    step = f"- {sentence}\n  id: inner" + (f"\n  {KEYS[verb]}" if verb in KEYS else "")
    lines += [inner + line for line in step.split("\n")]
    cells = "J P M" if seen else "P"
    return (
        f"lw: 1\nprocedure: cues\ntitle: Cues\nlocale: {locale}\nlists: {{points: [the contract, the damages]}}\n"
        'case: {charges: {title: Charge, path: "$.charges[*]", each: charge, keys: [id, name, text]}}\n'
        "kinds: {J: judge, P: party, M: member}\nroles:\n  judge: {title: Judge, kind: judge}\n"
        "  a: {title: Member A, kind: member}\n  b: {title: Member B, kind: member}\n"
        "  p: {title: Plaintiff, kind: party, side: p}\n  panel: {title: Panel member, kind: member, persons: 2}\n"
        "documents: {paper: {title: Paper}}\n"
        f"visibility: |\n  | field   | court |\n  |---------|-------|\n  | charges | {cells} |\n"
        "stages:\n  - stage: court\n    title: T\n    steps:\n" + "".join(f"      {line}\n" for line in lines)
    )


def say(request: Request) -> str:
    answer = request.form.answer
    return f"word <<{answer.name}: yes>>" if answer else "word"


def instructions(text: str) -> list[tuple[str, str]]:
    """(act, what the act's own template said) of every first prompt of a turn, in order."""
    return [
        (one.act, part)
        for one in played(text, CASE, say).requests
        for message in one.added
        for home, part in message.parts
        if home.rpartition("/")[2] == f"{one.act}.j2" and one.view.variables["step"]["turn"] == 1
    ]


@pytest.mark.parametrize(("verb", "loop", "locale"), list(product(VERBS, LOOPS, ("en", "zh"))))
def test_every_prompt_in_a_loop_names_its_item(verb: str, loop: str, locale: str) -> None:
    heads, names = LOOPS[loop]
    text = spec(locale, heads, verb)
    assert not {"LW725", "LW726"} & {*codes(text)}
    for act in VERBS[verb]:
        told = [words for one, words in instructions(text) if one == act]
        assert len(told) >= 2
        last = told[: len(told) // 2] if loop == "nested" else told
        for words in last:
            inner = names[1:] if loop == "nested" else names
            assert sum(name in words for name in inner) == 1, words
            assert loop != "nested" or names[0] in words, words
        by_item = [next(name for name in names[-2:] if name in words) for words in told]
        assert {*by_item} == {*names[-2:]}


@pytest.mark.parametrize(("verb", "seen", "locale"), list(product(VERBS, (True, False), ("en", "zh"))))
def test_a_hole_in_a_cue_is_filled_for_whom_it_is_open_to(verb: str, seen: bool, locale: str) -> None:
    """Who may not see the record is told its number in the list, and not a word of it."""
    text = spec(locale, ("for each charge in charges:",), verb, "is it proved that he {charge.text}", seen)
    assert not {"LW725", "LW726"} & {*codes(text)}
    told = [words for act, words in instructions(text) if act in VERBS[verb]]
    game = played(text, CASE, say)
    for words in told:
        assert "{charge" not in words
    for request in game.requests:
        whole = "\n".join(message.content for message in request.messages)
        may = seen or request.role == "p"
        if not may:
            assert not any(word in whole for word in ("took a car", "sold it", "Theft", "Fraud")), whole
            assert request.act == "reply" or "Charge 1" in whole or "Charge 2" in whole  # it was just put to him
    assert {1, 2} == {n for n, word in ((1, "took a car"), (2, "sold it")) if not seen or any(word in w for w in told)}
    for vote in game.of(Voted):
        assert "took a car" not in vote.title
        assert "{" not in vote.title


@pytest.mark.parametrize("hole", ["{chrage.text}", "{charge.txet}", "{point}"])
def test_a_hole_that_nothing_fills_is_an_error(hole: str) -> None:
    text = spec("en", ("for each charge in charges:",), "judge notes: x", f"is {hole} proved")
    assert [code for code in codes(text) if code != "LW095"] == ["LW725"]


@pytest.mark.parametrize(("verb", "locale"), list(product(VERBS, ("en", "zh"))))
def test_a_template_that_forgets_the_item_is_told(verb: str, locale: str) -> None:
    """Of a procedure's own template, unless the cue holds the item and the template the cue."""
    for act in VERBS[verb] - {"answer"}:
        own = {f"prompts/{locale}/cues/act/{act}.inner.j2": "Do it: {{ step.cue }}\n"}
        loop = ("for each charge in charges:",)
        assert "LW726" in codes(spec(locale, loop, verb), own)
        assert "LW726" not in codes(spec(locale, loop, verb, "is it {charge.text}"), own)


OFFLINE = [verb for verb in VERBS if not {"note", "vote", "draft", "converse", "moderate"} & VERBS[verb]]


@pytest.mark.parametrize(
    ("verb", "loop", "cue", "locale"), list(product(OFFLINE, LOOPS, ("", "about {item}"), ("en", "zh")))
)
def test_offline_actors_name_the_item_too(verb: str, loop: str, cue: str, locale: str) -> None:
    """Whoever is played without a model says what his words are about, as the one before and behind him does."""
    heads, names = LOOPS[loop]
    variable = heads[-1].split()[2]
    text = spec(locale, heads, verb, cue.replace("item", variable))
    offline = Offline(opened(text).templates, 0)
    game = played(text, CASE, lambda request: offline.answer(request).text)
    for act in VERBS[verb]:
        said = [event.text for event in game.of(Spoke) if event.act == act]
        assert len(said) >= 2
        assert all(any(name in words for name in names[-2:]) for words in said), said
        assert len({next(name for name in names[-2:] if name in words) for words in said}) == 2
