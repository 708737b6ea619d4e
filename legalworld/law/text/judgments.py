"""A civil judgment taken apart: claims, grounds, defence, evidence, findings, reasons, articles and what is decided.

Parts are found by the words that open them. What no such words open stays unread: nothing is inferred, and every value
is a stretch of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ...model.immutable import immutable
from .citations import citations
from .judgment_head import INTRO, SECOND, JudgmentHead, JudgmentParty, Quote, head
from .lexicon import endings, pattern, words
from .numerals import ordinal

LEAD: Final = 90  # characters of a sentence in which it may say what it opens
SKIPPED: Final = 3  # the most by which the numbers of a list go on
ITEMS: Final = 60  # of one list
SHORT: Final = 12  # characters of who finds something, if it is the court
_REASONS: Final = "opinion"
_FOUND: Final = "findings"
_BELOW: Final = ("asked", "found", "held")  # of an appeal: what it tells of the first instance


_Opened = tuple[str, str, int, int]  # kind, who, where its sentence begins, where it does


@immutable
class JudgmentPart:
    """What one party or the court says: `kind` as the table calls it, `who` the words in which it says whose it is."""

    kind: str
    who: str
    said: Quote


@immutable
class Exhibit:
    """A piece of evidence as it is named, and the side that handed it in, "" where that is not said."""

    side: str
    by: str
    name: Quote


@immutable
class Appeal:
    """What one side asks of the second instance, and why."""

    side: str
    requests: tuple[Quote, ...]
    reasons: Quote | None


@immutable
class Judgment:
    """A judgment of either instance. `claims` and `facts` are the plaintiff's. `defences`: side and words. `docket`:
    filed, hearing, procedure, as far as they are said. `fees`: who bears them."""

    head: JudgmentHead
    claims: tuple[Quote, ...]
    facts: Quote | None
    defences: tuple[tuple[str, Quote], ...]
    appeals: tuple[Appeal, ...]
    docket: Mapping[str, Quote]
    evidence: tuple[Exhibit, ...]
    findings: Quote | None
    opinion: Quote | None
    articles: tuple[Quote, ...]
    disposition: tuple[Quote, ...]
    fees: Quote | None
    counterclaim: bool


def judgment(text: str) -> Judgment:
    """A judgment, as far as it can be read."""
    top = head(text)
    parts = list(_parts(text, top.body))
    decided = next((part for part in reversed(parts) if part.kind == "decision"), None)
    opinion = _last(parts, "opinion")
    if decided is not None:
        parts = [part for part in parts if part.said.start <= decided.said.start]
    basis = _basis(text, opinion, decided)
    fees = pattern("judgment", "fee").search(text, decided.said.end) if decided is not None else None
    appeals = tuple(_appeals(text, parts, top)) if top.instance == SECOND else ()
    first = [part for part in parts if top.instance != SECOND]
    return Judgment(
        head=top,
        claims=tuple(items(text, part.said) if (part := _first(first, "claims")) is not None else ()),
        facts=_facts(first),
        defences=tuple(_defences(parts, top.parties, _appellants(top))),
        appeals=appeals,
        docket=_docket(text, top.body),
        evidence=tuple(_exhibits(text, parts, top)),
        findings=_findings(text, parts),
        opinion=_before(text, opinion, basis),
        articles=basis,
        disposition=tuple(items(text, decided.said)) if decided is not None else (),
        fees=Quote(*fees.span("fee"), fees["fee"]) if fees is not None else None,
        counterclaim=pattern("judgment", "counterclaim").search(text, 0, top.body + 2_000) is not None,
    )


# ---- parts -----------------------------------------------------------------------------------------------------------


def _parts(text: str, body: int) -> Iterator[JudgmentPart]:
    """The parts behind the head in their order, each up to where the next one opens."""
    decided = _operative(text, body)
    opened: list[_Opened] = []
    closed = ""  # the part of the court that is open, in which parties no longer speak
    for sentence in pattern("judgment", "sentence").finditer(text, body, decided[0]):
        start = sentence.start()
        found = pattern("judgment", "lead").search(text[start : min(start + LEAD, sentence.end())])
        if found is None or found.lastgroup is None:
            continue
        kind, who = found.lastgroup, found.string[: found.start()].strip()
        told_here = found.group() == ""  # what is found is the sentence itself
        if not told_here and not _opens(kind, found, closed):
            continue
        closed = kind if kind in (*_BELOW, _REASONS, _FOUND) else ""
        opened.append((kind, who, start, start + found.end()))
    opened = [*_in_order(opened), ("decision", "", *decided)]
    ends = [start for _, _, start, _ in opened[1:]] + [_tail(text, decided[1])]
    for (kind, who, _, begin), stop in zip(opened, ends, strict=True):
        if quote := _stripped(text, begin, stop):
            yield JudgmentPart(kind, who, quote)


def _in_order(opened: list[_Opened]) -> list[_Opened]:
    """The parts without those that a party only speaks of: what a second instance did is told behind the first."""
    below = next((number for number, part in enumerate(opened) if part[0] in _BELOW), 0)
    return [
        part for number, part in enumerate(opened) if number >= below or part[0] not in ("later", "evidence", _FOUND)
    ]


def _opens(kind: str, found: re.Match[str], closed: str) -> bool:
    """Whether a part opens here: in its reasons a court repeats what parties say, and what another court found."""
    if kind == _FOUND:
        who, ours = found.string[: found.start()], pattern("judgment", "own").search(found.string, 0, found.end())
        clause = who.rpartition("，")[
            2
        ].strip()  # the court rests on something first: "by the evidence, this court finds"
        short = len(clause) <= SHORT and pattern("judgment", "others").search(clause) is None
        return short and (closed not in _BELOW or ours is not None)
    if closed in (_REASONS, _FOUND):
        return closed == _FOUND and kind == _REASONS
    return not closed or kind in (*_BELOW, _REASONS, "later")


def _operative(text: str, body: int) -> tuple[int, int]:
    """Where the words stand that open what is decided: the last ones; the end of the text where none do."""
    found = [*pattern("judgment", "operative").finditer(text, body)]
    return found[-1].span() if found else (len(text), len(text))


def _docket(text: str, body: int) -> dict[str, Quote]:
    """When the case was filed and heard, by which procedure: the sentences that open it say so."""
    intro = text[body : body + INTRO]
    found = {name: pattern("judgment", name).search(intro) for name in ("filed", "hearing", "procedure")}
    return {
        name: Quote(body + match.start(name), body + match.end(name), match[name])
        for name, match in found.items()
        if match is not None
    }


def _tail(text: str, at: int) -> int:
    """Where the operative part ends: fees, the right of appeal, who signed."""
    found = pattern("judgment", "tail").search(text, at)
    return found.start() if found is not None else len(text)


def _stripped(text: str, start: int, stop: int, signs: str = "") -> Quote | None:
    said = text[start:stop]
    left = said.lstrip(signs + " \n\t　：:，,")
    right = left.rstrip(signs + " \n\t　")
    start += len(said) - len(left)
    return Quote(start, start + len(right), right) if right else None


def _first(parts: Sequence[JudgmentPart], kind: str) -> JudgmentPart | None:
    return next((part for part in parts if part.kind == kind), None)


def _last(parts: Sequence[JudgmentPart], kind: str) -> JudgmentPart | None:
    """The first part of a kind behind the last findings; the reasons may be interrupted by none."""
    told = [number for number, part in enumerate(parts) if part.kind == "findings"]
    return _first(parts[told[-1] :], kind) or _first(parts, kind) if told else _first(parts, kind)


def _facts(parts: Sequence[JudgmentPart]) -> Quote | None:
    """The plaintiff's facts: behind his claims, or what he says before them."""
    for kind in ("grounds", "sued"):
        if (part := _first(parts, kind)) is not None:
            return part.said
    return None


def _findings(text: str, parts: Sequence[JudgmentPart]) -> Quote | None:
    """What the court found, from its first finding to the last: they follow one another."""
    told = [part for part in parts if part.kind == "findings"]
    if not told:
        return None
    below = max((part.said.end for part in parts if part.kind in _BELOW), default=0)
    told = [part for part in told if part.said.start >= below] or told[-1:]
    return _stripped(text, told[0].said.start, told[-1].said.end)


def _before(text: str, opinion: JudgmentPart | None, basis: Sequence[Quote]) -> Quote | None:
    """The reasons, without the articles that follow from them."""
    if opinion is None:
        return None
    start, stop = opinion.said.start, basis[0].start if basis else opinion.said.end
    leads = [found.start() for found in pattern("judgment", "basis").finditer(text, start, stop)] if basis else []
    return _stripped(text, start, leads[-1] if leads else stop, "，") or opinion.said


def _basis(text: str, opinion: JudgmentPart | None, decided: JudgmentPart | None) -> tuple[Quote, ...]:
    """The articles in the sentence before the operative part, those of one law together."""
    if decided is None:
        return ()
    stop = decided.said.start
    low = max(opinion.said.start if opinion is not None else 0, stop - 2_000)
    low = max(low, text.rfind("。", low, stop) + 1)
    found: list[tuple[str, int, int]] = []
    for one in citations(text[low:stop]):
        if one.law is None or one.article is None:
            continue
        same = found and found[-1][0] == one.law
        begin = found.pop()[1] if same else one.start
        found.append((one.law, begin, one.end))
    return tuple(Quote(low + start, low + end, text[low + start : low + end]) for _, start, end in found)


# ---- who says it -----------------------------------------------------------------------------------------------------


def side_of(words_of: str, parties: Sequence[JudgmentParty]) -> str:
    """The side whose name or title stands in some words; "" where none does, or both do."""
    sides = {party.side for party in parties if any(name in words_of for name in party.called)}
    sides = sides or {side for word, side in words("judgment", "sides").items() if word in words_of}
    return sides.pop() if len(sides) == 1 else ""


def _appellants(top: JudgmentHead) -> dict[str, str]:
    """Who appeals and who does not, by the side in the first instance."""
    found: dict[str, str] = {}
    for party in top.parties:
        if party.appeal:
            found.setdefault(party.appeal, party.side)
    return found


def _whose(who: str, top: JudgmentHead) -> str:
    """The side that some words name, by name or by the title it has on appeal."""
    side = side_of(who, top.parties)
    if side or not top.parties:
        return side
    for kind in ("appellee", "appellant"):
        if any(word in who for word in endings("judgment", kind)):
            return _appellants(top).get(kind, "")
    return ""


def _defences(
    parts: Sequence[JudgmentPart], parties: Sequence[JudgmentParty], on_appeal: dict[str, str]
) -> Iterator[tuple[str, Quote]]:
    """What each side answers; whoever is not named answers for the side that is asked."""
    asked = on_appeal.get("appellee", "defendant")
    for part in parts:
        if part.kind == "defence":
            side = side_of(part.who, parties) or (asked if not part.who else "")
            if side:
                yield side, part.said


def _appeals(text: str, parts: Sequence[JudgmentPart], top: JudgmentHead) -> Iterator[Appeal]:
    """Each side that appeals: its requests and its reasons. What is no numbered list is one request."""
    for number, part in enumerate(parts):
        if part.kind in _BELOW:
            return
        if part.kind != "appeal":
            continue
        side = _whose(part.who, top) or _appellants(top).get("appellant", "")
        reasons = parts[number + 1] if number + 1 < len(parts) and parts[number + 1].kind == "grounds" else None
        yield Appeal(side, tuple(items(text, part.said)), reasons.said if reasons is not None else None)


# ---- lists -----------------------------------------------------------------------------------------------------------


def items(text: str, said: Quote) -> Iterator[Quote]:
    """The items of a list by their own numbers, which begin with 1 and go on by one; else its clauses."""
    return (quote for _, quote in numbered_items(text, said))


def numbered_items(text: str, said: Quote) -> Iterator[tuple[int, Quote]]:
    """Yield the items of a list with their own numbers, or its clauses as they are counted.

    A number may be left out where the next one begins a line, in the marks of the first: 一、…二、…四、….
    """
    marks: list[tuple[int, int, int]] = []
    first = ""
    for found in pattern("judgment", "mark").finditer(said.text):
        number = ordinal("".join(sign for sign in found.group() if sign not in ".、．()（） \n")) or 0
        last = marks[-1][2] if marks else 0
        style = "".join(sign for sign in found.group() if sign in ".、．()（）")
        begun = found.end() - len(found.group().lstrip())
        line = not said.text[:begun].rpartition("\n")[2].strip()
        skips = bool(marks) and 1 < number - last <= SKIPPED and style == first and line
        if (number == last + 1 or skips) and len(marks) < ITEMS:
            first = first if marks else style
            marks.append((*found.span(), number))
    if len(marks) < 2 and not (marks and marks[0][0] == 0):
        bounds = [(at, *bound) for at, bound in enumerate(_clauses(said.text), 1)]
    else:
        ends = [start for start, _, _ in marks[1:]] + [len(said.text)]
        bounds = [(number, end, stop) for (_, end, number), stop in zip(marks, ends, strict=True)]
    clauses = not marks or bounds[0][1] == 0
    read = 0
    for number, start, stop in bounds:
        if quote := _stripped(text, said.start + start, said.start + stop, "；;。"):
            read += 1
            yield read if clauses else number, quote


def _clauses(text: str) -> list[tuple[int, int]]:
    bounds, at = [], 0
    for place in [place for place, sign in enumerate(text) if sign in "；;\n"][:ITEMS]:
        bounds.append((at, place))
        at = place + 1
    return [*bounds, (at, len(text))]


def _exhibits(text: str, parts: Sequence[JudgmentPart], top: JudgmentHead) -> Iterator[Exhibit]:
    """What the parties handed in, as the judgment lists it before its reasons."""
    stop = next((part.said.start for part in parts if part.kind == "opinion"), None)
    told = [part for part in parts if part.kind == ("later" if top.instance == SECOND else "findings")]
    if top.instance == SECOND:
        spans = [(part.said.start, part.said.end) for part in told]
    else:
        spans = [(top.body, stop if stop is not None else len(text))]
    for low, high in spans:
        for sentence in pattern("judgment", "head_sentence").finditer(text, low, high):
            yield from _handed_in(text, sentence.start(), sentence.end(), top)


def _handed_in(text: str, start: int, stop: int, top: JudgmentHead) -> Iterator[Exhibit]:
    """The exhibits that one sentence lists, and who is said to have handed them in."""
    said = text[start:stop]
    found = pattern("judgment", "exhibits").search(said)
    if found is None:
        return
    who = said[: found.start()]
    side = side_of(who, top.parties)
    by = next((p.name.text for p in top.parties if any(name in who for name in p.called)), "")
    proven = pattern("judgment", "exhibit_end").search(said, found.start("list"))
    end = proven.start() if proven is not None else found.end("list")
    listed = Quote(start + found.start("list"), start + end, said[found.start("list") : end])
    marked = pattern("judgment", "mark").match(listed.text)
    if not side or (marked is None and proven is None) or not listed.text.strip():
        return
    for piece in items(text, listed) if marked is not None else _enumerated(text, listed):
        if 1 < len(piece.text) <= 120:
            yield Exhibit(side, by, piece)


def _enumerated(text: str, said: Quote) -> Iterator[Quote]:
    """What commas of a list stand between; those in brackets and titles do not count."""
    depth, at = 0, 0
    for place, sign in enumerate(said.text + "、"):
        depth = max(0, depth + (sign in "（(《“") - (sign in "）)》”"))
        if sign in "、；" and (not depth or place == len(said.text)):
            if quote := _stripped(text, said.start + at, said.start + min(place, len(said.text)), "；。"):
                yield quote
            at = place + 1
