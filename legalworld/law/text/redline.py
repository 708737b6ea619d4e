"""Compares two legal documents by claim, evidence, issue, reasons and decision: what was added, dropped, changed.

Items of one kind are paired by likeness of their words; amounts and citations that changed are named by themselves.
Which words begin and end a part stands in `tables/parts.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any, Final, Literal

from ...model.immutable import immutable
from .amounts import amounts
from .citations import citations
from .lexicon import endings, pattern, table

LIKE: Final = 0.6
"""Share of common characters from which two items are taken for versions of one."""
MOST: Final = 200  # items of one kind that are compared
LONGEST: Final = 4_000  # characters of an item that are compared

Change = Literal["same", "changed", "added", "dropped"]


@immutable
class ComparedItem:
    """One claim, exhibit, issue or paragraph, in both documents or in one."""

    kind: str
    change: Change
    before: str
    after: str

    @property
    def pieces(self) -> tuple[tuple[Change, str], ...]:
        """The words in order: kept, dropped, added."""
        if self.change != "changed":
            return ((self.change, self.before or self.after),)
        pieces: list[tuple[Change, str]] = []
        for code, a, b, c, d in SequenceMatcher(None, self.before, self.after, autojunk=False).get_opcodes():
            if code == "equal":
                pieces.append(("same", self.before[a:b]))
            else:
                pieces += [("dropped", self.before[a:b])] if b > a else []
                pieces += [("added", self.after[c:d])] if d > c else []
        return tuple(pieces)


@immutable
class Comparison:
    """`items` by kind, in the order of the first document; amounts and citations: (only in the first, only in the
    second), as written."""

    items: tuple[ComparedItem, ...]
    amounts: tuple[tuple[str, ...], tuple[str, ...]]
    citations: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def same(self) -> bool:
        return all(item.change == "same" for item in self.items) and self.amounts == self.citations == ((), ())

    def as_data(self) -> dict[str, Any]:
        """For JSON: kind -> its items that are not the same, and how many are."""
        data: dict[str, Any] = {"same": self.same}
        for kind in dict.fromkeys(item.kind for item in self.items):
            mine = [item for item in self.items if item.kind == kind]
            data[kind] = {"same": sum(item.change == "same" for item in mine)}
            for change in ("changed", "added", "dropped"):
                data[kind][change] = [_pair(item) for item in mine if item.change == change]
        for name, pair in (("amounts", self.amounts), ("citations", self.citations)):
            data[name] = {"dropped": list(pair[0]), "added": list(pair[1])}
        return data


def _pair(item: ComparedItem) -> Any:
    return {"before": item.before, "after": item.after} if item.change == "changed" else item.before or item.after


def compare(first: str, second: str) -> Comparison:
    """What changed from the first document to the second. Never fails: what has no known parts is compared as one."""
    before, after = parts(first), parts(second)
    items: list[ComparedItem] = []
    for kind in dict.fromkeys((*before, *after)):
        items += _paired(kind, before.get(kind, ())[:MOST], after.get(kind, ())[:MOST])
    return Comparison(
        tuple(items),
        _only(_written(first, amounts(first)), _written(second, amounts(second))),
        _only(_written(first, citations(first)), _written(second, citations(second))),
    )


def _written(text: str, values: Sequence[Any]) -> list[str]:
    return [text[value.start : value.end] for value in values]


def _only(before: list[str], after: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What stands in one alone, each once, in order."""
    return (
        tuple(dict.fromkeys(text for text in before if text not in after)),
        tuple(dict.fromkeys(text for text in after if text not in before)),
    )


def _paired(kind: str, before: Sequence[str], after: Sequence[str]) -> Iterator[ComparedItem]:
    """Items side by side: the most alike first, each once."""
    pairs = ((a, b, _matcher(item, other)) for a, item in enumerate(before) for b, other in enumerate(after))
    likeness = sorted(
        ((matcher.ratio(), -a, -b) for a, b, matcher in pairs if matcher.real_quick_ratio() >= LIKE), reverse=True
    )
    match: dict[int, int] = {}
    for ratio, a, b in likeness:
        if ratio >= LIKE and -a not in match and -b not in match.values():
            match[-a] = -b
    for a, item in enumerate(before):
        other = after[match[a]] if a in match else ""
        change: Change = "dropped" if a not in match else "same" if _alike(item, other) else "changed"
        yield ComparedItem(kind, change, item, other)
    yield from (ComparedItem(kind, "added", "", other) for b, other in enumerate(after) if b not in match.values())


def _matcher(first: str, second: str) -> SequenceMatcher[str]:
    return SequenceMatcher(None, first[:LONGEST], second[:LONGEST], autojunk=False)


# ---- the parts of one document ---------------------------------------------------------------------------------------


def parts(text: str) -> Mapping[str, tuple[str, ...]]:
    """Kind -> its items, in order; paragraphs that belong to no known part stand under ""."""
    sections: dict[str, list[str]] = {}
    kind = ""
    for line in filter(None, map(_plain_line, text.splitlines())):
        heading = _kinds("headings").get(line.strip("：:#* "))
        if heading is not None:
            kind = heading
        elif line.startswith(endings("parts", "ends")):
            kind = ""
            sections.setdefault("", []).append(line)
        else:
            kind = _line(line, kind, sections)
    return {kind: tuple(items) for kind, items in sections.items()}


def _plain_line(line: str) -> str:
    """A line as its words; a row of a table is its cells, the rule below its head nothing."""
    line = line.strip()
    if pattern("parts", "ruler").fullmatch(line):
        return ""
    return pattern("parts", "cell").sub(" ", line).strip() if pattern("parts", "row").fullmatch(line) else line


def _alike(first: str, second: str) -> bool:
    """Whether two items have the same words, however they are spaced."""
    blank = pattern("parts", "blank")
    return first == second or blank.sub("", first) == blank.sub("", second)


def _line(line: str, kind: str, sections: dict[str, list[str]]) -> str:
    """One paragraph taken apart; the kind that the next one belongs to."""
    led = [(line.find(lead), lead, name) for lead, name in _kinds("leads").items() if lead in line]
    if not led:
        exhibit = pattern("parts", "exhibit").search(line) if not kind else None
        sections.setdefault(table("parts")["words"]["of_exhibits"] if exhibit else kind, []).extend(_items(line))
        return kind
    place, lead, name = min(led, key=lambda one: (one[0], -len(one[1])))
    if kind:
        sections.setdefault(kind, []).extend(_items(line[:place]))
    rest = line[place + len(lead) :].strip()
    if rest:
        name = _line(rest, name, sections)
    return name if not rest or name in table("parts")["words"]["going_on"] else ""


def _items(line: str) -> list[str]:
    """A paragraph by its numbers: 1. …；2. …； each without its number and the mark at its end."""
    pieces = [piece.strip(" ；。;") for piece in pattern("parts", "item").split(line)]
    return [piece for piece in pieces if piece]


@cache
def _kinds(place: Literal["headings", "leads"]) -> Mapping[str, str]:
    """Word that begins a part -> its kind."""
    return {word: kind for kind, words in table("parts")["kinds"].items() for word in words[place]}
