"""One decision under audit: the record, its text, what it is read against, and the decision below."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from decimal import Decimal
from difflib import SequenceMatcher
from functools import cached_property
from itertools import combinations
from typing import Final

from ...law.text.decision_people import CaseFrame, Mention, document_number, mentions
from ...law.text.decision_reasons import sums_told
from ...law.text.decisions import Regions, attendance, head, is_english, read_decision, regions
from ...law.text.english import english_sums
from ...law.text.judgment_head import HEAD, signed
from ...law.text.lexicon import pattern
from ...law.text.numerals import fold
from ...law.text.rates import Rate, rates
from ...law.text.times import Date, Period, times
from ...model.decision import Claim, Decision, PartOrigin
from .definition import CheckFile
from .schema import Held, NotRead

MOST_TIMES: Final = 120  # months or days by which a sum is multiplied
SERIAL: Final = re.compile(r"\d+\D*\Z")  # what is counted of the numbers of one court, kind and year
MISWRITTEN: Final = 2  # signs by which a number of a document differs from the one that is meant
MOST_SUMS: Final = 60  # that are tried in pairs; a text with more tells too many for a pair to mean anything


def multiple(value: Decimal, among: Iterable[Decimal]) -> bool:
    """Whether a sum is one of others so many times, as of so many months or days."""
    return any(one > 0 and value % one == 0 and value / one <= MOST_TIMES for one in among)


def _next_day(day: str) -> str:
    try:
        return (datetime.date.fromisoformat(day) + datetime.timedelta(days=1)).isoformat()
    except ValueError:
        return ""


def _nearly(one: str, other: str) -> bool:
    """Whether two numbers differ in so little that one is the other miswritten."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    if SERIAL.sub("", one) == SERIAL.sub("", other):
        return True
    same = sum(block.size for block in SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks())
    return max(len(one), len(other)) - same <= MISWRITTEN


class Audited:
    """One decision under audit: the record, its text, what it is read against, and the decision below.

    `decided`: the parts that were decided before the text was written, each with the key of its part.
    """

    def __init__(
        self,
        text: str,
        frame: CaseFrame | None = None,
        *,
        document: str = "",
        instance: int = 0,
        below: Decision | None = None,
        checks: CheckFile | None = None,
        decided: tuple[tuple[str, Decision], ...] = (),
    ) -> None:
        self.text = text
        self.folded = fold(text)
        self.decision = read_decision(text, frame, document=document, instance=instance)
        self.case = frame
        self.known_below = below
        self.decided = decided
        self.offences = checks.offences if checks is not None else ()
        self.laws = checks.laws if checks is not None else ()
        self.tables = {one.use: one for one in checks.tables} if checks is not None else {}
        asked = self.decision.claims or (frame.claims if frame is not None else ())
        self.frame = CaseFrame(self.decision.parties, asked, frame.exhibits if frame is not None else ())
        self.regions: Regions = regions(text)
        self.asked = "\n".join(fold(claim.text) for claim in frame.claims) if frame is not None else ""
        self.document = document

    @property
    def below(self) -> Decision | None:
        return self.known_below or self.decision.below

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        return self.frame.claims

    @property
    def frame_claims(self) -> tuple[Claim, ...]:
        """The claims of the case, by whose ids parts are decided; those of the text where there is no case."""
        return self.case.claims if self.case is not None else self.claims

    @cached_property
    def cause(self) -> str:
        """The cause of action as the head says it; "" where it does not."""
        return "" if is_english(self.text) else head(self.text).cause

    @cached_property
    def before(self) -> str:
        """All that stands before the operative part."""
        ordered = self.regions.ordered
        return self.folded[: ordered.start] if ordered is not None else self.folded

    @cached_property
    def reasons(self) -> str:
        said = self.regions.reasons
        return fold(said.text) if said is not None else ""

    @cached_property
    def told(self) -> frozenset[Decimal]:
        said = f"{self.before}\n{self.asked}"
        found = english_sums(said) if is_english(self.text) else ()
        return frozenset({*sums_told(said), *(one.amount for one in found if one.currency)})

    @cached_property
    def rates_told(self) -> frozenset[Decimal]:
        return frozenset(one.rate_pct for one in rates(f"{self.before}\n{self.asked}") if isinstance(one, Rate))

    @cached_property
    def days_told(self) -> frozenset[str]:
        """Every day that is told, and the day after it: interest runs from the next."""
        found: set[str] = set()
        for one in times(f"{self.before}\n{self.asked}"):
            points = (one.since, one.until) if isinstance(one, Period) else (one,)
            found.update(point.iso for point in points if isinstance(point, Date) and not point.wrong)
        return frozenset(found | {after for day in found if (after := _next_day(day))})

    def at(self, start: int, end: int) -> PartOrigin:
        return PartOrigin(hand="text", source=self.document, start=start, end=end)

    @cached_property
    def held(self) -> frozenset[Decimal]:
        """Every sum that the court tells for its own, in its findings and reasons; not where it says what is asked."""
        said = self.regions.reasons
        found = list(pattern("decision", "findings").finditer(self.folded, 0, said.start if said is not None else 0))
        own = self.folded[found[-1].end() : said.start] if found and said is not None else ""
        return frozenset(sums_told(pattern("decision", "asked_for").sub(" ", own + self.reasons)))

    def found_or_reckoned(self, value: Decimal) -> bool | None:
        """Whether the court found a sum, or sums that it is reckoned from; None where it found none at all."""
        if not self.held:
            return None
        return self.reckoned(value, self.held) or multiple(value, self.held)

    def reckoned(self, value: Decimal, among: frozenset[Decimal] | None = None) -> bool:
        """Whether a sum is told, or is the sum or difference of two or three that are."""
        among = self.told if among is None else among
        if value in among:
            return True
        told = sorted(one for one in among if one > 0)
        if len(told) > MOST_SUMS:
            return False
        if any(value in (one + other, abs(one - other)) for one, other in combinations(told, 2)):
            return True
        return len(told) <= MOST_SUMS // 2 and any(
            value in (a + b + c, abs(a + b - c), abs(a - b - c), abs(a - b + c)) for a, b, c in combinations(told, 3)
        )

    @cached_property
    def numbers(self) -> dict[str, PartOrigin]:
        """The numbers of documents that are told before the operative part, each with its first place."""
        found: dict[str, PartOrigin] = {}
        for one in pattern("decision", "document_number").finditer(self.before):
            found.setdefault(document_number(one.group()), self.at(*one.span()))
        return found

    def numbers_told(self, low: int, high: int) -> Held | NotRead:
        """Whether the numbers of documents between two places are told elsewhere, in the text or in the case.

        One that is told nowhere may be right, unless it is nearly one that is told.
        """
        written = [one.group() for one in pattern("decision", "document_number").finditer(self.folded, low, high)]
        known = {*self.numbers, *(self.case.numbers if self.case is not None else ())}
        strange = [one for one in map(document_number, written) if one not in known]
        if not strange:
            first = self.numbers.get(document_number(written[0])) if written else None
            return Held(True, first) if written else NotRead("numbers")
        for one in strange:
            near = next((other for other in sorted(known) if _nearly(one, other)), None)
            if near is not None:
                return Held(False, self.numbers.get(near, PartOrigin(hand="field", source=near)))
        return NotRead("numbers")

    def found(self, wanted: str | re.Pattern[str], low: int = 0, high: int | None = None) -> PartOrigin | None:
        """The first place of some words between two places."""
        high = len(self.folded) if high is None else high
        if isinstance(wanted, str):
            at = self.folded.find(wanted, low, high)
            return self.at(at, at + len(wanted)) if at >= 0 else None
        match = wanted.search(self.folded, low, high)
        return self.at(*match.span()) if match is not None else None

    @cached_property
    def named(self) -> dict[str, Mention]:
        """Where each person is first named before the operative part, behind a title if anywhere."""
        told = mentions(self.folded, self.frame, 0, len(self.before))
        ranked = sorted(told, key=lambda one: (not (one.title and not one.misfit), one.start))
        return {person: one for one in reversed(ranked) for person in one.people}

    def person_at(self, person: str) -> PartOrigin | None:
        """Where somebody is first named."""
        one = self.named.get(person)
        return self.at(one.start, one.end) if one is not None else None

    @cached_property
    def attendance(self) -> tuple[dict[str, PartOrigin], dict[str, PartOrigin]]:
        """Who came and who did not, and where the text says so."""
        return attendance(self.text, self.frame)

    @cached_property
    def judged(self) -> str:
        """The day of the decision, where it is signed behind the operative part; "" where the last day is another."""
        return self.decision.day if signed(self.regions.rest.text) == self.decision.day else ""

    @cached_property
    def act_reviewed(self) -> bool:
        """Whether the act of an authority is under review."""
        return pattern("decision", "reviews_act").search(self.folded, 0, HEAD) is not None

    @cached_property
    def head_accused(self) -> dict[str, PartOrigin]:
        """Those whom the head calls accused, and where; the head ends where the charge is told."""
        end = self.regions.told.end
        found = pattern("decision", "head_accused").finditer(self.folded, 0, min(end, HEAD))
        return {one["name"]: self.at(one.start("name"), one.end("name")) for one in found}

    @cached_property
    def basis_at(self) -> PartOrigin | None:
        """Where the articles stand that are applied."""
        said = self.regions.basis
        return self.at(said.start, said.end) if said is not None else None

    @cached_property
    def reasons_at(self) -> PartOrigin | None:
        said = self.regions.reasons
        return self.at(said.start, said.end) if said is not None else None

    def enforced_at(self) -> PartOrigin | None:
        """The sentence that speaks of the period in which an order is to be performed."""
        ordered = self.regions.ordered
        return self.found(pattern("decision", "period_told"), ordered.end) if ordered is not None else None
