"""Who the parties of a document are: its head, read entry by entry, each under the label of its part in the case."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Final

from ...model.case import Record
from ..metrics.values import MissingScore, Reason
from .rule import RuleInput, RuleResult
from .texts import normal

FIELDS: Final = ("name", "gender", "birth", "address", "representative")
RECALL: Final = "recall"
SHORT: Final = 4  # letters, fewer than which a token has that names its field and a value of one letter
STRETCHED: Final = 6  # letters, from which a name is called by a part of it
LONGEST: Final = 100  # letters of a name that are compared
NUMBERED: Final = 3  # figures of the number of a party, at most
_TOKEN: Final = re.compile(r"[^\s:：,，、;；.。()（）*#]+")
_PIECES: Final = re.compile("[\\n;；]")
_DATE: Final = re.compile(r"(\d{4})\s*\D{1,2}(\d{1,2})\s*\D{1,2}(\d{1,2})")


def identified(case: RuleInput) -> RuleResult | MissingScore:
    """The mean over parties of the share of their particulars that stand in their entries (LongJud-Bench, J1, MASER).

    An entry begins with a label of `under`, numbered or not (a plaintiff's particulars under the defendant's label
    count for nothing), has the name first, and ends where a label of `until`, the next entry or the name of another
    begins. `fields`: what is compared, of what the case tells: each is there as it is told, or it is not. Dates are
    compared as dates. Another person of the case under such a label counts as one more of whom nothing is right; with
    `as: recall` it does not, as in the papers. A particular that is told in two ways is told in none.
    """
    persons = [value for value in _records(case.reference) if value.get("name")]
    if not persons:
        return MissingScore(Reason.NO_REFERENCE)
    names = {normal(str(person["name"])) for person in persons}
    found = _entries(case.text, case.arguments.get("under", ()), case.arguments.get("until", ()))
    entries = [one for entry in found for one in _apart(entry, names)]
    fields = case.arguments.get("fields") or FIELDS
    strange = [] if case.argument("as") == RECALL else _strangers(case, entries, persons)
    shares, lacking = [], [f"+ {name}" for name in strange]
    for person in persons:
        told = {name: str(person[name]) for name in fields if person.get(name)}
        entry = next((entry for entry in entries if _names(entry, told["name"])), "") if "name" in told else ""
        wrong = [name for name, value in told.items() if not _has(entry, name, value, _values(case, name))]
        shares.append(1 - len(wrong) / len(told))
        lacking += [f"{told.get('name', '')}: {', '.join(wrong)}"] if wrong else []
    return RuleResult(sum(shares) / (len(shares) + len(strange)), "; ".join(lacking)[:400])


def _values(case: RuleInput, field: str) -> Set[str]:
    """What the persons of the case have in a field."""
    return {normal(str(person.record.get(field) or "")) for person in case.stored.persons.values()}


def _strangers(case: RuleInput, entries: Sequence[str], persons: Sequence[Mapping[str, object]]) -> list[str]:
    """Persons of the case who have an entry under a label that is not theirs."""
    own = {str(person["name"]) for person in persons}
    others = dict.fromkeys(one.name for one in case.stored.persons.values() if one.name and one.name not in own)
    return [name for name in others if any(_names(entry, name) for entry in entries)]


def named(case: RuleInput) -> RuleResult | MissingScore:
    """The share of the parties whom a text names anywhere: by the name, or by a stretch of more than half its letters.

    `endings`: words that many names end in ("company limited"), no part of what tells one name from another. Only a
    long name has a short form; letter for letter it is the name of nobody else.
    """
    names = [normal(str(value["name"])[:LONGEST]) for value in _records(case.reference) if value.get("name")]
    if not names:
        return MissingScore(Reason.NO_REFERENCE)
    text, endings = normal(case.text), case.arguments.get("endings", ())
    lacking = [name for name in names if not any(form in text for form in _forms(name, endings))]
    return RuleResult(1 - len(lacking) / len(names), "; ".join(lacking)[:400])


def _forms(name: str, endings: Sequence[str]) -> list[str]:
    """A name, and the stretches of it that can be nobody else's."""
    own = next((name.removesuffix(ending) for ending in endings if name.endswith(ending)), name)
    size = len(own) // 2 + 1
    return [name, *(own[i : i + size] for i in range(len(own) - size + 1) if len(own) >= STRETCHED)]


def _records(values: Sequence[object]) -> Iterator[Mapping[str, object]]:
    for value in values:
        if isinstance(value, Record):
            yield value
        elif isinstance(value, tuple):
            yield from _records(value)


def _entries(text: str, under: Sequence[str], until: Sequence[str]) -> Iterator[str]:
    """The entries under some labels, without the labels."""
    lines: list[str] | None = None
    labels = (*under, *until)
    for line in text.splitlines():
        bare = line.strip(" \t\u3000#*-")
        label = next((word for word in labels if _begins(bare, word)), None) if bare.startswith(labels) else None
        if label is not None or not lines:
            if lines:
                yield "\n".join(lines)
            lines = [_behind(bare, label)] if label in under and label is not None else None
        elif bare:
            lines.append(bare)
    if lines:
        yield "\n".join(lines)


def _apart(entry: str, names: Set[str]) -> Iterator[str]:
    """An entry of several, each on a line or behind a semicolon: one for each name that such a piece begins with."""
    whole: list[str] = []
    for piece in _PIECES.split(entry):
        words = [normal(token) for token in _TOKEN.findall(piece[:LONGEST])]
        first = next((word for word in words if not word.isnumeric()), "")
        if whole and first in names:
            yield "\n".join(whole)
            whole = []
        whole.append(piece)
    yield "\n".join(whole)


def _begins(line: str, label: str) -> bool:
    """Whether a line begins with a label and not with a longer word: a number, a bracket, a mark or nothing follows."""
    behind = line[_end(line, label) :]
    return line.startswith(label) and not behind[:1].isalnum()


def _end(line: str, label: str) -> int:
    """Where a label and its number end."""
    at = len(label)
    while at < len(line) and at < len(label) + NUMBERED and line[at].isnumeric():
        at += 1
    return at


def _behind(line: str, label: str) -> str:
    """What stands behind a label and what is said of it in brackets."""
    return re.sub(r"^[*\s]*(?:[(（][^)）]*[)）])?[*\s]*[:：]?", "", line[_end(line, label) :])


def _names(entry: str, name: str) -> bool:
    """Whether an entry is of somebody: his name is among its first words, before the first comma."""
    first = re.split(r"[,，;；。\n]", entry.strip(), maxsplit=1)[0]
    return normal(name) in map(normal, (first, *_TOKEN.findall(first)))


def _tail(entry: str, at: int) -> str:
    """What stands behind a date up to the next sign: what the day is of."""
    return normal(re.split(r"[,，;；。、\n]", entry[at:], maxsplit=1)[0])


def _has(entry: str, field: str, value: str, rivals: Set[str] = frozenset()) -> bool:
    """Whether an entry tells a particular, and none of its `rivals` in the same short form."""
    if not entry:
        return False
    if field == "name":
        return True
    tokens = [normal(token) for token in _TOKEN.findall(entry)]
    wanted = normal(value)
    if date := _DATE.search(value):
        told = [(_day(found), _tail(entry, found.end())) for found in _DATE.finditer(entry)]
        said = {tail for day, tail in told if day == _day(date)}
        return bool(said) and all(day == _day(date) for day, tail in told if tail in said)
    if len(wanted) == 1:
        return _short(tokens, wanted) and not any(_short(tokens, one) for one in rivals - {wanted} if len(one) == 1)
    behind = re.split(r"[,，;；。\n]", entry, maxsplit=1)
    return wanted in normal(behind[1] if len(behind) > 1 else "")


def _short(tokens: Sequence[str], wanted: str) -> bool:
    """Whether a value of one letter is told, alone or behind the word for what it is."""
    return any(token == wanted or (token.endswith(wanted) and len(token) < SHORT) for token in tokens)


def _day(found: re.Match[str]) -> tuple[int, ...]:
    return tuple(map(int, found.groups()))
