"""Tests of a procedure read from what an expert wrote: every name is the procedure's, every expectation can fail."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from ..language import diagnose
from ..language.schema_of_tests import (
    ExpectSurface,
    ProcedureTestSurface,
    ScriptedReplySurface,
    SightSurface,
    TestFileSurface,
)
from ..language.sentences.keywords import KEYWORDS, as_choice, truth
from ..language.sentences.parser import parser_of
from ..language.spelling import nearest
from ..language.surface_reader import SurfaceReader
from ..language.surfaces import Text, Texts
from ..model.plan import Answer
from ..model.procedure import EVENT_MARK, Procedure, all_steps, places
from ..model.source import Span
from ..model.steps.end import End
from .procedure_tests import (
    MOST_CALLS,
    AnswerGiven,
    AtMost,
    Broken,
    Contains,
    EndsAs,
    Expectation,
    InOrder,
    Made,
    NeverReached,
    PlacedWord,
    ProcedureTest,
    ScriptedReply,
    Seen,
    Where,
    Whose,
)

NUMBERS: Final = re.compile(r"(?<=/)(?:\d+\.)+")
EVERY: Final = frozenset((*KEYWORDS["ALL"].en, *KEYWORDS["ALL"].zh))


def read_tests(
    surfaces: Sequence[ProcedureTestSurface],
    procedure: Procedure,
    reader: SurfaceReader,
    common: TestFileSurface | None = None,
    *,
    rules: Iterable[str],
    actors: Iterable[str],
) -> tuple[ProcedureTest, ...]:
    """The tests; what is wrong with them is reported to the reader. `common`: what their file says for all of them;
    `rules`: the rules of form, beside those of conduct that the procedure declares; `actors`: who may play."""
    reading = _TestReading(procedure, reader, tuple(rules), tuple(actors))
    found = []
    for surface in surfaces:
        reader.declare(surface.test.text, surface.test.span)
        found.append(reading.test(surface, common))
    return tuple(found)


class _TestReading:
    """The words of tests held against one procedure."""

    def __init__(
        self, procedure: Procedure, reader: SurfaceReader, rules: tuple[str, ...], actors: tuple[str, ...]
    ) -> None:
        self.procedure = procedure
        self.reader = reader
        self.rules = rules
        self.actors = actors

    def test(self, surface: ProcedureTestSurface, common: TestFileSurface | None) -> ProcedureTest:
        given = [one for one in (common, surface) if one is not None]
        options = {name: word for one in given for name, word in one.options.items()}
        fields = {name: word for one in given for name, word in one.set.items()}
        case = surface.case or (common.case if common is not None else None)
        target = surface.target or (common.target if common is not None else None)
        model = self.reader.known(surface.model, self.actors, diagnose.unknown_offline_actor, known=self.actors)
        expected = tuple(self.expectations(surface.expect)) if surface.expect is not None else ()
        if surface.expect is None or not (expected or surface.expect.given):
            self.reader.report(diagnose.test_without_expectation(surface.test.span, name=surface.test.text))
        return ProcedureTest(
            name=surface.test.text,
            span=surface.test.span,
            case=_word(case),
            target=_word(target),
            options=tuple((name, PlacedWord(word.text, word.span)) for name, word in options.items()),
            fields=tuple((name, PlacedWord(word.text, word.span)) for name, word in fields.items()),
            without=tuple(map(self.case_field, surface.without)),
            seed=int(self.reader.number(surface.seed)),
            model=model or "offline",
            until=self.place(surface.until) if surface.until is not None else None,
            replies=tuple(self.reply(one) for one in surface.replies),
            expected=expected,
        )

    # ---- names -------------------------------------------------------------------------------------------------------
    @cached_property
    def plain_places(self) -> Mapping[str, tuple[str, ...]]:
        """A place as it may be named -> the places that it stands for."""
        found: dict[str, dict[str, None]] = {}
        whole = tuple(place for place, _ in places(self.procedure))
        for place in whole:
            head, slash, step = place.rpartition("/")
            while "." in step:  # without the steps around it: `6.else.weigh` is `weigh`
                step = step.partition(".")[2]
                if not step.rpartition(".")[2].isdecimal():
                    found.setdefault(f"{head}{slash}{step}", {})[place] = None
            if EVENT_MARK in place:  # an event, in whatever phase it comes
                found.setdefault(place[place.index(EVENT_MARK) :], {})[place] = None
        return {word: tuple(several) for word, several in found.items()} | {place: (place,) for place in whole}

    def place(self, word: Text) -> Where:
        known = self.plain_places
        if word.text not in known:
            last = {place.rpartition("/")[2]: place for place in known}
            near = nearest(word.text, known) or last.get(nearest(word.text.rpartition("/")[2], last) or "")
            self.reader.report(diagnose.unknown_place(word.span, name=word.text, nearest=near))
        return Where(word.text, word.span, known.get(word.text, ()))

    @cached_property
    def role_names(self) -> Mapping[str, str]:
        """What a role may be called -> its id. A title that several bear names none of them."""
        titles: dict[str, set[str]] = {}
        for role in self.procedure.roles.values():
            above = self.procedure.roles.get(role.represents)
            full = self.procedure.marks.of(above.title, role.title) if above is not None and above.title else role.title
            for title in {role.title, full} - {""}:
                titles.setdefault(title, set()).add(role.id)
        alone = {title: next(iter(ids)) for title, ids in titles.items() if len(ids) == 1}
        return {**alone, **{role: role for role in self.procedure.roles}}

    def roles(self, words: Texts) -> frozenset[str]:
        """The roles that are named; none for everybody."""
        named = [word for word in words if word.text not in EVERY]
        known = self.role_names
        for word in named:
            if word.text not in known:
                self.reader.report(diagnose.unknown_role(word.span, name=word.text, among=tuple(known)))
        return frozenset(known[word.text] for word in named if word.text in known)

    @cached_property
    def answers(self) -> Mapping[str, Answer]:
        """Name or title -> the answer."""
        known = self.procedure.answers
        return {**{answer.called: answer for answer in known.values()}, **known}

    def answer(self, name: str, span: Span) -> Answer | None:
        if name not in self.answers:
            self.reader.report(diagnose.unknown_test_answer(span, name=name, among=tuple(self.answers)))
        return self.answers.get(name)

    def value(self, answer: Answer, word: Text) -> str:
        """A value as it is kept; one that the answer cannot have is a problem."""
        text = word.text
        if answer.form == "yes or no" and (said := truth(text)) is not None:
            return "yes" if said else "no"
        if answer.form in ("yes or no", "choice") and answer.among is None:
            by_title = {title: value for value, title in answer.choice_titles}
            value = by_title.get(text, as_choice(text, answer.values))
            if value not in answer.values and text:
                known = (*answer.values, *by_title)
                self.reader.report(
                    diagnose.impossible_test_value(word.span, name=answer.called, value=text, known=known, among=known)
                )
            return value
        return text

    def document(self, word: str, span: Span) -> tuple[str, str]:
        """The id and the side that NAME[@SIDE] names; a title does too."""
        name, _, side = word.partition("@")
        titles = {one.title: one.name for one in self.procedure.documents.values()}
        name = name if name in self.procedure.documents else titles.get(name, name)
        if name not in self.procedure.documents:
            known = (*self.procedure.documents, *titles)
            self.reader.report(diagnose.unknown_document(span, name=name, among=known))
        if side and side not in self.procedure.sides:
            self.reader.report(diagnose.unknown_test_side(span, name=side, known=self.procedure.sides))
        return name, side

    def case_field(self, word: Text) -> str:
        """A field of the case, by its name or its title."""
        fields = self.procedure.case_fields
        known = {**{one.title: name for name, one in fields.items() if one.title}, **{name: name for name in fields}}
        if word.text not in known:
            self.reader.report(diagnose.unknown_field(word.span, name=word.text, among=tuple(known)))
        return known.get(word.text, word.text)

    # ---- what is said ------------------------------------------------------------------------------------------------
    def reply(self, surface: ScriptedReplySurface) -> ScriptedReply:
        answers = {}
        for name, word in surface.answers.items():
            answer = self.answer(name, word.span)
            if answer is not None:
                answers[answer.name] = self.value(answer, word)
        if not (surface.reply or surface.answers):
            self.reader.report(diagnose.empty_expectation(surface.span, key="replies"))
        at = tuple(map(self.place, surface.at))
        return ScriptedReply(
            self.roles(surface.who), at, tuple(word.text for word in surface.reply), answers, surface.span
        )

    # ---- what is expected --------------------------------------------------------------------------------------------
    def expectations(self, surface: ExpectSurface) -> Iterator[Expectation]:
        self._empty(surface)
        if surface.steps:
            yield InOrder(tuple(map(self.place, surface.steps)), surface.steps[0].span)
        yield from (NeverReached(self.place(word), word.span) for word in surface.never_steps)
        if surface.outcome is not None:
            yield EndsAs(self._outcome(surface.outcome), surface.outcome.span)
        for never, words in ((False, surface.documents), (True, surface.no_documents)):
            yield from (Made(*self.document(word.text, word.span), word.span, never) for word in words)
        for never, by_name in ((False, surface.contains), (True, surface.lacks)):
            yield from self._contents(by_name, never)
        for never, sights in ((False, surface.sees), (True, surface.never_sees)):
            yield from (seen for sight in sights for seen in self._sights(sight, never))
        yield from self._answered(surface.answers)
        yield from (Broken(self._rule(word), word.span) for word in surface.breaks)
        yield from (Broken(self._rule(word, every=True), word.span, never=True) for word in surface.keeps)
        if surface.at_most is not None:
            most = self.reader.whole_number(surface.at_most, 1)
            if most >= MOST_CALLS:
                self.reader.report(diagnose.vain_turn_limit(surface.at_most.span, found=most, most=MOST_CALLS))
            yield AtMost(most, surface.at_most.span)

    def _empty(self, surface: ExpectSurface) -> None:
        """An expectation about nothing, which would always hold."""
        for key in sorted(surface.given):
            value = getattr(surface, key)
            words = [value] if isinstance(value, Text) else [*value.values()] if isinstance(value, dict) else [*value]
            blank = [word for word in words if isinstance(word, Text) and not word.text.strip()]
            if not words or blank or () in words:
                span = blank[0].span if blank else surface.span
                self.reader.report(diagnose.empty_expectation(span, key=key.replace("_", " ")))

    def _outcome(self, word: Text) -> str:
        known = tuple(
            dict.fromkeys(step.outcome for step in all_steps(self.procedure) if isinstance(step, End) and step.outcome)
        )
        return self.reader.known(word, known, diagnose.unknown_test_outcome, known=known)

    def _contents(self, by_name: Mapping[str, Texts], never: bool) -> Iterator[Contains]:
        for name, words in by_name.items():
            document = self.document(name, words[0].span) if words else ("", "")
            for word in words:
                if word.text.strip():
                    yield Contains(*document, word.text, word.span, never)
                else:
                    self.reader.report(diagnose.empty_expectation(word.span, key="lacks" if never else "contains"))

    def _sights(self, surface: SightSurface, never: bool) -> Iterator[Seen]:
        """One for each field and each text. Who is to see something must be named, or else nobody might."""
        roles, at = self.roles(surface.who), tuple(map(self.place, surface.at))
        since = self.place(surface.since) if surface.since is not None else None
        words = [word for word in surface.text if word.text.strip()]
        if not (surface.field or words) or len(words) < len(surface.text):
            self.reader.report(diagnose.empty_expectation(surface.span, key="never sees" if never else "sees"))
        for word in words:
            yield Seen(roles, "", "", word.text, at, since, word.span, never, called=word.text)
        for word in surface.field:
            what, whose, sealed = self._field(word)
            yield Seen(roles, what, whose, "", at, since, word.span, never, sealed, called=word.text)

    def _field(self, word: Text) -> tuple[str, Whose, bool]:
        """What a row of the matrix is about, or a field that no row may name."""
        procedure = self.procedure
        sealed = {name: name for name, one in procedure.fields.items() if one.evaluation_only}
        sealed |= {one.title: name for name, one in procedure.fields.items() if one.evaluation_only and one.title}
        if word.text in sealed:
            return sealed[word.text], "", True
        stages = {stage.id: stage.id for stage in procedure.stages}
        titles = {one.title: one.name for one in procedure.fields.values()}
        titles |= {one.title: one.name for one in procedure.documents.values()}
        titles |= {answer.called: answer.name for answer in procedure.answers.values()}
        ids = {name: name for name in (*procedure.fields, *procedure.documents, *procedure.answers, *procedure.dates)}
        known = {**{title: name for title, name in titles.items() if title}, **ids}
        label, problems = parser_of(frozenset({*known, *stages})).row_label(word.text, word.span)
        if label is None:
            self.reader.problems += problems
            return "", "", False
        name = label.field.text
        if label.whose == "minutes" or name not in known:
            among = stages if label.whose == "minutes" else known
            if name not in among:
                self.reader.report(diagnose.unknown_field(label.field.span, name=name, among=tuple(among)))
            return name, "minutes", False
        return known[name], label.whose, False

    def _answered(self, by_name: Mapping[str, Texts]) -> Iterator[AnswerGiven]:
        for name, words in by_name.items():
            answer = self.answer(name, words[0].span) if words else None
            if answer is not None:
                yield AnswerGiven(answer.name, tuple(self.value(answer, word) for word in words), words[0].span)

    def _rule(self, word: Text, every: bool = False) -> str:
        if every and word.text in EVERY:
            return ""
        titles = {rule.title: rule.id for rule in self.procedure.conduct if rule.title}
        known = (*(rule.id for rule in self.procedure.conduct), *titles, *self.rules)
        if word.text not in known:
            self.reader.report(diagnose.unknown_test_rule(word.span, name=word.text, among=known))
        return titles.get(word.text, word.text)


def _word(word: Text | None) -> PlacedWord | None:
    return PlacedWord(word.text, word.span) if word is not None else None
