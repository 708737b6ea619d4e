"""Write `web/src/types.ts`: the closed types of what the pages are sent, as TypeScript."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from pydantic import BaseModel

from legalworld.studio import responses, responses_assessed, responses_procedure, responses_run

FILE: Final = Path(__file__).parents[2] / "web" / "src" / "types.ts"
_HEAD: Final = (
    "// Written by tests/support/make_studio_types.py from legalworld/studio/responses*.py. Do not edit.\n\n"
    "export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };\n"
)
_PLAIN: Final = {str: "string", bool: "boolean", int: "number", float: "number", type(None): "null"}


def models(module: ModuleType) -> Iterator[type[BaseModel]]:
    """The types that a module declares, in their order."""
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, BaseModel) and value.__module__ == module.__name__:
            yield value


def typed(annotation: Any) -> str:
    """A type of Python as one of TypeScript. Raises TypeError for one that no response may have."""
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation.__name__
    if getattr(annotation, "__name__", "") == "JsonValue":
        return "Json"
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(map(typed, arguments))
    if origin is tuple and arguments[1:] == (...,):
        inner = typed(arguments[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is dict and arguments[0] is str:
        return f"{{ [key: string]: {typed(arguments[1])} }}"
    raise TypeError(f"no type of a response: {annotation!r}")


def written() -> str:
    """The whole file."""
    parts = [_HEAD]
    for module in (responses, responses_run, responses_assessed, responses_procedure):
        for model in models(module):
            model.model_rebuild()
            keys = "".join(f"  {name}: {typed(field.annotation)};\n" for name, field in model.model_fields.items())
            parts.append(
                f"/** {' '.join((model.__doc__ or '').split())} */\nexport interface {model.__name__} {{\n{keys}}}\n"
            )
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(written(), encoding="utf-8")
