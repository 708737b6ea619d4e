"""What a binding says of whole records: which it refuses, and what they hold that no field takes; each with the reason.

refuse: [{path: $.text, has: [APPELLANT], because: WHY}]
tell: [{path: $.mood, because: WHY}]
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Final

from ..language import diagnose
from ..language.yaml.nodes import ListNode, MapNode, Node, Scalar
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from . import paths
from .operators import scalars_of
from .paths import Match, Path
from .pieces import bound, wide

_KEYS: Final = ("path", "has", "because")
_SHOWN: Final = 40  # characters of what stands there that are told


@immutable
class RecordNote:
    """Of a record with one of the words `has` at `path`, `because` is said: a text, or one for each language.

    `{_}` in a word is some characters of one sentence. Without words: of a record with anything at the path.
    """

    path: Path
    has: tuple[str, ...]
    because: str | Mapping[str, str]

    def word_in(self, record: Match, missing: Collection[str]) -> str:
        """Return what stands at the path of a record by the first of the words that is there, "" for none of them."""
        found = [one.value for one in paths.find(self.path, record.value)]
        texts = [one for one in found if isinstance(one, str) and one.strip() not in missing]
        if not self.has:
            others = [json.dumps(one, ensure_ascii=False) for one in found if one and not isinstance(one, str)]
            return next((one.strip()[:_SHOWN] for one in (*texts, *others) if one.strip()), "")
        return next((said for word in self.has for text in texts if (said := _said(word, text))), "")


def _said(word: str, text: str) -> str:
    """Return a word with holes as it stands in a text, "" where it does not."""
    found = bound(word).search(wide(text))
    return text[found.start() : found.end()] or word if found is not None else ""


def read_notes(node: Node | None, *, words: bool) -> tuple[tuple[RecordNote, ...], list[Diagnostic]]:
    """Read what a binding says of whole records, and what is wrong with how it says so; `words`: each needs some."""
    if node is None:
        return (), []
    if not isinstance(node, ListNode):
        return (), [diagnose.invalid_refusal(node.span, known=_KEYS)]
    found = [_note(item, words) for item in node.items]
    wrong = [one for one in found if isinstance(one, Diagnostic)]
    return tuple(one for one in found if isinstance(one, RecordNote)), wrong


def _note(node: Node, words: bool) -> RecordNote | Diagnostic:
    wanted = ({*_KEYS},) if words else ({*_KEYS}, {"path", "because"})
    if not isinstance(node, MapNode) or {entry.key.text for entry in node.entries} not in wanted:
        return diagnose.invalid_refusal(node.span, known=_KEYS)
    entries = {entry.key.text: entry.value for entry in node.entries}
    texts = {name: value.text.strip() for name, value in entries.items() if isinstance(value, Scalar)}
    path = paths.read(texts.get("path", ""))
    has = [scalar.text.strip() for scalar in scalars_of(entries["has"])] if "has" in entries else None
    because = _reason(entries["because"])
    if not isinstance(path, Path) or not all(has or [""] if has is not None else ["-"]) or not because:
        return diagnose.invalid_refusal(node.span, known=_KEYS)
    return RecordNote(path, tuple(has or ()), because)


def _reason(node: Node) -> str | Mapping[str, str]:
    """Return why, as written, or by language where each has a text; "" for anything else."""
    if isinstance(node, Scalar):
        return node.text.strip()
    if not isinstance(node, MapNode):
        return ""
    said = {one.key.text.strip(): one.value.text.strip() for one in node.entries if isinstance(one.value, Scalar)}
    return said if len(said) == len(node.entries) and all(said) and all(said.values()) else ""


def refusals_of(notes: tuple[RecordNote, ...], record: Match, place: Span) -> list[Diagnostic]:
    """Return why a record is refused, empty where it is taken."""
    found = ((one, one.word_in(record, ())) for one in notes)
    return [
        diagnose.refused_record(place, because=one.because, path=one.path.text, word=word)
        for one, word in found
        if word
    ]


def told_of_record(
    notes: tuple[RecordNote, ...], record: Match, place: Span, missing: Collection[str]
) -> list[Diagnostic]:
    """Return a warning for each thing that a record holds and no field takes."""
    found = ((one, one.word_in(record, missing)) for one in notes)
    return [
        diagnose.untaken_content(place, because=one.because, field=one.path.text, text=word)
        for one, word in found
        if word
    ]
