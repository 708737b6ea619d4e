"""How models set apart, in the text of a reply, what they think and which tools they call.

`known_dialect` is what comes with the package (`dialect.toml`). A project knows more marks of its models than we do:

    known_dialect().extended([{"opening": "<musing>", "closing": "</musing>"}])
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Self

from .immutable import immutable, replace


@immutable
class ThoughtMark:
    """The marks around a thought; any of `closings` ends it.

    `exact`: in this case of letters alone. `start`: before the first word alone. `in_prompt`: the opening may have
    stood in the prompt. `closed`: a plain word, which counts only where its closing stands further on; `glued`: or
    where a word follows it at once.
    """

    opening: str
    closings: tuple[str, ...]
    exact: bool = False
    start: bool = False
    in_prompt: bool = True
    closed: bool = False
    glued: bool = False

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """A mark from plain data: `opening`, `closing` (a text or several), `case`, `where`, `in_prompt`, `closed`,
        `glued`."""
        closing = row["closing"]
        return cls(
            row["opening"],
            (closing,) if isinstance(closing, str) else tuple(closing),
            row.get("case", "any") == "exact",
            row.get("where", "anywhere") == "start",
            row.get("in_prompt", True),
            row.get("closed", False),
            row.get("glued", False),
        )


@immutable
class CallForm:
    """A call as a model writes it: text with holes, and that of a parameter. `alone`: the reply holds nothing else."""

    form: str
    parameter: str = ""
    alone: bool = False

    @property
    def opening(self) -> str:
        """What stands before the first hole."""
        return self.form.partition("{")[0]

    @property
    def closing(self) -> str:
        """What stands behind the last hole ("" where the call ends with its arguments)."""
        return self.form.rpartition("}")[2]


@immutable
class Dialect:
    """The marks of a model. `words`: what is said stands between these; `dropped`: cut out; `ends`: cut off at the end;
    `spoken`: names of tags that hold no words and are spoken; `frames`: marks around calls.

    `name_keys`, `argument_keys`, `other_keys`: of a JSON object that is a call.
    """

    thoughts: tuple[ThoughtMark, ...]
    words: tuple[ThoughtMark, ...] = ()
    dropped: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    spoken: frozenset[str] = frozenset()
    frames: tuple[str, ...] = ()
    calls: tuple[CallForm, ...] = ()
    name_keys: tuple[str, ...] = ()
    argument_keys: tuple[str, ...] = ()
    other_keys: frozenset[str] = frozenset()

    def extended(self, thoughts: Iterable[Mapping[str, Any]], calls: Iterable[Mapping[str, str]] = ()) -> Dialect:
        """The dialect with more marks of thoughts and notations of calls (`form`, `parameter`) before those that it
        has; each is plain data."""
        marks = tuple(map(ThoughtMark.of, thoughts))
        forms = tuple(CallForm(row["form"], row.get("parameter", "")) for row in calls)
        if not marks and not forms:
            return self
        return replace(self, thoughts=(*marks, *self.thoughts), calls=(*forms, *self.calls))


@cache
def known_dialect() -> Dialect:
    """The marks that come with the package."""
    data = tomllib.loads((files(__package__) / "dialect.toml").read_text("utf-8"))
    named = ({"opening": f"<{name}>", "closing": f"</{name}>"} for name in data["names"])
    marks, json = data["marks"], data["json"]
    return Dialect(
        thoughts=tuple(map(ThoughtMark.of, (*named, *data["thoughts"]))),
        words=tuple(map(ThoughtMark.of, data["words"])),
        dropped=tuple(marks["dropped"]),
        ends=tuple(marks["ends"]),
        spoken=frozenset(marks["spoken"]),
        frames=tuple(marks["frames"]),
        calls=tuple(CallForm(**row) for row in data["calls"]),
        name_keys=tuple(json["name"]),
        argument_keys=tuple(json["arguments"]),
        other_keys=frozenset(json["beside"]),
    )
