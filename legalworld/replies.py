"""Untrusted text taken apart: tokens, the answer, what others hear, and what was wrong with it.

A reply is never rendered, never evaluated, never guessed at: 不同意 contains 同意.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from .events import Form
from .keywords import truth
from .procedure import Answer

_TOKEN = re.compile(r"【([^【】\n]{1,200})】")
_LABEL = re.compile(r"^[ \t>*#]*【?(?P<who>[^\s：:【】]{1,40}?)】?\**[ \t]*[：:]", re.MULTILINE)
_COLON = re.compile(r"\s*[：:]\s*")
_LIST_MARK = re.compile(r"[；;\n]+")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Parsed:
    """`text`: what others hear. `leading`/`ending`: the token that counted ("" = none). `value`: None = none given.

    `faults`: (rule, detail) in the order they were found.
    """

    text: str
    leading: str = ""
    ending: str = ""
    value: str | tuple[str, ...] | None = None
    faults: tuple[tuple[str, str], ...] = ()


def parse(raw: str, form: Form) -> Parsed:
    """A reply by the form it should have."""
    found = Parsed(raw.strip())
    if len(found.text) > form.limit:
        found = _fault(replace(found, text=found.text[: form.limit]), "oversized", str(len(raw)))
    document = form.kind == "document" or (form.kind == "either" and any(f"【{t}】" in found.text for t in form.ending))
    if not document:  # a document may name its parties line by line
        found = _one_voice(found, form)
    found = _answer(found, form.answer)
    found = _leading(found, form)
    found = _ending(found, form)
    found = _forged(found, form)
    if not found.text and not found.leading and not found.ending and found.value is None:
        found = _fault(found, "empty", "")
    if form.answer is not None and found.value is None:
        found = _fault(found, "no_answer", form.answer.name)
    return found


def _fault(parsed: Parsed, rule: str, detail: str) -> Parsed:
    return replace(parsed, faults=(*parsed.faults, (rule, detail)))


def _one_voice(parsed: Parsed, form: Form) -> Parsed:
    """Cut off the speaker's own label; cut off everything from where it speaks for somebody else."""
    text = parsed.text
    own = _LABEL.match(text)
    if own is not None and own["who"] == form.own:
        text = text[own.end() :].lstrip()
    for found in _LABEL.finditer(text):
        if found["who"] in form.labels and found["who"] != form.own:
            return _fault(replace(parsed, text=text[: found.start()].rstrip()), "speaks_for_another", found["who"])
    return replace(parsed, text=text)


def _answer(parsed: Parsed, answer: Answer | None) -> Parsed:
    """The last token `【name：value】` of the reply; it is cut off before others hear the reply."""
    if answer is None:
        return parsed
    value: str | tuple[str, ...] | None = None
    text = parsed.text
    for found in reversed(list(_TOKEN.finditer(text))):
        name, *rest = _COLON.split(found[1], maxsplit=1)
        if name.strip() == answer.name and rest:
            text = (text[: found.start()].rstrip() + text[found.end() :]).strip()
            if value is None:
                value = typed(rest[0], answer)
    return replace(parsed, text=text, value=value)


def typed(word: str, answer: Answer) -> str | tuple[str, ...] | None:
    """The text of an answer as a value of its form; None when it is none."""
    word = word.strip().strip("“”\"'「」").strip()
    match answer.form:
        case "yes or no":
            said = truth(word)
            return None if said is None else "yes" if said else "no"
        case "choice":
            return word if word in answer.choices else None
        case "number":
            found = _NUMBER.search(word.replace(",", "").replace("，", ""))
            return found[0] if found else None
        case "list":
            items = tuple(item.strip() for item in _LIST_MARK.split(word) if item.strip())
            return items or None
        case "text":
            return word or None


def _leading(parsed: Parsed, form: Form) -> Parsed:
    """A token that counts at the very start only; anywhere else it is cut out and recorded."""
    for token in form.leading:
        mark = f"【{token}】"
        if parsed.text.startswith(mark):
            parsed = replace(parsed, leading=token, text=parsed.text[len(mark) :].lstrip("，,：: \n"))
            break
    for token in form.leading:
        mark = f"【{token}】"
        if mark in parsed.text:
            parsed = _fault(replace(parsed, text=parsed.text.replace(mark, "").strip()), "token_not_at_start", token)
    return parsed


def _ending(parsed: Parsed, form: Form) -> Parsed:
    """A token that counts at the start or the end."""
    for token in form.ending:
        mark = f"【{token}】"
        if parsed.text.endswith(mark) or parsed.text.startswith(mark):
            parsed = replace(parsed, ending=token)
        if mark in parsed.text:
            text = parsed.text.replace(mark, "").strip()
            parsed = replace(parsed, text=text)
            if not parsed.ending:
                parsed = _fault(parsed, "token_not_at_start", token)
    return parsed


def _forged(parsed: Parsed, form: Form) -> Parsed:
    """Tokens of the procedure that this role may not say here."""
    text = parsed.text
    for found in _TOKEN.finditer(parsed.text):
        if found[1] in form.tokens:
            text = text.replace(found[0], "")
            parsed = _fault(parsed, "forged_token", found[1])
    return replace(parsed, text=text.strip())
