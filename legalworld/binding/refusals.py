"""Records that no procedure of a binding can play: `refuse: [{path: $.text, has: [APPELLANT], because: WHY}]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..language import diagnose
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from . import paths
from .operators import scalars_of
from .paths import Match, Path

_KEYS: Final = ("path", "has", "because")


@immutable
class Refusal:
    """A record with one of the words `has` at `path` is refused, and `because` is said of it: a text, or one for each
    language of readers."""

    path: Path
    has: tuple[str, ...]
    because: str | Mapping[str, str]

    def word_in(self, record: Match) -> str:
        """Return the first of the words that stands at the path of a record, "" for none."""
        texts = [found.value for found in paths.find(self.path, record.value) if isinstance(found.value, str)]
        return next((word for word in self.has if any(word in text for text in texts)), "")


def read_refusals(node: Node | None) -> tuple[tuple[Refusal, ...], list[Diagnostic]]:
    """Read what records a binding refuses, and what is wrong with how it says so."""
    if node is None:
        return (), []
    if not isinstance(node, ListNode):
        return (), [diagnose.invalid_refusal(node.span, known=_KEYS)]
    found = [_refusal(item) for item in node.items]
    wrong = [one for one in found if isinstance(one, Diagnostic)]
    return tuple(one for one in found if isinstance(one, Refusal)), wrong


def _refusal(node: Node) -> Refusal | Diagnostic:
    if not isinstance(node, MapNode) or {entry.key.text for entry in node.entries} != {*_KEYS}:
        return diagnose.invalid_refusal(node.span, known=_KEYS)
    entries = {entry.key.text: entry.value for entry in node.entries}
    texts = {name: value.text.strip() for name, value in entries.items() if isinstance(value, Scalar)}
    path = paths.read(texts.get("path", ""))
    has = [scalar.text.strip() for scalar in scalars_of(entries["has"])]
    because = _reason(entries["because"])
    if not isinstance(path, Path) or not all(has or [""]) or not because:
        return diagnose.invalid_refusal(node.span, known=_KEYS)
    return Refusal(path, tuple(has), because)


def _reason(node: Node) -> str | Mapping[str, str]:
    """Return why, as written, or by language where each has a text; "" for anything else."""
    if isinstance(node, Scalar):
        return node.text.strip()
    if not isinstance(node, MapNode):
        return ""
    said = {one.key.text.strip(): one.value.text.strip() for one in node.entries if isinstance(one.value, Scalar)}
    return said if len(said) == len(node.entries) and all(said) and all(said.values()) else ""


def refusals_of(refusals: tuple[Refusal, ...], record: Match, place: Span) -> list[Diagnostic]:
    """Return why a record is refused, empty where it is taken."""
    found = ((one, one.word_in(record)) for one in refusals)
    return [
        diagnose.refused_record(place, because=one.because, path=one.path.text, word=word)
        for one, word in found
        if word
    ]
