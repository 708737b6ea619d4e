"""What an author may write in a file, as frozen dataclasses, and the way from YAML nodes to them.

One-line fields stay `Scalar`s here: `parser` reads them when the declared names are known. Every surface knows the span
it was written at and the keys that were given. A field's type says what an author may write:

    Text                a scalar                      Text | None     the same, and it may be left out
    Texts               a scalar or a list of them    dict[str, X]    a mapping whose keys are the author's own names
    Names               the same: names; or a mapping from names to their titles
    X (a surface)       a mapping with known keys     tuple[X, ...]   a list of such mappings
    Node                anything
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar, dataclass_transform

from ..model.diagnostics import Diagnostic
from ..model.source import Span
from . import diagnose, wide_commas
from .spelling import nearest
from .yaml.nodes import ListNode, MapNode, Node, Scalar, misspelt_entry
from .yaml_keys import YAML_KEYS, in_the_language_of

Text = Scalar
Texts = tuple[Scalar, ...]
Names = dict[str, Scalar]
"""Name -> its title; where names alone are written, the name."""


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False, field_specifiers=(field,))
class _Declared:
    """Makes a dataclass of each class below it."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True, eq=False, repr=False)(cls)


class Surface(_Declared):
    """`given`: the attributes that the author wrote. `HEADED`: one key that is no property is the head of a step.

    `SHORT`: the attribute that a scalar gives where it stands for the whole mapping ("": none does).
    """

    HEADED: ClassVar[bool] = False
    SHORT: ClassVar[str] = ""

    span: Span
    given: frozenset[str] = frozenset()


_OURS = frozenset({"span", "given"})
_STEP_WORDS = frozenset({"head", "cue", "body", "arguments"})


class Shape(NamedTuple):
    """What an author may write in one place, read off a field's annotation.

    `of`: what each thing in a mapping or list is; `model`: the surface, where one is meant.
    """

    kind: Literal["text", "texts", "names", "node", "surface", "mapping", "list"]
    of: Shape | None = None
    model: type[Any] = object


class KnownKeys(NamedTuple):
    """What an author may write in a mapping that is read as a surface.

    `shapes` by attribute; the attributes that are `required`; `writable`: a key as an author may write it, words joined
    by `_`, -> its attribute (`pass` is kept in `pass_`).
    """

    shapes: Mapping[str, Shape]
    required: tuple[str, ...]
    writable: Mapping[str, str]


_KNOWN: dict[type[Any], KnownKeys] = {}


def known_keys(model: type[Any]) -> KnownKeys:
    """The keys of a surface, read off its annotations once."""
    if model not in _KNOWN:
        _KNOWN[model] = _read_off(model)
    return _KNOWN[model]


def _read_off(model: type[Any]) -> KnownKeys:
    shapes = {each.name: _read(str(each.type)) for each in fields(model) if each.name not in _OURS}
    plain = (each.name for each in fields(model) if each.default is MISSING and each.default_factory is MISSING)
    ours = _STEP_WORDS if model.HEADED else frozenset()
    writable = {name.removesuffix("_"): name for name in shapes if name not in ours}
    return KnownKeys(shapes, tuple(name for name in plain if name in shapes), writable)


def _read(annotation: str) -> Shape:
    """The shape that an annotation of the table above stands for; the annotations are never evaluated."""
    match annotation.removesuffix(" | None"):
        case "Text":
            return Shape("text")
        case "Texts":
            return Shape("texts")
        case "Names":
            return Shape("names")
        case "Node":
            return Shape("node")
        case word if word.startswith("dict[str, "):
            return Shape("mapping", _read(word.removeprefix("dict[str, ").removesuffix("]")))
        case word if word.startswith("tuple["):
            return Shape("list", _read(word.removeprefix("tuple[").removesuffix(", ...]")))
        case word:
            return Shape("surface", model=_surfaces(Surface)[word])


def _surfaces(model: type[Any]) -> dict[str, type[Any]]:
    """Every surface by its name, also those of other modules: a layout, a rubric."""
    found = {each.__name__: each for each in model.__subclasses__()}
    return found | {name: one for each in found.values() for name, one in _surfaces(each).items()}


@lru_cache(maxsize=4096)
def canonical(key: str) -> str:
    """The attribute that a YAML key stands for: `至多` and `at most` are `at_most`."""
    word = YAML_KEYS.get(key, key)
    return "_".join(word.replace("_", " ").split())


def spelt_twice(first: Scalar, again: Scalar) -> Diagnostic:
    """That one key is given in two spellings, in both languages or with `_` for a blank."""
    return diagnose.key_in_two_spellings(again.span, key=again.text, first=first.text, also=(first.span,))


Model = TypeVar("Model", bound=Surface)


def load(model: type[Model], node: Node, partial: bool = False) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The node as a surface, or every reason why not, each at its place.

    `partial`: what could be made of it, beside its problems. What is required and lacks is then empty and not `given`.
    """
    loader = _Loader(partial)
    found = loader.surface(model, node)
    return (None if loader.problems and not partial else found), tuple(loader.problems)


def load_as_meant(model: type[Model], node: Node) -> tuple[Model | None, tuple[Diagnostic, ...], bool]:
    """The node as a surface, where nothing but misspelt keys is wrong with it: each is taken for the one that was
    probably meant, so that what else is wrong in the file is found as well. Also whether any key was."""
    loader = _Loader(partial=False, meant=True)
    found = loader.surface(model, node)
    guessed = bool(loader.problems) and loader.guesses == len(loader.problems)
    return (found if guessed or not loader.problems else None), tuple(loader.problems), guessed


class _Loader:
    """Turns nodes into surfaces; what does not fit is a problem and left out, so that the rest is read too.

    `meant`: an unknown key is read as the nearest one, if that is not given; `guesses` counts them.
    """

    def __init__(self, partial: bool, meant: bool = False) -> None:
        self.problems: list[Diagnostic] = []
        self.partial = partial
        self.meant = meant
        self.guesses = 0

    def _report(self, problem: Diagnostic) -> None:
        self.problems.append(problem)

    def _unfit(self, node: Node, key: str) -> None:
        """A value of the wrong shape; a lost colon is often why."""
        lost = misspelt_entry(node) if isinstance(node, Scalar) else None
        self.problems.append(lost or diagnose.wrong_value_shape(node.span, key=key.replace("_", " ")))

    def surface(self, model: type[Model], node: Node, key: str = "") -> Model | None:
        if model.SHORT and isinstance(node, Scalar) and not node.empty:
            return self._made(model, {model.SHORT: node}, node.span)
        if not isinstance(node, MapNode):
            if key:
                self._unfit(node, key)
            else:
                self._report(diagnose.expected_mapping(node.span))
            return None
        values: dict[str, Any] = {}
        for written, name, value in self._entries(model, node):
            name = name or self._unknown(model, written, node)
            if name is not None:
                values[name] = self.value(known_keys(model).shapes[name], value, name)
        return self._made(model, values, node.span)

    def _entries(self, model: type[Surface], node: MapNode) -> Iterator[tuple[Scalar, str | None, Node]]:
        """Keys, the attributes they stand for, values; of a key that is given in two spellings, the first."""
        first: dict[str, Scalar] = {}
        for entry in node.entries:
            name = attribute(model, entry.key.text)
            if name is not None and first.setdefault(name, entry.key) is not entry.key:
                self._report(spelt_twice(first[name], entry.key))
            else:
                yield entry.key, name, entry.value

    def _made(self, model: type[Model], values: dict[str, Any], span: Span) -> Model | None:
        lacking = [name for name in known_keys(model).required if name not in values]
        free = {name for name in known_keys(model).shapes if name not in values and not model.HEADED}
        swallowed = list(wide_commas.swallowed(values.values(), lambda key: attribute(model, key) in free))
        self.problems += swallowed
        for name in lacking if not swallowed else ():
            if name == "head":
                self._report(diagnose.missing_sentence(span))
            else:
                self._report(diagnose.missing_key(span, key=name.replace("_", " ")))
        if lacking and not self.partial:
            return None
        empty = {name: _empty(known_keys(model).shapes[name], span) for name in lacking}
        return model(span=span, given=frozenset(values), **empty, **values)

    def _unknown(self, model: type[Surface], key: Scalar, node: MapNode) -> str | None:
        """Report a key; the attribute that it is taken for, if what it was meant for is known and not given."""
        known = in_the_language_of(key.text, sorted(name.replace("_", " ") for name in known_keys(model).writable))
        near = nearest(key.text, known)
        self._report(diagnose.unknown_key(key.span, key=key.text, known=known, nearest=near))
        name = attribute(model, near) if near and self.meant else None
        if name is None or name in {attribute(model, entry.key.text) for entry in node.entries}:
            return None
        self.guesses += 1
        return name

    def value(self, shape: Shape, node: Node, key: str) -> Any:
        """A node by the shape of its field."""
        match shape.kind:
            case "node":
                return node
            case "text":
                return self._text(node, key)
            case "texts":
                return self._list(lambda each: self._text(each, key), node, key, alone=True)
            case "names" if isinstance(node, MapNode):
                titles = self._mapping(self._text, node, key)
                return {entry.key.text: entry.key for entry in node.entries} | _said(titles)
            case "names":
                names = self._list(lambda each: self._text(each, key), node, key, alone=True)
                self.problems += wide_commas.parted(names)
                return {name.text: name for name in names if isinstance(name, Scalar)}
            case "surface" if shape.model.HEADED:
                return self.step(shape.model, node)
            case "surface":
                return self.surface(shape.model, node, key)
            case "mapping":
                return self._mapping(lambda each, name: self.value(inner_shape(shape), each, name), node, key)
            case "list":
                return self._list(lambda each: self.value(inner_shape(shape), each, key), node, key)

    def _text(self, node: Node, key: str) -> Scalar:
        if isinstance(node, Scalar):
            return node
        self._unfit(node, key)
        return Scalar("", node.span.shifted(0, 0))

    def _mapping(self, convert: Callable[[Node, str], Any], node: Node, key: str) -> dict[str, Any]:
        if not isinstance(node, MapNode):
            if not (isinstance(node, Scalar) and node.empty):
                self._unfit(node, key)
            return {}
        found = {entry.key.text: (entry.key, convert(entry.value, entry.key.text)) for entry in node.entries}
        return {name: _at(key, value) for name, (key, value) in found.items() if value is not None}

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

    def step(self, model: type[Model], node: Node) -> Model | None:
        """A step: its properties, and the one other key as `head` with `cue`, `body` or `arguments`."""
        if isinstance(node, Scalar):
            return self._made(model, {"head": node}, node.span)
        if isinstance(node, ListNode):
            self._unfit(node, "steps")
            return None
        values: dict[str, Any] = {}
        for written, name, value in self._entries(model, node):
            if name is not None:
                values[name] = self.value(known_keys(model).shapes[name], value, name)
            elif "head" in values:
                meant = self._unknown(model, written, node)
                if meant is not None:
                    values[meant] = self.value(known_keys(model).shapes[meant], value, meant)
            else:
                values |= {"head": written, **self._after_head(model, value)}
        return self._made(model, values, node.span)

    def _after_head(self, model: type[Surface], value: Node) -> dict[str, Any]:
        match value:
            case Scalar():
                return {} if value.empty else {"cue": value}
            case ListNode():
                return {"body": self._list(lambda each: self.step(model, each), value, "steps")}
            case MapNode():
                return {"arguments": self._mapping(self._text, value, "arguments")}


def _empty(shape: Shape, span: Span) -> Any:
    """What stands for a value that lacks."""
    match shape.kind:
        case "texts" | "list":
            return ()
        case "names" | "mapping":
            return {}
        case _:
            return Scalar("", span.shifted(0, 0))


def _at(key: Scalar, value: Any) -> Any:
    """A surface, or a list of them, that is declared under a name of its author's is where that name stands."""
    if isinstance(value, tuple):
        return tuple(_at(key, each) for each in value)
    return replace(value, span=key.span) if isinstance(value, Surface) else value


def _said(titles: Mapping[str, Any]) -> Names:
    """Those of some titles that say something."""
    return {name: title for name, title in titles.items() if isinstance(title, Scalar) and not title.empty}


def inner_shape(shape: Shape) -> Shape:
    """What each thing in a mapping or list is."""
    assert shape.of is not None
    return shape.of


def attribute(model: type[Surface], key: str) -> str | None:
    """The attribute that an author's key names in a model."""
    return known_keys(model).writable.get(canonical(key))


def keys_at(model: type[Surface], node: Node, key: str) -> tuple[str, ...]:
    """The keys that may stand beside a key of this name, as an author writes them in English, the first place that has
    it; those that are there are left out."""
    return next(_keys_at(Shape("surface", model=model), node, key), ())


def _keys_at(shape: Shape, node: Node, key: str) -> Iterator[tuple[str, ...]]:
    if isinstance(node, ListNode):
        inner = shape.of if shape.kind == "list" else shape
        for item in node.items if inner is not None else ():
            yield from _keys_at(inner, item, key)  # type: ignore[arg-type]
    elif isinstance(node, MapNode) and shape.kind == "surface":
        known = known_keys(shape.model)
        written = [entry.key.text for entry in node.entries]
        if key in written:
            given = {attribute(shape.model, each) for each in written}
            headless = shape.model.HEADED and all(each == key or attribute(shape.model, each) for each in written)
            yield (
                ()
                if headless and written[0] == key
                else tuple(name.replace("_", " ") for name, each in known.writable.items() if each not in given)
            )
        for entry in node.entries:
            name = attribute(shape.model, entry.key.text)
            if name is not None:
                yield from _keys_at(known.shapes[name], entry.value, key)
            elif shape.model.HEADED:
                yield from _keys_at(shape, entry.value, key) if isinstance(entry.value, ListNode) else ()
    elif isinstance(node, MapNode) and shape.kind == "mapping":
        for entry in node.entries:
            yield from _keys_at(inner_shape(shape), entry.value, key)


class WrittenKey(NamedTuple):
    """A key of a file that the language knows: where it stands, in what `model`, for which `attribute`, its value."""

    key: Scalar
    model: type[Surface]
    attribute: str
    value: Node


def written_keys(model: type[Surface], node: Node) -> Iterator[WrittenKey]:
    """The keys of a file that the language knows, in order; those below `changes` and other free values are not."""
    yield from _written(Shape("surface", model=model), node)


def _written(shape: Shape, node: Node) -> Iterator[WrittenKey]:
    if isinstance(node, ListNode):
        for item in node.items:
            yield from _written(inner_shape(shape) if shape.kind == "list" else shape, item)
    elif isinstance(node, MapNode) and shape.kind == "mapping":
        for entry in node.entries:
            yield from _written(inner_shape(shape), entry.value)
    elif isinstance(node, MapNode) and shape.kind == "surface":
        for entry in node.entries:
            name = attribute(shape.model, entry.key.text)
            if name is not None:
                yield WrittenKey(entry.key, shape.model, name, entry.value)
                yield from _written(known_keys(shape.model).shapes[name], entry.value)
            elif shape.model.HEADED and isinstance(entry.value, ListNode):
                yield from _written(shape, entry.value)
