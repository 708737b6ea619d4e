"""Values that were taken and hardly can be meant: of another shape, the court's words or its decision among them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from ..model.case import Case, Record, Sided, Value, texts
from ..model.immutable import immutable
from ..model.procedure import Procedure
from .joined_names import may_be_several
from .outcome import OutcomeReader, SealedOutcome, all_texts
from .shapes import PARTY, TextShape, shape_of

OddKind = Literal["no_name", "too_long", "misshapen", "not_his", "tells_end"]
_NAME: Final = "name"
_SENTENCE: Final = "sentence"
_SHOWN: Final = 40


@immutable
class Oddity:
    """`field`: FIELD or FIELD.SIDE, with .KEY where that is of another shape; `word`: what gave it away; `text`: the
    beginning of the value; `shape`: the one that it should have."""

    field: str
    kind: OddKind
    word: str
    text: str
    shape: str = ""


@cache
def _words() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "oddities.toml").read_text("utf-8"))


def outcome_of(
    sealed: Mapping[str, Value | Sided], reader: OutcomeReader, shown: Mapping[str, Value | Sided]
) -> SealedOutcome:
    """The outcome of a record. Sentences are looked for where no punishment is: who convicts says again what he
    was told. `shown`: the other fields, among them a decision below that everybody is given."""
    rules = _words()["decided"]
    decided = {name: value for name, value in sealed.items() if name not in rules["restated"]}
    known = [text for name in rules["given"] if name in shown for text in all_texts(shown[name])]
    return SealedOutcome(sealed, reader, decided, re.compile(rules["cites"]), known)


def oddities(
    procedure: Procedure, case: Case, own: Mapping[str, TextShape], outcome: SealedOutcome
) -> Iterator[Oddity]:
    """What is odd in the values that somebody may see. `own`: the shapes that the binding gives to places."""
    parties = _parties(procedure)
    own_account = _words()["voice"]["fields"]
    for name, value in case.fields.items():
        for side, one in value.values.items() if isinstance(value, Sided) else (("", value),):
            place = f"{name}.{side}" if side else name
            for key, text in _placed(one):
                shape = shape_of(".".join(filter(None, (place, key))), own, parties)
                fault = shape.fault(text) if shape is not None and text else None
                if shape is not None and fault is not None:
                    yield _misshapen(place, key, text, (shape.name, fault))
                elif shape is not None and shape.name == PARTY and may_be_several(text):
                    yield Oddity(place, "no_name", "", text[:_SHOWN], PARTY)
            yield from _court_words(place, one, name) if name not in own_account else ()
            yield from _decided(place, one, outcome) if name not in _words()["decided"]["except"] else ()


def _parties(procedure: Procedure) -> frozenset[str]:
    """The places by whose texts persons are named: FIELD.name, or FIELD itself."""
    fields = {name for role in procedure.roles.values() for name in (role.each, role.named) if name}
    return frozenset((*fields, *(f"{name}.{_NAME}" for name in fields)))


def _placed(value: Value) -> Iterator[tuple[str, str]]:
    """Each text of a field with the key it stands under, "" for none."""
    for record in value if isinstance(value, tuple) else (value,):
        if isinstance(record, Record):
            yield from ((key, text) for key in record for text in texts(record[key]))
        else:
            yield from (("", text) for text in texts(record))


def _misshapen(place: str, key: str, text: str, of: tuple[str, str]) -> Oddity:
    shape, fault = of
    if shape in (PARTY, "person", "company"):
        return Oddity(place, "no_name", fault, text[:_SHOWN], shape)
    if shape == _SENTENCE and fault.isdecimal():
        return Oddity(place, "too_long", fault, text[:_SHOWN], shape)
    return Oddity(f"{place}.{key}" if key else place, "misshapen", fault, text[:_SHOWN], shape)


def _court_words(place: str, value: Value, field: str) -> Iterator[Oddity]:
    """Words of a court in what somebody else says; who speaks of a decision below may quote it."""
    voice = _words()["voice"]
    words = (*voice["words"], *(() if field in voice["of_below"] else voice["below"]))
    for text in texts(value):
        word = next((word for word in words if word in text), "")
        if word:
            yield Oddity(place, "not_his", word, _around(text, word))


def _decided(place: str, value: Value, outcome: SealedOutcome) -> Iterator[Oddity]:
    """What the sealed decision says word for word."""
    for text in texts(value):
        if told := outcome.told_in(text):
            yield Oddity(place, "tells_end", told[:_SHOWN], text[:_SHOWN])


def _around(text: str, word: str) -> str:
    start = max(text.find(word) - _SHOWN // 4, 0)
    return text[start : start + _SHOWN]
