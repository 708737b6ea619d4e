"""The values of a template while it runs: what may be asked of them, and what looking at them costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jinja2.runtime import Context, LoopContext, Undefined

from ..language import diagnose
from ..language.spelling import nearest
from ..model.case import MISSING, Missing
from ..model.diagnostics import Diagnostic
from ..model.source import Span
from .words import LOOP

MAX_OUTPUT: Final = 400_000
MAX_WORK: Final = 1_000_000
METER: Final = "__meter__"  # no template can say these two: names of the namespace are a closed list
PICK: Final = "__pick__"

SCAN: Final = 32  # characters of a text looked through for one unit of work


class RefusedValue(Exception):
    """What a template asks of a value and cannot have: a problem, given the place that asked and what it says there."""

    def __init__(self, problem: Callable[[Span, str], Diagnostic]) -> None:
        super().__init__(problem)
        self.problem = problem


class Meter:
    """Work left for one rendering, about one unit for each expression that is evaluated; and the files it has used."""

    __slots__ = ("left", "used")

    def __init__(self) -> None:
        self.left = MAX_WORK
        self.used: dict[str, None] = {}

    def charge(self, work: int) -> None:
        self.left -= work
        if self.left < 0:
            raise RefusedValue(lambda at, _: diagnose.template_limit_exceeded(at, limit=MAX_WORK))


def part(value: Any, key: Any) -> Any:
    """What `value.key` and `value["key"]` mean: an entry of a record or list, nothing of what is missing."""
    if type(value) is dict or isinstance(value, Mapping):  # what an abstract class holds takes longer to tell
        try:
            return value[key]
        except KeyError:
            raise RefusedValue(_no_key(key, nearest(str(key), [str(name) for name in value]))) from None
    if isinstance(value, Missing):
        return MISSING
    if isinstance(value, (tuple, list)) and type(key) is int:
        return value[key] if 0 <= key < len(value) else MISSING
    if isinstance(value, LoopContext) and key in LOOP.named:
        return getattr(value, key)
    exists(value)
    raise RefusedValue(_no_key(key))


def _no_key(key: Any, near: str | None = None) -> Callable[[Span, str], Diagnostic]:
    return lambda at, said: diagnose.unknown_template_key(at, owner=said, key=key, nearest=near)


def text(value: Any) -> str:
    """A value as words: texts and numbers are, what is missing is none, anything else has no words."""
    if isinstance(value, str):
        return value
    if type(value) in (int, float):
        return str(value)
    if isinstance(value, Missing):
        return ""
    exists(value)
    raise RefusedValue(lambda at, said: diagnose.unprintable_value(at, path=said))


def exists(value: Any) -> None:
    """Raises UndefinedError for a name that was not given."""
    if isinstance(value, Undefined):
        bool(value)


def entries_of(value: Any) -> Sequence[Any]:
    if isinstance(value, (tuple, list)):
        return value
    if isinstance(value, Missing) or value == "":
        return ()
    exists(value)
    raise RefusedValue(lambda at, said: diagnose.expected_template_list(at, path=said))


def charge(context: Context, work: int) -> None:
    context.parent[METER].charge(work)


def uses(context: Context, home: str) -> None:
    """Note that a rendering has come to a template or to a table of figures."""
    context.parent[METER].used[home] = None


def extent(value: Any) -> int:
    """The work of looking through a value."""
    if isinstance(value, str):
        return len(value) // SCAN
    if isinstance(value, (tuple, list, dict)):
        return len(value)
    return len(value) if isinstance(value, Mapping) else 0
