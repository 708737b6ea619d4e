"""The YAML surface of a spec as pydantic models, and the way from nodes to them.

One-line fields stay `Scalar`s here: `parser` reads them when the declared names are known. Every model knows the span
it was written at; what pydantic finds wrong is translated back to that place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from .diagnostics import nearest
from .keywords import YAML_KEYS
from .reader import ListNode, MapNode, Node, Scalar, misspelt_entry
from .source import Problem, Span


class Table(dict[str, Any]):
    """A mapping on its way into a model: canonical keys, the span of the whole and of each key."""

    def __init__(self, span: Span) -> None:
        super().__init__()
        self.span = span
        self.key_spans: dict[str, Span] = {}


def _listed(value: object) -> object:
    if isinstance(value, Scalar):
        return [] if value.empty else [value]
    return value


_TEXT_SCHEMA = WithJsonSchema({"type": ["string", "number", "boolean", "null"]})
Text = Annotated[Scalar, _TEXT_SCHEMA]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_listed)]


class Surface(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, strict=False)
    span: Annotated[Span, WithJsonSchema({"type": "object"})] = Field(exclude=True, repr=False)


class CaseField(Surface):
    title: Text | None = None
    path: Text
    per: Text | None = None
    each: Text | None = None
    keys: Texts = ()
    required: Text | None = None
    evaluation_only: Text | None = None


class RoleSurface(Surface):
    title: Text | None = None
    kind: Text | None = None
    side: Text | None = None
    represents: Text | None = None
    persona: Text | None = None
    named: Text | None = None
    each: Text | None = None
    assigned: Text | None = None
    formerly: Text | None = None


class OptionSurface(Surface):
    title: Text | None = None
    choices: Texts = ()
    default: Text
    basis: Texts = ()


class DocumentSurface(Surface):
    title: Text
    per: Text | None = None
    basis: Texts = ()
    sections: Texts = ()


class ConductSurface(Surface):
    rule: Text
    title: Text | None = None
    who: Text | None = None
    acts: Texts = ()
    stages: Texts = ()
    documents: Texts = ()
    check: Text


class ModelSurface(Surface):
    temperature: Text | None = None
    top_p: Text | None = None
    max_tokens: Text | None = None


class StepSurface(Surface):
    """`head` is the one key of a step that is no property; its value is the cue, a body, or arguments."""

    head: Text
    cue: Text | None = None
    body: tuple[StepSurface, ...] | None = None
    arguments: dict[str, Text] | None = None
    id: Text | None = None
    prompt: Text | None = None
    basis: Texts = ()
    when: Text | None = None
    until: Text | None = None
    at_most: Text | None = None
    produces: Text | None = None
    call: Text | None = None
    close: Text | None = None
    pass_: Text | None = Field(None, alias="pass")
    answer: Text | None = None
    default: Text | None = None
    outcome: Text | None = None


class PhaseSurface(Surface):
    phase: Text
    title: Text | None = None
    basis: Texts = ()
    when: Text | None = None
    hooks: Text | None = None
    off_the_record: Text | None = None
    steps: tuple[StepSurface, ...] = ()


class StageSurface(Surface):
    stage: Text
    title: Text | None = None
    basis: Texts = ()
    when: Text | None = None
    budget: Text | None = None
    present: Text | None = None
    before_each_phase: tuple[StepSurface, ...] = ()
    after_each_phase: tuple[StepSurface, ...] = ()
    steps: tuple[StepSurface, ...] = ()
    phases: tuple[PhaseSurface, ...] = ()


class PartSurface(Surface):
    title: Text | None = None
    needs: Texts = ()
    before_each_phase: tuple[StepSurface, ...] = ()
    after_each_phase: tuple[StepSurface, ...] = ()
    phases: tuple[PhaseSurface, ...] = ()


class SpecSurface(Surface):
    """A procedure file, or a file that one includes (then without `procedure`)."""

    lw: Text
    procedure: Text | None = None
    title: Text | None = None
    source: Text | None = None
    locale: Text | None = None
    example: Text | None = None
    law: Texts = ()
    include: Texts = ()
    model: ModelSurface | None = None
    case: dict[str, CaseField] = {}
    kinds: dict[str, Text] = {}
    roles: dict[str, RoleSurface] = {}
    target: Texts = ()
    options: dict[str, OptionSurface] = {}
    documents: dict[str, DocumentSurface] = {}
    personas: dict[str, Text] = {}
    visibility: Text | None = None
    conduct: tuple[ConductSurface, ...] = ()
    stages: tuple[StageSurface, ...] = ()
    parts: dict[str, PartSurface] = {}


class DimensionSurface(Surface):
    title: Text
    levels: dict[str, Text]


class PersonaSurface(Surface):
    lw: Text
    persona: Text
    title: Text | None = None
    source: Text | None = None
    dimensions: dict[str, DimensionSurface]
    redistribution: Annotated[Any, WithJsonSchema({"type": "object"})] = None


@cache
def attributes(model: type[Surface]) -> frozenset[str]:
    """The keys an author may write in this model, words joined by `_`."""
    return frozenset(field.alias or name for name, field in model.model_fields.items()) - {"span"}


_STEP_WORDS = frozenset({"head", "cue", "body", "arguments"})
_BY_AUTHOR = frozenset(
    {"case", "kinds", "roles", "options", "documents", "personas", "parts", "arguments", "dimensions", "levels"}
)


def canonical(key: str) -> str:
    """The attribute that a YAML key stands for: `至多` and `at most` are `at_most`."""
    word = YAML_KEYS.get(key, key)
    return "_".join(word.replace("_", " ").split())


def _tables(node: Node, author: bool = False, inside: str = "") -> Any:
    """Nodes as tables and lists. `author`: the keys are the author's own names; `inside`: the key we are below."""
    match node:
        case Scalar():
            return node
        case ListNode():
            convert = _step if inside in _STEP_LISTS else _tables
            return [convert(item) for item in node.items]
        case MapNode():
            table = Table(node.span)
            for entry in node.entries:
                key = entry.key.text if author else canonical(entry.key.text)
                table.key_spans[key] = entry.key.span
                table[key] = _tables(entry.value, not author and key in _BY_AUTHOR, key)
            if not author:
                table["span"] = node.span
            return table


_STEP_LISTS = frozenset({"steps", "before_each_phase", "after_each_phase"})


def _step(node: Node) -> Any:
    """A step: its properties, and the one other key as `head` with `cue`, `body` or `arguments`."""
    if isinstance(node, ListNode):
        return _tables(node)
    table = Table(node.span)
    table["span"] = node.span
    if isinstance(node, Scalar):
        table["head"] = node
        return table
    for entry in node.entries:
        key = canonical(entry.key.text)
        if key in attributes(StepSurface) - _STEP_WORDS:
            table[key] = _tables(entry.value, False, key)
            table.key_spans[key] = entry.key.span
        elif "head" in table:
            table[entry.key.text] = entry.key
            table.key_spans[entry.key.text] = entry.key.span
        else:
            table["head"] = entry.key
            _value(table, entry.value)
    return table


def _value(table: Table, value: Node) -> None:
    match value:
        case Scalar():
            table["cue"] = None if value.empty else value
        case ListNode():
            table["body"] = [_step(item) for item in value.items]
        case MapNode():
            table["arguments"] = _tables(value, True, "arguments")


Model = TypeVar("Model", bound=Surface)


def load(model: type[Model], node: Node) -> tuple[Model | None, tuple[Problem, ...]]:
    """The node as a model, or every reason why not, each at its place."""
    if not isinstance(node, MapNode):
        return None, (Problem("LW040", node.span, {}),)
    table = _tables(node)
    try:
        return model.model_validate(table), ()
    except ValidationError as error:
        return None, tuple(_translate(model, table, found) for found in error.errors(include_url=False))


def _translate(model: type[Surface], table: Table, found: Mapping[str, Any]) -> Problem:
    """One of pydantic's errors, in the author's words and at the author's place."""
    location = [part for part in found["loc"] if not (isinstance(part, str) and part.startswith("function-"))]
    here, owner, last = _follow(table, location)
    word = str(location[-1]) if location else ""
    match found["type"]:
        case "extra_forbidden":
            span = owner.key_spans.get(word, owner.span)
            return Problem("LW041", span, {"key": word}, nearest(word, _known_keys(model, location[:-1])))
        case "missing" if word == "head":
            return Problem("LW043", owner.span, {})
        case "missing":
            return Problem("LW042", owner.span, {"key": word.replace("_", " ")})
        case _:
            entry = misspelt_entry(found["input"]) if isinstance(found["input"], Scalar) else None
            return entry or Problem("LW044", here, {"key": last})


def _follow(table: Table, location: list[Any]) -> tuple[Span, Table, str]:
    """The span at a location of the tables, the innermost table that holds it, and its key."""
    owner, value, key, span = table, table, "", table.span
    current: Any = value
    for part in location:
        if isinstance(current, Table):
            owner = current
            key = str(part)
            span = current.key_spans.get(key, current.span)
            current = current.get(key)
        elif isinstance(current, list) and isinstance(part, int) and part < len(current):
            current = current[part]
        else:
            break
        span = getattr(current, "span", span)
    return span, owner, key.replace("_", " ")


def _known_keys(model: type[Surface], location: list[Any]) -> tuple[str, ...]:
    """The keys the author may write at this location, as one writes them."""
    current: Any = model
    for part in location:
        if isinstance(part, int):
            continue
        fields = getattr(current, "model_fields", {})
        inner = [_inner(field.annotation) for name, field in fields.items() if (field.alias or name) == part]
        current = inner[0] if inner and inner[0] else current
    found: Callable[..., frozenset[str]] = attributes
    return tuple(sorted(key.replace("_", " ") for key in found(current)))


def _inner(annotation: Any) -> Any:
    """The model inside an annotation such as `tuple[StepSurface, ...] | None`, if there is one."""
    if isinstance(annotation, type) and issubclass(annotation, Surface):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        if (inner := _inner(part)) is not None:
            return inner
    return None
