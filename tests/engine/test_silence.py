"""What nobody answered is no decision: a run that hangs on it stops, can be gone on with, and never makes it up."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripted import Construct, Played, play, read_construct

from legalworld.model.events import Captured, Ended, Reply, Request
from legalworld.model.votes import Voted
from legalworld.models.failures import ModelFailed
from legalworld.runs.journal import AnswerLine
from legalworld.runs.loop import ReplayLog

FOLDER = Path(__file__).parent / "silence"
NOTHING = "Let me think about that."


def said(kind: str, value: str) -> str:
    return f"<<{kind}: {value}>>" if value else NOTHING


def replies(signs: tuple[str, str], fair: tuple[str, str], times: int = 5) -> dict[str, list[Reply]]:
    """Each says what he says, or nothing as often as he may be asked."""

    def of(kind: str, value: str) -> list[Reply]:
        return [Reply(text=said(kind, value))] * (1 if value else times)

    mood = [Reply(text=NOTHING)] * 2
    script = {f"party-{n}": [*mood, *of("signs", signs[n - 1]), Reply(text="Well.")] for n in (1, 2)}
    return script | {f"juror-{n}": of("fair", fair[n - 1]) for n in (1, 2)}


def played_out(construct: Construct, script: dict[str, list[Reply]]) -> tuple[Played, int]:
    """A game played to its end, gone on with wherever it stops; and how often it did."""
    log, halts = ReplayLog(), 0
    left = {person: list(words) for person, words in script.items()}
    while True:
        asked: list[Request] = []
        try:
            return play(construct, log, left), halts
        except ModelFailed as failed:
            assert failed.problem.code == "LW690"
            halts += 1
            assert not asked
        taken: dict[str, int] = {}
        for line in log.lines:
            if isinstance(line, AnswerLine):
                person = line.request.split("/")[-2]
                taken[person] = taken.get(person, 0) + 1
        left = {person: words[taken.get(person, 0) :] for person, words in script.items()}
        log = ReplayLog(log.lines)


@pytest.mark.parametrize(
    ("signs", "fair", "outcome"),
    [
        (("yes", "yes"), ("yes", "yes"), "signed"),
        (("yes", "no"), ("yes", "yes"), "rejected"),
        (("yes", ""), ("yes", "yes"), "fair"),  # neither signed nor rejected
        (("", ""), ("", ""), ""),  # nobody voted: no tie is broken
        (("yes", ""), ("yes", "no"), "fair"),  # a tie of votes that were given
        (("", "yes"), ("", "yes"), "fair"),
    ],
)
def test_what_nobody_said_decides_nothing(signs: tuple[str, str], fair: tuple[str, str], outcome: str) -> None:
    construct = read_construct(FOLDER)
    game, halts = played_out(construct, replies(signs, fair))
    ended = [event.outcome for event in game.events if isinstance(event, Ended)]
    assert ended == ([outcome] if outcome else [""]) or (not outcome and not any(ended))
    reached = fair if outcome in ("fair", "") else ()
    assert halts == 3 * [*signs, *reached].count("")
    captured = [event for event in game.events if isinstance(event, Captured)]
    for event in captured:
        assert (event.source == "unanswered") == (event.value == "")
    assert {event.source for event in captured if event.name == "mood"} == {"unanswered"}  # it hangs on nothing
    for voted in (event for event in game.events if isinstance(event, Voted)):
        assert sum(voted.counts.values()) == len([vote for vote in fair if vote])
        assert voted.result in {vote for vote in fair if vote} | {"yes" if any(fair) else ""}


def test_a_run_that_is_gone_on_with_asks_again_and_goes_on() -> None:
    script = replies(("yes", ""), ("yes", "yes"))
    script["party-2"][4] = Reply(text=said("signs", "yes"))  # at the first time it is gone on with
    game, halts = played_out(read_construct(FOLDER), script)
    assert halts == 1
    assert [event.outcome for event in game.events if isinstance(event, Ended)] == ["signed"]


def test_prompts_say_who_gave_no_answer() -> None:
    construct = read_construct(FOLDER)
    game, _ = played_out(construct, replies(("yes", ""), ("yes", "yes")))
    last = next(request for request, _ in reversed(game.calls) if isinstance(request, Request))
    known = [one for one in last.view.knowledge.shown if one.name == "signs"]
    assert [(bool(entry["value"]), entry["silent"]) for entry in known[0].entries] == [(True, False), (False, True)]
    assert [entry["value"] for entry in last.view.variables["known"]["signs"]] == ["yes"]


def test_no_request_halts_that_silence_has_a_rule_for(tmp_path: Path) -> None:
    construct = read_construct(Path(__file__).parent / "constructs" / "asks_again_once_then_default")
    game = play(construct)
    assert not [request for request, _ in game.calls if isinstance(request, Request) and request.halts]
    assert {event.source for event in game.events if isinstance(event, Captured)} >= {"default"}
