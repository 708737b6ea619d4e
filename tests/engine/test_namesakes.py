"""Names that could mean two things: titles held side by side, parties, files of wording, endings, authors.

Neighbours are made by generators; asserted is what holds of all of them, in both languages.
"""

from __future__ import annotations

from itertools import permutations, product

import pytest
from neighbours import Game, codes, places, played

from legalworld.model.events import Assigned, Captured, Ended, Request, Spoke

CASE = "lw: 1\ncase: c\ntitle: t\n"
LOCALES = ("en", "zh")


def spec(locale: str, roles: str, steps: str, more: str = "") -> str:
    return (
        f"lw: 1\nprocedure: names\ntitle: Names\nlocale: {locale}\n{more}"
        f"kinds: {{J: judge, P: party, X: expert, U: investor}}\nroles:\n{roles}"
        f"stages:\n  - stage: court\n    title: Court\n    steps:\n{steps}"
    )


def speakers(game: Game, step: str) -> list[str]:
    return [event.speaker for event in game.of(Spoke) if step in places(event.place)]


# ---- titles held alongside -------------------------------------------------------------------------------------------
GIVEN = ("member", "rep", "guardian")


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(("order", "formerly"), list(product(permutations(GIVEN), (False, True))))
def test_a_title_held_alongside_is_never_lost(order: tuple[str, ...], formerly: bool, locale: str) -> None:
    """It stands behind the title of the moment; or, held before a title that keeps the former one, with that one."""
    former = ", formerly: former" if formerly else ""
    roles = (
        "  judge: {title: Judge, kind: judge}\n  owner: {title: Owner, kind: party, side: a}\n"
        f"  guardian: {{title: Guardian, assigned: yes, alongside: yes}}\n"
        f"  member: {{title: Member, assigned: yes{former}}}\n"
        "  rep: {title: Representative, assigned: yes, alongside: yes}\n"
    )
    steps = "".join(
        f"      - assign {role}: owner\n      - owner states: a\n        id: s{n}\n" for n, role in enumerate(order)
    )
    game = played(spec(locale, roles, steps), CASE)
    for n in range(len(order)):
        (label,) = speakers(game, f"s{n}")
        held = order[: n + 1]
        assert label.startswith("Member" if "member" in held else "Owner")
        for role, title in (("guardian", "Guardian"), ("rep", "Representative")):
            hidden = formerly and "member" in held and role in held[: held.index("member")]
            assert (title in label) == (role in held and not hidden), (held, label)


# ---- parties ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("first", "locale"), list(product(("expert", "plaintiff"), LOCALES)))
@pytest.mark.parametrize("who", ["opposing parties of one", "remaining parties", "one, remaining parties"])
def test_whoever_is_no_party_is_assigned_nothing_as_one(first: str, who: str, locale: str) -> None:
    lines = {
        "plaintiff": "  plaintiff: {title: Plaintiff, kind: party, side: a, party: yes}\n",
        "expert": "  expert: {title: Adviser, kind: expert, side: a, party: no}\n",
    }
    roles = "  judge: {title: Judge, kind: judge}\n" + lines[first] + lines[({*lines} - {first}).pop()]
    roles += "  defendant: {title: Defendant, kind: party, side: b}\n"
    roles += "  one: {title: Appellant, assigned: yes}\n  other_one: {title: Appellee, assigned: yes}\n"
    steps = (
        "      - expert states: x\n      - assign one: defendant\n"
        f"      - assign other_one: {who}\n      - other_one states: x\n        id: last\n"
    )
    game = played(spec(locale, roles, steps), CASE)
    (persons,) = [event.persons for event in game.of(Assigned) if event.role == "other_one"]
    assert "expert" not in persons
    assert "plaintiff" in persons
    unsaid = spec(locale, roles.replace(", party: yes", "").replace(", party: no", ""), steps)
    assert codes(unsaid).count("LW723") == 2


# ---- answers that are put down ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("recorded", ["record seated of one: yes", "record seated: yes", "judge asks one: seated?"])
@pytest.mark.parametrize("around", ["", "for each thing in things:", "repeat 2 rounds:"])
def test_what_is_put_down_of_the_person_in_hand_is_his_answer(recorded: str, around: str, locale: str) -> None:
    """Asked or put down, in whatever loop around: those who answered are the same."""
    roles = "  judge: {title: Judge, kind: judge}\n  panel: {title: Panel, kind: investor, persons: 3}\n"
    roles += "  juror: {title: Juror, assigned: yes}\n"
    answer = "\n            answer: seated is yes or no" if "asks" in recorded else ""
    loop = (
        "      - for each one in panel:\n          - judge notes: struck?\n            answer: struck is yes or no\n"
        f"          - {recorded}{answer}\n            when: struck of one is no\n"
    )
    if around:
        loop = f"      - {around}\n" + "".join(f"    {line}\n" for line in loop.splitlines())
    steps = loop + "      - assign juror: those who answered yes to seated\n      - juror states: x\n        id: last\n"
    text = spec(locale, roles, steps, "lists: {things: [a, b]}\n")
    assert not {"LW272", "LW090"} & {*codes(text)}
    struck = iter(["no", "yes", "no"] * 2)

    def say(request: Request) -> str:
        if request.act == "note":
            return f"<<struck: {next(struck)}>>"
        return "x <<seated: yes>>"

    game = played(text, CASE, say)
    assert [event.persons for event in game.of(Assigned)] == [("panel-1", "panel-3")]
    assert {event.person for event in game.of(Captured) if event.name == "seated"} == {"panel-1", "panel-3"}


@pytest.mark.parametrize("named", ["juror", "Juror", "“Juror”", "Lead Juror", "juror, Lead Juror"])
def test_a_role_is_assigned_by_its_title_too(named: str) -> None:
    roles = "  judge: {title: Judge, kind: judge}\n  panel: {title: Panel, kind: investor, persons: 2}\n"
    roles += "  juror: {title: Juror, assigned: yes}\n  lead: {title: Lead Juror, assigned: yes, alongside: yes}\n"
    steps = f"      - assign {named}: panel\n      - juror states: x\n      - lead states: x\n"
    game = played(spec("en", roles, "      - assign juror, lead: judge\n" + steps), CASE)
    wanted = {"lead" if word.strip("“”") == "Lead Juror" else "juror" for word in named.split(", ")}
    assert {event.role for event in game.of(Assigned)[2:]} == wanted


# ---- endings ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("taken", "locale"), list(product(range(3), LOCALES)))
def test_each_ending_of_an_outcome_has_its_own_words(taken: int, locale: str) -> None:
    roles = "  judge: {title: Judge, kind: judge}\n"
    steps = "      - judge notes: which\n        answer: which is one of w0, w1, w2\n" + "".join(
        f"      - if which is w{n}:\n          - end case: words {n}\n            outcome: judged\n" for n in range(3)
    )
    game = played(spec(locale, roles, steps), CASE, lambda request: f"<<which: w{taken}>>")
    (ended,) = game.of(Ended)
    assert (ended.outcome, ended.title) == ("judged", f"words {taken}")


# ---- files of wording ------------------------------------------------------------------------------------------------
VERBS = {"state": "presider states: x", "draft": "presider drafts paper: x", "note": "presider notes: x"}


@pytest.mark.parametrize(("act", "name", "suffix"), list(product(VERBS, ("judge", "presider"), ("", ".court"))))
def test_a_step_called_like_people_takes_over_nothing_in_silence(act: str, name: str, suffix: str) -> None:
    """`act/ACT.NAME` of a step called like a kind or a role would be read at the other steps of these people."""
    roles = "  presider: {title: Presider, kind: judge}\n"
    papers = "documents: {paper: {title: Paper}}\n" if act == "draft" else ""
    steps = f"      - {VERBS[act]}\n        id: first\n      - {VERBS[act]}\n        id: {name}\n"
    more = {f"prompts/en/names/act/{act}.{name}{suffix}.j2": "Do this.\n"}
    assert ("LW720" in codes(spec("en", roles, steps, papers), more)) == (not suffix)
    renamed = steps.replace(f"id: {name}", "id: second")
    assert "LW720" not in codes(spec("en", roles, renamed, papers), more)
    assert "LW720" not in codes(spec("en", roles, steps, papers))
