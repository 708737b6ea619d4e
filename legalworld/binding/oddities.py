"""Values that were taken and hardly can be meant: a sentence for a name, the court's words in a party's mouth."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Set
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from ..model.case import Case, Record, Sided, Value, texts
from ..model.immutable import immutable
from ..model.procedure import Procedure

OddKind = Literal["no_name", "too_long", "not_his", "outcome"]
_NAME: Final = "name"
_SHOWN: Final = 40
_MARKS: Final = re.compile("[\uff0c,\u3002\uff1b;\u3001\n\uff08\uff09()]")


@immutable
class Oddity:
    """`field`: FIELD or FIELD.SIDE; `word`: what gave it away; `text`: the beginning of the value."""

    field: str
    kind: OddKind
    word: str
    text: str


@cache
def _words() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "oddities.toml").read_text("utf-8"))


def oddities(procedure: Procedure, case: Case) -> Iterator[Oddity]:
    """What is odd in the values that somebody may see."""
    words = _words()
    named = {
        *words["naming"]["fields"],
        *(name for role in procedure.roles.values() for name in (role.each, role.named)),
    }
    penalties = _penalties(case)
    for name, value in case.fields.items():
        for side, one in value.values.items() if isinstance(value, Sided) else (("", value),):
            place = f"{name}.{side}" if side else name
            if name in named:
                yield from _odd_names(place, one)
            if name in words["length"]["fields"]:
                yield from _long_claims(place, one)
            yield from _foreign(place, one, name not in words["voice"]["fields"], penalties)


def _odd_names(place: str, value: Value) -> Iterator[Oddity]:
    rules = _words()["naming"]
    for record in value if isinstance(value, tuple) else (value,):
        for text in texts(record, _NAME if isinstance(record, Record) else ""):
            verb = next((verb for verb in rules["verbs"] if verb in text), "")
            if verb or len(text) > rules["longest"]:
                yield Oddity(place, "no_name", verb, text[:_SHOWN])


def _long_claims(place: str, value: Value) -> Iterator[Oddity]:
    for text in texts(value):
        if len(text) > _words()["length"]["longest"]:
            yield Oddity(place, "too_long", str(len(text)), text[:_SHOWN])


def _foreign(place: str, value: Value, parties: bool, penalties: Set[str]) -> Iterator[Oddity]:
    """The court's words, and the punishments of the sealed outcome."""
    for text in texts(value):
        for word in _words()["voice"]["words"] if parties else ():
            if word in text:
                yield Oddity(place, "not_his", word, _around(text, word))
                break
        for word in sorted(penalties):
            if word in text:
                yield Oddity(place, "outcome", word, _around(text, word))
                break


def _around(text: str, word: str) -> str:
    start = max(text.find(word) - _SHOWN // 4, 0)
    return text[start : start + _SHOWN]


def _penalties(case: Case) -> set[str]:
    """The punishments in the sealed values, as they are written there: a word for one, and a figure."""
    rules = _words()["penalties"]
    found = set()
    for value in case.sealed.values():
        for one in value.values.values() if isinstance(value, Sided) else (value,):
            for piece in (piece.strip() for text in texts(one) for piece in _MARKS.split(text)):
                starts = [at for word in rules["words"] if (at := piece.find(word)) >= 0]
                penalty = piece[min(starts) :] if starts else ""
                if any(figure in penalty for figure in rules["figures"]):
                    found.add(penalty)
    return found
