"""The answer that a reply gives: `【name：value】` at its end, read from its name to its last mark.

A reply is never evaluated and hardly guessed at: 不同意 contains 同意.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from unicodedata import category

from ..language import diagnose
from ..language.sentences.keywords import truth_of
from ..language.sentences.quantities import NUMERALS, TENS
from ..language.sentences.references import BETWEEN_NAMES, NO_ONE
from ..language.typed_values import read_figure
from ..model.case import Typed
from ..model.diagnostics import Diagnostic
from ..model.immutable import replace
from ..model.numbers import readings
from ..model.plan import Answer
from .handing_in import offers
from .nearest import plain, said_otherwise
from .parsed import Parsed

TOKEN = re.compile(r"【([^【】]+)】")
STOPS = " \t\n\u3000。．.，,；;、！!*`"
ASKS = re.compile("[？?]")
LONGEST_REMARK = 200  # characters behind the token that ends a document
_COLON = re.compile("[：:]")
_MARK = re.compile("[【】]")
_LIST_MARK = re.compile(r"[；;\n]+")
_ITEM_NUMBER = re.compile(rf"^(?:[-*•·]\s|[（(]?[\d{NUMERALS}{''.join(TENS)}]{{1,3}}(?:[)）]|[.．、](?!\d))|[①-⑳])")
_OPEN_ENDED = ("text", "list")  # forms of which nobody can tell by a word where it ends


class _Given(NamedTuple):
    """A token of the answer: where it stands, and the words in it."""

    start: int
    end: int
    words: str


def answered(parsed: Parsed, answer: Answer | None, known: re.Pattern[str]) -> Parsed:
    """The value of the last token `【name：value】`, with which the reply must end; all such tokens are cut out.

    Where it begins a line it may be followed by a few words that ask nothing. `known`: the tokens of the procedure,
    which end an answer that is not closed.
    """
    if answer is None:
        return parsed
    text = parsed.text
    tokens = list(_given(text, answer, known))
    if not tokens:
        return _unclosed(parsed, answer, known)
    last, after = tokens[-1], text[tokens[-1].end :]
    written = text[last.start : last.end].strip("【】")
    final = not TOKEN.sub("", after).strip(STOPS)
    remark = TOKEN.sub("", after).strip()
    begins = not text[: last.start].rpartition("\n")[2].strip(STOPS)
    value = typed(last.words, answer)
    parsed = replace(_nearly(parsed, last.words, value, answer), given=last.words.strip())
    if not final and begins and len(remark) <= LONGEST_REMARK and not ASKS.search(remark) and value is not None:
        words = _without(text[: last.start].rstrip(), tokens[:-1]) + ("" if offers(remark) else after)
        return replace(parsed, text=words.strip(), value=value).faulty("words_after_end", remark)
    if final:
        after = "".join(token[0] for token in TOKEN.finditer(after))
    text = (_without(text[: last.start], tokens[:-1]) + after).strip()
    if final and value is not None:
        return replace(parsed, text=text, value=value)
    return replace(parsed, text=text).faulty("no_answer", written)


def _without(text: str, tokens: list[_Given]) -> str:
    for token in reversed(tokens):
        text = text[: token.start] + text[token.end :]
    return text


def _given(text: str, answer: Answer, known: re.Pattern[str]) -> Iterator[_Given]:
    """The tokens of an answer, one behind the other."""
    opening = re.compile(rf"【\s*(?:{'|'.join(map(re.escape, answer.names))})\s*[：:]", re.IGNORECASE)
    at = 0
    while (found := opening.search(text, at)) is not None:
        end = _closing(text, found.end(), answer.form, known)
        if end > 0:
            closed = _balance(text[found.start() : end]) <= 0
            yield _Given(found.start(), end, text[found.end() : end - closed])
        at = max(end, found.end())


def _balance(text: str) -> int:
    """How many marks of a text are opened and not closed; below zero where more are closed."""
    return text.count("【") - text.count("】")


def _closing(text: str, start: int, form: str, known: re.Pattern[str]) -> int:
    """Where a token ends whose words begin at a place; 0 where it does not.

    Marks in it are paired. An answer in free words goes on to a mark that no other opens, or to the end of the reply.
    """
    depth, end = 1, 0
    for mark in _MARK.finditer(text, start):
        depth += 1 if mark[0] == "【" else -1
        if depth == 0 and not end:
            end = mark.end()
        if depth < 0:
            end, depth = mark.end() if form in _OPEN_ENDED else end, 0
    return end if end or form not in _OPEN_ENDED else _before_tokens(text, start, known)


def _before_tokens(text: str, start: int, known: re.Pattern[str]) -> int:
    """Where words end that begin at a place: before the tokens of the procedure with which the reply ends."""
    end = len(text.rstrip())
    while (last := len(text[:end].rstrip(STOPS))) > start and text.endswith("】", start, last):
        opening = text.rfind("【", start, last)
        if opening < 0 or not known.fullmatch(text[opening + 1 : last - 1].strip()):
            break
        end = len(text[:opening].rstrip())
    return max(end, start)


def _unclosed(parsed: Parsed, answer: Answer, known: re.Pattern[str]) -> Parsed:
    """The value with which a reply plainly ends, though a bracket is left out, or both on a line of its own; or which
    is all that the reply says, and then heard too.
    """
    said = parsed.text.rstrip(STOPS)
    alone = typed(said, answer) if "\n" not in said and answer.form in ("yes or no", "choice") else None
    if alone is not None:
        return replace(_nearly(parsed, said, alone, answer), value=alone, given=said)
    if answer.form in _OPEN_ENDED:
        return _labelled(parsed, answer, known)
    for before, rest in _endings(said):
        name, colon, word = _COLON.sub(":", rest, count=1).partition(":")
        named = name.strip(STOPS + "】").casefold() in map(str.casefold, answer.names)
        if colon and named:
            value = typed(word, answer)
            if value is not None:
                parsed = replace(_nearly(parsed, word, value, answer), given=word.strip(STOPS))
                return replace(parsed, text=before.strip(), value=value)
    return parsed


def _endings(said: str) -> Iterator[tuple[str, str]]:
    """What a reply may end with, and what stands before it: an open mark, brackets of another kind, the last line."""
    before, found, rest = said.rpartition("【")
    if found:
        yield before, rest
    if said and category(said[-1]) == "Pe":
        start = max((at for at, character in enumerate(said) if category(character) == "Ps"), default=-1)
        if start >= 0:
            yield said[:start], said[start + 1 : -1]
    before, _, rest = said.rpartition("\n")
    yield before, rest


def _nearly(parsed: Parsed, word: str, value: str | tuple[str, ...] | None, answer: Answer) -> Parsed:
    """The reply with the remark that a choice was not said as it is called, where it was not."""
    if answer.form != "choice" or not isinstance(value, str):
        return parsed
    called = {plain(value), *(plain(title) for one, title in answer.choice_titles if one == value)}
    return parsed if plain(word) in called else parsed.faulty("near_answer", word.strip())


def _labelled(parsed: Parsed, answer: Answer, known: re.Pattern[str]) -> Parsed:
    """An answer in free words behind its bare name at the start of a line, to the end of the reply."""
    names = "|".join(map(re.escape, answer.names))
    label = re.compile(rf"^[ \t\u3000>*#]*+【?(?:{names})[*\s】]{{0,4}}[：:]\**+", re.MULTILINE | re.IGNORECASE)
    last = next(reversed(list(label.finditer(parsed.text))), None)
    if last is None:
        return parsed
    end = _before_tokens(parsed.text, last.end(), known)
    value = typed(parsed.text[last.end() : end], answer)
    if value is None:
        return parsed
    return replace(parsed, text=(parsed.text[: last.start()] + parsed.text[end:]).strip(), value=value)


def typed(word: str, answer: Answer) -> str | tuple[str, ...] | None:
    """The text of an answer as a value of its form; None when it is none."""
    word = word.strip(STOPS if answer.form in ("yes or no", "choice") else None).strip("“”\"'「」").strip()
    meant = word.casefold()
    word = next((value for value, title in answer.choice_titles if meant == title.casefold()), word)
    match answer.form:
        case "yes or no":
            said = truth_of(word, answer.names)
            return None if said is None else "yes" if said else "no"
        case "choice":
            return _choice(word, answer)
        case "number" | "date":
            read = read_figure(word.strip(STOPS), answer)
            return read if isinstance(read, Typed) else None
        case "list" if answer.among is not None:
            return _several(word, answer)
        case "list":
            items = (_ITEM_NUMBER.sub("", item.strip()).strip() for item in _LIST_MARK.split(word))
            return tuple(item for item in items if item.strip(STOPS)) or None
        case "text":
            return word or None


_UNFIT: Final = {
    diagnose.code_of(kind): rule
    for kind, rule in (
        (diagnose.ambiguous_value, "number_ambiguous"),
        (diagnose.foreign_currency, "other_currency"),
        (diagnose.impossible_date, "no_such_day"),
        (diagnose.value_out_of_range, "out_of_range"),
    )
}
"""What is wrong with a figure -> how who gave it is told so."""


def unfit(word: str, answer: Answer) -> tuple[str, str] | None:
    """Return why a figure does not count, with what to say of it; None where it is none, or none is asked for."""
    if answer.form not in ("number", "date"):
        return None
    both = readings(word, answer.locale) if answer.type is None else ()
    if len(both) > 1:
        return "number_ambiguous", f"{word} = {' | '.join(one.kept for one in both)}"
    read = read_figure(word.strip(STOPS), answer)
    rule = _UNFIT.get(read.code, "") if isinstance(read, Diagnostic) else ""
    if not rule or not isinstance(read, Diagnostic):
        return None
    told = read.values.get("readings", "")
    return "day_ambiguous" if told and answer.form == "date" else rule, f"{word} = {told}" if told else word


def silence(answer: Answer) -> str | tuple[str, ...]:
    """What counts where nobody answered: what the procedure says of silence, or nothing."""
    return () if answer.form == "list" else answer.default or ""


def _several(word: str, answer: Answer) -> tuple[str, ...] | None:
    """The persons whom words name, as few as the answer wants; () where they say nobody; None where one is not meant,
    or where they are too many."""
    if plain(word) in NO_ONE:
        return ()
    named: list[str | None] = []
    for item in filter(None, (item.strip(STOPS) for item in _LIST_MARK.split(word))):
        whole = _choice(item, answer)  # a name may have a comma in it
        named += [whole] if whole else [_choice(one.strip(STOPS), answer) for one in BETWEEN_NAMES.split(item)]
    found = tuple(dict.fromkeys(name for name in named if name is not None))
    return found if found and None not in named and len(found) <= answer.most else None


def _choice(word: str, answer: Answer) -> str | None:
    """The choice that a word is, or nearly is; None where it is none, or might be two."""
    if word in answer.choices:
        return word
    titles = {title: value for value, title in answer.choice_titles}
    called = {**{choice: choice for choice in answer.choices}, **titles}
    exact = (choice for choice in answer.choices if choice.casefold() == word.casefold())
    return next(exact, None) or called.get(said_otherwise(word, called)) or None
