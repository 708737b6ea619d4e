"""Answers that a command or a case gives to the offline actors, so that any ending can be reached."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ..engine.answers import typed
from ..language.sentences.references import NOBODY
from ..language.typed_values import yes_and_no
from ..model.events import Request
from ..model.immutable import immutable
from ..model.plan import Answer
from ..model.punctuation import Punctuation

GIVEN: Final = "--answer "
"""What stands, before the word that gave it, where a reply says what its words come of."""
_OCCURRENCE: Final = re.compile(r"#(\d+)$")


@immutable
class GivenAnswer:
    """`word`: as it was given (`agreed@Bob#2`); `about`: words, in lower case, each of which must name who is asked or
    what he is asked about; `time`: which time that the step is come to (0 = every time)."""

    word: str
    name: str
    value: str
    about: tuple[str, ...] = ()
    time: int = 0

    @property
    def exactness(self) -> int:
        """How closely it says when it is meant."""
        return len(self.about) + bool(self.time)

    def meets(self, request: Request) -> bool:
        """Return whether a request asks for this answer, of this person, about this item, this time."""
        answer = request.form.answer
        if answer is None or answer.name != self.name:
            return False
        return request.named.issuperset(self.about) and self.time in (0, _time_of(request))


def _time_of(request: Request) -> int:
    """Return which time the place of a request is come to, from 1."""
    found = _OCCURRENCE.search(request.id.rsplit("/", 2)[0])
    return int(found[1]) if found else 1


class Worded(NamedTuple):
    """A reply that holds an answer as it was given, and the word that gave it."""

    text: str
    word: str


def worded(given: Sequence[GivenAnswer], request: Request, usual: str, marks: Punctuation) -> Worded | None:
    """Return the reply of an offline actor to whom an answer is given; None where none is given for the request.

    Of several that are meant the one that says most closely when counts, of equals the later. The usual words stay
    where they come to the same answer; else they might say the opposite, and the answer alone is said.
    """
    answer = request.form.answer
    meant = [one for one in given if one.meets(request)]
    if answer is None or not meant:
        return None
    _, number = max((one.exactness, number) for number, one in enumerate(meant))
    chosen = meant[number]
    standing = answer_token(answer, marks).findall(usual)
    same = bool(standing) and typed(standing[-1], answer) == typed(chosen.value, answer)
    said = value_said(answer, chosen.value)
    words = usual if same else f"{answer.called}{marks.colon}{said}"
    return Worded(with_answer(words, answer, said, marks), chosen.word)


def value_said(answer: Answer, value: str) -> str:
    """Return a value as people say it in the language of the procedure."""
    if answer.among is not None and (meant := typed(value, answer)) is not None:
        return meant if isinstance(meant, str) else "; ".join(meant) or NOBODY[answer.locale == "zh"]
    if answer.form == "yes or no" and not answer.choice_titles:
        return yes_and_no(answer.locale)[value == "no"]
    return answer.said(value)


def answer_token(answer: Answer, marks: Punctuation) -> re.Pattern[str]:
    """Return the pattern of a token of an answer, its one group the value."""
    named = "|".join(map(re.escape, sorted(answer.names, key=len, reverse=True)))
    opening, closing = re.escape(marks.opening), re.escape(marks.closing)
    return re.compile(rf"{opening}(?:{named})\s*[:\uff1a](.*?){closing}", re.DOTALL)


def with_answer(text: str, answer: Answer, said: str, marks: Punctuation) -> str:
    """Return words with one answer given in them, in place of the one that stands there."""
    kept = answer_token(answer, marks).sub("", text).rstrip()
    return f"{kept}\n{marks.token(f'{answer.called}{marks.colon}{said}')}".lstrip()
