"""Evidence that a complaint names and the case does not list: bench and opponent are told of it, as what it is."""

from __future__ import annotations

import pytest
from playing import Game, play

from legalworld.model.events import Captured, Request

BENCH = "在原告方所列的证据里找不到同样的编号或者名称，没有举示过："
HEADING = "证据和证据来源"
NAMED = {
    "by another number": ["证据九：微信聊天记录一份，证明多次催款"],
    "without a number": ["录音光盘，来源于原告"],
    "several": ["证据九：微信聊天记录一份", "证据十：收条复印件"],
    "behind what is listed": ["另有公证书，庭审时出示"],
}


def filing(lines: list[str], where: str = "end") -> Game:
    """The complaint as counsel would write it, with more lines in the part on evidence."""

    def script(request: Request, text: str) -> str:
        if HEADING not in text or not request.id.startswith("CD/"):
            return text
        before, heading, rest = text.partition(HEADING)
        part, mark, behind = rest.partition("此致")
        more = "\n".join(lines)
        part = f"\n{more}\n{part}" if where == "start" else f"{part.rstrip()}\n{more}\n\n"
        return before + heading + part + mark + behind

    return play("jiedai", until="FIT/final", script=script)


def told(game: Game, act: str) -> dict[str, str]:
    """Who was told of it doing what: person -> the message."""
    found = {}
    for request in game.requests:
        for message in request.added:
            if BENCH in message.content and request.act == act:
                found[request.person] = message.content
    return found


@pytest.mark.parametrize("where", ["start", "end"])
@pytest.mark.parametrize("kind", NAMED)
def test_bench_and_opponent_are_told_and_nothing_is_admitted(kind: str, where: str) -> None:
    plain, game = play("jiedai", until="FIT/final"), filing(NAMED[kind], where)
    (asking,) = told(game, "moderate").items()
    assert asking[0] == "judge"
    assert set(told(game, "state")) == {"defendant_lawyer"}
    for message in (asking[1], *told(game, "state").values()):
        listed = message.partition(BENCH)[2]
        for line in NAMED[kind]:
            assert f"- {line}" in listed
        assert listed.count("\n- ") == len(NAMED[kind])  # what the case lists is not told of
    examined = [one.about for one in game.of(Captured) if one.name in ("opinion", "ruling")]
    assert examined == [one.about for one in plain.of(Captured) if one.name in ("opinion", "ruling")]


def test_where_all_that_is_named_is_listed_nobody_is_told() -> None:
    game = play("jiedai", until="FIT/final")
    assert not [one for request in game.requests for one in request.added if BENCH in one.content]


def test_counsel_who_named_it_is_not_told_what_he_wrote() -> None:
    game = filing(NAMED["several"])
    assert "plaintiff_lawyer" not in {**told(game, "state"), **told(game, "moderate")}
