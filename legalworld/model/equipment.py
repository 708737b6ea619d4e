"""What persons work with: the tools they may call, the skills they may open, the memory they keep.

All of it is declared in specs. `OPERATIONS` are the generic things that a tool can do; a spec gives one a name, words,
persons, stages and limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, Final, Literal

from .conditions import Condition
from .immutable import immutable
from .source import Span

CALLS = 8  # a step, unless the spec says fewer: LegalWorld, appendix D.2
LONGEST_FIELD = 4000  # characters of a memory field, unless the spec says otherwise


@immutable
class Parameter:
    """One argument of an operation. `form`: text, or items (a list of records, or a text where the field is text).

    `longest`: characters at most.
    """

    name: str
    form: Literal["text", "items"] = "text"
    required: bool = True
    longest: int = 200


@immutable
class ToolUse:
    """One call of an operation that another package serves. `arguments`: as its parameters ask for them; `locale`: of
    the procedure; `day`: the one that has come in it, YYYY-MM-DD or "". Of the case it tells nothing."""

    arguments: Mapping[str, Any]
    locale: str = "zh"
    day: str = ""


@immutable
class Operation:
    """A generic thing that a tool can do. `outside`: it needs the world, so a driver answers it; `searches`: what the
    law library must hold for it to find anything.

    `serve`: what answers a call where another package adds the operation: text, or what JSON can hold.
    """

    parameters: tuple[Parameter, ...]
    outside: bool = False
    searches: Literal["", "article", "case"] = ""
    serve: Callable[[ToolUse], object] | None = None


_NAME = Parameter("name")
_QUERY = Parameter("query")
_FIELD = Parameter("field")
_CONTENT = Parameter("content", "items", longest=20_000)

OPERATIONS: Final[Mapping[str, Operation]] = {
    "load skill": Operation((_NAME,)),
    "read document": Operation((_NAME,)),
    "read memory": Operation((_FIELD,)),
    "revise memory": Operation((_FIELD, _CONTENT)),
    "expand memory": Operation((_FIELD, _CONTENT)),
    "export document": Operation((_NAME, Parameter("text", longest=60_000))),
    "compare documents": Operation((Parameter("first"), Parameter("second")), outside=True),
    "search articles": Operation((_QUERY, Parameter("law", required=False)), outside=True, searches="article"),
    "find article": Operation((Parameter("law"), Parameter("article")), outside=True),
    "search cases": Operation((_QUERY,), outside=True, searches="case"),
    "check citations": Operation((Parameter("text", longest=20_000),), outside=True),
}
SHIPPED: Final = SimpleNamespace(**{name.replace(" ", "_"): operation for name, operation in OPERATIONS.items()})
"""The same, as entry points name them."""


@immutable
class Tool:
    """An operation by the name that models call it. Empty selectors mean every kind, stage or act.

    `who`: kinds or roles; `limit`: calls a step; `says`: parameter -> what it is, in the author's words; `what`: the
    operation, as it was known when the spec was read; `when`: the condition under which there is such a tool.
    """

    name: str
    operation: str
    title: str
    does: str
    who: tuple[str, ...]
    stages: tuple[str, ...]
    acts: tuple[str, ...]
    limit: int
    says: Mapping[str, str]
    span: Span
    what: Operation
    when: Condition | None = None


@immutable
class MemoryField:
    """A field of a memory: text of at most `longest` characters, or (with `keys`) a list of records.

    `choices`: key -> the only values it may have; the first key names a record. `revise` replaces, `expand` appends.
    `when`: of options alone; where it does not hold, the case has no such field.
    """

    name: str
    title: str
    longest: int
    keys: tuple[str, ...]
    choices: Mapping[str, tuple[str, ...]]
    revise: bool
    expand: bool
    span: Span
    when: Condition | None = None


@immutable
class Memory:
    """What persons of a kind keep beyond a stage. They are asked to write (`cue`) at the end of each of `stages`.
    `off`: fields that the options of a case switch off, which are read as empty and offered to nobody."""

    kind: str
    cue: str
    when: Condition | None
    stages: tuple[str, ...]
    fields: Mapping[str, MemoryField]
    span: Span
    off: tuple[str, ...] = ()


@immutable
class Skill:
    """A card that says how a legal task is done. `who`: kinds or roles.

    It is shown when one of `who` is first asked for one of `acts` in one of `stages`, and by a tool that loads it.
    """

    name: str
    title: str
    who: tuple[str, ...]
    stages: tuple[str, ...]
    trigger: str
    acts: tuple[str, ...]
    task: str
    checklist: tuple[str, ...]
    output: str
    tools: tuple[str, ...]
    body: str
    span: Span
