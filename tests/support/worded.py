"""What is wrong with the words of a game, whatever its procedure: said twice, oddly spaced, or names of fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playing import Game, project

from legalworld.model.events import Drafted, Spoke

CJK = re.compile(r"[一-鿿]")
TOOLS = re.compile(r"【你可以用的工具】.*", re.DOTALL)
HEADING = re.compile(r"【[a-z_]+】")
BEFORE_COURT = ("LC", "CD", "DD", "AD", "AR")  # talks in a lawyer's office, and not a hearing
SHORT = 8  # 没有。 认可。 一致。


def said_twice(game: Game) -> Iterator[str]:
    """What somebody says again in one hearing in the same words."""
    said: set[tuple[str, str, str]] = set()
    for event in game.of(Spoke):
        stage = event.place.partition("/")[0]
        if stage in BEFORE_COURT or len(event.text) <= SHORT:
            continue
        words = (stage, event.person, event.text)
        if words in said:
            yield f"{event.place} {event.person}: {event.text}"
        said.add(words)


def odd_blanks(game: Game) -> Iterator[str]:
    """Documents with a doubled blank line, a doubled stop or a blank where none belongs."""
    for drafted in game.of(Drafted):
        odd = r"\n\n\n|。[。；，]|；。|[ \t]+$"
        if CJK.search(drafted.text):
            odd += "|[一-鿿。；，] +[一-鿿。；，]"
        yield from (f"{drafted.document}: {found!r}" for found in re.findall(odd, drafted.text, re.MULTILINE))


def raw_fields(spec: str, game: Game) -> set[str]:
    """Names of fields and keys where words belong: over what is known, and in it."""
    procedure = project(spec).procedure
    assert procedure is not None
    keys = {key for field in procedure.fields.values() for key in field.keys}
    raw = re.compile(rf"^(?:{'|'.join(sorted(keys))})：", re.MULTILINE)
    known = [TOOLS.sub("", message.content) for request in game.requests for message in request.messages]
    return {name for text in known for name in (*HEADING.findall(text), *raw.findall(text))}


def raw_answers(spec: str, game: Game) -> set[str]:
    """Names of answers and their values in a Chinese prompt, or in a reply of the offline actors to it."""
    procedure = project(spec).procedure
    assert procedure is not None
    if procedure.locale != "zh":
        return set()
    values = {value for answer in procedure.answers.values() for value in answer.values if value.isalpha()}
    raw = re.compile(rf"[【：](?:{'|'.join(filter(str.isascii, {*procedure.answers, *values}))})[：】]")
    told = [message.content for request in game.requests for message in request.messages]
    uncalled = {answer.called for answer in procedure.answers.values() if answer.called.isascii()}
    return uncalled | {name for text in (*told, *game.replies) for name in raw.findall(text)}
