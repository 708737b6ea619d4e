"""Who is there for a part of a stage alone, on which days it was held, and what somebody learned of votes.

Neighbours: which phases name the guest, stages with no day, one or several, votes that reveal more or less; both
languages. Asserted: transcript, minutes and what a person heard agree on it.
"""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from neighbours import found, played

from legalworld.cli.main import lw
from legalworld.model.attendance import Attended
from legalworld.model.events import Spoke

HEAD = """\
lw: 1
procedure: part
title: Part
locale: LOCALE
case:
  cal: {title: Calendar, path: $.cal, keys: [first, second]}
  people: {title: People, path: "$.people.{side}[*]", per: side, each: person, keys: [name]}
dates:
  first: {from: cal.first}
  second: {from: cal.second}
kinds: {J: judge, C: client, T: third}
roles:
  judge: {title: Judge, kind: judge}
  ann: {title: Claimant, kind: client, side: a, each: people}
  bob: {title: Respondent, kind: client, side: b, each: people}
  tim: {title: Third party, kind: third, side: c, each: people}
  company: {title: Company, kind: client}
visibility: |
  | field | hearing | later |
  |---|---|---|
  | cal | J | J |
"""
BRIEF = "documents:\n  brief: {title: Brief, per: side}\n"
PAPERS = "  | brief | - | T C |\n"
PEOPLE = "people: {a: [{name: Ann}], b: [{name: Bob}], c: [{name: Tim}]}\n"
CASE = "lw: 1\ncase: c\ntitle: t\ncal: {first: 2026-04-01, second: 2026-04-03}\n" + PEOPLE
PHASES = ("one", "two", "three")


def run(*words: str) -> Result:
    return CliRunner().invoke(lw, [*words], catch_exceptions=False)


def spec(guest: tuple[str, ...], on: tuple[str, str] = ("", ""), reveals: str = "names", locale: str = "en") -> str:
    lines = ["stages:", "  - stage: hearing", "    title: Hearing", "    minutes: judge"]
    lines += [f"    on: {on[0]}"] if on[0] else []
    lines += ["    phases:"]
    for name in PHASES:
        lines += [f"      - phase: {name}", f"        title: {name.title()}"]
        lines += [f"        on: {on[1]}"] if on[1] and name == "three" else []
        lines += ["        present: judge, company"] if name in guest else []
        lines += ["        steps:", "          - judge announces: a word"]
        lines += [] if name in guest else ["          - ann, bob, tim state: a word"]
    lines += ["          - judge, ann vote: the plan", "            answer: plan is yes or no"] if not guest else []
    lines += ["            tie: no", f"            reveals: {reveals}"] if not guest else []
    lines += ["  - stage: later", "    title: Later", "    steps:", "      - company states: well"]
    return HEAD.replace("LOCALE", locale) + "\n".join(lines) + "\n"


def stored(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "specs").mkdir()
    (folder / "specs" / "part.yaml").write_text(text, encoding="utf-8")
    (folder / "case.yaml").write_text(CASE, encoding="utf-8")
    done = run("run", "specs/part.yaml", "--case", "case.yaml", "--out", "r")
    assert done.exit_code == 0, done.output
    assert run("export", "r", "--format", "md", "--to", "out").exit_code == 0


# ---- who is there for a part alone -----------------------------------------------------------------------------------
GUESTS = [some for count in (1, 2) for some in combinations(PHASES, count)]


@pytest.mark.parametrize("guest", GUESTS, ids="+".join)
@pytest.mark.parametrize("locale", ["en", "zh"])
def test_who_is_named_by_a_phase_alone_is_told_to_come_and_to_go(guest: tuple[str, ...], locale: str) -> None:
    game = played(spec(guest, locale=locale).replace("    minutes: judge\n", ""), CASE)
    here, told = False, []
    for event in game.events:
        if isinstance(event, Attended) and "company" in event.persons:
            here = event.how == "comes_for"
            told.append(event.how)
        if isinstance(event, Spoke) and event.place.startswith("hearing"):
            assert here == ("company" in event.heard_by) == (event.place.split("/")[1] in guest)
    rows = "".join("x" if name in guest else "-" for name in PHASES)
    assert told.count("comes_for") == len([part for part in rows.split("-") if part])
    assert told.count("goes_again") == told.count("comes_for") - rows.endswith("x")


def test_minutes_say_that_he_was_there_for_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(spec(("two",)), tmp_path, monkeypatch)
    text = (tmp_path / "out" / "minutes-hearing.md").read_text("utf-8")
    present = next(line for line in text.splitlines() if line.startswith("Present"))
    assert "Company (for part of the hearing)" in present
    assert present.count("for part of the hearing") == 1


# ---- on which days ---------------------------------------------------------------------------------------------------
DAYS = {("", ""): [], ("first", ""): ["1 April 2026"], ("", "second"): ["3 April 2026"]}
DAYS[("first", "second")] = ["1 April 2026", "3 April 2026"]


@pytest.mark.parametrize("on", DAYS)
def test_minutes_bear_the_days_on_which_something_was_said(
    on: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(spec(("two",), on), tmp_path, monkeypatch)
    text = (tmp_path / "out" / "minutes-hearing.md").read_text("utf-8")
    date = next(line for line in text.splitlines() if line.startswith("Date:"))
    assert [day for day in ("1 April 2026", "3 April 2026") if day in date] == DAYS[on]
    assert ("to be completed" in date) is (not DAYS[on])


# ---- what somebody learned of a vote ---------------------------------------------------------------------------------
@pytest.mark.parametrize("reveals", ["nothing", "count", "names"])
def test_what_a_vote_reveals_is_among_what_a_person_heard(
    reveals: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(spec((), reveals=reveals), tmp_path, monkeypatch)
    for person in ("Judge", "Claimant Ann", "Ann", "ann"):
        shown = run("show", "r", "--as", person, "--json")
        assert shown.exit_code == 0, shown.output
        votes = [row for row in json.loads(shown.stdout)["heard"] if row["kind"] == "voted"]
        assert len(votes) == (reveals != "nothing")
        for row in votes:
            assert bool(row["counts"]) is (reveals in ("count", "names"))
            assert len(row["votes"]) == (2 if reveals == "names" else 0)
        assert ("the plan" in run("show", "r", "--as", person).output) is (reveals != "nothing")
    assert not [
        row for row in json.loads(run("show", "r", "--as", "Company", "--json").stdout)["heard"] if "votes" in row
    ]


# ---- whose papers ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("reader", ["tim", "ann"])
@pytest.mark.parametrize("writers", [("ann", "bob"), ("bob", "tim"), ("tim", "ann", "bob")], ids="+".join)
def test_papers_of_several_other_sides_say_whose_they_are(writers: tuple[str, ...], reader: str, locale: str) -> None:
    lines = ["stages:", "  - stage: hearing", "    title: H", "    steps:"]
    lines += [f"      - {writer} drafts brief: x" for writer in writers]
    lines += ["  - stage: later", "    title: A", "    steps:", f"      - {reader} states: x", "        id: here"]
    head = HEAD.replace("LOCALE", locale).replace("visibility:", BRIEF + "visibility:")
    game = played(head + PAPERS + "\n".join(lines) + "\n", CASE)
    (request,) = game.said("here")
    titles = {"ann": "Claimant", "bob": "Respondent", "tim": "Third party"}
    headings = [line for line in game.task(request).splitlines() if "Brief" in line and line[:1] in "[【"]
    assert len(headings) == len(set(headings)) == len(writers)
    for writer in writers:
        assert any(titles[writer] in line for line in headings) is (writer != reader)


# ---- titles of answers -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("asked", ["plan", "plans", "agreed", ""])
@pytest.mark.parametrize("titled", ["plan", "whatever"])
def test_a_title_of_what_nobody_asks_for_is_told_however_it_is_called(asked: str, titled: str) -> None:
    answers = f"answers: {{{titled}: {{title: What is meant}}}}\n"
    ask = f"\n        answer: {asked} is yes or no" if asked else ""
    step = f"stages:\n  - stage: hearing\n    title: H\n    steps:\n      - judge notes: x{ask}\n"
    codes = [problem.code for problem in found(HEAD.replace("LOCALE", "en") + answers + step)]
    assert ("LW457" in codes) is (asked != titled)


# ---- what a run remarks on at its end --------------------------------------------------------------------------------
def remarked(lines: str, days: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The codes that are told when a run is over. `days`: the first day of the case."""
    head = HEAD.replace("LOCALE", "en").replace(
        "  second: {from: cal.second}", "  due: {is: 5 working days after first}"
    )
    head = head.replace("visibility:", BRIEF + "visibility:").replace("kinds:", "holidays: CN\nkinds:")
    (folder / "specs").mkdir()
    (folder / "specs" / "part.yaml").write_text(head + lines, encoding="utf-8")
    (folder / "case.yaml").write_text(CASE.replace("2026-04-01", days), encoding="utf-8")
    monkeypatch.chdir(folder)
    done = run("run", "specs/part.yaml", "--case", "case.yaml", "--out", "r")
    assert done.exit_code == 0, done.output
    return {code for code in ("LW987", "LW988") if code in done.output}


@pytest.mark.parametrize(("day", "known"), [("2024-04-01", True), ("2025-09-25", True), ("2094-09-30", False)])
@pytest.mark.parametrize("drafted", [True, False])
def test_a_run_says_what_it_lacks(
    day: str, known: bool, drafted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "stages:\n  - stage: hearing\n    title: H\n    steps:\n      - ann states: x\n"
    lines += f"      - ann drafts brief: x\n        when: cal.first{'' if drafted else ' is empty'}\n"
    lines += "  - stage: later\n    title: L\n    steps:\n      - judge announces: x\n        on: due\n"
    lines += "      - end case with brief: over\n        outcome: over\n"
    told = remarked(lines, day, tmp_path, monkeypatch)
    assert told == {*([] if drafted else ["LW987"]), *([] if known else ["LW988"])}
