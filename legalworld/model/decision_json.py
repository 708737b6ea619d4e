"""Decisions kept as JSON: one text for one value, read back or refused with its reason."""

from __future__ import annotations

import json
from typing import Final

from pydantic import ValidationError

from .decision import Decision
from .json_text import read_json, read_model

VERSION: Final = 1
_VERSION, _RECORD = "version", "record"


class UnknownVersion(ValueError):
    """The record was written by another version of the program; `version` is what it says, as text."""

    def __init__(self, version: str) -> None:
        super().__init__(version)
        self.version = version


class NoDecision(ValueError):
    """The record is none of a decision; `place` is the path of the part that is wrong, "" where it is all of it."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}")
        self.place = place


def decision_json(decision: Decision) -> str:
    """The one JSON text of a decision: keys in order, sums as texts, nothing that is empty."""
    said = decision.model_dump(mode="json", exclude_defaults=True)
    return json.dumps({_RECORD: said, _VERSION: VERSION}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def read_decision_json(text: str | bytes) -> Decision:
    """The decision of a JSON text.

    Raises UnknownVersion or NoDecision, and nothing else whatever the text.
    """
    try:
        record = read_json(text)
    except ValueError as error:
        raise NoDecision("", str(error)) from None
    if not isinstance(record, dict) or not {_RECORD, _VERSION} <= record.keys():
        raise NoDecision("", "keys")
    if type(record[_VERSION]) is not int or record[_VERSION] != VERSION:
        raise UnknownVersion(json.dumps(record[_VERSION], ensure_ascii=False)[:40])
    try:
        return read_model(Decision, json.dumps(record[_RECORD]))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        raise NoDecision("/".join(str(step) for step in first["loc"]), first["msg"]) from None
    except (RecursionError, ValueError) as error:
        raise NoDecision("", str(error)) from None
