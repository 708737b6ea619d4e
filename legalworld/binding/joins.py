"""Records of one file joined with those of others by a key: `join: {people: {file: people.csv, key: $.no, on: no}}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..language import diagnose
from ..language.sentences.keywords import truth
from ..language.yaml.nodes import MapNode, Node, Scalar
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from . import paths
from .paths import Path

_KEYS: Final = ("file", "key", "on", "one")


@immutable
class Join:
    """Under `name`, a record is given the records of `file` whose entry `on` is what stands at its `key`: a list, or
    with `one` the only one there is. `file`: as seen from the folder of the data."""

    name: str
    file: str
    key: Path
    on: str
    one: bool
    span: Span


def read_joins(node: Node | None) -> tuple[tuple[Join, ...], list[Diagnostic]]:
    """The joins of a binding, and what is wrong with them."""
    if node is None:
        return (), []
    if not isinstance(node, MapNode):
        return (), [diagnose.invalid_join(node.span, word="join", known=_KEYS)]
    found = [_join(entry.key.text, entry.value, entry.key.span) for entry in node.entries]
    wrong = [one for one in found if isinstance(one, Diagnostic)]
    return tuple(one for one in found if isinstance(one, Join)), wrong


def _join(name: str, node: Node, span: Span) -> Join | Diagnostic:
    if not isinstance(node, MapNode):
        return diagnose.invalid_join(node.span, word=name, known=_KEYS)
    texts: Mapping[str, str] = {e.key.text: e.value.text.strip() for e in node.entries if isinstance(e.value, Scalar)}
    strange = next((entry.key for entry in node.entries if entry.key.text not in _KEYS), None)
    key = paths.read(texts.get("key", ""))
    if strange is not None or not isinstance(key, Path) or not texts.get("file") or not texts.get("on"):
        place = strange.span if strange is not None else span
        return diagnose.invalid_join(place, word=strange.text if strange is not None else name, known=_KEYS)
    return Join(name, texts["file"], key, texts["on"], truth(texts.get("one", "no")) is True, span)
