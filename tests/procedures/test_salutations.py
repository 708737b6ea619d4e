"""Somebody greets whom he speaks to; a line for anybody else is put into his mouth. Played in a shipped procedure."""

from __future__ import annotations

from functools import cache

import pytest
from playing import Game, play

from legalworld.engine.voices import bare
from legalworld.model.events import Request, Spoke, Violated

GREETED = ("{who}：{words}", "**{who}**：{words}", "{who}:{words}")
BENCH, COUNSEL = "审判长", ("原告代理律师", "被告代理律师")


@cache
def greeting(how: str, who: str) -> tuple[Game, tuple[str, ...]]:
    """The first instance in which counsel and parties begin all that they say in court with somebody's title."""
    begun: list[str] = []

    def script(request: Request, text: str) -> str:
        spoken = request.act in ("state", "answer", "respond", "reply") and not text.startswith("【")
        if not request.id.startswith("FIT/") or not spoken or bare(request.speaker) == bare(who) or "\n" in text:
            return text
        begun.append(request.id)
        return how.format(who=who, words=text)

    return play("jiedai", until="FIT/judgment", script=script), tuple(begun)


@pytest.mark.parametrize("how", GREETED)
def test_whoever_leads_the_hearing_may_be_greeted_by_all(how: str) -> None:
    game, begun = greeting(how, BENCH)
    rules = {event.request: event.rule for event in game.of(Violated) if event.request in begun}
    assert len(begun) > 10
    assert set(rules.values()) == {"salutation"} and set(rules) == set(begun)


@pytest.mark.parametrize("who", COUNSEL)
def test_only_who_is_spoken_to_or_spoke_last_is_greeted(who: str) -> None:
    game, begun = greeting(GREETED[0], who)
    rules = {event.request: event.rule for event in game.of(Violated) if event.request in begun}
    said = game.of(Spoke)
    for request in begun:
        at = next(n for n, one in enumerate(said) if one.request == request)
        person = who_is(game, who)
        before = next((one.person for one in reversed(said[:at]) if said[at].person in one.heard_by), "")
        spoken_to = {bare(one) for one in said[at].to}
        near = person == before or bare(who) in spoken_to
        assert rules[request] == ("salutation" if near else "forged_speaker"), request
    assert "forged_speaker" in rules.values()


def who_is(game: Game, title: str) -> str:
    return next(one.person for one in game.of(Spoke) if bare(one.speaker) == bare(title))


@pytest.mark.parametrize("who", (BENCH, *COUNSEL))
def test_the_words_are_heard_whoever_it_is(who: str) -> None:
    plain = play("jiedai", until="FIT/judgment")
    game, begun = greeting(GREETED[0], who)
    told = {one.request: one.text for one in plain.of(Spoke)}
    for one in game.of(Spoke):
        if one.request in begun and one.request in told:
            assert one.text.startswith(f"{who}，") and told[one.request] in one.text
