"""How a value of a procedure reads in a difference: persons, conditions and answers in words, the rest as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import get_args

from ..model.actors import Actor, FieldRef, Room
from ..model.ast import ConductCheck
from ..model.conditions import Condition, TokenSaid
from ..model.plan import Answer
from ..model.procedure import OffRecord
from ..model.source import Span
from ..model.value_types import ValueType
from .protocol_steps import room
from .protocol_words import Phrases

NOTHING = "–"


def shown(value: object, phrases: Phrases) -> str:
    """A value in words; – for nothing."""
    if value is None or value == "" or value == () or value == 0:
        return NOTHING
    if isinstance(value, get_args(Actor)):
        return phrases.actor(value)
    if isinstance(value, TokenSaid):
        return phrases.word("says", who=phrases.actor(value.actor), token=phrases.token(value.token))
    if isinstance(value, get_args(Condition)):
        return phrases.condition(value)
    match value:
        case bool():
            return phrases.yes_or_no("yes" if value else "no")
        case FieldRef():
            return phrases.field(value)
        case Answer():
            return f"{value.called}{phrases.marks.colon}{phrases.form(value)}"
        case Room():
            return phrases.joined(room(value, phrases))
        case OffRecord():
            return phrases.actors(value.actors)
        case ValueType():
            return f"{value.name} ({phrases.listed(value.choices)})" if value.choices else value.name
        case ConductCheck():
            return phrases.check(value)
        case tuple() | list() | frozenset():
            items = sorted(map(str, value)) if isinstance(value, frozenset) else value
            return phrases.listed([shown(one, phrases) for one in items])
        case Mapping():
            return phrases.listed([f"{key}{phrases.marks.colon}{shown(one, phrases)}" for key, one in value.items()])
        case _:
            return _plain(value, phrases)


def _plain(value: object, phrases: Phrases) -> str:
    """A value of any other type: a text as it is, of a record what it holds."""
    if not is_dataclass(value):
        return str(value)
    held = [getattr(value, one.name) for one in fields(value) if one.compare]
    return phrases.listed(
        [shown(one, phrases) for one in held if not isinstance(one, Span) and one not in (None, "", ())]
    )
