"""The YAML surface of a spec as frozen dataclasses, and the way from nodes to them.

One-line fields stay `Scalar`s here: `parser` reads them when the declared names are known. Every surface knows the span
it was written at and the keys that were given. A field's type says what an author may write:

    Text                a scalar                      Text | None     the same, and it may be left out
    Texts               a scalar or a list of them    dict[str, X]    a mapping whose keys are the author's own names
    X (a surface)       a mapping with known keys     tuple[X, ...]   a list of such mappings
    Node                anything
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Literal, NamedTuple, TypeVar

from ..model.diagnostics import Diagnostic
from ..model.source import Span
from . import diagnose
from .diagnostics import nearest
from .sentences.keywords import YAML_KEYS
from .yaml.nodes import ListNode, MapNode, Node, Scalar, misspelt_entry

Text = Scalar
Texts = tuple[Scalar, ...]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Surface:
    """`given`: the attributes that the author wrote."""

    span: Span
    given: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CaseField(Surface):
    title: Text | None = None
    path: Text
    per: Text | None = None
    each: Text | None = None
    keys: Texts = ()
    required: Text | None = None
    evaluation_only: Text | None = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
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


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class OptionSurface(Surface):
    title: Text | None = None
    choices: Texts = ()
    default: Text
    basis: Texts = ()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DocumentSurface(Surface):
    title: Text
    per: Text | None = None
    basis: Texts = ()
    sections: Texts = ()
    required: Texts = ()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ConductSurface(Surface):
    rule: Text
    title: Text | None = None
    who: Text | None = None
    acts: Texts = ()
    stages: Texts = ()
    documents: Texts = ()
    check: Text


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ModelSurface(Surface):
    temperature: Text | None = None
    top_p: Text | None = None
    max_tokens: Text | None = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
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
    pass_: Text | None = None
    answer: Text | None = None
    default: Text | None = None
    outcome: Text | None = None
    as_: Text | None = None
    topics: Text | None = None
    topic: Text | None = None
    checklist: Text | None = None
    done: Text | None = None
    reviewed_by: Text | None = None
    reviews: Text | None = None
    approve: Text | None = None
    scores: Texts = ()
    score_range: Text | None = None
    drafts: Text | None = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PhaseSurface(Surface):
    phase: Text
    title: Text | None = None
    basis: Texts = ()
    when: Text | None = None
    hooks: Text | None = None
    off_the_record: Text | None = None
    steps: tuple[StepSurface, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class StageSurface(Surface):
    stage: Text
    title: Text | None = None
    basis: Texts = ()
    when: Text | None = None
    budget: Text | None = None
    present: Text | None = None
    minutes: Text | None = None
    before_each_phase: tuple[StepSurface, ...] = ()
    after_each_phase: tuple[StepSurface, ...] = ()
    steps: tuple[StepSurface, ...] = ()
    phases: tuple[PhaseSurface, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PartSurface(Surface):
    title: Text | None = None
    needs: Texts = ()
    before_each_phase: tuple[StepSurface, ...] = ()
    after_each_phase: tuple[StepSurface, ...] = ()
    phases: tuple[PhaseSurface, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ToolSurface(Surface):
    operation: Text | None = None
    title: Text | None = None
    does: Text | None = None
    who: Texts = ()
    stages: Texts = ()
    acts: Texts = ()
    at_most: Text | None = None
    when: Text | None = None
    parameters: dict[str, Text] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MemoryFieldSurface(Surface):
    title: Text | None = None
    at_most: Text | None = None
    keys: Texts = ()
    choices: dict[str, Texts] = field(default_factory=dict)
    write: Text | None = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MemorySurface(Surface):
    cue: Text
    when: Text | None = None
    stages: Texts = ()
    fields: dict[str, MemoryFieldSurface]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TasksSurface(Surface):
    """A part of a checklist."""

    stage: Text
    title: Text | None = None
    items: Texts = ()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SpecSurface(Surface):
    """A procedure file, or a file that one includes (then without `procedure`)."""

    lw: Text
    procedure: Text | None = None
    title: Text | None = None
    source: Text | None = None
    locale: Text | None = None
    example: Text | None = None
    law: Texts = ()
    law_at: Texts = ()
    include: Texts = ()
    model: ModelSurface | None = None
    case: dict[str, CaseField] = field(default_factory=dict)
    kinds: dict[str, Text] = field(default_factory=dict)
    roles: dict[str, RoleSurface] = field(default_factory=dict)
    target: Texts = ()
    options: dict[str, OptionSurface] = field(default_factory=dict)
    documents: dict[str, DocumentSurface] = field(default_factory=dict)
    personas: dict[str, Text] = field(default_factory=dict)
    visibility: Text | None = None
    conduct: tuple[ConductSurface, ...] = ()
    stages: tuple[StageSurface, ...] = ()
    parts: dict[str, PartSurface] = field(default_factory=dict)
    tools: dict[str, ToolSurface] = field(default_factory=dict)
    tool_calls: Text | None = None
    skills: Texts = ()
    memory: dict[str, MemorySurface] = field(default_factory=dict)
    checklists: dict[str, tuple[TasksSurface, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SkillSurface(Surface):
    """A card in `skills/`."""

    lw: Text
    skill: Text
    title: Text
    who: Texts = ()
    stages: Texts = ()
    trigger: Text
    acts: Texts = ()
    task: Text
    checklist: Texts = ()
    output: Text
    tools: Texts = ()
    body: Text | None = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DimensionSurface(Surface):
    title: Text
    levels: dict[str, Text]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ProfileSurface(Surface):
    title: Text
    levels: dict[str, Text]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PersonaSurface(Surface):
    lw: Text
    persona: Text
    title: Text | None = None
    source: Text | None = None
    dimensions: dict[str, DimensionSurface]
    profiles: dict[str, ProfileSurface] = field(default_factory=dict)
    redistribution: Node | None = None


_OURS = frozenset({"span", "given"})
_STEP_WORDS = frozenset({"head", "cue", "body", "arguments"})


class Shape(NamedTuple):
    """What an author may write in one place, read off a field's annotation; `of` is the surface meant, if one is."""

    kind: Literal[
        "text", "texts", "node", "surface", "mapping", "texts by name", "lists by name", "parts by name", "list"
    ]
    of: type[Any] | None = None


class _Known(NamedTuple):
    """What `load` needs to know of a surface: attribute -> shape, and which must be given."""

    shapes: Mapping[str, Shape]
    required: tuple[str, ...]


_KNOWN: dict[type[Any], _Known] = {}


def _known(model: type[Any]) -> _Known:
    if model not in _KNOWN:
        shapes = {each.name: _read(str(each.type)) for each in fields(model) if each.name not in _OURS}
        plain = (each.name for each in fields(model) if each.default is MISSING and each.default_factory is MISSING)
        _KNOWN[model] = _Known(shapes, tuple(name for name in plain if name in shapes))
    return _KNOWN[model]


def _read(annotation: str) -> Shape:
    """The shape that an annotation of the table above stands for; the annotations are never evaluated."""
    word = annotation.removesuffix(" | None")
    match word:
        case "Text":
            return Shape("text")
        case "Texts":
            return Shape("texts")
        case "Node":
            return Shape("node")
        case "dict[str, Text]":
            return Shape("texts by name")
        case "dict[str, Texts]":
            return Shape("lists by name")
    if word.startswith("dict[str, tuple["):
        return Shape("parts by name", globals()[word.removeprefix("dict[str, tuple[").removesuffix(", ...]]")])
    inner = word.removeprefix("dict[str, ").removeprefix("tuple[").removesuffix("]").removesuffix(", ...")
    kind: Literal["surface", "mapping", "list"] = "surface"
    if inner != word:
        kind = "mapping" if word.startswith("dict") else "list"
    return Shape(kind, _surfaces(Surface)[inner])


def _surfaces(model: type[Any]) -> dict[str, type[Any]]:
    """Every surface by its name, also those of other modules: a layout, a rubric."""
    found = {each.__name__: each for each in model.__subclasses__()}
    return found | {name: one for each in found.values() for name, one in _surfaces(each).items()}


def attributes(model: type[Surface]) -> frozenset[str]:
    """The keys an author may write in this model, words joined by `_`."""
    words = frozenset(name.removesuffix("_") for name in _known(model).shapes)
    return words - _STEP_WORDS if model is StepSurface else words


def canonical(key: str) -> str:
    """The attribute that a YAML key stands for: `至多` and `at most` are `at_most`."""
    word = YAML_KEYS.get(key, key)
    return "_".join(word.replace("_", " ").split())


Model = TypeVar("Model", bound=Surface)


def load(model: type[Model], node: Node) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The node as a surface, or every reason why not, each at its place."""
    loader = _Loader()
    found = loader.surface(model, node)
    return (None if loader.problems else found), tuple(loader.problems)


class _Loader:
    """Turns nodes into surfaces; what does not fit is a problem and left out, so that the rest is read too."""

    def __init__(self) -> None:
        self.problems: list[Diagnostic] = []

    def _report(self, problem: Diagnostic) -> None:
        self.problems.append(problem)

    def _unfit(self, node: Node, key: str) -> None:
        """A value of the wrong shape; a lost colon is often why."""
        lost = misspelt_entry(node) if isinstance(node, Scalar) else None
        self.problems.append(lost or diagnose.wrong_value_shape(node.span, key=key.replace("_", " ")))

    def surface(self, model: type[Model], node: Node, key: str = "") -> Model | None:
        if not isinstance(node, MapNode):
            if key:
                self._unfit(node, key)
            else:
                self._report(diagnose.expected_mapping(node.span))
            return None
        values: dict[str, Any] = {}
        for entry in node.entries:
            name = _attribute(model, entry.key.text)
            if name is None:
                self._unknown(model, entry.key)
            else:
                values[name] = self.value(_known(model).shapes[name], entry.value, name)
        return self._made(model, values, node.span)

    def _made(self, model: type[Model], values: dict[str, Any], span: Span) -> Model | None:
        lacking = [name for name in _known(model).required if name not in values]
        for name in lacking:
            if name == "head":
                self._report(diagnose.missing_sentence(span))
            else:
                self._report(diagnose.missing_key(span, key=name.replace("_", " ")))
        return None if lacking else model(span=span, given=frozenset(values), **values)

    def _unknown(self, model: type[Surface], key: Scalar) -> None:
        known = sorted(name.replace("_", " ") for name in attributes(model))
        self._report(diagnose.unknown_key(key.span, key=key.text, nearest=nearest(key.text, known)))

    def value(self, shape: Shape, node: Node, key: str) -> Any:
        """A node by the shape of its field."""
        match shape.kind:
            case "node":
                return node
            case "text":
                return self._text(node, key)
            case "texts":
                return self._list(lambda each: self._text(each, key), node, key, alone=True)
            case "texts by name":
                return self._mapping(self._text, node, key)
            case "lists by name":
                return self._mapping(lambda each, name: self.value(Shape("texts"), each, name), node, key)
            case "parts by name":
                return self._mapping(lambda each, name: self.value(Shape("list", shape.of), each, name), node, key)
            case "mapping":
                return self._mapping(lambda each, name: self.surface(_of(shape), each, name), node, key)
            case "list" if shape.of is StepSurface:
                return self._list(self.step, node, key)
            case "list":
                return self._list(lambda each: self.surface(_of(shape), each, key), node, key)
            case "surface":
                return self.surface(_of(shape), node, key)

    def _text(self, node: Node, key: str) -> Node:
        if not isinstance(node, Scalar):
            self._unfit(node, key)
        return node

    def _mapping(self, convert: Callable[[Node, str], Any], node: Node, key: str) -> dict[str, Any]:
        if not isinstance(node, MapNode):
            if not (isinstance(node, Scalar) and node.empty):
                self._unfit(node, key)
            return {}
        found = {entry.key.text: convert(entry.value, entry.key.text) for entry in node.entries}
        return {name: value for name, value in found.items() if value is not None}

    def _list(self, convert: Callable[[Node], Any], node: Node, key: str, alone: bool = False) -> tuple[Any, ...]:
        """A list; with `alone`, one thing may stand for a list of one."""
        if isinstance(node, Scalar):
            if node.empty:
                return ()
            if alone:
                return (node,)
        if not isinstance(node, ListNode):
            self._unfit(node, key)
            return ()
        return tuple(value for each in node.items if (value := convert(each)) is not None)

    def step(self, node: Node) -> StepSurface | None:
        """A step: its properties, and the one other key as `head` with `cue`, `body` or `arguments`."""
        if isinstance(node, Scalar):
            return StepSurface(span=node.span, given=frozenset({"head"}), head=node)
        if isinstance(node, ListNode):
            self._unfit(node, "steps")
            return None
        values: dict[str, Any] = {}
        for entry in node.entries:
            name = _attribute(StepSurface, entry.key.text)
            if name is not None:
                values[name] = self.value(_known(StepSurface).shapes[name], entry.value, name)
            elif "head" in values:
                self._unknown(StepSurface, entry.key)
            else:
                values |= {"head": entry.key, **self._after_head(entry.value)}
        return self._made(StepSurface, values, node.span)

    def _after_head(self, value: Node) -> dict[str, Any]:
        match value:
            case Scalar():
                return {} if value.empty else {"cue": value}
            case ListNode():
                return {"body": self._list(self.step, value, "steps")}
            case MapNode():
                return {"arguments": self._mapping(self._text, value, "arguments")}


def _of(shape: Shape) -> type[Any]:
    assert shape.of is not None
    return shape.of


def _attribute(model: type[Surface], key: str) -> str | None:
    """The attribute that an author's key names in a model; `pass` is kept in `pass_`."""
    name = canonical(key)
    return next(
        (
            each
            for each in (name, name + "_")
            if each.removesuffix("_") in attributes(model) and each in _known(model).shapes
        ),
        None,
    )


# ---- for editors -----------------------------------------------------------------------------------------------------


def json_schema(model: type[Surface]) -> dict[str, Any]:
    """A JSON Schema of what an author may write, English and Chinese keys alike: completion and checks while typing."""
    definitions: dict[str, Any] = {}
    root = _schema(Shape("surface", model), definitions)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **root, "$defs": definitions}


_ANY_TEXT: dict[str, Any] = {"type": ["string", "number", "boolean", "null"]}


def _schema(shape: Shape, definitions: dict[str, Any]) -> dict[str, Any]:
    match shape.kind:
        case "node":
            return {}
        case "text":
            return _ANY_TEXT
        case "texts":
            return {"anyOf": [_ANY_TEXT, {"type": "array", "items": _ANY_TEXT}]}
        case "texts by name":
            return {"type": "object", "additionalProperties": _ANY_TEXT}
        case "lists by name":
            return {"type": "object", "additionalProperties": _schema(Shape("texts"), definitions)}
        case "parts by name":
            return {"type": "object", "additionalProperties": _schema(Shape("list", shape.of), definitions)}
        case "mapping":
            return {"type": "object", "additionalProperties": _reference(_of(shape), definitions)}
        case "list":
            return {"type": "array", "items": _reference(_of(shape), definitions)}
        case "surface":
            return _reference(_of(shape), definitions)


def _reference(model: type[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if model.__name__ not in definitions:
        definitions[model.__name__] = {}
        definitions[model.__name__] = _object(model, definitions)
    return {"$ref": f"#/$defs/{model.__name__}"}


def _object(model: type[Surface], definitions: dict[str, Any]) -> dict[str, Any]:
    """One mapping: every spelling of its keys. A step may have one key more, its head."""
    ours = _STEP_WORDS if model is StepSurface else frozenset()
    shapes = {name.removesuffix("_"): shape for name, shape in _known(model).shapes.items() if name not in ours}
    spellings = {key: canonical(key) for key in (*YAML_KEYS, *shapes, *(name.replace("_", " ") for name in shapes))}
    known = {key: _schema(shapes[name], definitions) for key, name in spellings.items() if name in shapes}
    if model is StepSurface:
        return {"type": ["object", "string"], "properties": known}
    return {"type": "object", "properties": known, "additionalProperties": False}
