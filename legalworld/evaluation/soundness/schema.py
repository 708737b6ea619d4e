"""What a check may name: the parts of a decision, their properties and what type each has.

`Node` is one part with its values; a value that was not read is a `NotRead`. A value knows its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final, Literal

from ...model.decision import Amount, PartOrigin
from ...model.immutable import immutable

Kind = Literal["amount", "number", "day", "text", "flag", "people", "word"]


@immutable
class NotRead:
    """A value that is not there, and why: `what` could not be read, or was not looked for."""

    what: str


@immutable
class Held:
    """A value with the place it was read at."""

    value: Amount | Decimal | str | bool | tuple[str, ...] | None
    origin: PartOrigin | None = None


@immutable
class Node:
    """One part of a decision as checks see it: `kind` of the schema, values by property, parts by list."""

    kind: str
    name: str
    values: Mapping[str, Held | NotRead]
    lists: Mapping[str, tuple[Node, ...]]
    origin: PartOrigin | None = None


@immutable
class Property:
    """A property: its type, and for words the values it can have."""

    kind: Kind
    words: tuple[str, ...] = ()


def _flags(*names: str) -> dict[str, Property]:
    return {name: Property("flag") for name in names}


_RESULT: Final = Property("word", ("granted", "in_part", "dismissed", "withdrawn", "undecided", "open"))
_PROOF: Final = ("proved", "in_part", "not_proved", "admitted", "uncontested", "noticed", "open")
_ORDER: Final = (
    *(
        "pay",
        "return",
        "deliver",
        "do",
        "refrain",
        "declare",
        "rescind",
        "annul",
        "redo",
        "change",
        "confirm",
        "forfeit",
    ),
)
_LIABILITY: Final = ("one", "jointly", "shares", "open")
_JUDGED: Final = ("convicted", "acquitted", "not_proved", "exempt", "not_responsible", "open")
_NUMBERS: Final = Property("number")
_SUM: Final = Property("amount")
_TEXT: Final = Property("text")
_PEOPLE: Final = Property("people")
_DAY: Final = Property("day")

PROPERTIES: Final[Mapping[str, Mapping[str, Property]]] = {
    "decision": {
        "instance": _NUMBERS,
        "filed": _DAY,
        "heard": _DAY,
        "day": _DAY,
        "granted": _SUM,
        "claimed": _SUM,
        **_flags(
            "final",
            "appealable",
            "one_instance",
            "read_whole",
            "reasons_grant",
            "grants",
            "out_of_time",
            "time_pleaded",
        ),
    },
    "claim": {"amount": _SUM, "in_case": _SUM, "text": _TEXT, **_flags("costs", "decided")},
    "relief": {
        "result": _RESULT,
        "order": Property("word", _ORDER),
        "liability": Property("word", _LIABILITY),
        "amount": _SUM,
        "claimed": _SUM,
        "parts": _SUM,
        "principal": _SUM,
        "payers": _PEOPLE,
        "payees": _PEOPLE,
        "freed": _PEOPLE,
        "shares": _NUMBERS,
        **_flags(
            "asked",
            "told",
            "found",
            "reversed",
            "nameless",
            "timed",
            "numbered",
            "numbers_known",
            "several_parts",
            "denied",
            "beside_dismissal",
            "same_currency",
        ),
    },
    "interest": {"base": _SUM, "rate": _NUMBERS, **_flags("base_told", "rate_told", "start_told", "within_cap")},
    "finding": {"result": Property("word", _PROOF), **_flags("of_claim", "ordered", "all_rejected")},
    "cost": {
        "amount": _SUM,
        "borne": _SUM,
        "item": _TEXT,
        **_flags("below", "one_side_lost", "fits_outcome", "by_table"),
    },
    "verdict": {
        "person": _PEOPLE,
        "charge": _TEXT,
        "result": Property("word", _JUDGED),
        "months": _NUMBERS,
        "least": _NUMBERS,
        "most": _NUMBERS,
        "fine": _SUM,
        "months_below": _NUMBERS,
        "fine_below": _SUM,
        **_flags(
            "charge_told",
            "indicted",
            "article_cited",
            "mitigated",
            "fine_required",
            "fine_known",
            "fined",
            "reasons_convict",
            "reasons_acquit",
            "takes",
            "value_told",
            "loss_told",
            "must_lighten",
            "must_harden",
            "lightened",
            "hardened",
        ),
    },
    "sentence": {
        "person": _PEOPLE,
        "months": _NUMBERS,
        "probation": _NUMBERS,
        "highest": _NUMBERS,
        "together": _NUMBERS,
        "counts": _NUMBERS,
        **_flags("on_probation", "detention", "recidivist", "dates_fit"),
    },
    "person": {**_flags("accused", "judged", "absent", "present", "spoke")},
    "mention": {"name": _TEXT, **_flags("known", "fits")},
    "below": {**_flags("has_fate", "recited"), "number": _TEXT},
    "decided": {**_flags("stated")},
    "charge": {**_flags("judged")},
    "admission": {**_flags("denied")},
    "liability": {
        "payers": _PEOPLE,
        "payees": _PEOPLE,
        **_flags("joint", "payers_ordered", "payees_ordered", "kept_joint"),
    },
    "granted_act": {**_flags("ordered")},
    "award": {"amount": _SUM, **_flags("ordered")},
    "cite": {"law": _TEXT, **_flags("in_force")},
    "fate": {**_flags("exists", "number_known")},
}

LISTS: Final[Mapping[str, str]] = {
    "claims": "claim",
    "reliefs": "relief",
    "interests": "interest",
    "findings": "finding",
    "costs": "cost",
    "verdicts": "verdict",
    "sentences": "sentence",
    "persons": "person",
    "mentions": "mention",
    "items_below": "below",
    "fates": "fate",
    "cites": "cite",
    "awards": "award",
    "decided": "decided",
    "charges": "charge",
    "admissions": "admission",
    "liabilities": "liability",
    "granted_acts": "granted_act",
}
"""The lists that a check goes through, and the kind of their parts."""
