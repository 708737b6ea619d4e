"""Commas of a Chinese keyboard where YAML would part names or entries, and parts nothing: found, with the repair."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from ..model.diagnostics import Diagnostic
from . import diagnose
from .yaml.nodes import Scalar
from .yaml.repairs import shortened

_COMMA: Final = re.compile("[\uff0c\u3001]")
_ENTRY: Final = re.compile("([\uff0c\u3001])([^\uff0c\u3001:\uff1a]{1,30})[:\uff1a]")


def parted(names: Iterable[object]) -> Iterator[Diagnostic]:
    """Names hold no comma: one that does is several."""
    for name in names:
        wide = _COMMA.search(name.text) if isinstance(name, Scalar) and name.style == "plain" else None
        if isinstance(name, Scalar) and wide is not None:
            yield _told(name, wide.start(), _COMMA.sub(", ", name.text))


def swallowed(values: Iterable[object], may_be_key: Callable[[str], bool]) -> Iterator[Diagnostic]:
    """The first key that stands in the text of another one's value: a word behind a comma and before a colon."""
    for value in values:
        found = _ENTRY.finditer(value.text) if isinstance(value, Scalar) and value.style == "plain" else ()
        first = next((one for one in found if may_be_key(one[2].strip())), None)
        if isinstance(value, Scalar) and first is not None:
            before, behind = value.text[: first.start()], value.text[first.end() :]
            yield _told(value, first.start(), f"{before}, {first[2].strip()}: {behind.strip()}")


def _told(word: Scalar, at: int, repair: str) -> Diagnostic:
    return diagnose.fullwidth_sign(word.span.shifted(at, 1), sign=word.text[at], right=",", repair=shortened(repair))
