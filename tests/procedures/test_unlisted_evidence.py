"""Evidence that a complaint names and the case does not list: bench and opponent are told of it, as what it is."""

from __future__ import annotations

import pytest
from places import SPEC_FILES
from playing import ROOT, Game, play, project

from legalworld.engine.handing_in import holds
from legalworld.model.events import Captured, Drafted, Request

BENCH = "起诉状里有下面的话，在所列的证据里找不到同样的编号或者名称，没有举示过："
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


# ---- every procedure that has exhibits, in both languages ------------------------------------------------------------

NOTES = ("在各方所列的证据里找不到同样的编号或者名称", "nothing of the same number or name is listed")


def procedures() -> dict[str, set[str]]:
    """Procedure -> its documents that may name exhibits."""
    found = {}
    for file in SPEC_FILES:
        spec = file.relative_to(ROOT / "specs").with_suffix("").as_posix()
        procedure = project(spec).procedure if "parts" not in file.parts else None
        papers = procedure.documents.values() if procedure is not None else ()
        found[spec] = {paper.name for paper in papers if paper.refers_to}
    return {spec: names for spec, names in found.items() if names}


def adding(spec: str, case: str, number: str) -> Game:
    """The procedure, each paper that may name exhibits naming one of this number on its last line but one."""
    procedure = project(spec).procedure
    assert procedure is not None
    papers = [procedure.documents[name] for name in procedures()[spec]]

    def script(request: Request, text: str) -> str:
        if not any(holds(paper.sections, text) for paper in papers) or request.form.kind == "text":
            return text
        before, end, behind = text.rpartition("\n\n")
        return f"{before}\n\n{number}。{end}{behind}"

    targets = procedure.targets
    return play(case, targets[0] if targets else "", spec=spec, script=script)


CASES = {
    **{"civil": ("jiedai", "原证77"), "xiaoe": ("xiaoe-zujin", "原证77"), "quexi": ("quexi-huokuan", "原证77")},
    **{"administrative": ("chachao", "原证77"), "administrative-appeal": ("xiaofang", "原证77")},
    **{
        "criminal": ("tingche", "控证77"),
        "criminal-appeal": ("tingche", "控证77"),
        "labour-arbitration": ("fenjian", "申证77"),
    },
    **{"enforcement-objection": ("chaobiaodi", "异证77"), "retrial": ("zaishen-huokuan", "再证77")},
    "smallclaims": ("smallclaims-worktop", "C77"),
}


def test_every_procedure_with_exhibits_is_played() -> None:
    assert set(CASES) == set(procedures())


@pytest.mark.parametrize("spec", CASES)
def test_what_a_paper_names_is_recorded_and_told_with_it(spec: str) -> None:
    case, number = CASES[spec]
    game = adding(spec, case, number)
    assert game.status == "ended"
    drafted = [one for one in game.of(Drafted) if one.document in procedures()[spec]]
    written = [one for one in drafted if number in one.text]
    assert all(one.unlisted == ((number,) if one in written else ()) for one in drafted)
    shown = [
        part
        for request in game.requests
        for message in request.added
        for home, part in message.parts
        if "#" in home and any(one.text.strip() in part for one in written)
    ]
    assert all(any(note in part for note in NOTES) and f"\n- {number}\n" in part for part in shown)
    plain = [one.about for one in adding(spec, case, "").of(Captured) if one.name in ("opinion", "ruling")]
    assert [one.about for one in game.of(Captured) if one.name in ("opinion", "ruling")] == plain
    if written:
        assert shown


@pytest.mark.parametrize("spec", CASES)
def test_of_what_shipped_cases_write_nothing_is_unlisted(spec: str) -> None:
    targets = project(spec).procedure.targets  # type: ignore[union-attr]
    game = play(CASES[spec][0], targets[0] if targets else "", spec=spec)
    assert [one.unlisted for one in game.of(Drafted) if one.unlisted] == []
    assert not [one for request in game.requests for one in request.added if any(note in one.content for note in NOTES)]
