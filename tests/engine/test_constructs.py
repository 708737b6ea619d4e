"""Every construct of the language has a folder: a spec, a case, a script of replies, and what comes of them.

`LW_BLESS=1` writes `expected.txt` anew; read the difference before you keep it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from goldens import compare
from ruamel.yaml import YAML
from scripted import CONSTRUCTS, SPEC, WORLD, Construct, Played, listing, play, read_construct, read_sources

from legalworld.language.link.linker import link
from legalworld.language.sentences import parser
from legalworld.language.sentences.keywords import KEYWORDS
from legalworld.language.sentences.norm_words import FORMULA_WORDS
from legalworld.language.yaml_keys import OF_CHECKS, OF_MODELS, OF_NORMS, OF_STUDIES, OF_TESTS, YAML_KEYS
from legalworld.model.events import EVENT, Cleaned, Errand, Message, Reply
from legalworld.runs.journal import AnswerLine, EventLine, Line
from legalworld.runs.loop import ReplayLog, replayed

FOLDERS = sorted(folder.parent for folder in CONSTRUCTS.glob("*/spec.yaml"))
# Both tests of a folder, then those of the next.
EACH = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name, scope="module")


@lru_cache(maxsize=1)
def opened(folder: Path) -> tuple[Construct, Played]:
    """A construct and how it was played, for the tests of one folder, which follow each other."""
    construct = read_construct(folder)
    return construct, play(construct)


def recorded(played: Played) -> list[Line]:
    """The events and answers as a journal would hold them."""
    lines: list[Line] = []
    for number, one in enumerate(played.record, 1):
        lines.append(AnswerLine(number, one[0].id, one[1]) if isinstance(one, tuple) else EventLine(number, one))
    return lines


@EACH
def test_construct(folder: Path) -> None:
    construct, played = opened(folder)
    text = "\n".join(listing(played.events, construct.script.prompts)) + "\n"
    assert not any(played.left.values()), f"never said: {played.left}\n{text}"
    compare(folder / "expected.txt", text)
    assert_threads_only_grow(played)
    assert_resumable(construct, played)


def assert_threads_only_grow(played: Played) -> None:
    """Each request repeats all that its thread was sent and has said, as its words are kept, then what it adds."""
    threads: dict[str, tuple[Message, ...]] = {}
    cleaned = {event.request: event.text for event in played.events if isinstance(event, Cleaned)}
    for request, reply in played.calls:
        if isinstance(request, Errand):
            continue
        assert request.messages == (*threads.get(request.thread, ()), *request.added)
        said = reply.text[: request.form.limit].strip() or ("" if reply.calls else "…")
        assert cleaned.get(request.id) != said, "only what differs is told"
        said = cleaned.get(request.id, said)
        threads[request.thread] = (*request.messages, Message(role="assistant", content=said, calls=reply.calls))


def assert_resumable(construct: Construct, played: Played) -> None:
    """Whatever was recorded before a stop, what follows is the same, and nobody is asked again."""
    lines = recorded(played)
    told: list[object] = []
    replayed(construct.game(), ReplayLog(lines), told.append)
    assert told == played.events
    for number in stops(lines):
        rest: dict[str, list[Reply]] = {}
        for request, reply in played.calls[sum(isinstance(each, AnswerLine) for each in lines[:number]) :]:
            rest.setdefault(WORLD if isinstance(request, Errand) else request.person, []).append(reply)
        again = play(construct, ReplayLog(lines[:number]), rest)
        assert again.events == played.events
        assert not any(again.left.values())


def stops(lines: list[Line]) -> list[int]:
    """Where answers were waited for, one place of each kind: what happened last, what was answered, what came of it.

    The interpreter never learns whether an answer was recorded; only what reads the record can differ.
    """
    kinds: dict[tuple[object, ...], int] = {}
    for number, line in enumerate(lines):
        if isinstance(line, AnswerLine):
            after = kind(lines[number + 1]) if number + 1 < len(lines) else None
            kinds.setdefault((kind(lines[number - 1]), bool(line.reply.calls), line.reply.cut, after), number)
    return list(kinds.values())


def kind(line: Line) -> type:
    return type(line.event) if isinstance(line, EventLine) else AnswerLine


@EACH
def test_events_survive_the_journal(folder: Path) -> None:
    for event in opened(folder)[1].events:
        assert EVENT.validate_json(event.model_dump_json()) == event


def keys_in(node: Any) -> Iterator[str]:
    """Every key of a mapping, at any depth."""
    for key in node if isinstance(node, dict) else ():
        yield str(key)
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from keys_in(inner)


# Keys of the head of a card that has grown: no construct of a procedure, and written by the program (tests/skills).
OF_CARDS = {"grown", "version", "parents", "runs", "cases", "rubric", "before", "after", "date", "by"}


def test_every_key_stands_in_a_construct_in_both_languages() -> None:
    files = [
        file for folder in FOLDERS for file in folder.rglob("*.yaml") if file.name not in ("script.yaml", "case.yaml")
    ]
    written = {key for file in files for key in keys_in(YAML(typ="safe").load(file.read_text(encoding="utf-8")))}
    others = {**OF_MODELS, **OF_CHECKS, **OF_NORMS, **OF_STUDIES, **OF_TESTS}
    keys = {word: key for word, key in YAML_KEYS.items() if key not in OF_CARDS and word not in others}
    assert {key for key in keys.values() if key not in written} == set()
    chinese = {key for word, key in keys.items() if word in written}
    assert set(keys.values()) - chinese == set()


def test_every_word_of_sentences_stands_in_a_construct_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    said: set[tuple[str, str]] = set()
    settled = parser._settled

    def heard(node: Any, words: list[Any], line: Any) -> Any:
        said.update((word.type, "".join(word.split())) for word in words)
        return settled(node, words, line)

    monkeypatch.setattr(parser, "_settled", heard)
    for folder in FOLDERS:
        link(read_sources(folder), SPEC)
    missing = {
        (kind, column[0])
        for kind, spellings in KEYWORDS.items()
        if kind not in FORMULA_WORDS  # words of norms (tests/norms)
        for column in spellings
        if column and not any((kind, "".join(word.split())) in said for word in column)
    }
    assert missing == set()


def test_a_record_in_hand_is_seen_by_whom_it_is_open_to() -> None:
    """No template of the construct reads it: the checker would refuse that. A view must not hold it all the same."""
    seen = {}
    for request, _ in play(read_construct(CONSTRUCTS / "item_in_hand")).calls:
        item = request.view.variables["step"]["item"]
        answers = [answer["item"] for answer in request.view.variables["known"].get("mark", ())]
        place = request.id.split(".")[1].split("/")[0]
        seen[place] = (bool(item), [bool(one) for one in answers])
    assert seen == {
        "guess": (False, []),
        "blue_guess": (False, [False]),
        "red_says": (True, [True]),
        "show": (True, [True]),
        "blue_says": (True, [True]),
        "mark": (True, [True]),
    }


def test_a_secret_vote_stays_with_the_voter() -> None:
    """Neither his reasons nor his vote stands in what another is sent, or in what another could see."""
    played = play(read_construct(CONSTRUCTS / "secret_vote"))
    said = [(request.person, reply.text.split()[0]) for request, reply in played.calls if "SECRET" in reply.text]
    assert len(said) == 8
    for request, _ in played.calls:
        assert not isinstance(request, Errand)
        seen = " ".join(message.content for message in request.messages)
        assert not [secret for person, secret in said if person != request.person and secret in seen]
        votes = request.view.knowledge.votes
        assert all(not vote["counts"] and not vote["votes"] for vote in votes)
        assert request.person != "judge" or all(not vote["mine"] for vote in votes)
