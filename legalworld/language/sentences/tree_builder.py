"""From the right side of a grammar rule to a node of `syntax`: one function for each rule or alias of `grammar.lark`.

On the parser's stack names, tokens and numbers are nodes already, a keyword is a `Keyword`, a list is a tuple of nodes.
A function that finds its words well formed but not sensible returns a `Problem` instead of a node; only functions of
start symbols do so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple

from ...model import ast
from ...model.ast import Actor, ActorOf, Condition, FieldOf, Is, Name, Number, SpeakHead, Token
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .. import diagnose
from .keywords import ANY_NAME, numeral
from .lexer import MOST_TURNS


class Keyword(NamedTuple):
    """A keyword, a mark, a number or the free text of a check."""

    kind: str
    text: str
    span: Span


class Subject(NamedTuple):
    """Who acts, and whether he may pass."""

    actors: tuple[Actor, ...]
    may: bool

    @property
    def span(self) -> Span:
        return self.actors[0].span


Actors = tuple[Actor, ...]
Names = tuple[Name, ...]
Reference = Actor | FieldOf
Marked = Any  # any node or Keyword: something with a span


def _over(first: Marked, last: Marked) -> Span:
    """From the beginning of one node to the end of another."""
    begin: Span = first.span
    end: Span = last.span
    return Span(begin.file, begin.line, begin.column, end.column + end.length - begin.column)


def _one(subject: Subject, verb: Keyword) -> Diagnostic | None:
    """Why this subject cannot go with a verb that one actor alone performs, and never passes."""
    if len(subject.actors) != 1:
        span = _over(subject.actors[0], subject.actors[-1])
        return diagnose.wrong_actor_count(span, verb=verb.text, count=1, found=len(subject.actors))
    return None


# ---- heads -----------------------------------------------------------------------------------------------------------
def speak(subject: Subject, verb: Keyword) -> SpeakHead:
    return _speak(subject, verb, (), None, verb)


def speak_to(subject: Subject, verb: Keyword, *to: Any) -> SpeakHead:
    """`X asks Y` · `X announces to Y`: those addressed come last."""
    return _speak(subject, verb, to[-1], None, to[-1][-1])


def speak_toward(subject: Subject, _: Keyword, to: Actors, verb: Keyword) -> SpeakHead:
    return _speak(subject, verb, to, None, verb)


def present(subject: Subject, verb: Keyword, item: Name) -> SpeakHead:
    return _speak(subject, verb, (), item, item)


def present_to(subject: Subject, verb: Keyword, item: Name, _: Keyword, to: Actors) -> SpeakHead:
    return _speak(subject, verb, to, item, to[-1])


def present_toward(subject: Subject, _: Keyword, to: Actors, verb: Keyword, item: Name) -> SpeakHead:
    return _speak(subject, verb, to, item, item)


_VERBS: Final[Mapping[str, ast.Verb]] = {
    "ASKS": "asks",
    "ANNOUNCES": "announces",
    "STATES": "states",
    "RESPONDS": "responds",
    "PRESENTS": "presents",
    "NOTES": "notes",
}


def _speak(subject: Subject, verb: Keyword, to: Actors, item: Name | None, last: Marked) -> SpeakHead:
    return SpeakHead(_VERBS[verb.kind], subject.actors, to, item, subject.may, _over(subject, last))


def moderate(subject: Subject, verb: Keyword, speakers: Actors) -> ast.ModerateHead | Diagnostic:
    wrong = _one(subject, verb)
    return wrong or ast.ModerateHead(subject.actors[0], speakers, _over(subject, speakers[-1]))


def drive(subject: Subject, verb: Keyword, participants: Actors) -> ast.DriveHead | Diagnostic:
    wrong = _one(subject, verb)
    return wrong or ast.DriveHead(subject.actors[0], participants, _over(subject, participants[-1]))


def converse(subject: Subject, verb: Keyword) -> ast.ConverseHead | Diagnostic:
    if len(subject.actors) != 2:
        span = _over(subject.actors[0], subject.actors[-1])
        return diagnose.wrong_actor_count(span, verb=verb.text, count=2, found=len(subject.actors))
    return ast.ConverseHead(*subject.actors, _over(subject, verb))


def draft(subject: Subject, verb: Keyword, document: Name) -> ast.DraftHead | Diagnostic:
    wrong = _one(subject, verb)
    return wrong or ast.DraftHead(subject.actors[0], document, _over(subject, document))


def take(first: Keyword, document: Name, _: Keyword, actor: Actor) -> ast.TakeHead:
    return ast.TakeHead(document, actor, _over(first, actor))


def take_on_behalf(first: Keyword, actor: Actor, *rest: Any) -> ast.TakeHead:
    document: Name = rest[-1]
    return ast.TakeHead(document, actor, _over(first, document))


def assign(first: Keyword, role: Name) -> ast.AssignHead:
    return ast.AssignHead(role, _over(first, role))


def perform(first: Keyword, part: Name) -> ast.PerformHead:
    return ast.PerformHead(part, _over(first, part))


def for_each(first: Keyword, variable: Name, _: Keyword, within: Reference) -> ast.ForEachHead:
    return ast.ForEachHead(variable, as_field(within), _over(first, within))


def about_each(first: Keyword, within: Reference, _: Keyword, variable: Name) -> ast.ForEachHead:
    return ast.ForEachHead(variable, as_field(within), _over(first, variable))


def repeat(first: Keyword, rounds: Keyword, last: Keyword) -> ast.RepeatHead | Diagnostic:
    count = _count(rounds)
    return count if isinstance(count, Diagnostic) else ast.RepeatHead(count, _over(first, last))


def sample(first: Keyword, number: Keyword, _: Keyword, within: Reference) -> ast.SampleHead | Diagnostic:
    count = _count(number)
    return count if isinstance(count, Diagnostic) else ast.SampleHead(count, as_field(within), _over(first, within))


def sample_from(first: Keyword, within: Reference, _: Keyword, *number: Keyword) -> ast.SampleHead | Diagnostic:
    count = _count(number[0])
    return count if isinstance(count, Diagnostic) else ast.SampleHead(count, as_field(within), _over(first, number[-1]))


def reopen(first: Keyword, phase: Name) -> ast.ReopenHead:
    return ast.ReopenHead(phase, _over(first, phase))


def if_(first: Keyword, condition: Condition) -> ast.IfHead:
    return ast.IfHead(condition, _over(first, condition))


def else_(word: Keyword) -> ast.ElseHead:
    return ast.ElseHead(word.span)


def end_stage(word: Keyword) -> ast.EndHead:
    return ast.EndHead("stage", None, word.span)


def end_case(word: Keyword, *document: Any) -> ast.EndHead:
    return ast.EndHead("case", document[-1] if document else None, _over(word, document[-1] if document else word))


def subject(actors: Actors) -> Subject:
    return Subject(actors, False)


def may(actors: Actors, _: Keyword) -> Subject:
    return Subject(actors, True)


# ---- lists -----------------------------------------------------------------------------------------------------------
def one(item: Any) -> tuple[Any, ...]:
    return (item,)


def two(item: Any, _: Keyword, other: Any) -> tuple[Any, ...]:
    return (item, other)


def more(items: tuple[Any, ...], _: Keyword, item: Any) -> tuple[Any, ...]:
    return (*items, item)


def next_(items: tuple[Any, ...], item: Any) -> tuple[Any, ...]:
    return (*items, item)


def first_of(word: Keyword, _: Keyword) -> Keyword:
    return word


# ---- who and what ----------------------------------------------------------------------------------------------------
def actor_of(relation: Name, _: Keyword, of: Actor) -> ActorOf:
    return ActorOf(relation, of, _over(relation, of))


def actor_de(of: Actor, _: Keyword, relation: Name) -> ActorOf:
    return ActorOf(relation, of, _over(of, relation))


def dotted(name: Name, _: Keyword, key: Name) -> FieldOf:
    return FieldOf(name, (key,), None, _over(name, key))


def deeper(above: FieldOf, _: Keyword, key: Name) -> FieldOf:
    return FieldOf(above.field, (*above.path, key), None, _over(above, key))


def field_of(what: FieldOf, _: Keyword, of: Actor) -> FieldOf:
    return FieldOf(what.field, what.path, of, _over(what, of))


def field_de(of: Actor, _: Keyword, what: FieldOf) -> FieldOf:
    return FieldOf(what.field, what.path, of, _over(of, what))


def as_field(reference: Reference) -> FieldOf:
    """`evidence of first` is an actor by its form; here a field must be meant."""
    match reference:
        case Name():
            return FieldOf(reference, (), None, reference.span)
        case ActorOf():
            return FieldOf(reference.relation, (), reference.of, reference.span)
        case FieldOf():
            return reference


# ---- conditions ------------------------------------------------------------------------------------------------------
def all_of(parts: tuple[Condition, ...]) -> ast.And:
    return ast.And(parts, _over(parts[0], parts[-1]))


def any_of(parts: tuple[Condition, ...]) -> ast.Or:
    return ast.Or(parts, _over(parts[0], parts[-1]))


def not_(word: Keyword, part: Condition) -> ast.Not:
    return ast.Not(part, _over(word, part))


def inside(left: Keyword, condition: Condition, right: Keyword) -> Condition:
    return replace(condition, span=_over(left, right))


def says(actor: Actor, _: Keyword, token: Token) -> ast.Says:
    return ast.Says(actor, token, _over(actor, token))


def quantified(word: Keyword, answer: Name) -> ast.Quantified:
    return ast.Quantified("all" if word.kind == "ALL" else "any", answer, _over(word, answer))


def holds(what: Reference) -> ast.Holds:
    return ast.Holds(as_field(what), what.span)


def is_(left: Reference, _: Keyword, right: Name) -> Is:
    return Is(left, right, False, _over(left, right))


def is_not(left: Reference, _: Keyword, right: Name) -> Is:
    return Is(left, right, True, _over(left, right))


def assigned(left: Reference, word: Keyword) -> Is:
    return Is(left, said(word), False, _over(left, word))


def unassigned(left: Reference, word: Keyword) -> Is:
    return Is(left, said(word), True, _over(left, word))


def compare(left: Reference, word: Keyword, right: Number | FieldOf) -> ast.Compare:
    comparison: Literal["at least", "at most"] = "at least" if word.kind == "ATLEAST" else "at most"
    return ast.Compare(as_field(left), comparison, right, _over(left, right))


def is_compare(left: Reference, _: Keyword, word: Keyword, right: Number | FieldOf) -> ast.Compare:
    return compare(left, word, right)


def number(word: Keyword) -> Number:
    return Number(_value(word), word.span)


def number_name(word: Keyword) -> Name:
    """A number where a value is named, as it was written: 1.10 stays 1.10."""
    return Name(word.text, word.span)


_SAID: Final[Mapping[str, str]] = {"YES": "yes", "IS": "yes", "NO": "no", "EMPTY": "empty"}


def said(word: Keyword) -> Name:
    """A value that the language itself has a word for, under its English name; 是 is the copula and yes."""
    return Name(_SAID.get(word.kind, "assigned"), word.span)


# ---- answers ---------------------------------------------------------------------------------------------------------
_FORMS: Final[Mapping[str, Literal["yes or no", "number", "list", "text"]]] = {
    "YESNO": "yes or no",
    "ANUMBER": "number",
    "ALIST": "list",
    "ATEXT": "text",
}


def plain_form(name: Name, _: Keyword, form: Keyword) -> ast.AnswerForm:
    return ast.AnswerForm(name, _FORMS[form.kind], (), _over(name, form))


def choice_form(name: Name, _: Keyword, choices: Names, *last: Any) -> ast.AnswerForm:
    return ast.AnswerForm(name, "choice", choices, _over(name, (*choices, *last)[-1]))


def one_of_form(name: Name, _: Keyword, __: Keyword, choices: Names) -> ast.AnswerForm:
    return choice_form(name, _, choices)


# ---- who is given a role ---------------------------------------------------------------------------------------------
def named_in(word: Keyword, where: Reference) -> ast.NamedInPhrase:
    return ast.NamedInPhrase(as_field(where), _over(word, where))


def listed_in(where: Reference, word: Keyword) -> ast.NamedInPhrase:
    return ast.NamedInPhrase(as_field(where), _over(where, word))


def opposing_of(word: Keyword, of: Actor) -> ast.OpposingPhrase:
    return ast.OpposingPhrase(of, _over(word, of))


def opposed_to(of: Actor, _: Keyword, word: Keyword) -> ast.OpposingPhrase:
    return ast.OpposingPhrase(of, _over(of, word))


def remaining(word: Keyword) -> ast.RemainingPhrase:
    return ast.RemainingPhrase(word.span)


def always(actors: Actors) -> tuple[Actors, None]:
    return actors, None


def whenever(actors: Actors, _: Keyword, condition: Condition) -> tuple[Actors, Condition]:
    return actors, condition


# ---- the visibility matrix -------------------------------------------------------------------------------------------
def hidden(word: Keyword) -> ast.GrantCell:
    return ast.GrantCell((), None, word.span)


def granted(letters: Names) -> ast.GrantCell:
    return ast.GrantCell(letters, None, _over(letters[0], letters[-1]))


def granted_after(letters: Names, _: Keyword, phase: Name, *last: Any) -> ast.GrantCell:
    return ast.GrantCell(letters, phase, _over(letters[0], (phase, *last)[-1]))


def granted_afterwards(letters: Names, word: Keyword) -> ast.GrantCell | Diagnostic:
    """`C L 法庭调查之后`: the last of the names is the phase."""
    if len(letters) < 2:
        return diagnose.expected_term(letters[0].span.shifted(0, 0), what_en=ANY_NAME.en[0], what_zh=ANY_NAME.zh[0])
    return ast.GrantCell(letters[:-1], letters[-1], _over(letters[0], word))


def labelled_if(label: ast.RowLabel, _: Keyword, condition: Condition) -> ast.RowLabel:
    return ast.RowLabel(label.field, label.whose, condition, _over(label, condition))


def of_all(field: Name) -> ast.RowLabel:
    return ast.RowLabel(field, "all", None, field.span)


_WHOSE: Final[Mapping[str, Literal["own", "other", "all"]]] = {"OWN": "own", "OTHER": "other", "ALL": "all"}


def of_some(field: Name, whose: Keyword) -> ast.RowLabel:
    return ast.RowLabel(field, _WHOSE[whose.kind], None, _over(field, whose))


def some_of(whose: Keyword, *rest: Any) -> ast.RowLabel:
    return ast.RowLabel(rest[-1], _WHOSE[whose.kind], None, _over(whose, rest[-1]))


# ---- turn limits, checks of conduct ----------------------------------------------------------------------------------
def limit(word: Keyword, *_: Keyword) -> int | Diagnostic:
    return _count(word)


def range_(lowest: Keyword, _: Keyword, highest: Keyword) -> tuple[float, float]:
    return _value(lowest), _value(highest)


def _value(word: Keyword) -> float:
    written = numeral(word.text)
    return float(word.text) if written is None else float(written)


def _count(word: Keyword) -> int | Diagnostic:
    """A whole number of at least one."""
    value = _value(word)
    if not value.is_integer() or not 1 <= value <= MOST_TURNS:
        return diagnose.number_out_of_range(word.span, found=word.text, most=MOST_TURNS)
    return int(value)


_PLAIN: Final[Mapping[str, Literal["no lists", "no markdown", "no stage directions", "document alone"]]] = {
    "NOLISTS": "no lists",
    "NOMARKDOWN": "no markdown",
    "NODIRECTIONS": "no stage directions",
    "ALONE": "document alone",
}
_WORDED: Final[Mapping[str, Literal["once", "begins with", "never"]]] = {
    "ONCE": "once",
    "BEGINS": "begins with",
    "NEVER": "never",
    "ONBEHALF": "begins with",
}
_UNITS: Final[Mapping[str, Literal["sentences", "paragraphs", "characters"]]] = {
    "SENTENCES": "sentences",
    "PARAGRAPHS": "paragraphs",
    "CHARACTERS": "characters",
}


def plain_check(word: Keyword) -> ast.ConductCheck:
    return ast.ConductCheck(_PLAIN[word.kind], "", 0, "", word.span)


def text_check(word: Keyword, text: Keyword, *last: Any) -> ast.ConductCheck:
    return ast.ConductCheck(_WORDED[word.kind], text.text, 0, "", _over(word, (text, *last)[-1]))


def count_check(word: Keyword, number: Keyword, unit: Keyword) -> ast.ConductCheck | Diagnostic:
    count = _count(number)
    if isinstance(count, Diagnostic):
        return count
    kind: Literal["at least", "at most"] = "at least" if word.kind == "ATLEAST" else "at most"
    return ast.ConductCheck(kind, "", count, _UNITS[unit.kind], _over(word, unit))


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    function.__name__: function
    for function in (
        *(speak, speak_to, speak_toward, present, present_to, present_toward, moderate, drive, converse, draft),
        *(take, take_on_behalf, assign, perform, for_each, about_each, repeat, sample, sample_from, reopen, if_, else_),
        *(end_stage, end_case),
        *(subject, may, one, two, more, next_, first_of, actor_of, actor_de, dotted, deeper, field_of, field_de),
        *(as_field, all_of, any_of, not_, inside, says, quantified, holds, is_, is_not, assigned, unassigned),
        *(compare, is_compare, number, number_name, said, plain_form, choice_form, one_of_form, named_in, listed_in),
        *(opposing_of, opposed_to, remaining, always, whenever, hidden, granted, granted_after, granted_afterwards),
        *(labelled_if, of_all, of_some, some_of, limit, range_, plain_check, text_check, count_check),
    )
}
