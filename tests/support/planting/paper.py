"""A judgment as text, and the places in it that an edit needs: items of the orders, reasons, claims, costs, persons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

Span = tuple[int, int]
Edit = tuple[Span, str]

_DISPOSES = re.compile(r"(?:判决|裁决|裁定)如下[：:][*\s]*")
_CLOSES = re.compile(
    r"^[*\s]*(?:如果?未按|如果?不服|未按本|不服本|当事人不服|仲裁不收费|(?:两案|[一二]审|一、二审|再审)?案件受理费|上述罚金"
    r"|本判决[为不是]|本裁[定决][为不是]|审\s*判\s*[长员]|首席仲裁员)",
    re.M,
)
_NUMBERED = re.compile(r"^[*\s]*(?:[一二三四五六七八九十]+、|（[一二三四五六七八九十]+）|\d+[.．、]\s*)", re.M)
_INLINE = re.compile(r"(?:^|(?<=[；;。]))[一二三四五六七八九十]、")
_REASONS = re.compile(r"^[#*\s（一二三四五六七八九十）、.\d【]*(?:本院(?:经审查|再审)?认为|本委认为|仲裁庭认为)", re.M)
_COSTS = re.compile(r"^.*(?:案件受理费|申请费).*负担.*$", re.M)
_PERSON = re.compile(
    r"^[-*\s]*(?P<title>原告|被告人?|上诉人|被上诉人|再审申请人|被申请人|申请人|原审被告人|附带民事诉讼原告人)"
    r"(?P<note>[一二三]|（[^）\n]{1,20}）)*\**[：:\s]*\**(?P<name>[^，。：:\n*（]{2,30}(?:（[^）\n]{1,6}）[^，。：:\n（]{2,14})?)"
    r"(?=[，。（*]|$)",
    re.M,
)
_NO_NAME = re.compile(r"一案|[于自在]本判|判决|裁定")
_BELOW = re.compile(r"(?<=[原一]审)(?:原告|被告人?)")
_MONEY = re.compile(r"(?P<sum>\d[\d,]*(?:\.\d+)?)(?P<ten>万)?元")
_HEAD = 1200  # characters within which a judgment has named its parties


@dataclass(frozen=True)
class Money:
    span: Span  # of the figure with its unit
    value: float  # yuan


@dataclass(frozen=True)
class Person:
    title: str
    name: str

    @property
    def claims(self) -> bool:
        return "原告" in self.title or self.title == "申请人"


@dataclass(frozen=True)
class Paper:
    """A judgment, the case that it is audited against (`file` or `file#n`), the procedure; no case without one."""

    name: str
    text: str
    case: str
    spec: str

    def __str__(self) -> str:
        return self.name

    @cached_property
    def orders(self) -> Span:
        """From "判决如下" to what follows the orders; empty where the text has none."""
        found = list(_DISPOSES.finditer(self.text))
        if not found:
            return (0, 0)
        start = found[-1].end()
        after = _CLOSES.search(self.text, start)
        return (start, after.start() if after else len(self.text))

    @cached_property
    def items(self) -> tuple[Span, ...]:
        start, end = self.orders
        marks = [mark.start() for mark in _NUMBERED.finditer(self.text, start, end)]
        marks = marks or [mark.start() for mark in _INLINE.finditer(self.text, start, end)]
        if not marks:
            return ((start, end),) if end > start else ()
        return tuple(zip(marks, [*marks[1:], end], strict=True))

    @cached_property
    def reasons(self) -> Span:
        """From the last "本院认为" that begins a paragraph before the orders, to the statutes or the orders."""
        starts = [found.start() for found in _REASONS.finditer(self.text, 0, self.orders[0])]
        return (starts[-1], self.orders[0]) if starts else (self.orders[0], self.orders[0])

    @cached_property
    def statutes(self) -> Span:
        """The sentence that names the articles, before the orders."""
        begin = max(self.text.rfind(word, 0, self.orders[0]) for word in ("依照《", "依据《", "据此，依照", "根据《"))
        return (begin, self.orders[0]) if begin > 0 else (self.orders[0], self.orders[0])

    @cached_property
    def claims(self) -> Span:
        """The paragraph, or the list, in which the claims are recited; empty where none is found."""
        found = re.search(
            r"^.*(?:诉讼请求(?:为)?[：:]|诉请[：:]|【原告诉称】请求[：:]|请求[：:]|仲裁请求[：:]|请求判令)",
            self.text,
            re.M,
        )
        if not found or found.end() > self.reasons[0]:
            return (0, 0)
        end = re.compile(r"\n\n|事实[与和]理由|理由是").search(self.text, found.end())
        return (found.start(), end.start() if end else found.end())

    @cached_property
    def costs(self) -> tuple[Span, ...]:
        return tuple(found.span() for found in _COSTS.finditer(self.text, self.orders[1]))

    @cached_property
    def people(self) -> tuple[Person, ...]:
        found = (
            Person(below[0] if (below := _BELOW.search(m["note"] or "")) else m["title"], m["name"].strip())
            for m in _PERSON.finditer(self.text, 0, _HEAD)
        )
        return tuple({person.name: person for person in found if not _NO_NAME.search(person.name)}.values())

    def named(self, span: Span) -> list[tuple[int, Person]]:
        """The persons named in a span with where, in the order of the text; a name inside a longer one is not it."""
        found: dict[int, Person] = {}
        for person in sorted(self.people, key=lambda person: -len(person.name)):
            for match in re.finditer(re.escape(person.name), self.text[slice(*span)]):
                at = span[0] + match.start()
                if not any(other <= at < other + len(held.name) for other, held in found.items()):
                    found[at] = person
        return sorted(found.items(), key=lambda pair: pair[0])

    def money(self, span: Span) -> list[Money]:
        """The sums in a span, those that interest is reckoned on apart."""
        return [
            Money(found.span(), float(found["sum"].replace(",", "")) * (10_000 if found["ten"] else 1))
            for found in _MONEY.finditer(self.text, *span)
            if not self.text.startswith("为基数", found.end())
        ]

    def every(self, pattern: str, span: Span) -> list[Span]:
        return [found.span() for found in re.compile(pattern).finditer(self.text, *span)]

    @cached_property
    def second(self) -> bool:
        """Whether a judgment below is reviewed."""
        return bool(re.search(r"(?:民|刑|行)终\d", self.text[:400])) or "再审申请人" in self.text[:600]


@dataclass(frozen=True)
class Plant:
    """A judgment with one contradiction: its text, what was edited, what that contradicts (spans of the new text)."""

    kind: str
    paper: Paper
    text: str
    edited: tuple[Span, ...]
    others: tuple[Span, ...]

    def lines(self, spans: Iterable[Span]) -> set[int]:
        return {
            line
            for start, end in spans
            for line in range(self.text.count("\n", 0, start) + 1, self.text.count("\n", 0, max(start, end - 1)) + 2)
        }


def plant(kind: str, paper: Paper, edits: Sequence[Edit], others: Iterable[Span] = ()) -> Plant:
    """The paper with the edits made; `others` are spans of the paper as it was that the edit contradicts."""
    done, shifted, text = [], 0, paper.text
    in_order = sorted(edits)
    for (start, end), words in in_order:
        text = text[: start + shifted] + words + text[end + shifted :]
        if words:
            done.append((start + shifted, start + shifted + len(words)))
        shifted += len(words) - (end - start)

    def moved(at: int) -> int:
        return at + sum(len(words) - (end - start) for (start, end), words in in_order if end <= at)

    return Plant(kind, paper, text, tuple(done), tuple((moved(start), moved(end)) for start, end in others))
