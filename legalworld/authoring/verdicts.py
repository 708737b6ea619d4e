"""What of a test came otherwise than its author expects, and what happened instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, assert_never

from ..model.captured import Captured
from ..model.case import texts
from ..model.events import Drafted, Entered, Skipped, Spoke
from ..model.interruptions import Interrupted
from ..model.outcome import Ended
from ..model.remarks import breaches
from ..model.source import Span
from .procedure_tests import (
    MOST_CALLS,
    AnswerGiven,
    AtMost,
    Broken,
    Contains,
    EndsAs,
    FailedExpectation,
    InOrder,
    Made,
    NeverReached,
    Played,
    PlayedCall,
    ProcedureTest,
    Seen,
    Where,
    plain,
)
from .read_tests import NUMBERS

MOST_SHOWN: Final = 5
_LONGEST: Final = 160  # characters of a line that are shown
_COMPARED: Final = 2_000  # lines that are looked at for the nearest
_LIKE: Final = 0.35
_UNDONE: Final = ("absent", "nobody")


def failures(test: ProcedureTest, played: Played) -> Iterator[FailedExpectation]:
    """Every expectation of a test that does not hold, and every reply of it that nobody asked for."""
    if played.given_up:
        yield FailedExpectation(
            "given_up", test.span, {"most": MOST_CALLS, "place": played.last}, played.spec(played.last)
        )
    for reply in played.unused:
        where = "、".join(at.word for at in reply.at)
        yield FailedExpectation("unused_reply", reply.span, {"place": where or "*"})
    ended = any(isinstance(one, EndsAs) for one in test.expected)
    if played.stopped is not None and not ended:
        yield _stopped(test.span, played)
    for expected in test.expected:
        match expected:
            case InOrder():
                yield from _order(expected, played)
            case NeverReached():
                yield from _never(expected, played)
            case EndsAs():
                yield from _end(expected, played)
            case Made():
                yield from _made(expected, played)
            case Contains():
                yield from _contains(expected, played)
            case Seen(never=False):
                yield from _seen(expected, played)
            case Seen():
                yield from _unseen(expected, played)
            case AnswerGiven():
                yield from _answered(expected, played)
            case Broken():
                yield from _broken(expected, played)
            case AtMost():
                yield from _turns(expected, played)
            case _:
                assert_never(expected)


def _stopped(span: Span, played: Played) -> FailedExpectation:
    problem = played.stopped
    assert problem is not None
    name = str(problem.values.get("name", ""))
    who = str(problem.values.get("speaker", ""))
    return FailedExpectation(
        "stopped", span, {"place": played.last, "who": who, "answer": name}, played.spec(played.last)
    )


# ---- steps -----------------------------------------------------------------------------------------------------------


def _reached(played: Played) -> list[str]:
    """The places that were come to, those of events included, but for steps that nobody was there to do."""
    left_out = {event.place for event in played.events if isinstance(event, Skipped) and event.reason in _UNDONE}
    entered = (event.place for event in played.events if isinstance(event, Entered | Interrupted))
    return [plain(place) for place in entered if place not in left_out]


def _order(expected: InOrder, played: Played) -> Iterator[FailedExpectation]:
    """The first place that does not come where it should."""
    reached, at, before = _reached(played), 0, ""
    for where in expected.places:
        found = next((n for n in range(at, len(reached)) if where.is_at(reached[n])), None)
        if found is not None:
            at, before = found + 1, where.word
            continue
        spec = _spec(where, played)
        if any(where.is_at(place) for place in reached[:at]):
            yield FailedExpectation("too_early", where.span, {"place": where.word, "before": before}, spec)
        else:
            yield FailedExpectation(
                _why_not(where, played), where.span, {"place": where.word, "end": played.last}, spec
            )
        return


def _why_not(where: Where, played: Played) -> str:
    """Why a place was never come to, as far as it was said: it was left out, or something around it was."""
    for event in played.events:
        if isinstance(event, Skipped):
            place = plain(event.place)
            if any(f"{one}/".startswith(f"{place}/") for one in where.places):
                return f"skipped_{event.reason}"
    return "not_reached"


def _spec(where: Where, played: Played) -> Span | None:
    return played.spec(where.places[0]) if where.places else None


def _never(expected: NeverReached, played: Played) -> Iterator[FailedExpectation]:
    reached = _reached(played)
    found = next((n for n, place in enumerate(reached) if expected.place.is_at(place)), None)
    if found is not None:
        steps = [place for place in reached[:found] if place != reached[found]]
        values = {"place": expected.place.word, "before": steps[-1] if steps else ""}
        yield FailedExpectation(
            "reached" if steps else "reached_first", expected.span, values, played.spec(reached[found])
        )


def _end(expected: EndsAs, played: Played) -> Iterator[FailedExpectation]:
    if played.given_up:
        return
    if played.stopped is not None:
        yield _stopped(expected.span, played)
    elif played.outcome != expected.outcome:
        ended = any(isinstance(event, Ended) for event in played.events)
        kind = "other_outcome" if ended else "paused" if played.status == "paused" else "no_outcome"
        values = {"outcome": expected.outcome, "found": played.outcome, "place": played.last}
        yield FailedExpectation(kind, expected.span, values, played.spec(played.last))


def _turns(expected: AtMost, played: Played) -> Iterator[FailedExpectation]:
    turns = [event for event in played.events if isinstance(event, Spoke)]
    if len(turns) > expected.turns:
        places: dict[str, int] = {}
        for turn in turns:
            place = "/".join(NUMBERS.sub("", plain(turn.place)).split("/")[:2])
            places[place] = places.get(place, 0) + 1
        most = max(places, key=lambda place: places[place])
        values = {"most": expected.turns, "found": len(turns), "place": most, "count": places[most]}
        yield FailedExpectation("too_many_turns", expected.span, values, played.spec(most))


# ---- documents, answers, rules ---------------------------------------------------------------------------------------


def _drafts(played: Played, document: str, side: str) -> list[Drafted]:
    made = (event for event in played.events if isinstance(event, Drafted) and event.document == document)
    return [event for event in made if side in ("", event.side)]


def _made(expected: Made, played: Played) -> Iterator[FailedExpectation]:
    made = _drafts(played, expected.document, expected.side)
    name = _title(played, expected.document)
    if made and expected.never:
        values = {"document": name, "place": plain(made[0].place), "who": made[0].speaker}
        yield FailedExpectation("document_made", expected.span, values, played.spec(made[0].place))
    elif not made and not expected.never:
        yield _no_document(expected, played)


def _no_document(expected: Made | Contains, played: Played) -> FailedExpectation:
    others = dict.fromkeys(_title(played, event.document) for event in played.events if isinstance(event, Drafted))
    spec = played.procedure.documents[expected.document].span if expected.document else None
    values = {"document": _title(played, expected.document), "others": "、".join(others) or "—", "end": played.last}
    return FailedExpectation("no_document", expected.span, values, spec)


def _title(played: Played, document: str) -> str:
    known = played.procedure.documents.get(document)
    return known.title if known is not None else document


def _contains(expected: Contains, played: Played) -> Iterator[FailedExpectation]:
    made = _drafts(played, expected.document, expected.side)
    if not made:
        yield _no_document(expected, played)
        return
    holding = [event for event in made if expected.text in event.text]
    values = {"document": _title(played, expected.document), "text": expected.text}
    if holding and expected.never:
        one = holding[0]
        values |= {"who": one.speaker, "place": plain(one.place)}
        shown = tuple(_lines_with(expected.text, one.text))
        yield FailedExpectation("document_holds", expected.span, values, played.spec(one.place), shown)
    elif expected.never and not _anywhere(expected.text, played):
        yield FailedExpectation("nowhere", expected.span, {"text": expected.text})
    elif not holding and not expected.never:
        near = _nearest(expected.text, (line for event in made for line in event.text.split("\n")))
        yield FailedExpectation("document_lacks", expected.span, values, played.spec(made[-1].place), _compared(near))


def _answered(expected: AnswerGiven, played: Played) -> Iterator[FailedExpectation]:
    given = [event for event in played.events if isinstance(event, Captured) and event.name == expected.name]
    answer = played.procedure.answers[expected.name]
    values = {"answer": answer.called, "wanted": "、".join(answer.said(value) for value in expected.values)}
    if not given:
        yield FailedExpectation("unasked", expected.span, {**values, "end": played.last}, answer.span)
        return
    at = 0
    for event in given:
        if at < len(expected.values) and _is_value(event, expected.values[at]):
            at += 1
    if at < len(expected.values):
        shown = tuple(
            f"{plain(event.place)}  {event.speaker}: {answer.said(str(_as_text(event.value)))} ({event.source})"
            for event in given
        )
        yield FailedExpectation("other_answer", expected.span, values, played.spec(given[0].place), _few(shown))


def _is_value(event: Captured, value: str) -> bool:
    found = _as_text(event.value)
    try:
        return found == value or (found != "" and float(found) == float(value))
    except ValueError:
        return value != "" and event.value != "" and isinstance(event.value, tuple) and value in event.value


def _as_text(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else "\n".join(value)


def _broken(expected: Broken, played: Played) -> Iterator[FailedExpectation]:
    found = [event for event in breaches(played.events) if expected.rule in ("", event.rule)]
    rule = next((rule for rule in played.procedure.conduct if rule.id == expected.rule), None)
    name = rule.title or rule.id if rule is not None else expected.rule
    if found and expected.never:
        one = found[0]
        values = {"rule": name or one.rule, "place": plain(one.place), "detail": one.detail, "count": len(found)}
        yield FailedExpectation(
            "rule_broken", expected.span, values, rule.span if rule is not None else played.spec(one.place)
        )
    elif not found and not expected.never:
        others = dict.fromkeys(event.rule for event in breaches(played.events))
        values = {"rule": name, "others": "、".join(others) or "—"}
        yield FailedExpectation("rule_kept", expected.span, values, rule.span if rule is not None else None)


# ---- who is shown what -----------------------------------------------------------------------------------------------


def _looked_at(expected: Seen, played: Played) -> list[PlayedCall]:
    """The requests to those who are meant, where it is meant."""
    begun = expected.since is None
    found = []
    for call in played.calls:
        begun = begun or (expected.since is not None and expected.since.holds(call.place))
        asked = not expected.roles or call.request.role in expected.roles
        if begun and asked and (not expected.at or any(where.holds(call.place) for where in expected.at)):
            found.append(call)
    return found


def _values(expected: Seen, played: Played) -> dict[str, object]:
    titles = played.procedure.roles
    roles = "、".join(titles[role].title or role for role in titles if role in expected.roles)
    where = "、".join(at.word for at in expected.at) or (expected.since.word if expected.since is not None else "")
    return {"who": roles or "*", "what": expected.called, "at": where or "*"}


def _seen(expected: Seen, played: Played) -> Iterator[FailedExpectation]:
    looked, values = _looked_at(expected, played), _values(expected, played)
    if not looked:
        yield FailedExpectation("never_asked", expected.span, values, _first_spec(expected, played))
        return
    if any(_sees(expected, one, played) for one in looked):
        return
    others = [one for one in played.calls if _sees(expected, one, played)]
    shown = tuple(dict.fromkeys(f"{one.request.speaker}  {one.place}" for one in others))
    if not others and expected.text:
        near = _nearest(expected.text, (line for one in looked for line in _told(one).split("\n")))
        yield FailedExpectation(
            "not_shown", expected.span, values, _grant(expected, looked[0], played), _compared(near)
        )
    else:
        kind = "shown_to_others" if others else "not_shown"
        yield FailedExpectation(kind, expected.span, values, _grant(expected, looked[0], played), _few(shown))


def _unseen(expected: Seen, played: Played) -> Iterator[FailedExpectation]:
    looked, values = _looked_at(expected, played), _values(expected, played)
    if not looked:
        yield FailedExpectation("never_asked", expected.span, values, _first_spec(expected, played))
        return
    for one in looked:
        if text := _sees(expected, one, played):
            said = {**values, "who": one.request.speaker, "place": one.place}
            home, lines = _part_with(text, one) if expected.text or expected.sealed else ("", ())
            shown = (home, *lines) if home else ()
            grant = _grant(expected, one, played) if not expected.text else None
            yield FailedExpectation("shown", expected.span, said, grant or played.spec(one.place), shown)
            return
    if expected.text and not _anywhere(expected.text, played):
        yield FailedExpectation("nowhere", expected.span, {"text": expected.text})
    elif expected.sealed and not list(_sealed_texts(expected, played)):
        yield FailedExpectation("nothing_sealed", expected.span, values)


def _first_spec(expected: Seen, played: Played) -> Span | None:
    where = expected.at[0] if expected.at else expected.since
    return _spec(where, played) if where is not None else None


def _sees(expected: Seen, call: PlayedCall, played: Played) -> str:
    """What shows that somebody is shown it; "" where he is not."""
    if expected.text:
        return expected.text if expected.text in _told(call) else ""
    if expected.sealed:
        told = _told(call)
        found = [text for text in _sealed_texts(expected, played) if text in told]
        before = "\n".join(one.text for one in played.calls[: played.calls.index(call)]) if found else ""
        return next((text for text in found if text not in before), "")  # what people say by themselves is theirs
    shown = call.request.view.knowledge.shown
    whose = ("own", "other", "all") if expected.whose in ("", "all") else (expected.whose,)
    return expected.what if any(one.name == expected.what and one.whose in whose for one in shown) else ""


def _told(call: PlayedCall) -> str:
    """All that somebody was sent, but for what he said himself."""
    return "\n".join(message.content for message in call.request.messages if message.role != "assistant")


_TELLING: Final = 4  # characters: what is shorter may stand anywhere by chance


def _sealed_texts(expected: Seen, played: Played) -> Iterator[str]:
    """The words of a sealed field that would tell it: what the case says openly somewhere else, and what the procedure
    and its prompts say of any case, gives nothing away."""
    openly = [text for value in played.case.fields.values() for text in texts(value)]
    known = "\n".join((*openly, played.wording))
    for text in texts(played.case.sealed.get(expected.what)):
        if len(text) >= _TELLING and text not in known:
            yield text


def _grant(expected: Seen, call: PlayedCall, played: Played) -> Span | None:
    """The row of the matrix by which somebody is shown a field, or would be."""
    procedure, view = played.procedure, call.request.view
    kind = procedure.roles[call.request.role].kind
    of_field = [grant for grant in procedure.grants if grant.what == expected.what]
    here = [grant for grant in of_field if grant.stage == view.stage and grant.kind == kind]
    found = [grant for grant in here if expected.whose in ("", "all", grant.whose)] or here or of_field
    return found[0].span if found else None


def _part_with(text: str, call: PlayedCall) -> tuple[str, tuple[str, ...]]:
    """The template whose part of a prompt holds some words, and the lines with them."""
    for message in call.request.messages:
        if message.role != "assistant" and text in message.content:
            home = next((home for home, part in message.parts if text in part), "")
            return home.partition("#")[0], tuple(_lines_with(text, message.content))
    return "", ()


def _anywhere(text: str, played: Played) -> bool:
    """Whether words stand anywhere at all: in the case, in what was said, in what somebody was sent."""
    values = (*played.case.fields.values(), *played.case.sealed.values())
    return any(text in one for value in values for one in texts(value)) or any(
        text in call.text or text in _told(call) for call in played.calls
    )


# ---- words -----------------------------------------------------------------------------------------------------------


def _lines_with(text: str, whole: str) -> Iterator[str]:
    """The lines of a text around some words of it."""
    at = whole.index(text)
    start, end = whole.rfind("\n", 0, at) + 1, whole.find("\n", at + len(text))
    for line in whole[start : end if end >= 0 else len(whole)].split("\n")[:MOST_SHOWN]:
        yield f"  {_cut(line, text)}"


def _cut(line: str, around: str = "") -> str:
    start = max(line.find(around) - _LONGEST // 2, 0) if len(line) > _LONGEST else 0
    cut = line[start : start + _LONGEST]
    return f"{'…' if start else ''}{cut}{'…' if start + len(cut) < len(line) else ''}"


def _nearest(text: str, lines: Iterator[str]) -> str:
    """The stretch of a line most like some words; "" where none is like them."""
    matcher, best = SequenceMatcher(autojunk=False), (_LIKE, "")
    matcher.set_seq2(text)
    for line in list(dict.fromkeys(line.strip() for line in lines if line.strip()))[:_COMPARED]:
        common = set(line) & set(text)
        if len(common) * 3 < len(set(text)):
            continue
        matcher.set_seq1(line[:_COMPARED])
        match = matcher.find_longest_match()
        start = max(match.a - match.b, 0)
        stretch = line[start : start + len(text) + 8]
        matcher.set_seq1(stretch)
        ratio = matcher.ratio()
        if ratio > best[0]:
            best = (ratio, stretch)
    return best[1]


def _compared(near: str) -> tuple[str, ...]:
    return (f"  ≈ {_cut(near)}",) if near else ()


def _few(lines: Sequence[str]) -> tuple[str, ...]:
    return (*(f"  {line}" for line in lines[:MOST_SHOWN]), *(("  …",) if len(lines) > MOST_SHOWN else ()))
