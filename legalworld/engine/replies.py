"""A reply taken apart: tokens, the answer, labels of other speakers cut off, and what was wrong with it.

A reply is never rendered, never evaluated, never guessed at: 不同意 contains 同意.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache

from ..language.sentences.keywords import truth_of
from ..language.sentences.quantities import NUMERALS, TENS
from ..model.events import ReplyForm
from ..model.immutable import immutable, replace
from ..model.numbers import figure
from ..model.plan import Answer
from ..model.step_facts import value_token
from .handing_in import holds, offers
from .voices import Voice, disarmed, one_voice

_TOKEN = re.compile(r"【([^【】]+)】")
_ANGLED = re.compile(r"<<([^<>【】]+)>>")
_HOLE = re.compile(r"\{\w+\}")
_COLON = re.compile("[：:]")
_LIST_MARK = re.compile(r"[；;\n]+")
_ITEM_NUMBER = re.compile(rf"^(?:[-*•·]\s|[（(]?[\d{NUMERALS}{''.join(TENS)}]{{1,3}}(?:[)）]|[.．、](?!\d))|[①-⑳])")
_BRACKETS = re.compile("[【】]")
_LONGEST_TAIL = 2_000  # characters; a longer row of tokens is none that anybody was asked for
_MOST_CUTS = 12  # tokens inside tokens: who nests them deeper than that loses all brackets
_LONGEST_REMARK = 200  # characters behind the token that ends a document
_LONGEST_LEAD = 60  # characters of a reply that may say its token last
_ASKS = re.compile("[？?]")
_MOST_STRAY = 12  # stray tokens of one reply that are recorded
_STOPS = " \t\n\u3000。．.，,；;、！!*`"
_MARKS = re.compile(r"[\s：:（）()、，,·《》“”\"]+")
_OVER = (*"。！？.!?\n",)  # with which a sentence is over
_EMPHASISED = re.compile(r"(?P<mark>\*{1,3}|_{1,3}|`{1,3})(?P<token>【(?P<word>[^【】]+)】)(?P=mark)")
_LABELLED = re.compile(r"^([ \t]{0,8})\*{1,3}([^*\n]{1,30})(?:([：:])[ \t]{0,8}\*{1,3}|\*{1,3}([：:]))", re.MULTILINE)
_WHOLLY = re.compile(r"(?P<mark>\*{1,3}|_{1,3})(?=【)")
_FORMAT_LINE = re.compile(r"^ {0,3}(?:#{1,6}[ \t]+|(?:-{3,20}|\*{3,20}|```\w{0,20})[ \t]{0,20}(?:\n|\Z))", re.MULTILINE)
_BOLD = re.compile(r"(?<!\w)\*\*(?=[^\s*])((?:[^*\n]|\n(?!\n)){1,300})(?<!\s)\*\*")
_HEAD = re.compile(rf"(?:【[^【】]*】[{re.escape(_STOPS)}]*)+")
_TAIL = re.compile(rf"(?:【[^【】]*】[{re.escape(_STOPS)}]*)+\Z")


@immutable
class Parsed:
    """`text`: what others hear. `leading`/`ending`: the token that counted ("" = none). `value`: None = none given.

    `within`: tokens that count anywhere, in order; `values`: the numbers it ends with, by name. `raised`: the token of
    an event; `unmet`: it raises one in place of what was expected. `struck`: an objection to it was sustained.
    `draft`: a document that it offers, where that is not simply its text. `formatted`: the words with their markdown,
    where there was any.
    `faults`: (rule, detail) in the order they were found.
    """

    text: str
    leading: str = ""
    ending: str = ""
    value: str | tuple[str, ...] | None = None
    faults: tuple[tuple[str, str], ...] = ()
    within: tuple[str, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    raised: str = ""
    unmet: bool = False
    struck: bool = False
    draft: str = ""
    formatted: str = ""

    @property
    def counts(self) -> bool:
        """Whether anything in it counts, be it words or a token."""
        return bool(self.text or self.leading or self.ending or self.within or self.values or self.value is not None)

    @property
    def broken_off(self) -> bool:
        """Whether it ends where a limit of tokens was reached."""
        return any(rule in ("cut", "unfinished") for rule, _ in self.faults)

    @property
    def document(self) -> str:
        """What it hands in, where it hands in a document."""
        return self.draft or self.text


def parse(raw: str, form: ReplyForm) -> Parsed:
    """A reply by the form it should have.

    What counts is counted first. Then everything that nobody is to hear is cut out, again and again: a cut may join
    what stood around it to another token.
    """
    parsed = Parsed(raw.strip())
    if len(parsed.text) > form.limit:
        parsed = _fault(replace(parsed, text=parsed.text[: form.limit]), "oversized", str(len(raw)))
    parsed = _unremarked(_raising(_unemphasised(_one_spelling(parsed, form), form), form), form)
    document = form.kind == "document" or (form.kind == "either" and bool(_at_an_end(parsed.text, form.ending)))
    draft = form.kind == "either" and not document and holds(form.sections, parsed.text)
    drawn_up = document or draft  # it may name parties line by line
    parsed = parsed if drawn_up else _voiced(parsed, one_voice(parsed.text, form))
    parsed = parsed if parsed.raised else _raising(parsed, form)
    parsed = _ending(_leading(_answer(_values(_within(parsed, form), form), form.answer), form), form)
    for left in reversed(range(_MOST_CUTS)):
        before = parsed.text
        parsed = _one_spelling(parsed, form)
        parsed = _stray(parsed, form) if left else replace(parsed, text=_BRACKETS.sub("", parsed.text))
        parsed = parsed if drawn_up else _voiced(parsed, one_voice(parsed.text, form))
        if parsed.text == before:
            break
    parsed = _disarmed_value(parsed, form)
    voice = disarmed(parsed.text, form, document)
    if draft:  # heard as words are; but whom a document names, nobody has forged
        written = disarmed(parsed.text, form, True)
        parsed, voice = replace(parsed, draft=written.text), voice._replace(faults=written.faults)
    parsed = _voiced(parsed, voice)
    unanswered = any(rule == "no_answer" for rule, _ in parsed.faults)
    if not parsed.counts and not unanswered:
        parsed = _fault(parsed, "empty", "")
    for name in form.values:
        parsed = parsed if name in parsed.values else _fault(parsed, "no_score", name)
    if form.answer is not None and parsed.value is None and not parsed.leading and not unanswered:
        parsed = _fault(parsed, "no_answer", form.answer.name)
    return parsed


def unformatted(parsed: Parsed) -> Parsed:
    """A reply without the markdown of headings, bold type, rules and fences: what is spoken and signed has none.

    A name that a court masked with asterisks (张**) keeps them: bold type begins where a word does.
    """
    text, draft = (_BOLD.sub(r"\1", _FORMAT_LINE.sub("", words)).strip() for words in (parsed.text, parsed.draft))
    if (text, draft) == (parsed.text, parsed.draft):
        return parsed
    return replace(parsed, text=text, draft=draft, formatted=parsed.document)


def amended(first: Parsed, second: Parsed) -> Parsed:
    """A reply that was asked for again: what it does not say was said before."""
    values = {**first.values, **second.values}
    if second.text:  # a document that was asked for again because it was lacking is handed in without a word of that
        ending = second.ending or (first.ending if second.draft else "")
        return replace(second, values=values, ending=ending)
    return replace(second, text=first.text, within=second.within or first.within, values=values)


def _voiced(parsed: Parsed, voice: Voice) -> Parsed:
    if voice.text == parsed.text and not voice.faults:
        return parsed
    return replace(parsed, text=voice.text, faults=(*parsed.faults, *voice.faults[:_MOST_STRAY]))


def _disarmed_value(parsed: Parsed, form: ReplyForm) -> Parsed:
    """The same of the value that was asked for: it stands in the prompts of others, too."""
    if parsed.value is None or form.answer is None or form.answer.form not in ("text", "list"):
        return parsed
    if isinstance(parsed.value, str):
        voice = disarmed(parsed.value, form, False)
        return replace(parsed, value=voice.text, faults=(*parsed.faults, *voice.faults[:_MOST_STRAY]))
    voices = [disarmed(item, form, False) for item in parsed.value]
    faults = [fault for voice in voices for fault in voice.faults][:_MOST_STRAY]
    return replace(parsed, value=tuple(voice.text for voice in voices), faults=(*parsed.faults, *faults))


def _fault(parsed: Parsed, rule: str, detail: str) -> Parsed:
    return replace(parsed, faults=(*parsed.faults, (rule, detail)))


def _known(form: ReplyForm) -> re.Pattern[str]:
    """Any token that means something in this procedure."""
    names = (*form.values, *form.answer.names) if form.answer is not None else form.values
    return _pattern(form.tokens | {*_mine(form), *map(value_token, names)})


def _mine(form: ReplyForm) -> frozenset[str]:
    """The tokens that this role may say now."""
    return frozenset((*form.leading, *form.ending, *form.within, *form.raising))


def _one_spelling(parsed: Parsed, form: ReplyForm) -> Parsed:
    """Tokens in `<<` and `>>` as if they stood in 【】, in the procedure's case of letters; what is no token stays."""
    if "<<" not in parsed.text:
        return parsed
    known = _known(form)
    written = {token.casefold(): token for token in form.tokens | _mine(form)}

    def spelled(found: re.Match[str]) -> str:
        words = found[1].strip().replace("’", "'")
        words = written.get(words.casefold(), words)
        return f"【{words}】" if known.fullmatch(words) else found[0]

    return replace(parsed, text=_ANGLED.sub(spelled, parsed.text))


def _unemphasised(parsed: Parsed, form: ReplyForm) -> Parsed:
    """Tokens and labels without the markdown that a model sets them off with: they count all the same, and no marks are
    left."""
    known = _known(form)
    unlabelled = _LABELLED.sub(r"\1\2\3\4", parsed.text)

    def bare(found: re.Match[str]) -> str:
        return found["token"] if known.fullmatch(found["word"].strip()) else found[0]

    text = _EMPHASISED.sub(bare, unlabelled)
    whole = _WHOLLY.match(text)  # what it begins with is set off together with its token
    if whole is not None and text.startswith(tuple(f"【{token}】" for token in form.leading), whole.end()):
        text = text[whole.end() :].replace(whole["mark"], "", 1)
    return parsed if text == parsed.text else replace(parsed, text=text)


# ---- what counts -----------------------------------------------------------------------------------------------------


def _answer(parsed: Parsed, answer: Answer | None) -> Parsed:
    """The value of the last token `【name：value】`, with which the reply must end; all such tokens are cut out.

    Where it begins a line it may be followed by a few words that ask nothing.
    """
    if answer is None:
        return parsed
    called = "|".join(map(re.escape, answer.names))
    pattern = re.compile(rf"【\s*(?:{called})\s*[：:]([^【】]*)】", re.IGNORECASE)
    tokens = list(pattern.finditer(parsed.text))
    if not tokens:
        return _unclosed(parsed, answer)
    last = tokens[-1]
    text, after = parsed.text, parsed.text[last.end() :]
    final = not _TOKEN.sub("", after).strip(_STOPS)
    remark = _TOKEN.sub("", after).strip()
    begins = not text[: last.start()].rpartition("\n")[2].strip(_STOPS)
    if not final and begins and len(remark) <= _LONGEST_REMARK and not _ASKS.search(remark):
        value = typed(last[1], answer)
        if value is not None:
            words = pattern.sub("", text[: last.start()].rstrip() + ("" if offers(remark) else after))
            return _fault(replace(parsed, text=words.strip(), value=value), "words_after_end", remark)
    if final:
        text = text[: last.end()] + "".join(token[0] for token in _TOKEN.finditer(after))
    value = typed(last[1], answer) if final else None
    parsed = replace(parsed, text=pattern.sub("", text).strip(), value=value)
    return parsed if value is not None else _fault(parsed, "no_answer", last[0].strip("【】"))


def _unclosed(parsed: Parsed, answer: Answer) -> Parsed:
    """The value with which a reply plainly ends, though a bracket is left out, or both on a line of its own; or which
    is all that the reply says, and then heard too.
    """
    said = parsed.text.rstrip(_STOPS)
    alone = typed(said, answer) if "\n" not in said and answer.form in ("yes or no", "choice") else None
    if alone is not None:
        return replace(parsed, value=alone)
    for mark in ("【", "\n"):
        before, found, rest = said.rpartition(mark)
        name, colon, word = _COLON.sub(":", rest, count=1).partition(":")
        named = name.strip(_STOPS + "】").casefold() in map(str.casefold, answer.names)
        if (found or mark == "\n") and colon and named and answer.form not in ("list", "text"):
            value = typed(word, answer)
            if value is not None:
                return replace(parsed, text=before.strip(), value=value)
    return parsed


def typed(word: str, answer: Answer) -> str | tuple[str, ...] | None:
    """The text of an answer as a value of its form; None when it is none."""
    word = word.strip(_STOPS if answer.form in ("yes or no", "choice") else None).strip("“”\"'「」").strip()
    meant = word.casefold()
    word = next((value for value, title in answer.choice_titles if meant == title.casefold()), word)
    match answer.form:
        case "yes or no":
            said = truth_of(word, answer.names)
            return None if said is None else "yes" if said else "no"
        case "choice":
            if word in answer.choices:
                return word
            return next((choice for choice in answer.choices if choice.casefold() == word.casefold()), None)
        case "number":
            return figure(word)
        case "list":
            items = (_ITEM_NUMBER.sub("", item.strip()).strip() for item in _LIST_MARK.split(word))
            return tuple(item for item in items if item) or None
        case "text":
            return word or None


def _within(parsed: Parsed, form: ReplyForm) -> Parsed:
    """Tokens that count wherever they stand, each once."""
    said: dict[str, None] = {}

    def cut(found: re.Match[str]) -> str:
        token = found[1].strip()
        if token not in form.within:
            return found[0]
        said[token] = None
        return ""

    text = _TOKEN.sub(cut, parsed.text)
    return replace(parsed, text=text.strip(), within=tuple(said)) if said else parsed


def _values(parsed: Parsed, form: ReplyForm) -> Parsed:
    """The numbers in the tokens `【name：number】` with which the reply must end; all such tokens are cut out."""
    if not form.values:
        return parsed
    values: dict[str, float] = {}
    names = {name.casefold(): name for name in form.values}
    tail = _tail(parsed.text)
    for token in _TOKEN.finditer(tail):
        name, _, word = _COLON.sub(":", token[1], count=1).partition(":")
        name = names.get(name.strip().casefold(), "")
        number = figure(word) if name else None
        if number is not None and form.lowest <= float(number) <= form.highest:
            values[name] = float(number)
    pattern = _pattern(frozenset(map(value_token, form.values)))
    ending = "".join(found[0] for found in _TOKEN.finditer(tail))  # without the full stops behind them
    text = parsed.text.removesuffix(tail) + ending
    text = _TOKEN.sub(lambda found: "" if pattern.fullmatch(found[1].strip()) else found[0], text)
    return replace(parsed, text=text.strip(), values=values)


def _tail(text: str) -> str:
    """The tokens with which a text ends."""
    match = _TAIL.search(text[-_LONGEST_TAIL:])
    return match[0] if match is not None else ""


def _raising(parsed: Parsed, form: ReplyForm) -> Parsed:
    """The first token that raises an event among those with which the reply begins or ends."""
    if not form.raising:
        return parsed
    head = _HEAD.match(parsed.text[:_LONGEST_TAIL])
    edges = (head[0] if head is not None else "") + _tail(parsed.text)
    token = next((said for found in _TOKEN.finditer(edges) if (said := found[1].strip()) in form.raising), "")
    if not token:
        return parsed
    text = _TOKEN.sub(lambda found: "" if found[1].strip() == token else found[0], parsed.text)
    return replace(parsed, raised=token, text=text.strip().lstrip("，,：: \n"))


def _leading(parsed: Parsed, form: ReplyForm) -> Parsed:
    """A token that counts at the very start, or behind a short sentence in which it is the only one."""
    said = parsed.text.rstrip(_STOPS)
    before, alone, _ = said.partition("【") if len(said) <= _LONGEST_LEAD else ("", "", "")
    for token in form.leading:
        mark = f"【{token}】"
        if parsed.text.startswith(mark):
            return replace(parsed, leading=token, text=parsed.text[len(mark) :].lstrip("，,：: \n"))
        if alone and said == before + mark and before.rstrip(" ").endswith(_OVER):
            return replace(parsed, leading=token, text=before.strip())
    found = _TOKEN.match(parsed.text)
    token = form.spellings.get(plain(found[1]), "") if found is not None else ""
    if found is None or not token:
        return parsed
    return replace(parsed, leading=token, text=parsed.text[found.end() :].lstrip("，,：: \n"))


def plain(token: str) -> str:
    """A token without blanks and marks, in small letters: by what is left, persons are called."""
    return _MARKS.sub("", token).casefold()


def _at_an_end(text: str, tokens: tuple[str, ...]) -> str:
    """The token that stands at the start or the end of the text ("" = none)."""
    for token in tokens:
        mark = f"【{token}】"
        if text.rstrip(_STOPS).endswith(mark) or text.startswith(mark):
            return token
    return ""


def _unremarked(parsed: Parsed, form: ReplyForm) -> Parsed:
    """What hands in a document without the few words behind the token, which are no part of it.

    The token must stand behind a document, or apart from the words before it: about a token one may speak, too.
    """
    for token in form.ending if form.kind != "text" and form.sections else ():
        mark = f"【{token}】"
        before, found, remark = parsed.text.rpartition(mark)
        few = 0 < len(remark.strip(_STOPS)) <= len(remark) <= _LONGEST_REMARK
        apart = before.rstrip(" ").endswith(_OVER) and not remark.lstrip()[:1].islower()
        if found and few and (apart or holds(form.sections, before)):
            return _fault(replace(parsed, text=before + mark), "words_after_end", remark.strip())
    return parsed


def _ending(parsed: Parsed, form: ReplyForm) -> Parsed:
    """A token that counts at the start or the end, wherever else it is said too."""
    token = _at_an_end(parsed.text, form.ending)
    if not token:
        return _parting(parsed, form)
    mark = f"【{token}】"
    text = parsed.text
    if text.rstrip(_STOPS).endswith(mark):
        text = text.rstrip(_STOPS)
    return replace(parsed, ending=token, text=text.replace(mark, "").strip())


def _parting(parsed: Parsed, form: ReplyForm) -> Parsed:
    """A token on a line of its own counts although a few words of farewell follow: whoever asks goes on speaking."""
    for token in form.ending if form.kind == "text" else ():
        before, found, remark = parsed.text.rpartition(f"\n【{token}】\n")
        if found and len(remark) <= _LONGEST_REMARK and not _ASKS.search(remark):
            words = f"{before.rstrip()}\n{remark.lstrip()}".replace(f"【{token}】", "")
            return _fault(replace(parsed, ending=token, text=words.strip()), "words_after_end", remark.strip())
    return parsed


# ---- what nobody is to hear ------------------------------------------------------------------------------------------


def _stray(parsed: Parsed, form: ReplyForm) -> Parsed:
    """Cut out tokens that stand where they do not count, and those that this role may not say here."""
    allowed = {*form.leading, *form.ending, *form.raising}
    forged = _pattern(form.tokens | frozenset((*form.within, *map(value_token, form.values))))
    own = _pattern(frozenset(map(value_token, form.answer.names) if form.answer is not None else ()))
    faults: list[tuple[str, str]] = []

    def cut(found: re.Match[str]) -> str:
        token = found[1].strip()
        if token in allowed:
            if token != parsed.ending:
                faults.append(("token_not_at_start", token))
        elif forged.fullmatch(token):
            faults.append(("forged_token", token))
        elif not own.fullmatch(token):
            return found[0]
        return ""

    text = _TOKEN.sub(cut, parsed.text)
    if text == parsed.text:
        return parsed
    told = (*parsed.faults, *list(dict.fromkeys(faults))[:_MOST_STRAY])
    return replace(parsed, text=text.strip(), faults=tuple(dict.fromkeys(told)))


@lru_cache(maxsize=256)
def _pattern(tokens: frozenset[str]) -> re.Pattern[str]:
    """Any of the tokens, in whatever case of letters; a `{…}` hole stands for any words, one colon is as good as the
    other."""
    return re.compile("|".join(map(_loose, sorted(tokens))) or r"(?!)", re.DOTALL | re.IGNORECASE)


def _loose(token: str) -> str:
    return ".*".join(_colons(part) for part in _HOLE.split(token))


def _colons(text: str) -> str:
    return "[：:]".join(map(re.escape, _COLON.split(text)))
