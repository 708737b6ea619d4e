"""What is told is so: which vote, whether the document is there, what a document holds, which days are known.

Neighbours: cues alike and not, votes in loops; documents drafted on some ways alone; values of all forms in documents
that say them and that do not; countries that move working days and countries that move none.
"""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from neighbours import Game, played

from legalworld.model.calendar import arrangement_known, is_working_day
from legalworld.model.events import Request
from legalworld.model.outcome import Ended
from legalworld.model.votes import Voted

HEAD = """\
lw: 1
procedure: told
title: Told
locale: LOCALE
case:
  measure: {title: Measure, path: $.measure}
  bonds: {title: Bonds, path: "$.bonds[*]", each: bond, keys: [name, sum]}
  trade: {title: Trade, path: "$.trade[*]", each: trader, keys: [name]}
  granted: {title: Granted, path: $.granted}
kinds: {J: judge, A: appellate, C: creditor}
roles:
  judge: {title: Judge, kind: judge}
  above: {title: Appellate judge, kind: appellate}
  bondholder: {title: Bondholder, kind: creditor, each: bonds}
  trader: {title: Trade creditor, kind: creditor, each: trade}
documents:
  order: {title: Order}
  report: {title: Report, holds: [measure, bonds]}
"""
CASE = (
    "lw: 1\ncase: c\ntitle: t\nmeasure: a duty of 22 per cent\n"
    "bonds: [{name: Ann, sum: '5,000'}, {name: Bea, sum: '70'}]"
    "\ntrade: [{name: Cy}, {name: Di}]\ngranted: GRANTED\n"
)


def spec(*lines: str, more: str = "", locale: str = "en", behind: str = "") -> str:
    body = "".join(f"      {part}\n" for line in lines for part in line.split("\n"))
    head = HEAD.replace("LOCALE", locale)
    return f"{head}{more}stages:\n  - stage: court\n    title: T\n    steps:\n{body}{behind}"


# ---- votes with one cue ----------------------------------------------------------------------------------------------
TITLED = "answers:\n  one: {title: of the bondholders}\n  two: {title: of the traders}\n"
FIRST = ("- bondholder votes: CUE\n  answer: one is yes or no\n  reveals: count",)
SECOND = {
    "another role": "- trader votes: CUE\n  answer: two is yes or no\n  reveals: count",
    "both": "- bondholder, trader vote: CUE\n  answer: two is yes or no",
    "Chinese": "- trader 表决: CUE\n  回答: two 是 是或否\n  公开: count",
    "in a loop": "- for each trader in trade:\n    - bondholder votes: CUE\n      answer: two is yes or no",
}


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("titled", [True, False])
@pytest.mark.parametrize("second", SECOND)
def test_two_votes_are_never_told_by_the_same_words(second: str, titled: bool, locale: str) -> None:
    lines = [line.replace("CUE", "whether it is agreed") for line in (*FIRST, SECOND[second])]
    text = spec(*lines, "- judge, trader state: x", more=TITLED if titled else "", locale=locale)
    game = played(text, CASE, yes)
    titles = {(event.name, event.title) for event in game.of(Voted)}
    if second == "in a loop" and not titled:  # the same persons vote on both: nothing tells them apart but the item
        return
    assert len({title for _, title in titles}) == len({name for name, _ in titles}) == 2
    assert all(("of the" in title) is titled for _, title in titles)


def test_a_vote_whose_cue_is_its_own_is_told_by_it_alone() -> None:
    lines = (FIRST[0].replace("CUE", "a"), SECOND["another role"].replace("CUE", "b"))
    game = played(spec(*lines, more=TITLED), CASE, yes)
    assert [event.title for event in game.of(Voted)] == ["a", "b"]


def yes(request: Request) -> str:
    answer = request.form.answer
    return "word" if answer is None else f"【{answer.called}：yes】"


# ---- a case that ends with a document --------------------------------------------------------------------------------
WAYS = {
    "drafted in an if": "- if granted is yes:\n    - judge drafts order: x",
    "drafted when": "- judge drafts order: x\n  when: granted is yes",
    "drafted by nobody": "- trader drafts order: x\n  when: granted is yes",
    "drafted in a loop": "- for each one in trader:\n    - judge drafts order: x\n      when: granted is yes",
    "Chinese": "- judge 起草 order: x\n  条件: granted 是 是",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("granted", ["yes", "no"])
def test_a_case_ends_with_a_document_that_is_there_or_says_that_it_is_not(way: str, granted: str) -> None:
    text = spec(WAYS[way], "- judge, trader state: x", "- end case with order: over\n  outcome: over")
    (ended,) = played(text, CASE.replace("GRANTED", granted)).of(Ended)
    assert (ended.document, ended.lacking) == (("order", "") if granted == "yes" else ("", "order"))


def test_a_case_that_ends_with_no_document_lacks_none() -> None:
    (ended,) = played(spec("- judge, trader state: x", "- end case: over\n  outcome: over"), CASE).of(Ended)
    assert (ended.document, ended.lacking) == ("", "")


# ---- what a document is declared to hold -----------------------------------------------------------------------------
SEEN = """\
visibility: |
  | field | court | later |
  |---|---|---|
  | measure | J | A |
  | bonds | J | A |
  | note | J | A |
  | report | - | A |
"""
LATER = "  - stage: later\n    title: L\n    steps:\n      - above states: x\n        id: here\n"
SAID = {  # text of the report -> which of measure, bonds, note it says
    "The complaint is upheld.": set(),
    "A duty of 22 per cent was levied.": {"measure"},
    "The duty was 22 PER CENT.": {"measure"},
    "The duty was 23 per cent.": set(),
    "Ann holds 5000 and Bea 70.": {"bonds"},
    "Ann holds some.": set(),
    "The witness was late on Monday.": {"note"},
    "A duty of 22 per cent; Ann 5,000, Bea 70; the witness was late on Monday.": {"measure", "bonds", "note"},
}


@pytest.mark.parametrize("text", SAID)
def test_what_a_document_does_not_say_is_told_beside_it(text: str) -> None:
    lines = ("- judge notes: x\n  answer: note is text", "- judge drafts report: x", "- trader, bondholder state: x")

    def say(request: Request) -> str:
        if request.form.answer is not None:
            return "【note：the witness was late on Monday】"
        return text if request.act == "draft" else "word"

    held = spec(*lines, more=SEEN, behind=LATER).replace("holds: [measure, bonds]", "holds: [measure, bonds, note]")
    game = played(held, CASE, say)
    (request,) = game.said("here")
    assert shown_of(game, request) == {"measure", "bonds", "note"} - SAID[text]


def shown_of(game: Game, request: Request) -> set[str]:
    told = game.task(request).replace(request.view.variables["known"]["report"], "")
    marks = {"measure": "22 per cent", "bonds": "Bea", "note": "late on Monday"}
    return {name for name, words in marks.items() if words in told}


# ---- days that nobody can know yet -----------------------------------------------------------------------------------
def test_a_country_that_moves_working_days_is_known_as_far_as_its_lists_go() -> None:
    years = [year for year in range(1990, 2060) if arrangement_known(year, "CN")]
    assert years == list(range(years[0], years[-1] + 1))
    assert 2024 in years
    assert 2059 not in years
    for year in years[-3:]:  # a day at a weekend on which people work is what such a list says
        days = (date(year, 1, 1) + timedelta(days=number) for number in range(365))
        assert any(day.weekday() >= 5 and is_working_day(day, "CN") for day in days)


@pytest.mark.parametrize("code", ["", "GB-ENG", "US", "DE"])
def test_where_no_days_are_moved_every_year_is_known(code: str) -> None:
    assert all(arrangement_known(year, code) for year in (1990, 2026, 2060))
