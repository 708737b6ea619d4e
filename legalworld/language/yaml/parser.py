"""The parser of YAML underneath: a text to its events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def events(text: str) -> Iterator[Any]:
    """Parser events with marks, from libyaml where it is installed, else from ruamel's own parser."""
    try:
        from ruamel.yaml.cyaml import CParser  # type: ignore[attr-defined]
    except ImportError:
        from ruamel.yaml import YAML

        return iter(YAML(typ="safe", pure=True).parse(text))
    return iter(CParser(text).get_event, None)


def first_fault(text: str) -> int:
    """The 0-based line at which the structure of a text first does not hold, or where text runs on from the line above;
    the number of lines where all is well."""
    from ruamel.yaml.error import YAMLError

    try:
        for event in events(text):
            plain = type(event).__name__ == "ScalarEvent" and not event.style
            if plain and event.end_mark.line != event.start_mark.line:
                return int(event.start_mark.line) + 1
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return int(mark.line) if mark is not None else 0
    except ValueError:  # an escape that is no character, as in `!%ff`
        return 0
    return text.count("\n") + 1


def reads_well(text: str) -> bool:
    """Whether a group in brackets is well as YAML reads it: every entry of it has a key and something behind it."""
    from ruamel.yaml.error import YAMLError

    try:
        scalars = [event for event in events(text) if type(event).__name__ == "ScalarEvent"]
    except (YAMLError, ValueError):
        return False
    return all(scalar.value or scalar.style for scalar in scalars)
