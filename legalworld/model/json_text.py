"""JSON read: the one place where the package parses what may have been written by anybody.

Nothing but ValueError is raised, whatever the depth of a text or the length of its numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel, TypeAdapter

ModelT = TypeVar("ModelT", bound="BaseModel")
ReadT = TypeVar("ReadT")


_HALF: Final = b"\\ud"  # how an escaped half of a pair begins
_LOOSE: Final = json.JSONDecoder(strict=False)


class TooDeep(ValueError):
    """Lists and tables nest deeper than a parser can follow."""


def read_json(text: str | bytes, *, constant: Callable[[str], Any] | None = None) -> Any:
    """The value of a JSON text; `constant`: what becomes of NaN and the infinities."""
    try:
        return json.loads(text, parse_constant=constant)
    except RecursionError:
        raise TooDeep("nested too deeply") from None


def read_clean(text: str | bytes) -> Any:
    """The value of a JSON text that was written by the package: halves of surrogate pairs are refused."""
    value = read_json(text)
    if _HALF in (text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")).lower():
        json.dumps(value, ensure_ascii=False).encode()
    return value


def read_texts(text: str | bytes) -> Any:
    """The value of a JSON text, every number and constant in it as it was written."""
    try:
        return json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except RecursionError:
        raise TooDeep("nested too deeply") from None


def read_first(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at a place of a text, as `read_texts` reads it, and where it ends."""
    try:
        return json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str).raw_decode(text, start)
    except RecursionError:
        raise TooDeep("nested too deeply") from None


def read_loose(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at a place of a text, and where it ends; line ends may stand in its strings as they are."""
    try:
        return _LOOSE.raw_decode(text, start)
    except RecursionError:
        raise TooDeep("nested too deeply") from None


def read_model(kind: type[ModelT], text: str | bytes) -> ModelT:
    """The value of a pydantic model that was kept as JSON."""
    return kind.model_validate_json(text)


def read_typed(kind: TypeAdapter[ReadT], text: str | bytes) -> ReadT:
    """The value of any type that was kept as JSON; strictly, as it was written."""
    return kind.validate_json(text, strict=True)
