"""What stands in each form of a data set, column by column, as its card tells `datasets`.

Without it the types are guessed from the first lines, and a column that is empty there cannot be filled later.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from .dataset_tables import FLAT, SOURCE, Columns, Kind

Feature = dict[str, Any]

_DTYPES: Final[Mapping[Kind, str]] = {"text": "string", "whole": "int64", "number": "float64"}


def _plain(columns: Columns) -> list[Feature]:
    return [
        {"name": name, "sequence": "string"} if kind == "texts" else {"name": name, "dtype": _DTYPES[kind]}
        for name, kind in columns
    ]


def _texts(*names: str) -> list[Feature]:
    return _plain(tuple((name, "text") for name in names))


def _source(*more: Feature) -> Feature:
    return {"name": "metadata", "struct": [*_plain(SOURCE), *more]}


_MESSAGE: Final = _texts("role", "content")
_CALLED: Final = [*_texts("id", "type"), {"name": "function", "struct": _texts("name", "arguments")}]
_CALLING: Final = [*_MESSAGE, {"name": "tool_calls", "list": _CALLED}, *_texts("tool_call_id")]
_TALK: Final = _source(*_texts("role", "thread", "model"))
_SCORES: Final = {"name": "scores", "struct": _plain((("chosen", "number"), ("rejected", "number")))}
_FEATURES: Final[Mapping[str, list[Feature]]] = {
    "chat": [{"name": "messages", "list": _MESSAGE}, _TALK],
    "sharegpt": [{"name": "conversations", "list": _texts("from", "value")}, _TALK],
    "preference": [
        *({"name": name, "list": _MESSAGE} for name in ("prompt", "chosen", "rejected")),
        _source(*_texts("role", "request"), _SCORES),
    ],
    "synthlaw": [
        {"name": "messages", "list": _MESSAGE},
        _source(*_texts("role", "stage", "model"), *_plain((("revised", "whole"),))),
    ],
    "sealed": [*_plain(SOURCE), {"name": "sealed", "dtype": "bool"}, *_texts("fields")],
    **{form: _plain(columns) for form, columns in FLAT.items()},
}


def front_matter(files: Mapping[str, str], calling: Iterable[str] = ()) -> str:
    """The head of a card, in YAML: form -> its file, and its columns. `calling`: the forms with calls of tools."""
    if not files:
        return ""
    configs = "".join(f"- config_name: {form}\n  data_files: {file}\n" for form, file in files.items())
    features = dict(_FEATURES) | {form: [{"name": "messages", "list": _CALLING}, _TALK] for form in calling}
    columns = "".join(
        f"- config_name: {form}\n  features: {json.dumps(features[form])}\n" for form in files if form in features
    )
    return f"---\nconfigs:\n{configs}dataset_info:\n{columns}---\n\n"
