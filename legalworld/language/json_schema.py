"""A JSON Schema of what an author may write, for editors that know YAML: keys in both languages, their values, names.

Names of a project go into it where they are given; else a name is any text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

from .sentences.keywords import KEYWORDS, YES_NO, YES_NO_WORDS
from .surfaces import Shape, Surface, canonical, inner_shape, known_keys
from .value_words import NAMES, TRUTH, Declared, words_of
from .yaml_keys import YAML_KEYS

Names = Mapping[Declared, Collection[str]]
Explain = Callable[[str], str]
"""Key as it is written in English -> what it means; an empty text where nobody says."""

_TEXT: Final[dict[str, Any]] = {"type": ["string", "number", "boolean", "null"]}
_YES_OR_NO: Final[dict[str, Any]] = {
    "anyOf": [
        {"enum": [*YES_NO, *(word for pair in YES_NO_WORDS.values() for word in pair)]},
        {"type": "boolean"},
        {"type": "string", "pattern": r"^\s*([Yy][Ee][Ss]|[Nn][Oo]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])\s*$"},
    ]
}
# The head of a step has a blank or a Chinese word, or is a word that stands alone.
_HEAD: Final[dict[str, Any]] = {"pattern": r"\s|[^\x00-\x7f]"}
_ALONE: Final = sorted({word for words in KEYWORDS.values() for word in words.en if word.isalpha()})


def json_schema(model: type[Surface], names: Names | None = None, explain: Explain = lambda key: "") -> dict[str, Any]:
    """The schema of files that are read as a surface."""
    root = _Schema(names or {}, explain)
    whole = root.of(Shape("surface", model=model), ("", ""))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole, "$defs": root.definitions}


class _Schema:
    """`definitions`: the schema of each surface that was met, by its name."""

    def __init__(self, names: Names, explain: Explain) -> None:
        self._names, self._explain = names, explain
        self.definitions: dict[str, Any] = {}

    def of(self, shape: Shape, place: tuple[str, str]) -> dict[str, Any]:
        """The schema of what stands in a place: (surface, attribute)."""
        match shape.kind:
            case "node":
                return {}
            case "text":
                return self._value(place)
            case "texts":
                value = self._value(place)
                return {"anyOf": [value, {"type": "array", "items": value}]}
            case "names":
                titles = {"type": "object", "additionalProperties": _TEXT}
                return {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}, titles]}
            case "surface":
                return self._reference(shape.model)
            case "mapping":
                inner = self.of(inner_shape(shape), ("", ""))
                return {"type": ["object", "null"], "additionalProperties": inner}
            case "list":
                return {"type": ["array", "null"], "items": self.of(inner_shape(shape), ("", ""))}

    def _value(self, place: tuple[str, str]) -> dict[str, Any]:
        if place in TRUTH:
            return _YES_OR_NO
        words = words_of(place)
        if place in NAMES:
            words = tuple(sorted(self._names.get(NAMES[place], ())))
        if not words:
            return _TEXT
        numbers = [int(word) for word in words if word.isdecimal()]
        return {"enum": [*words, *numbers]}

    def _reference(self, model: type[Any]) -> dict[str, Any]:
        if model.__name__ not in self.definitions:
            self.definitions[model.__name__] = {}
            self.definitions[model.__name__] = self._object(model)
        return {"$ref": f"#/$defs/{model.__name__}"}

    def _object(self, model: type[Surface]) -> dict[str, Any]:
        """One mapping: every spelling of its keys. A step has one key more, its head."""
        known = known_keys(model)
        properties = {
            key: self._explained(name, self.of(known.shapes[attribute], (model.__name__, attribute)))
            for name, attribute in known.writable.items()
            for key in spellings(name)
        }
        if model.HEADED:
            heads = {"anyOf": [{"enum": list(properties)}, _HEAD, {"enum": _ALONE}]}
            return {"type": ["object", "string"], "properties": properties, "propertyNames": heads}
        whole = {"type": "object", "properties": properties, "additionalProperties": False}
        required = [name for name in known.required if name in known.writable.values()]
        if required:
            whole["allOf"] = [{"anyOf": [{"required": [key]} for key in spellings(name)]} for name in required]
        if not model.SHORT:
            return whole
        alone = self._value((model.__name__, model.SHORT))
        return {"anyOf": [alone, whole]}

    def _explained(self, name: str, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema of a key's value with what the key means."""
        told = self._explain(name.replace("_", " "))
        if not told:
            return schema
        return {**schema, "description": told} if "$ref" not in schema else {"allOf": [schema], "description": told}


def spellings(name: str) -> Iterator[str]:
    """How a key may be written: in English, with blanks or `_`, and in Chinese."""
    yield name.replace("_", " ")
    if "_" in name:
        yield name
    yield from (chinese for chinese, english in YAML_KEYS.items() if canonical(english) == name)
