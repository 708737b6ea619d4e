"""A reply taken apart: tokens, the answer, labels of other speakers, and what was wrong with it.

A reply is never rendered, never evaluated, and hardly guessed at (`nearest`).
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..model.immutable import replace
from ..model.numbers import figure
from ..model.reply_form import ReplyForm
from ..model.step_facts import value_token
from .answers import ASKS, LONGEST_REMARK, STOPS, TOKEN, answered
from .foreign_marks import foreign_mark
from .handing_in import holds
from .markup import is_literal, without_markup
from .nearest import nearly_said, plain, said_shorter
from .parsed import Parsed
from .voices import Voice, disarmed, in_lines, one_voice

_ANGLED = re.compile(r"<<([^<>]+)>>")
_HOLE = re.compile(r"\{\w+\}")
_COLON = re.compile("[：:]")
_BRACKETS = re.compile("[【】]")
_LONGEST_TAIL = 2_000  # characters; a longer row of tokens is none that anybody was asked for
_MOST_CUTS = 12  # tokens inside tokens: who nests them deeper than that loses all brackets
_LONGEST_LEAD = 60  # characters of a reply that may say its token last
_MOST_STRAY = 12  # stray tokens of one reply that are recorded
_OVER = (*"。！？.!?\n",)  # with which a sentence is over
_EMPHASISED = re.compile(r"(?P<mark>\*{1,3}|_{1,3}|`{1,3})(?P<token>【(?P<word>[^【】]+)】)(?P=mark)")
_LABELLED = re.compile(r"^([ \t]{0,8})(\*{1,3})([^*\n]{1,30})(?:([：:])[ \t]{0,8}\*{1,3}|\*{1,3}([：:]))", re.MULTILINE)
_WHOLLY = re.compile(r"(?P<mark>\*{1,3}|_{1,3})(?=【)")
_HEAD = re.compile(rf"(?:【[^【】]*】[{re.escape(STOPS)}]*)+")
_TAIL = re.compile(rf"(?:【[^【】]*】[{re.escape(STOPS)}]*)+\Z")


def parse(raw: str, form: ReplyForm) -> Parsed:
    """A reply by the form it should have.

    What counts is counted first. Then everything that nobody is to hear is cut out, again and again: a cut may join
    what stood around it to another token.
    """
    if mark := foreign_mark(raw[: form.limit], form):
        return Parsed("", faults=(("unknown_marks", mark),))
    parsed = Parsed(in_lines(raw).strip())
    if len(parsed.text) > form.limit:
        parsed = replace(parsed, text=parsed.text[: form.limit]).faulty("oversized", str(len(raw)))
    parsed = _unremarked(_raising(_unemphasised(_one_spelling(parsed, form), form), form), form)
    document = form.kind == "document" or (form.kind == "either" and bool(_at_an_end(parsed.text, form.ending)))
    draft = form.kind == "either" and not document and holds(form.sections, parsed.text)
    drawn_up = document or draft  # it may name parties line by line
    parsed = _what_counts(parsed, form, drawn_up)
    for left in reversed(range(_MOST_CUTS)):
        before = parsed.text
        parsed = _one_spelling(parsed, form)
        parsed = _stray(parsed, form) if left else replace(parsed, text=_BRACKETS.sub("", parsed.text))
        if not drawn_up:
            voice, rest = one_voice(parsed.text, form)
            parsed = _voiced(parsed, voice._replace(text=f"{voice.text}\n{rest}".strip()))
        if parsed.text == before:
            break
    return _complete(_disarmed(parsed, form, document, draft), form)


def _what_counts(parsed: Parsed, form: ReplyForm, drawn_up: bool) -> Parsed:
    """The reply with all in it that counts; of what it says in another's name nothing does, except that an answer
    may stand behind such lines."""
    rest = ""
    if not drawn_up:
        voice, rest = one_voice(parsed.text, form)
        parsed = _voiced(parsed, voice)
    parsed = parsed if parsed.raised else _raising(parsed, form)
    known = _known(form)
    counted = answered(_values(_within(parsed, form), form), form.answer, known)
    if rest and form.answer is not None and counted.value is None:
        line, gap, behind = rest.rpartition("\n")
        last = answered(Parsed(behind), form.answer, known)
        if gap and last.value is not None:
            rest = f"{line}\n{last.text}"
            counted = replace(counted, value=last.value, faults=parsed.faults)
    counted = _ending(_leading(counted, form), form)
    return replace(counted, text=f"{counted.text}\n{rest}".strip()) if rest else counted


def _disarmed(parsed: Parsed, form: ReplyForm, document: bool, draft: bool) -> Parsed:
    """The reply with nothing in it that others could take for somebody else's turn."""
    parsed = _disarmed_value(parsed, form)
    voice = disarmed(parsed.text, form, document or not form.heard)
    if draft:  # heard as words are; but whom a document names, nobody has forged
        written = disarmed(parsed.text, form, True)
        parsed, voice = replace(parsed, draft=written.text), voice._replace(faults=written.faults)
    return _voiced(parsed, voice)


def _complete(parsed: Parsed, form: ReplyForm) -> Parsed:
    """The reply with the faults that it has for want of something."""
    unanswered = any(rule == "no_answer" for rule, _ in parsed.faults)
    if not parsed.counts and not unanswered:
        parsed = parsed.faulty("empty", "")
    for name in form.values:
        parsed = parsed if name in parsed.values else parsed.faulty("no_score", name)
    if form.answer is not None and parsed.value is None and not parsed.leading and not unanswered:
        parsed = parsed.faulty("no_answer", form.answer.name)
    return parsed


def unformatted(parsed: Parsed, form: ReplyForm | None = None) -> Parsed:
    """A reply without the markdown of headings, bold type, rules and fences: what is spoken and signed has none.

    A name that a court masked with asterisks (张**) keeps them.
    """
    known = form.literals if form is not None else frozenset()
    text, draft = without_markup(parsed.text, known), without_markup(parsed.draft, known)
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
    known = _known(form)

    def harmless(found: re.Match[str]) -> str:
        return f"〔{found[1]}〕" if known.fullmatch(found[1].strip()) else found[0]

    items = (parsed.value,) if isinstance(parsed.value, str) else parsed.value
    voices = [disarmed(TOKEN.sub(harmless, item), form, False) for item in items]
    faults = [fault for voice in voices for fault in voice.faults][:_MOST_STRAY]
    texts = tuple(voice.text for voice in voices)
    value = texts[0] if isinstance(parsed.value, str) else texts
    return replace(parsed, value=value, faults=(*parsed.faults, *faults))


def _known(form: ReplyForm) -> re.Pattern[str]:
    """Any token that means something in this procedure."""
    names = (*form.values, *form.answer.names) if form.answer is not None else form.values
    return _pattern(form.tokens | {*_mine(form), *map(value_token, names)})


def _mine(form: ReplyForm) -> frozenset[str]:
    """The tokens that this role may say now."""
    return frozenset((*form.leading, *form.ending, *form.within, *form.raising))


def _one_spelling(parsed: Parsed, form: ReplyForm) -> Parsed:
    text = in_one_spelling(parsed.text, form)
    return parsed if text == parsed.text else replace(parsed, text=text)


def in_one_spelling(text: str, form: ReplyForm) -> str:
    """Tokens in `<<` and `>>` as if they stood in 【】, in the procedure's case of letters; what is no token stays."""
    if "<<" not in text:
        return text
    known = _known(form)
    written = {token.casefold(): token for token in form.tokens | _mine(form)}

    def spelled(found: re.Match[str]) -> str:
        words = found[1].strip().replace("’", "'")
        words = written.get(words.casefold(), words)
        return f"【{words}】" if known.fullmatch(words) else found[0]

    text = _ANGLED.sub(spelled, text)
    if form.answer is not None:  # one that is not closed
        names = "|".join(map(re.escape, form.answer.names))
        text = re.sub(rf"<<(\s*(?:{names})\s*[：:])", r"【\1", text, flags=re.IGNORECASE)
    return text


def _unemphasised(parsed: Parsed, form: ReplyForm) -> Parsed:
    """Tokens and labels without the markdown that a model sets them off with: they count all the same, and no marks are
    left."""
    known = _known(form)

    def label(found: re.Match[str]) -> str:
        literal = is_literal(found.string, *found.span(2), form.literals)
        return found[0] if literal else found[1] + found[3] + (found[4] or found[5])

    unlabelled = _LABELLED.sub(label, parsed.text)

    def bare(found: re.Match[str]) -> str:
        return found["token"] if known.fullmatch(found["word"].strip()) else found[0]

    text = _EMPHASISED.sub(bare, unlabelled)
    whole = _WHOLLY.match(text)  # what it begins with is set off together with its token
    if whole is not None and text.startswith(tuple(f"【{token}】" for token in form.leading), whole.end()):
        text = text[whole.end() :].replace(whole["mark"], "", 1)
    return parsed if text == parsed.text else replace(parsed, text=text)


# ---- what counts -----------------------------------------------------------------------------------------------------


def _within(parsed: Parsed, form: ReplyForm) -> Parsed:
    """Tokens that count wherever they stand, each once."""
    said: dict[str, None] = {}

    def cut(found: re.Match[str]) -> str:
        token = found[1].strip()
        if token not in form.within:
            return found[0]
        said[token] = None
        return ""

    text = TOKEN.sub(cut, parsed.text)
    return replace(parsed, text=text.strip(), within=tuple(said)) if said else parsed


def _values(parsed: Parsed, form: ReplyForm) -> Parsed:
    """The numbers in the tokens `【name：number】` with which the reply must end; all such tokens are cut out."""
    if not form.values:
        return parsed
    values: dict[str, float] = {}
    names = {name.casefold(): name for name in form.values}
    tail = _tail(parsed.text)
    for token in TOKEN.finditer(tail):
        name, _, word = _COLON.sub(":", token[1], count=1).partition(":")
        name = names.get(name.strip().casefold(), "")
        number = figure(word) if name else None
        if number is not None and form.lowest <= float(number) <= form.highest:
            values[name] = float(number)
    pattern = _pattern(frozenset(map(value_token, form.values)))
    ending = "".join(found[0] for found in TOKEN.finditer(tail))  # without the full stops behind them
    text = parsed.text.removesuffix(tail) + ending
    text = TOKEN.sub(lambda found: "" if pattern.fullmatch(found[1].strip()) else found[0], text)
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
    token = next((said for found in TOKEN.finditer(edges) if (said := found[1].strip()) in form.raising), "")
    if not token:
        return parsed
    text = TOKEN.sub(lambda found: "" if found[1].strip() == token else found[0], parsed.text)
    return replace(parsed, raised=token, text=text.strip().lstrip("，,：: \n"))


def _leading(parsed: Parsed, form: ReplyForm) -> Parsed:
    """A token that counts at the very start, or behind a short sentence in which it is the only one."""
    said = parsed.text.rstrip(STOPS)
    before, alone, _ = said.partition("【") if len(said) <= _LONGEST_LEAD else ("", "", "")
    for token in form.leading:
        mark = f"【{token}】"
        if parsed.text.startswith(mark):
            return _one_call(replace(parsed, leading=token, text=parsed.text[len(mark) :].lstrip("，,：: \n")), form)
        if alone and said == before + mark and before.rstrip(" ").endswith(_OVER):
            return replace(parsed, leading=token, text=before.strip())
    found = TOKEN.match(parsed.text)
    if found is None:
        return parsed
    token = form.spellings.get(plain(found[1]), "")
    near = "" if token else _near(found[1], form.leading, form)
    if not token and not near:
        return parsed
    parsed = parsed.faulty("near_token", found[1].strip()) if near else parsed
    text = parsed.text[found.end() :].lstrip("，,：: \n")
    return _one_call(replace(parsed, leading=token or near, text=text), form)


def _near(word: str, tokens: tuple[str, ...], form: ReplyForm) -> str:
    """The token that was meant by one that is none: of calls only what is said in them may be left out, so that nobody
    else is called."""
    same = [token for token in tokens if plain(token) == plain(word)]
    if same or _means_another(word, form):
        return same[0] if len(same) == 1 else ""
    calls = tuple(token for token in tokens if token in form.calls)
    others = tuple(token for token in tokens if token not in form.calls)
    found = {said_shorter(word, calls), nearly_said(word, others)} - {""}
    return found.pop() if len(found) == 1 else ""


def _means_another(word: str, form: ReplyForm) -> bool:
    """Whether a token is one of the procedure's that does not count here, or calls somebody who cannot be called."""
    exact = frozenset(token for token in form.tokens if _COLON.search(token) or not _HOLE.search(token))
    if _pattern(exact).fullmatch(word.strip()):
        return True
    names = {plain(label) for label in (*form.labels, *form.called, form.own)}
    calls = (re.fullmatch(_called(token), word.strip(), re.DOTALL | re.IGNORECASE) for token in form.tokens - exact)
    return any(plain(name) in names for call in calls if call is not None for name in call.groups())


def _one_call(parsed: Parsed, form: ReplyForm) -> Parsed:
    """The words to the first who is called: those to another are asked for again, and reach nobody now."""
    if parsed.leading not in form.calls:
        return parsed
    for found in TOKEN.finditer(parsed.text):
        word = found[1].strip()
        token = word if word in form.calls else form.spellings.get(plain(word), "") or _near(word, form.calls, form)
        if token and token != parsed.leading and parsed.text[found.end() :].strip(STOPS):
            first = parsed.text[: found.start()].rstrip()  # nothing where both are called with the same words
            return replace(parsed, text=first or parsed.text).faulty("second_call", token)
    return parsed


def _at_an_end(text: str, tokens: tuple[str, ...]) -> str:
    """The token that stands at the start or the end of the text ("" = none)."""
    for token in tokens:
        mark = f"【{token}】"
        if text.rstrip(STOPS).endswith(mark) or text.startswith(mark):
            return token
    return ""


def _unremarked(parsed: Parsed, form: ReplyForm) -> Parsed:
    """What hands in a document without the few words behind the token, which are no part of it.

    The token must stand behind a document, or apart from the words before it: about a token one may speak, too.
    """
    for token in form.ending if form.kind != "text" and form.sections else ():
        mark = f"【{token}】"
        before, found, remark = parsed.text.rpartition(mark)
        few = 0 < len(remark.strip(STOPS)) <= len(remark) <= LONGEST_REMARK
        apart = before.rstrip(" ").endswith(_OVER) and not remark.lstrip()[:1].islower()
        if found and few and (apart or holds(form.sections, before)):
            return replace(parsed, text=before + mark).faulty("words_after_end", remark.strip())
    return parsed


def _ending(parsed: Parsed, form: ReplyForm) -> Parsed:
    """A token that counts at the start or the end, wherever else it is said too."""
    token = _at_an_end(parsed.text, form.ending)
    if not token:
        near = _nearly_ended(parsed, form)
        return _parting(parsed, form) if near is None else near
    mark = f"【{token}】"
    text = parsed.text
    if text.rstrip(STOPS).endswith(mark):
        text = text.rstrip(STOPS)
    return replace(parsed, ending=token, text=text.replace(mark, "").strip())


def _nearly_ended(parsed: Parsed, form: ReplyForm) -> Parsed | None:
    """A reply whose last token nearly is one that counts at its end; None where it is none."""
    text = parsed.text.rstrip(STOPS)
    last = next(reversed(list(TOKEN.finditer(text))), None) if form.ending and text.endswith("】") else None
    token = _near(last[1], form.ending, form) if last is not None and last.end() == len(text) else ""
    if last is None or not token:
        return None
    return replace(parsed, ending=token, text=text[: last.start()].strip()).faulty("near_token", last[1].strip())


def _parting(parsed: Parsed, form: ReplyForm) -> Parsed:
    """A token on a line of its own counts although a few words of farewell follow: whoever asks goes on speaking."""
    for token in form.ending if form.kind == "text" else ():
        before, found, remark = parsed.text.rpartition(f"\n【{token}】\n")
        if found and len(remark) <= LONGEST_REMARK and not ASKS.search(remark):
            words = f"{before.rstrip()}\n{remark.lstrip()}".replace(f"【{token}】", "")
            return replace(parsed, ending=token, text=words.strip()).faulty("words_after_end", remark.strip())
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

    text = TOKEN.sub(cut, parsed.text)
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


def _called(token: str) -> str:
    """A token with a `{…}` hole as a pattern that keeps what stands in the hole."""
    return "(.*)".join(_colons(part) for part in _HOLE.split(token))


def _colons(text: str) -> str:
    return "[：:]".join(map(re.escape, _COLON.split(text)))
