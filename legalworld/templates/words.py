"""The words of templates: the names that exist and what is in them, the filters and the tests, each with its use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from ..model.immutable import immutable
from .decided_words import DECIDED, DECISION
from .shapes import Entries, Parts, Shape

MAX_INDENT: Final = 20
MAX_SEPARATOR: Final = 40

# ---- names -----------------------------------------------------------------------------------------------------------


_TEXTS: Final = Entries("text")
_RECORD: Final = Parts({}, "any")
COUNTS: Final = Entries(Parts({"value": "text", "count": "number"}))
BALLOTS: Final = Entries(Parts({"by": "text", "value": "text"}))
_VOTE: Final = Parts({**dict.fromkeys(("title", "result", "by"), "text"), "counts": COUNTS, "votes": BALLOTS})
_LINES: Final = Entries(Parts({"speaker": "text", "text": "text", "struck": "flag"}))
_SAID: Final = Parts(
    {
        **dict.fromkeys(("speaker", "text", "act", "phase", "title"), "text"),
        **{"mine": "flag", "to": _TEXTS, "lines": _LINES, "omitted": "number", "struck": "flag", "vote": _VOTE},
    }
)
MINUTES: Final = Entries(
    Parts(
        {
            **dict.fromkeys(("by", "value", "phase", "act"), "text"),
            **{"to": _TEXTS, "omitted": "number", "struck": "flag"},
        }
    )
)
_SIDED: Final = Parts(
    {}, Entries(Parts({"side": "text", "title": "text", "value": "any", "absent": _TEXTS, "unlisted": _TEXTS}))
)
LOOP: Final = Parts({"index": "number", "first": "flag", "last": "flag", "length": "number"})


def _texts(names: str) -> dict[str, Shape]:
    return dict.fromkeys(names.split(), "text")


ROWS: Final = Entries(Parts({"text": "text", "cells": Entries(Parts({"title": "text", "values": _TEXTS}))}))
"""A value of any shape, as `shown` has it: texts, and the titled texts of records."""


_EVIDENCE: Final = Entries(
    Parts(
        {**_texts("speaker document title verdict text quoted"), "turn": "number", "target": "flag", "struck": "flag"}
    )
)

NAMESPACE: Final[Mapping[str, Shape]] = {
    DECIDED: DECISION,
    "me": Parts(
        {
            **_texts("title label name role kind side"),
            "roles": _TEXTS,
            "party": _RECORD,
            "particulars": Entries(Parts({"title": "text", "values": _TEXTS})),
            "clients": Entries(Parts({**_texts("title name"), "party": _RECORD})),
            "persona": Entries(Parts(_texts("title level text"))),
        }
    ),
    "scene": Parts(
        {
            **_texts("procedure stage title phase phase_title today"),
            "basis": _TEXTS,
            "amended": _TEXTS,
            "options": Parts({}, "text"),
        },
    ),
    "step": Parts(
        {
            **_texts("act id cue item_owner item_label about close end pass"),
            **{"basis": _TEXTS, "concerning": _TEXTS, "to": _TEXTS, "calls": _TEXTS},
            **{"item": _RECORD, "item_mine": "flag"},
            "answer": Parts({**_texts("id name form type unit token default"), "choices": _TEXTS, "most": "number"}),
            "document": Parts({**_texts("name title"), "sections": _TEXTS, "missing": _TEXTS}),
            **{"turn": "number", "left": "number", "round": "number"},
            "topics": Entries(Parts({"n": "number", "value": "any", "covered": "flag", "token": "text"})),
            "checklist": Entries(Parts({**_texts("stage title text token"), "n": "number", "done": "flag"})),
            "draft": Parts({**_texts("text author act"), "number": "number"}),
            "review": "text",
            "scores": Entries(Parts(_texts("name value lowest highest token"))),
            "votes": Entries(
                Parts(
                    {
                        **_texts("name title result mine item_label"),
                        **{"counts": COUNTS, "votes": BALLOTS, "follows": "flag"},
                    }
                )
            ),
            "events": Entries(Parts({**_texts("title token intended"), "basis": _TEXTS})),
            "intended": Parts(_texts("text at")),
        }
    ),
    "own": _SIDED,
    "other": _SIDED,
    "known": _RECORD,
    "minutes": Parts({}, MINUTES),
    "heard": Entries(_SAID),
    "new": Entries(_SAID),
    "last": _SAID,
    "problem": _TEXTS,
    "faulty": "text",
    "lacking": Entries(Parts(_texts("item what"))),
    "memory": _RECORD,
    "notes": Entries(
        Parts(
            {
                **_texts("name title text"),
                **{
                    "filled": "flag",
                    "rows": Entries(Entries(Parts(_texts("key value")))),
                    "keys": _TEXTS,
                    "longest": "number",
                    "revise": "flag",
                    "expand": "flag",
                },
                "choices": Entries(Parts({"key": "text", "values": _TEXTS})),
            }
        )
    ),
    "tools": Entries(
        Parts(
            {
                **_texts("name title does"),
                **{"limit": "number", "acts": _TEXTS},
                "parameters": Entries(Parts({**_texts("name says"), "required": "flag", "choices": _TEXTS})),
            }
        )
    ),
    "results": Entries(Parts({**_texts("tool text"), "ok": "flag"})),
    "skill": Parts({**_texts("name title trigger task output body"), "checklist": _TEXTS, "tools": _TEXTS}),
    "refusal": Parts({**_texts("reason tool detail"), "known": _TEXTS, "limit": "number"}),
    "shown": Parts(
        {
            **{**_texts("name whose title"), "people": "flag", "several": "flag", "vote": "flag"},
            "entries": Entries(
                Parts(
                    {
                        **_texts("side title by name about phase act item_label result mine"),
                        **{"value": "any", "item": _RECORD, "items": Entries("any"), "omitted": "number", "to": _TEXTS},
                        "unlisted": _TEXTS,
                        **{"rows": ROWS, "counts": COUNTS, "votes": BALLOTS, "struck": "flag", "silent": "flag"},
                    }
                )
            ),
        }
    ),
    "attendance": Entries(
        Parts({**_texts("title name kind side"), **dict.fromkeys(("absent", "late", "left", "partly"), "flag")})
    ),
    "study": Parts({**_texts("quality draft section"), "reference": _RECORD}),
    "reflection": Parts(
        {
            **_texts("fence procedure role rubric figure total violations"),
            "amending": "flag",
            "card": Parts({**_texts("title trigger task output"), "stages": _TEXTS, "checklist": _TEXTS}),
            "labels": Parts(_texts("title trigger stages task checklist output unchanged")),
            "limits": Parts(_texts("title line lines")),
            "stages": Entries(Parts(_texts("name title"))),
            "heard": Entries(Parts({**_texts("place speaker quoted"), "mine": "flag"})),
            "documents": Entries(Parts(_texts("title quoted"))),
            "notes": Entries(Parts(_texts("title quoted"))),
            "scores": Entries(Parts(_texts("about title value highest asks"))),
            "weakest": Entries(Parts(_texts("about title value highest asks"))),
            "weak_stages": _TEXTS,
            "others": Entries(Parts({**_texts("title"), "checklist": _TEXTS})),
            "faults": Entries(Parts(_texts("kind section words most"))),
        }
    ),
    "grading": Parts(
        {
            **_texts("rubric item procedure fence"),
            "target": _TEXTS,
            **dict.fromkeys(("others", "together"), "flag"),
            "metrics": Entries(
                Parts(
                    {
                        **_texts("name title asks lowest highest step"),
                        **dict.fromkeys(("whole", "same"), "flag"),
                        "choices": _TEXTS,
                        "anchors": Entries(Parts(_texts("band text"))),
                    }
                )
            ),
            "units": Entries(
                Parts(
                    {
                        **_texts("key title item"),
                        "titled": "flag",
                        "reference": Entries(Parts(_texts("title owner text quoted"))),
                        "evidence": _EVIDENCE,
                        "background": _EVIDENCE,
                    }
                )
            ),
            "wrong": Entries(Parts(_texts("metric key form found"))),
            "records": Entries(Parts({**_texts("label"), "evidence": _EVIDENCE})),
        }
    ),
}
"""What a template can name. The engine gives exactly these; `problem` only where a reply is asked for again, `shown`
only in `know/`, `skill` only in `skill`, `attendance` only in minutes, `refusal` only in `refused`, `grading` only in
`grade/` (and nothing else there), `decided`
only in `offline/`, `study` only in `intervene/`, `reflection` only in `reflect/` (and nothing else)."""

WHOLES: Final = frozenset(
    {
        "me",
        "scene",
        "step",
        "own",
        "other",
        "known",
        "minutes",
        "shown",
        "memory",
        "skill",
        "refusal",
        "study",
        "grading",
        "reflection",
        DECIDED,
    }
)
"""Only what is in them may be read."""

# ---- filters and tests -----------------------------------------------------------------------------------------------


@immutable
class Filter:
    """`accepts` takes the arguments, and says no by False or TypeError.

    They are constants. Those that `operands` names ("" = by position) may be any value, which is `OPERAND` then.
    `table`: which argument names a table of figures, "first" by position.
    """

    usage: str
    takes: Literal["list", "text", "any"]
    gives: Literal["same", "one", "mapped", "flat", "text", "number", "flag"] | Entries
    accepts: Callable[..., bool]
    operands: frozenset[str] = frozenset()
    table: str = ""


OPERAND: Final = object()
"""Stands for an argument that only a run finds out."""


TESTS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("defined", "none", "string", "number", "odd", "even"), 0),
    **dict.fromkeys(("eq", "equalto", "==", "ne", "!=", "in", "contains"), 1),
}
"""Test -> how many values it compares with."""


READINGS: Final = "readings"
"""The table of words by which `says` goes where it names none."""


def _attribute(name: Any) -> bool:
    return isinstance(name, str) and all(part.isidentifier() and part[0] != "_" for part in name.split("."))


def _tested(name: Any = None, /, *values: Any) -> bool:
    return (name is None and not values) or (isinstance(name, str) and TESTS.get(name) == len(values))


def _attribute_tested(name: Any, /, *test: Any) -> bool:
    return _attribute(name) and _tested(*test)


def _separator(text: Any = "", /, *, attribute: Any = None) -> bool:
    return isinstance(text, str) and len(text) <= MAX_SEPARATOR and (attribute is None or _attribute(attribute))


def _instead(text: Any, always: Any = True, /) -> bool:
    return isinstance(text, str) and isinstance(always, bool)


def _marks(*marks: Any) -> bool:
    return len(marks) < 2 and all(map(_word, marks))


def _width(width: Any = 4, first: Any = False, blank: Any = False) -> bool:
    return type(width) is int and 0 <= width <= MAX_INDENT and {type(first), type(blank)} == {bool}


def _nothing() -> bool:
    return True


def _one(operand: Any, /) -> bool:
    return operand is OPERAND or isinstance(operand, (str, int, float))


def _word(word: Any, /) -> bool:
    return isinstance(word, str) and bool(word)


def _paired(*words: Any) -> bool:
    spoken = all(isinstance(word, str) and len(word) <= MAX_SEPARATOR for word in words)
    return len(words) > 1 and len(words) % 2 == 0 and spoken and all(words[::2])


def _ends(*words: Any) -> bool:
    return len(words) > 1 and all(word is OPERAND or _word(word) for word in words)


def _table(name: Any, /) -> bool:
    return isinstance(name, str) and bool(name)


def _listed(name: Any, /, *, table: Any = READINGS) -> bool:
    return _table(name) and _table(table)


def _last_day(length: Any, *words: Any, less: Any = 0) -> bool:
    return bool(words) and all(isinstance(word, str) and word for word in words if word is not OPERAND)


def _account(*, creditor: Any, also: Any = "", cap: Any = "", times: Any = 1, until: Any = "") -> bool:
    return isinstance(cap, str) and type(times) is int and times > 0


ACCOUNT: Final = Entries(
    Parts(
        _texts(
            "since lent deducted base count paid interest offset last principal arrears due_from due"
            " rate agreed published ceiling"
        )
    )
)
"""The account of a debt: one, or none where nothing was lent. All are texts: sums, days, rates in per cent a year."""

_OPERAND: Final = frozenset({""})

FILTERS: Final[Mapping[str, Filter]] = {
    "join": Filter('join("SEPARATOR")', "list", "text", _separator),
    "length": Filter("length", "any", "number", _nothing),
    "first": Filter("first", "list", "one", _nothing),
    "last": Filter("last", "list", "one", _nothing),
    "pick": Filter("pick", "list", "one", _nothing),
    "default": Filter('default("TEXT")', "any", "same", _instead),
    "trim": Filter('trim("MARKS")', "text", "text", _marks),
    "plain": Filter("plain", "text", "text", _nothing),
    "drop": Filter('drop("WORD", ...)', "text", "text", lambda *words: bool(words) and all(map(_word, words))),
    "between": Filter('between("START", "END", ...)', "text", "text", _ends, _OPERAND),
    "pieces": Filter('pieces("MARK", ...)', "text", _TEXTS, lambda *marks: bool(marks) and all(map(_word, marks))),
    "reworded": Filter('reworded("WORD", "OTHER", ...)', "text", "text", _paired),
    "numeral": Filter("numeral", "text", "text", _nothing),
    "money": Filter('money("£")', "text", "text", _separator),
    "as_written": Filter("as_written", "text", "text", _nothing),
    "json": Filter("json", "any", "text", _nothing),
    "indent": Filter(f"indent(0..{MAX_INDENT})", "text", "text", _width),
    "list": Filter("list", "list", "same", _nothing),
    "unique": Filter("unique", "list", "same", _nothing),
    "select": Filter('select("TEST", VALUE)', "list", "same", _tested, _OPERAND),
    "reject": Filter('reject("TEST", VALUE)', "list", "same", _tested, _OPERAND),
    "selectattr": Filter('selectattr("NAME", "TEST", VALUE)', "list", "same", _attribute_tested, _OPERAND),
    "rejectattr": Filter('rejectattr("NAME", "TEST", VALUE)', "list", "same", _attribute_tested, _OPERAND),
    "map": Filter('map(attribute="NAME")', "list", "mapped", lambda *, attribute: _attribute(attribute)),
    "flat": Filter("flat", "list", "flat", _nothing),
    "plus": Filter("plus(NUMBER)", "text", "text", _one, _OPERAND),
    "minus": Filter("minus(NUMBER)", "text", "text", _one, _OPERAND),
    "times": Filter("times(NUMBER)", "text", "text", _one, _OPERAND),
    "over": Filter("over(NUMBER)", "text", "text", _one, _OPERAND),
    "least": Filter("least(NUMBER)", "text", "text", _one, _OPERAND),
    "total": Filter("total", "list", "text", _nothing),
    "days_to": Filter("days_to(DAY)", "text", "text", _one, _OPERAND),
    "last_day": Filter('last_day(TEXT, "WORD", ..., less=DAYS)', "text", "text", _last_day, frozenset({"", "less"})),
    "scaled": Filter('scaled("TABLE")', "text", "text", _table, table="first"),
    "published": Filter('published("TABLE")', "text", "text", _table, table="first"),
    "says": Filter('says("NAME", table="TABLE")', "text", "flag", _listed, table="table"),
    "cited": Filter('cited("TABLE")', "text", "text", _table, table="first"),
    "citations": Filter("citations", "list", "text", _nothing),
    "ledger": Filter(
        'ledger(creditor=NAMES, also=MORE, cap="TABLE", times=4, until=DAY)',
        "list",
        ACCOUNT,
        _account,
        frozenset({"creditor", "also", "until"}),
        table="cap",
    ),
}
