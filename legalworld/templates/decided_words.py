"""`decided`, what a court decides by norms, as templates of scripted actors can name it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..model.case import MISSING
from .shapes import Entries, Parts, Shape

_TEXTS: Final = Entries("text")


def _texts(names: str) -> dict[str, Shape]:
    return dict.fromkeys(names.split(), "text")


_PEOPLE: Final = Entries(Parts({"title": "text", "names": _TEXTS}))
_CITED: Final = Entries(Parts({"law": "text", "articles": Entries(Parts(_texts("article paragraph item")))}))
_TENDERED: Final = Entries(Parts({**_texts("id name by opinion ruling"), "known": "flag"}))
_FACT: Final[Mapping[str, Shape]] = {
    **_texts("fact result amount said value"),
    **{"by": _TEXTS, "against": _TEXTS, "refused": _TENDERED, "follows": _TEXTS},
    **{"burden": _PEOPLE, "admitted_by": _PEOPLE},
    "payments": Entries(Parts(_texts("day until amount times total payer payee"))),
    **dict.fromkeys(("plea", "in_words", "claimed"), "flag"),
}
_GROUPED: Final[Mapping[str, Shape]] = {**_FACT, "opens": "flag", "closes": "flag"}
_FINDING: Final = Parts(_FACT)
_SHOWN: Final = Parts({**_GROUPED, "exhibits": _TENDERED})
_LACKING: Final = Entries(Parts({"fact": "text", "burden": _PEOPLE, "refused": _TENDERED}))
_ARGUED: Final = Parts(
    {
        **_texts("relation rule payer reckoned"),
        **dict.fromkeys(("rule_cites", "payer_cites"), _CITED),
        **dict.fromkeys(("rests", "recalled", "inferred", "unproved", "open"), Entries(_FINDING)),
        **{"shown": Entries(_SHOWN), "lacking": _LACKING, "spared": _PEOPLE, "admitted": Entries(Parts(_GROUPED))},
    }
)
_RELIEF: Final = Parts(
    {
        **_texts("number claim outcome head norm order object within amount asked"),
        **dict.fromkeys(("granted", "residual", "checked", "jointly", "apart"), "flag"),
        **{"payers": _PEOPLE, "payees": _PEOPLE, "cites": _CITED},
        "interest": Entries(Parts(_texts("base named times rate per since until so_far so_far_until"))),
        **{"findings": Entries(_FINDING), "argued": _ARGUED},
        "lines": Entries(Parts({**_texts("label operation value"), "sum": "flag"})),
        "thin": Entries(Parts({**_texts("kind missing"), "bars": "flag"})),
    }
)
_FEES: Final = Entries(
    Parts(
        {
            **{**_texts("item amount whole"), "halved": "flag"},
            "shares": Entries(Parts({"payers": _PEOPLE, "amount": "text"})),
        }
    )
)
_REVIEW: Final = Parts(
    {
        **{"disposition": "text", "added": Entries(_RELIEF), "rest": "flag", "won": _TEXTS, "fees": _FEES},
        "items": Entries(
            Parts({**_texts("item fate"), **dict.fromkeys(("rest", "untried", "barred"), "flag"), "order": _RELIEF})
        ),
    }
)
_PUNISHED: Final[Mapping[str, Shape]] = {
    **_texts("main fine term_years term_months probation_years probation_months"),
    "confiscated": "flag",
}
_SENTENCE: Final = Parts(
    {
        **dict.fromkeys(("settled", "asked", "followed", "adopted"), "flag"),
        **_PUNISHED,
        **_texts("least_years least_months most_years most_months"),
        "mains": _TEXTS,
        "circumstances": Entries(Parts({"name": "text", "article": "text", "mitigates": "flag"})),
        "each": Entries(Parts({"charge": "text", **_PUNISHED})),
    }
)
_GAPS: Final = Entries(Parts(_texts("kind missing")))
_PERSON: Final = Parts(
    {
        **{**_texts("name result word"), "here": "flag", "unchecked": "flag"},
        **{"recommended": _SENTENCE, "defended": _SENTENCE},
        "offences": Entries(Parts({**_texts("charge result"), "by": _TEXTS, "articles": _TEXTS, "gaps": _GAPS})),
        "orders": Entries(Parts(_texts("order amount object"))),
    }
)
DECIDED: Final = "decided"
"""What a court decides by norms: there for scripted actors alone, made of what they may see."""
NOTHING_DECIDED: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("there", "walk_through", "gaps", "granted", "dismissed"), False),
    **dict.fromkeys(
        (
            "results",
            "parts",
            "orders",
            "undecided",
            "cites",
            "fees",
            "pleas",
            "payers",
            "facts",
            "sentences",
            "restored",
        ),
        (),
    ),
    "review": MISSING,
    "borne": {"percent": "", "why": ""},
}


DECISION: Final = Parts(
    {
        **dict.fromkeys(("there", "walk_through", "gaps", "granted", "dismissed"), "flag"),
        "results": Entries(
            Parts(
                {
                    **_texts("claim outcome word"),
                    **{"costs": "flag", "here": "flag", "parts": Entries(_RELIEF), "missing": _TEXTS},
                }
            )
        ),
        **dict.fromkeys(("parts", "orders", "undecided"), Entries(_RELIEF)),
        **{
            "cites": _CITED,
            "pleas": Entries(
                Parts(
                    {
                        **{
                            **_texts("title number shows because"),
                            "by": _PEOPLE,
                            "sustained": "flag",
                            "weighed": "flag",
                        },
                        **{"tried": Entries(_FINDING), "lacking": _LACKING},
                        "cites": _CITED,
                    }
                )
            ),
            "payers": _PEOPLE,
        },
        "facts": Entries(Parts({"fact": "text", "found": "flag", "burden": _PEOPLE})),
        "sentences": Entries(_PERSON),
        "restored": Entries(Parts({**_texts("order amount object"), "names": _TEXTS})),
        **{"fees": _FEES, "review": _REVIEW, "borne": Parts(_texts("percent why"))},
    }
)
