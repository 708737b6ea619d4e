"""What of a reply stays in the thread of who gave it: his words as others take them, and the marks that were asked for.

A model goes on as it sees that it has written before. A reply without a fault stays as it came; of another what was
cut out is left out here too - foreign marks, markup, calls in another notation, words in another's name - and what was
understood is written as it was asked for. The journal has the reply itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..model.dialect import known_dialect
from ..model.plan import Answer
from ..model.punctuation import Punctuation
from ..model.reply_form import ReplyForm
from .answers import TOKEN
from .call_forms import OWN_CALL, in_own_form
from .foreign_marks import foreign_mark
from .markup import without_markup
from .parsed import Parsed
from .replies import in_one_spelling
from .reply_reader import holds_marks, read

NOTHING_LEFT: Final = "…"  # stands for words of which nothing is left
_LACKS: Final = frozenset(
    {"empty", "no_answer", "no_token", "no_score", "no_document", "no_record", "cut", "unfinished", "earlier_draft"}
)  # faults of a reply that leave its words as they are
_SIGNS: Final = re.compile(r"[\s。．.，,；;、！!：:]")
_COLON: Final = re.compile("[：:]")
_NO_BRACKETS: Final = str.maketrans("", "", "【】")


def kept_words(raw: str, words: str, parsed: Parsed, form: ReplyForm, *, marks: Punctuation) -> str:
    """Return a reply as its thread keeps it. `words`: what of it was taken as spoken or handed in."""
    words = without_markup(words, form.literals)
    if {rule for rule, _ in parsed.faults} <= _LACKS and _signless(_uncounted(raw, form)) == _signless(words):
        return raw.strip() or NOTHING_LEFT
    head = "".join(marks.token(one) for one in (parsed.raised, parsed.leading) if one)
    tail = "".join((*map(marks.token, parsed.within), *_values(parsed, marks), marks.token(parsed.ending)))
    body = "\n".join(filter(None, (words, _given(parsed, form.answer, marks))))
    return f"{head}{body}{tail}".strip() or NOTHING_LEFT


def kept_piece(piece: str, form: ReplyForm) -> str:
    """Return a part of a document that comes in several replies, or words beside a call, as a thread keeps them."""
    return "" if foreign_mark(piece, form) else without_markup(piece, form.literals)


def kept_call(raw: str, form: ReplyForm, *, native: bool) -> str:
    """Return a reply that calls tools as its thread keeps it: calls in words as they are asked for.

    `native`: it has calls beside its text, which may then be empty.
    """
    if not holds_marks(raw, known_dialect()):
        return kept_piece(raw, form) or ("" if native else NOTHING_LEFT)
    segments = read(raw, known_dialect()).segments
    said = "".join(one.raw for one in segments if one.kind == "words")
    words = kept_piece(said, form)
    if all(one.kind == "words" or one.raw.lstrip().startswith(OWN_CALL) for one in segments):
        if words == said.strip():
            return raw.strip()
        calls = [one.raw.strip() for one in segments if one.kind == "call"]
    else:
        calls = [in_own_form(call) for one in segments for call in one.calls if call.name]
    return "\n".join(filter(None, (words, *calls))) or ("" if native else NOTHING_LEFT)


# ---- a reply of words ------------------------------------------------------------------------------------------------


def _uncounted(raw: str, form: ReplyForm) -> str:
    """The words without the marks that count, or would if they were filled in well."""
    tokens = {*form.leading, *form.ending, *form.within, *form.raising}
    names = {*map(str.casefold, (*form.values, *(form.answer.names if form.answer is not None else ())))}

    def counted(found: re.Match[str]) -> str:
        word = found[1].strip()
        name = _COLON.split(word, maxsplit=1)[0].strip().casefold()
        return "" if word in tokens or (":" in word.replace("：", ":") and name in names) else found[0]

    return TOKEN.sub(counted, in_one_spelling(raw, form))


def _signless(text: str) -> str:
    return _SIGNS.sub("", text)


def _values(parsed: Parsed, marks: Punctuation) -> Iterator[str]:
    for name, value in parsed.values.items():
        yield marks.token(f"{name}{marks.colon}{value:g}")


def _given(parsed: Parsed, answer: Answer | None, marks: Punctuation) -> str:
    """The answer in its marks; one that could not be read is left out, or it would seem to have been."""
    if answer is None or parsed.value is None:
        return ""
    match answer.form:
        case "yes or no" | "number":
            said = parsed.given
        case "list":
            said = marks.semicolon.join(parsed.value)
        case _:
            said = answer.said(str(parsed.value))
    if said.count("【") != said.count("】"):  # closed nowhere, it would be read otherwise
        said = said.translate(_NO_BRACKETS)
    return marks.token(f"{answer.called}{marks.colon}{said}")
