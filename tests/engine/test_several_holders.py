"""A role that several hold: all of them review, each side writes its own paper, and who leads a talk calls others.

Neighbours: how many hold the role and in what way they come to hold it, who of them is out, who of them is the author,
one or several reviewing roles, both languages of the keywords.
"""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from neighbours import Game, codes, places, played

from legalworld.model.attendance import Attended
from legalworld.model.events import Drafted, Request, Reviewed, Spoke

HEAD = """\
lw: 1
procedure: several
title: Several
locale: en
case:
  people: {title: People, path: "$.people.{side}[*]", per: side, each: person, keys: [name]}
  partners: {title: Partners, path: "$.partners[*]", each: partner, keys: [name]}
  appealing: {title: Who appeals, path: "$.appealing[*]", each: name}
kinds: {J: judge, L: lawyer, C: client, P: partner}
roles:
  judge: {title: Judge, kind: judge}
  partner: {title: Partner, kind: partner, each: partners}
  a: {title: Claimant, kind: client, side: a, each: people}
  b: {title: Respondent, kind: client, side: b, each: people}
  c: {title: Third, kind: client, side: c, each: people}
  la: {title: counsel, kind: lawyer, side: a, represents: a}
  lb: {title: counsel, kind: lawyer, side: b, represents: b}
  lc: {title: counsel, kind: lawyer, side: c, represents: c}
  appellant: {title: Appellant, assigned: yes, formerly: original}
  elder: {title: Elder, assigned: yes, alongside: yes}
documents:
  notice: {title: Notice, per: side}
  joint: {title: Joint paper}
"""
WORDS = {"en": ("states", "reviewed by", "approve"), "zh": ("陈述", "审阅人", "认可语")}
NAMES = ("Ann", "Bob", "Cy")


def spec(*lines: str) -> str:
    body = "".join(f"      {part}\n" for line in lines for part in line.split("\n"))
    return f"{HEAD}stages:\n  - stage: court\n    title: T\n    steps:\n{body}"


def case(partners: int = 3, appealing: tuple[str, ...] = NAMES) -> str:
    people = ", ".join(f"{side}: [{{name: {name}}}]" for side, name in zip("abc", NAMES, strict=True))
    held = ", ".join(f"{{name: P{number}}}" for number in range(partners))
    return f"lw: 1\ncase: c\ntitle: t\npeople: {{{people}}}\npartners: [{held}]\nappealing: [{', '.join(appealing)}]\n"


# ---- who reviews -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("locale", WORDS)
@pytest.mark.parametrize("partners", [1, 2, 3])
@pytest.mark.parametrize(
    ("by", "author"), [("partner", "judge"), ("partner, judge", "la"), ("judge, partner", "partner")]
)
def test_everybody_who_holds_the_role_reviews_but_for_the_author(
    by: str, author: str, partners: int, locale: str
) -> None:
    verb, reviewed, approve = WORDS[locale]
    game = played(
        spec(
            f"- {author} {verb}: x\n  {reviewed}: {by}\n  {approve}: <<approved>>\n  id: here",
            "- judge, partner, la state: x",
        ),
        case(partners),
        lambda request: "<<approved>>" if request.act == "review" else "word",
    )
    meant = {*(f"partner-{n}" for n in range(1, partners + 1)), *(["judge"] if "judge" in by else [])}
    if partners == 1:
        meant = {one.replace("partner-1", "partner") for one in meant}
    for event in game.of(Reviewed):
        assert event.by != event.person
    authors = {event.person for event in game.of(Reviewed)}
    for writer in authors:
        assert {event.by for event in game.of(Reviewed) if event.person == writer} == meant - {writer}
    assert authors == {one.person for one in game.said("here") if one.act != "review"}


@pytest.mark.parametrize("dissenter", [1, 2, 3])
def test_a_draft_counts_only_when_the_last_of_them_approves(dissenter: int) -> None:
    def say(request: Request) -> str:
        if request.act != "review":
            return "word"
        return "not so" if request.person == f"partner-{dissenter}" else "<<approved>>"

    game = played(
        spec("- judge states: x\n  reviewed by: partner\n  approve: <<approved>>\n  id: here", "- partner states: x"),
        case(),
        say,
    )
    assert [request.act for request in game.said("here") if request.person == "judge"] == ["state", "revise"]


def test_who_is_out_of_the_room_reviews_nothing() -> None:
    step = "- judge states: x\n  reviewed by: partner\n  approve: <<approved>>"
    game = played(
        spec(
            "- partner states: x",
            "- for each one in partner:\n    - one leaves:\n      when: one.name is P1",
            step,
        ),
        case(),
    )
    left = {person for event in game.of(Attended) if event.how == "leaves" for person in event.persons}
    assert len(left) == 1
    assert {event.by for event in game.of(Reviewed)} == {"partner-1", "partner-2", "partner-3"} - left


# ---- who writes ------------------------------------------------------------------------------------------------------
APPEALS = [some for count in (1, 2, 3) for some in combinations(NAMES, count)]


@pytest.mark.parametrize("who", APPEALS, ids="+".join)
@pytest.mark.parametrize("document", ["notice", "joint"])
@pytest.mark.parametrize("step", ["lawyer of appellant drafts {}: x", "appellant drafts {}: x"])
def test_each_side_writes_what_each_side_has(step: str, document: str, who: tuple[str, ...]) -> None:
    lines = (
        "- a, b, c, la, lb, lc state: x",
        "- assign appellant: parties named in appealing",
        f"- {step.format(document)}\n  id: here",
    )
    game = played(spec(*lines), case(appealing=who))
    sides = [event.side for event in game.of(Drafted)]
    wanted = ["abc"[NAMES.index(name)] for name in who]
    assert sides == (wanted if document == "notice" else [""])
    assert len(game.said("here")) == len(sides)


# ---- who leads -------------------------------------------------------------------------------------------------------
LEAD = {
    "moderates": "elder moderates a, b, c: x\n  call: <<to {role}>>\n  close: <<over>>\n  at most: 6 turns",
    "drives": "elder drives a, b, c: x\n  checklist: list\n  call: <<to {role}>>\n  done: <<item {n}>>\n"
    "  close: <<over>>\n  at most: 6 turns",
    "converses": "elder and appellant converse: x\n  until: elder says <<over>>\n  at most: 6 turns",
}
LIST = "checklists: {list: [{stage: opening, title: Opening, items: [one thing]}]}\n"


@pytest.mark.parametrize("verb", LEAD)
@pytest.mark.parametrize("elders", [some for some in APPEALS if len(some) < 3], ids="+".join)
def test_who_leads_a_talk_never_calls_or_answers_himself(verb: str, elders: tuple[str, ...]) -> None:
    lines = (
        "- judge asks a, b, c: x\n  answer: stands is yes or no",
        "- assign elder: those who answered yes to stands",
        "- assign appellant: parties named in appealing",
        f"- {LEAD[verb]}\n  id: here",
    )
    people = dict(zip("abc", NAMES, strict=True))

    def say(request: Request) -> str:
        if request.form.answer is not None:
            return f"<<stands: {'yes' if people[request.person] in elders else 'no'}>>"
        return "word"

    game = played(spec(*lines).replace("stages:", LIST + "stages:"), case(), say)
    leader = "abc"[NAMES.index(elders[0])]
    asked = spoken(game)
    assert asked, "the talk takes place"
    if verb != "converses":
        assert [person for person, act in asked if act != "reply"] == [leader] * 3
        assert {person for person, act in asked if act == "reply"} <= {*"abc"} - {leader}
        tokens = {token for one in game.said("here") for token in one.form.leading}
        assert not any(elders[0] in token for token in tokens)
    else:
        assert all(one != other for (one, _), (other, _) in pairwise(asked))


def spoken(game: Game) -> list[tuple[str, str]]:
    """Who said what sort of thing at the step, in order."""
    return [(event.person, event.act) for event in game.of(Spoke) if "here" in places(event.place)]


# ---- what the check says ---------------------------------------------------------------------------------------------
OBJECTION = "la asks b: x\n  objections by: lb\n  object: <<objection>>\n  let pass: <<none>>\n"
OBJECTION += "  ruled by: WHO\n  ruling: sustained is yes or no"
SEVERAL = {
    "judge": False,
    "partner": True,
    "elder": True,
    "fellows of partner": True,
}


@pytest.mark.parametrize("who", SEVERAL)
@pytest.mark.parametrize(("step", "code"), [(OBJECTION, "LW984"), (LEAD["moderates"].replace("elder", "WHO"), "LW986")])
def test_one_is_to_act_and_several_may_be_meant(who: str, step: str, code: str) -> None:
    lines = (
        "- judge asks a, b, c: x\n  answer: stands is yes or no",
        "- assign elder: those who answered yes to stands",
        f"- {step.replace('WHO', who)}",
        "- partner states: x",
    )
    assert (code in codes(spec(*lines))) is SEVERAL[who]
