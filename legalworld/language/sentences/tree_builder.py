"""From the rules of `grammar.lark` to nodes of the syntax tree.

On Lark's stack lie `Word`s, nodes of `ast`, `Said` values and `Phrase`s. A rule without a method below makes a
`Phrase`: a part called by the rule's name. A method that finds its words well formed but not sensible makes a
`Diagnostic`, which then stands for the whole sentence.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import v_args

from ...model import ast
from ...model.ast import Actor, ActorOf, Condition, FieldOf, Name, Number
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .. import diagnose
from .formula_builder import FormulaBuilder
from .keywords import ANY_NAME, KEYWORDS, LEFT, NOUNS, PRESENT, SECTIONS
from .lexer import MOST_TURNS, Word, token_words
from .quantities import amount
from .sentence_parts import Phrase, Said, built, over

Actors = tuple[Actor, ...]
Reference = Actor | FieldOf


def _as_field(reference: Reference) -> FieldOf:
    """`evidence of first` is an actor by its form; here a field must be meant."""
    match reference:
        case Name():
            return FieldOf(reference, (), None, reference.span)
        case ActorOf(relation, of):
            return FieldOf(relation, (), of, reference.span)
        case FieldOf():
            return reference


def _counted(actors: Actors, count: int, verb: Word) -> Diagnostic | None:
    """Why these actors cannot go with a verb that so many must perform."""
    if len(actors) == count:
        return None
    return diagnose.wrong_actor_count(over(actors), verb=str(verb), count=count, found=len(actors))


def _number(word: Word) -> float:
    """The number that a word begins with: whatever stands behind it was taken for its unit."""
    return next((found for end in range(len(word), 0, -1) if (found := amount(word[:end])) is not None), 0.0)


@v_args(wrapper=built)
class TreeBuilder(FormulaBuilder):
    """The callbacks of the grammar."""

    def __default__(self, data: str, children: list[Any], meta: Any) -> Any:
        return next((child for child in children if type(child) is Diagnostic), None) or Phrase(data, children)

    # ---- words -------------------------------------------------------------------------------------------------------
    @v_args(inline=True)
    def name(self, word: Word) -> Name:
        return Name(str(word), word.span)

    number_name = name  # a number where a value is named, as it was written: 1.10 stays 1.10

    @v_args(inline=True)
    def token(self, word: Word) -> ast.Token:
        return ast.Token(token_words(word), word.span)

    @v_args(inline=True)
    def text(self, word: Word) -> Said:
        return Said(str(word), word.span)

    @v_args(inline=True)
    def word(self, word: Word) -> Said:
        """A keyword that says something, by its English spelling."""
        return Said(KEYWORDS[word.type].en[0], word.span)

    @v_args(inline=True)
    def said(self, word: Word) -> Name:
        """A value that the language itself has a word for, under its English name; 是 is the copula and yes."""
        return Name("yes" if word.type == "IS" else KEYWORDS[word.type].en[0].removeprefix("un"), word.span)

    @v_args(inline=True)
    def number(self, word: Word) -> Number:
        return Number(_number(word), word.span)

    @v_args(inline=True)
    def count(self, word: Word) -> Said | Diagnostic:
        """A whole number of at least one."""
        value = _number(word)
        if not value.is_integer() or not 1 <= value <= MOST_TURNS:
            return diagnose.number_out_of_range(word.span, found=str(word), most=MOST_TURNS)
        return Said(int(value), word.span)

    @v_args(inline=True)
    def parameter(self, word: Word) -> Name | Diagnostic:
        """A parameter of a part in the place of a number."""
        if word.declared:
            return Name(str(word), word.span)
        return diagnose.expected_count(word.span, what_en=NOUNS["REPEAT"].en[0], what_zh=NOUNS["REPEAT"].zh[0])

    # ---- who does it -------------------------------------------------------------------------------------------------
    def subject(self, actors: Actors, span: Span) -> Phrase:
        return Phrase("subject", [ast.Subject(actors, False, span)])

    def may(self, actors: Actors, span: Span) -> Phrase:
        return Phrase("subject", [ast.Subject(actors, True, span)])

    @v_args(inline=True)
    def by(self, subject: Phrase, verb: Word) -> Phrase | Diagnostic:
        """The one actor of a verb that cannot have more."""
        actors: Actors = subject.value.actors
        return _counted(actors, 1, verb) or Phrase("by", [actors[0], verb])

    @v_args(inline=True)
    def voters(self, actors: Said, verb: Word) -> Phrase:
        return Phrase("voters", [actors, verb])

    @v_args(inline=True)
    def both(self, subject: Phrase, verb: Word) -> Phrase:
        actors: Actors = subject.value.actors
        return Phrase("both", [Said(actors, subject.span), verb])

    # ---- lists, actors, fields ---------------------------------------------------------------------------------------
    def actors(self, *items: Any, span: Span) -> Said:
        return Said(items, span)

    letters = choices = names = fields = assignees = actors

    def actor_of(self, relation: Name, of: Actor, span: Span) -> ActorOf:
        return ActorOf(relation, of, span)

    def actor_de(self, of: Actor, relation: Name, span: Span) -> ActorOf:
        return ActorOf(relation, of, span)

    def actor_owned(self, of: Actor, relation: Name, span: Span) -> ActorOf:
        return ActorOf(relation, of, span, owned=True)

    def dotted(self, name: Name, *path: Name, span: Span) -> FieldOf:
        return FieldOf(name, path, None, span)

    def field_of(self, what: FieldOf, of: Actor, span: Span) -> FieldOf:
        return FieldOf(what.field, what.path, of, span)

    def field_de(self, of: Actor, what: FieldOf, span: Span) -> FieldOf:
        return FieldOf(what.field, what.path, of, span)

    @v_args(inline=True)
    def field(self, reference: Reference) -> FieldOf:
        return _as_field(reference)

    # ---- conditions --------------------------------------------------------------------------------------------------
    def count_of(self, what: FieldOf, span: Span) -> ast.Measured:
        return ast.Measured("count", what, span)

    def sum_of(self, what: FieldOf, span: Span) -> ast.Measured:
        return ast.Measured("sum", what, span)

    def counted(self, what: Reference, span: Span) -> FieldOf:
        return replace(_as_field(what), span=span)

    def all_of(self, *parts: Condition, span: Span) -> ast.And:
        return ast.And(parts, span)

    def any_of(self, *parts: Condition, span: Span) -> ast.Or:
        return ast.Or(parts, span)

    def inside(self, condition: Condition, span: Span) -> Condition:
        return replace(condition, span=span)

    def is_(self, left: Reference, right: Name, span: Span) -> ast.Is:
        return ast.Is(left, right, False, span)

    def is_not(self, left: Reference, right: Name, span: Span) -> ast.Is:
        return ast.Is(left, right, True, span)

    def attends(self, left: Actor, span: Span) -> ast.Is:
        """`X 到庭`: he is in the room."""
        return ast.Is(left, Name(PRESENT, span), False, span)

    def has_left(self, left: Actor, span: Span) -> ast.Is:
        """`X has left`: he was there, and is not any more."""
        return ast.Is(left, Name(LEFT, span), False, span)

    def has_not_left(self, left: Actor, span: Span) -> ast.Is:
        return ast.Is(left, Name(LEFT, span), True, span)

    def compare(
        self, left: Reference | ast.Measured, comparison: Any, right: Number | FieldOf, span: Span
    ) -> ast.Compare:
        measured = left if isinstance(left, ast.Measured) else ast.Measured("value", _as_field(left), left.span)
        return ast.Compare(measured, comparison, right, span)

    def quantified(self, quantifier: Any, answer: Name, value: Name | None = None, *, span: Span) -> ast.Quantified:
        return ast.Quantified(quantifier, 0, answer, value, span)

    def ballots(
        self, comparison: Any, count: int, answer: Name, value: Name | None = None, *, span: Span
    ) -> ast.Quantified:
        return ast.Quantified(comparison, count, answer, value, span)

    def unanimous(self, what: Reference, span: Span) -> ast.Unanimous:
        return ast.Unanimous(_as_field(what), False, span)

    def divided(self, what: Reference, span: Span) -> ast.Unanimous:
        return ast.Unanimous(_as_field(what), True, span)

    # ---- days --------------------------------------------------------------------------------------------------------
    def period(self, count: int, unit: Any, span: Span) -> ast.CalendarPeriod:
        return ast.CalendarPeriod(count, unit, span)

    def later(self, name: Name, span: Span) -> Said:
        return Said(("after", name, None), span)

    def earlier(self, name: Name, span: Span) -> Said:
        return Said(("before", name, None), span)

    def in_period(self, one: Name | ast.CalendarPeriod, other: Name | ast.CalendarPeriod, span: Span) -> Said:
        """The period stands before the day in English, behind it in Chinese."""
        name, period = (one, other) if isinstance(one, Name) else (other, one)
        return Said(("within", name, period), span)

    def dated(self, left: Reference, moment: Any, span: Span, negated: bool = False) -> ast.DateTest:
        test, right, period = moment
        return ast.DateTest(_as_field(left), test, negated, right, period, span)

    def not_dated(self, left: Reference, moment: Any, span: Span) -> ast.DateTest:
        return self.dated(left, moment, span, negated=True)

    def not_later(self, left: Reference, right: Name, span: Span) -> ast.DateTest:
        return ast.DateTest(_as_field(left), "after", True, right, None, span)

    def not_earlier(self, left: Reference, right: Name, span: Span) -> ast.DateTest:
        return ast.DateTest(_as_field(left), "before", True, right, None, span)

    def reckon_after(
        self, one: Name | ast.CalendarPeriod, other: Name | ast.CalendarPeriod, span: Span
    ) -> ast.Reckoning:
        base, period = (one, other) if isinstance(one, Name) else (other, one)
        assert isinstance(base, Name) and isinstance(period, ast.CalendarPeriod)
        return ast.Reckoning(period, 1, base, span)

    def reckon_before(
        self, one: Name | ast.CalendarPeriod, other: Name | ast.CalendarPeriod, span: Span
    ) -> ast.Reckoning:
        return replace(self.reckon_after(one, other, span=span), sign=-1)

    not_ = ast.Not
    says_token = ast.Says
    holds = ast.Holds

    # ---- answers and assignments -------------------------------------------------------------------------------------
    def plain_form(self, name: Name, form: Any, span: Span) -> ast.AnswerForm:
        return ast.AnswerForm(name, form, (), span)

    def choice_form(self, name: Name, choices: tuple[Name, ...], span: Span) -> ast.AnswerForm:
        return ast.AnswerForm(name, "choice", choices, span)

    def person_form(self, name: Name, among: Actor, span: Span) -> ast.AnswerForm:
        return ast.AnswerForm(name, "choice", (), span, among)

    def persons_form(self, name: Name, most: int, among: Actor, span: Span) -> ast.AnswerForm:
        return ast.AnswerForm(name, "list", (), span, among, most)

    named_in = ast.NamedInPhrase
    opposing = ast.OpposingPhrase
    remaining = ast.RemainingPhrase
    gave_answer = ast.AnsweredPhrase

    def got_answer(self, name: Name, value: Name, span: Span) -> ast.AnsweredPhrase:
        return ast.AnsweredPhrase(value, name, span)

    def off_the_record(self, actors: Actors, condition: Condition | None = None, *, span: Span) -> Said:
        return Said((actors, condition), span)

    # ---- the visibility matrix ---------------------------------------------------------------------------------------
    def hidden(self, span: Span) -> ast.GrantCell:
        return ast.GrantCell((), None, span)

    def granted(self, letters: tuple[Name, ...], after: Name | None = None, *, span: Span) -> ast.GrantCell:
        return ast.GrantCell(letters, after, span)

    def granted_afterwards(self, letters: tuple[Name, ...], span: Span) -> ast.GrantCell | Diagnostic:
        """`C L 法庭调查之后`: the last of the names is the phase."""
        if len(letters) < 2:
            return diagnose.expected_term(span.shifted(0, 0), what_en=ANY_NAME.en[0], what_zh=ANY_NAME.zh[0])
        return ast.GrantCell(letters[:-1], letters[-1], span)

    def labelled(self, field: Name, whose: Any = "all", *, span: Span) -> ast.RowLabel:
        return ast.RowLabel(field, whose, None, span)

    def some_of(self, whose: Any, field: Name, span: Span) -> ast.RowLabel:
        return ast.RowLabel(field, whose, None, span)

    def minutes_of(self, stage: Name, span: Span) -> ast.RowLabel:
        return ast.RowLabel(stage, "minutes", None, span)

    def full_minutes_of(self, stage: Name, span: Span) -> ast.RowLabel:
        return ast.RowLabel(stage, "minutes", None, span, full=True)

    def labelled_if(self, label: ast.RowLabel, condition: Condition, span: Span) -> ast.RowLabel:
        return replace(label, condition=condition, span=span)

    # ---- turn limits, ranges, checks of conduct ----------------------------------------------------------------------
    def limit(self, count: int | Name, span: Span) -> Said:
        return Said(count, span)

    share = limit

    def range(self, lowest: Number, highest: Number, span: Span) -> Said:
        return Said((lowest.value, highest.value), span)

    def plain_check(self, kind: Any, span: Span) -> ast.ConductCheck:
        return ast.ConductCheck(kind, "", 0, "", span)

    def text_check(self, kind: Any, text: str, span: Span) -> ast.ConductCheck:
        return ast.ConductCheck(kind, text, 0, "", span)

    def begins_check(self, text: str, span: Span) -> ast.ConductCheck:
        return ast.ConductCheck("begins with", text, 0, "", span)

    def count_check(self, kind: Any, count: int, unit: Any, span: Span) -> ast.ConductCheck:
        return ast.ConductCheck(kind, "", count, unit, span)

    # ---- changes to the procedure that is extended -------------------------------------------------------------------
    @v_args(inline=True)
    def section(self, word: Word) -> Said:
        return Said(SECTIONS[word.type], word.span)

    def what(self, *words: Any, span: Span) -> Said:
        """The name of something, and its section where it is no place."""
        return Said((words[-1], words[0] if len(words) > 1 else ""), span)

    def remove(self, what: tuple[Name, str], span: Span) -> ast.Change:
        return ast.Change("remove", *what, span)

    def replace(self, what: tuple[Name, str], span: Span) -> ast.Change:
        return ast.Change("replace", *what, span)

    def change(self, what: tuple[Name, str], span: Span) -> ast.Change:
        return ast.Change("change", *what, span)

    def insert_before(self, place: Name, span: Span) -> ast.Change:
        return ast.Change("insert before", place, "", span)

    def insert_after(self, place: Name, span: Span) -> ast.Change:
        return ast.Change("insert after", place, "", span)

    def remove_row(self, label: ast.RowLabel, span: Span) -> ast.Change:
        return ast.Change("remove", label.field, "visibility", span, label)
