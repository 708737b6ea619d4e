"""Criminal verdicts: who was convicted of what, and the punishment that is to be executed.

A judgment's operative part is read item by item. What follows "it is decided to execute" is the final punishment; a
suspended death sentence is no probation; money that is not a fine stands under `awards`. The dates of a term are kept
for checking and never used to compute it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, TypeVar

from ...model.immutable import immutable
from .lexicon import TextSpan, endings, pattern, start_of, words
from .money import Money, sums, without_bases
from .numerals import fold, read
from .punishments import ALL, LIFE, PART, UNCLEAR_SHARES, UNSAID, ConvictedPerson, Defendant, Term
from .times import Date, Period, times
from .verdict_text import masked, operative_part

LOOK: Final = 40  # code points before a punishment in which it may be said that it was not imposed
LONGEST_BEFORE: Final = 200  # code points of a sentence that tells of a conviction before
PROBATION, PAROLE = "probation", "parole"
YUAN: Final = "CNY"
Value = TypeVar("Value")


@immutable
class Award(TextSpan):
    """Money that is no fine; `kind` is civil_compensation, restitution or confiscated_proceeds."""

    kind: str
    amount: Decimal
    currency: str


@immutable
class Verdict:
    """What a criminal judgment decides."""

    defendants: tuple[Defendant, ...]
    awards: tuple[Award, ...]

    def total(self, kind: str) -> Decimal | None:
        """The awards of one kind, in the currency of the first; None where there is none."""
        awards = [award for award in self.awards if award.kind == kind]
        amounts = [award.amount for award in awards if award.currency == awards[0].currency]
        return sum(amounts, Decimal(0)) if amounts else None


def verdict(text: str) -> Verdict:
    """The verdict of a whole judgment, or of its operative part alone."""
    folded = fold(text)
    start, stop = operative_part(folded)
    reader = _VerdictReader(folded, masked(folded, start, stop))
    reader.run()
    people = [person for person in reader.people.values() if person.decided_about]
    return Verdict(tuple(person.defendant() for person in people), tuple(reader.awards()))


# ---- reading ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _VerdictReader:
    """One pass over the operative part. `text` has what stands in brackets, `masked` has blanks there."""

    text: str
    masked: str
    people: dict[str | None, ConvictedPerson] = field(default_factory=dict)
    lengths: set[int] = field(default_factory=set)  # of their names
    current: list[ConvictedPerson] = field(default_factory=list)
    money: list[Money] = field(default_factory=list)
    spent: set[int] = field(default_factory=set)  # the places of those that are fines or confiscated property
    charged: list[str] = field(default_factory=list)  # whoever is named next is convicted of these
    revoked: list[str] = field(default_factory=list)  # of whoever is convicted next: probation, parole
    clause: int = 0  # where the sentence or item begins

    def run(self) -> None:
        self.money = [money for money in sums(self.masked) if isinstance(money, Money)]
        ignored = 0
        for token in pattern("verdict", "token").finditer(self.masked):
            if token.start() < ignored:
                continue
            ignored = self._token(token)
        self._dates()
        if pattern("verdict", "upheld_unsaid").search(self.masked) is not None:
            for person in self.people.values():
                person.upheld_unsaid = True

    def _token(self, token: re.Match[str]) -> int:
        """What a token changes. Returns where reading goes on."""
        match token.lastgroup:
            case "end":
                self.clause = token.end()
            case "revoke":
                return self._revoke(token)
            case "subject":
                group = "convicted" if token["convicted"] is not None else "named"
                self._subject(token, group, token["role"])
            case "unstyled":
                self._subject(token, "plain", "")
            case "sentenced":
                self._subject(token, "whom", "")
            case "crime":
                self._crime(token)
            case "by_crime":
                self._by_crime(token)
            case "decide":
                self._decided_for(token)
                for person in self._people(token):
                    person.decide()
            case "prior":
                charge = pattern("verdict", "prior_charge").search(token.group())
                for person in self._people(token):
                    person.earlier(charge["charge"] if charge is not None else None)
            case _:
                if self._imposed(token):
                    self._punish(token)
        return token.end()

    # ---- who

    def _people(self, token: re.Match[str]) -> list[ConvictedPerson]:
        """Those whom a token is about; somebody without a name where nobody was named."""
        if not self.current:
            self.current = [self._person(None, token.start())]
        for person in self.current:
            person.end = max(person.end, token.end())
        return self.current

    def _person(self, name: str | None, start: int) -> ConvictedPerson:
        if name not in self.people:
            self.people[name] = ConvictedPerson(name, start, start)
            self.lengths.add(len(name or " "))
        return self.people[name]

    def _subject(self, token: re.Match[str], group: str, role: str) -> None:
        start, end = token.span(group)
        if group == "named" and (known := self._known(start)) is not None:
            end = start + len(known)
        names: list[tuple[str | None, bool]] = [*self._names(start, end, role)]
        if not names and group == "named":
            return
        self.current = []
        for name, unit in names or [(None, False)]:
            person = self._person(name, token.start())
            person.unit = person.unit or unit
            self.current.append(person)
            if self.charged:
                person.charge(self.charged)
            if self.masked.endswith(endings("verdict", "alone"), 0, token.start()):
                person.target().alone = True
        self.charged = []

    def _known(self, start: int) -> str | None:
        """The one already convicted whose name stands here; a list of names is none."""
        words_here = (self.text[start : start + length] for length in sorted(self.lengths, reverse=True))
        name = next((word for word in words_here if word in self.people), None)
        return None if name is None or pattern("verdict", "names").match(self.masked, start + len(name)) else name

    def _names(self, start: int, end: int, role: str) -> Iterator[tuple[str, bool]]:
        """The names in a list, each with whether it is a unit's."""
        unit = role.endswith(endings("verdict", "unit"))
        names, place = self.masked[start:end], 0
        for joint in [*pattern("verdict", "names").finditer(names), None]:
            stop = joint.start() if joint is not None else len(names)
            written = self.text[start + place : start + stop].strip()
            if (before := pattern("verdict", "name_role").match(written)) is not None and before.end():
                unit = before.group().strip().endswith(endings("verdict", "unit"))
                written = written[before.end() :]
            name = pattern("verdict", "alias").sub("", written).strip()
            if name:
                yield name, unit
            place = joint.end() if joint is not None else stop

    def _revoke(self, token: re.Match[str]) -> int:
        """What is set aside is not imposed; probation that is revoked is noted."""
        text, start = self.masked, token.start()
        zone = pattern("verdict", "revoked_short").match(text, start) or pattern("verdict", "revoked").match(
            text, start
        )
        stop, anew = self._revoked_end(token, zone.end() if zone is not None else token.end())
        what = [key for key in (PROBATION, PAROLE) if pattern("verdict", f"revokes_{key}").search(text, start, stop)]
        named = [match for match in pattern("verdict", "token").finditer(text, token.end(), stop) if match["role"]]
        for match in named if what or anew else ():
            self._subject(match, "convicted" if match["convicted"] is not None else "named", match["role"])
        if what and named:
            self._revoked(what)
        else:
            self.revoked += what
        if what and self.current and not named:
            self._revoked(what)
        return stop

    def _revoked_end(self, token: re.Match[str], stop: int) -> tuple[int, bool]:
        """Where what is set aside ends, and whether another decision follows at once."""
        text, start = self.masked, token.start()
        if token.group() not in endings("verdict", "revoking"):
            instead = pattern("verdict", "instead").search(text, start)
            return (instead.end() if instead is not None else stop), True
        explained = pattern("verdict", "explained").search(text, start, stop)
        end = pattern("verdict", "revoked_until" if explained is None else "changed")
        if (other := end.search(text, start, stop)) is not None:
            return other.start(), True
        while explained is not None:  # of several people, one after the other: until one is decided about anew
            more = pattern("verdict", "explained_goes_on").match(text, stop)
            if more is None or (more["name"] is not None and not self._more_revoked(more["name"], start, stop)):
                break
            clause = pattern("verdict", "end_of_clause").search(text, more.end())
            stop = clause.start() if clause is not None else len(text)
        return stop, False

    def _more_revoked(self, name: str, start: int, stop: int) -> bool:
        """Whether a conviction is one more of those set aside: they are told person by person, and this one is new."""
        told = pattern("verdict", "explained_person").search(self.masked, start, stop)
        return told is not None and name not in self.masked[start:stop]

    def _revoked(self, what: Sequence[str]) -> None:
        for person in self.current:
            person.revoke_probation = person.revoke_probation or PROBATION in what
            person.revoke_parole = person.revoke_parole or PAROLE in what
        self.revoked = []

    def _decided_for(self, token: re.Match[str]) -> None:
        """Whose punishment is decided, where that is said between the words of the decision."""
        whom = pattern("verdict", "decided_for").search(self.masked, token.start(), token.end())
        if whom is None:
            return
        names = {name for name, _ in self._names(*whom.span("named"), whom["role"] or "")}
        if whom["role"] is not None or names <= self.people.keys() or not self.people:
            self._subject(whom, "named", whom["role"] or "")

    # ---- of what, and how punished

    def _crime(self, token: re.Match[str]) -> None:
        if pattern("verdict", "accused").search(self.masked, self.clause, token.start()) is not None:
            return
        upheld = pattern("verdict", "upheld").search(self.masked, self.clause, token.start()) is not None
        for person in self._people(token):
            person.charge(self._charges(token, "charges"), upheld=upheld)
        if self.revoked:
            self._revoked(self.revoked)

    def _by_crime(self, token: re.Match[str]) -> None:
        """A charge before "sentenced": of whoever is named after it, or was named before it."""
        if pattern("verdict", "role_follows").match(self.masked, token.end()) is not None:
            self.charged = self._charges(token, "by_charges")
            return
        for person in self._people(token):
            person.charge(self._charges(token, "by_charges"))

    def _charges(self, token: re.Match[str], group: str) -> list[str]:
        return pattern("verdict", "charge_joint").split(self.text[slice(*token.span(group))])

    def _imposed(self, token: re.Match[str]) -> bool:
        """Whether a punishment is one: not what the prosecutor proposed, nor what somebody served before."""
        low = max(self.clause, token.start() - LOOK)
        if pattern("verdict", "not_imposed").search(self.masked, low, token.start()) is not None:
            return False
        low = max(self.clause, token.start() - LONGEST_BEFORE)
        return pattern("verdict", "sentenced_before").search(self.masked, low, token.start()) is None

    def _punish(self, token: re.Match[str]) -> None:
        people = self._people(token)
        if self.masked.endswith(endings("verdict", "alone"), 0, token.start()):
            for person in people:
                person.target().alone = True
        match token.lastgroup:
            case "main":
                kind = next(key for key, name in words("verdict", "penalty").items() if name == token["which"])
                self._share(self._terms(token, "terms"), lambda person, index, term: person.main(kind, term, index))
            case "rest" if people[0].prior:
                self._share(self._terms(token, "rest_term"), _imposing("months", "days"))
            case "probation" if people[0].sentenced_to_death:
                for person in people:
                    person.suspend_death()
            case "probation":
                terms = self._terms(token, "probation_terms")
                self._share(terms, _imposing("probation_months", "probation_days"))
            case "rights" if token["rights_terms"] is not None:
                months = [(months,) for months, _ in self._terms(token, "rights_terms")]
                self._share(months, _imposing("political_rights_months"))
            case "rights":
                self._share([(LIFE,)], _imposing("political_rights"))
            case "fine":
                self._share(self._sums(token), _put_fine)
            case "confiscation":
                self._confiscation(token)
            case "acquitted" | "not_responsible":
                for person in people:
                    person.outcome = token.lastgroup
            case "life" | "death" | "death_suspended" | "exempt":
                for person in people:
                    person.main(token.lastgroup)
            case "commutation_limited" | "imprisoned_for_good" | "prohibition_order" | "deportation":
                for person in people:
                    person.orders.add(token.lastgroup)

    def _share(self, values: Sequence[Value], put: Callable[[ConvictedPerson, int, Value], None]) -> None:
        """One value for all, one for each defendant, or one for each charge of the only defendant."""
        people = self.current
        if len(values) == 1:
            for person in people:
                put(person, 0, values[0])
        elif len(values) == len(people):
            for person, value in zip(people, values, strict=True):
                put(person, 0, value)
        elif len(people) == 1 and len(values) == len(people[0].group) and not people[0].deciding:
            for index, value in enumerate(values):
                put(people[0], index, value)
        elif values:
            for person in people:
                person.warnings.append(UNCLEAR_SHARES)

    def _terms(self, token: re.Match[str], group: str) -> list[Term]:
        matches = pattern("verdict", "term_parts").finditer(self.masked, *token.span(group))
        return [term for match in matches if match.group().strip() and (term := _term(match)) is not None]

    def _sums(self, token: re.Match[str]) -> list[Decimal]:
        """The sums of a fine: behind the word, or just before it."""
        text, start, end = self.masked, token.start(), token.end()
        if pattern("verdict", "paid_fine").search(text, max(0, start - 8), start) is not None:
            return []
        behind = pattern("verdict", "after_fine").match(text, end)
        index = self._money_from(end)
        fines: list[Money] = []
        reach = behind.end() if behind is not None else end
        while index < len(self.money) and self.money[index].start <= reach:
            fines.append(self.money[index])
            joint = pattern("verdict", "listed").match(text, fines[-1].end)
            reach = joint.end() if joint is not None else -1
            index += 1
        before = self._money_from(start) - 1
        if not fines and before >= 0:
            gap = text[self.money[before].end : start]
            fines = [self.money[before]] if gap in endings("verdict", "of") else []
        return [money.amount for money in self._spend(fines)]

    def _spend(self, taken: list[Money]) -> list[Money]:
        self.spent.update(money.start for money in taken)
        for person, money in ((person, money) for person in self.current for money in taken):
            person.end = max(person.end, money.end)
        return [money for money in taken if money.currency == YUAN]

    def _confiscation(self, token: re.Match[str]) -> None:
        """All property, a sum, or a part that is not counted."""
        behind = pattern("verdict", "after_fine").match(self.masked, token.end())
        index = self._money_from(token.end())
        near = index < len(self.money) and behind is not None and self.money[index].start <= behind.end()
        spent = self._spend([self.money[index]] if near else [])
        share: Decimal | str = spent[0].amount if spent else UNSAID
        if token["share"] is not None and not spent:
            share = ALL if token["share"] in endings("verdict", "all_of") else PART
        for person in self.current:
            person.target().impose(confiscation=share)

    # ---- dates and other money

    def _dates(self) -> None:
        """The first and last day of a term, as its bracket has them, to whoever was punished just before."""
        if pattern("verdict", "term_dates").search(self.text) is None or not self.people:
            return
        people = sorted(self.people.values(), key=start_of)
        for period in times(self.text):
            if not isinstance(period, Period) or period.start < people[0].start or period.start > len(self.masked):
                continue
            since, until = period.since, period.until
            before = self.text[max(0, period.start - 70) : period.start]
            of_term = pattern("verdict", "term_dates").search(before) is not None
            of_term = of_term and pattern("verdict", "probation_dates").search(before) is None
            if of_term and isinstance(since, Date) and isinstance(until, Date):
                people[bisect_right(people, period.start, key=start_of) - 1].dates = (since, until)

    def awards(self) -> Iterator[Award]:
        """Money that is no fine, clause by clause."""
        begin = 0
        for mark in [*pattern("verdict", "item").finditer(self.masked), None]:
            end = mark.start() if mark is not None else len(self.masked)
            yield from self._clause(begin, end)
            begin = mark.end() if mark is not None else end

    def _clause(self, begin: int, end: int) -> Iterator[Award]:
        text = self.masked
        verbs = [*pattern("verdict", "award_verb").finditer(text, begin, end)]
        sums_inside = self.money[self._money_from(begin) : self._money_from(end)]
        awarded = [money for money in sums_inside if money.start not in self.spent]
        refused = endings("verdict", "not_awarded")
        awarded = [money for money in awarded if not text.endswith(refused, begin, money.start)]
        awarded = without_bases(text, awarded)
        if not verbs or not awarded:
            return
        totals = [money for money in awarded if text.endswith(endings("verdict", "total"), begin, money.start)]
        to_victim = pattern("verdict", "to_victim").search(text, begin, end)
        starts = [verb.start() for verb in verbs]
        for money in totals or awarded:
            after = bisect_left(starts, money.start)
            near = verbs[max(0, after - 1) : after + 1]  # the last before it and the first behind it
            verb = min(near, key=lambda verb: max(money.start - verb.end(), verb.start() - money.end))
            kind = words("verdict", "award")[(to_victim or verb)["verb"]]
            yield Award(money.start, money.end, kind, money.amount, money.currency)

    def _money_from(self, place: int) -> int:
        """The index of the first sum that begins at a place or later."""
        return bisect_left(self.money, place, key=start_of)


def _term(match: re.Match[str]) -> Term | None:
    """Months and days; None where a number cannot be read."""
    if match["half_year"] is not None:
        return 6, None
    numbers = [read(match[group]) if match[group] else Decimal(0) for group in ("years", "months", "days")]
    if None in numbers:
        return None
    years, months, days = (int(number or 0) for number in numbers)
    days += 15 if match["half_month"] else 0
    return years * 12 + months + (6 if match["half"] else 0), days or None


def _imposing(*names: str) -> Callable[[ConvictedPerson, int, tuple[Any, ...]], None]:
    """Sets these fields of a person's sentence to the values of a tuple."""

    def put(person: ConvictedPerson, index: int, values: tuple[Any, ...]) -> None:
        person.target(index).impose(**dict(zip(names, values, strict=True)))

    return put


def _put_fine(person: ConvictedPerson, index: int, fine: Decimal) -> None:
    draft = person.target(index)
    if draft.sentence.fine is None or draft.restated:
        draft.impose(fine=fine)
