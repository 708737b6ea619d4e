"""Contradictions in judgments and orders of small claims."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from planting.paper import Paper, Plant, Span, plant

_SUM = re.compile(r"£(?P<sum>\d[\d,]*(?:\.\d{2})?)")


def orders(paper: Paper) -> Span:
    """From the words that order to the end."""
    found = list(re.finditer(r"(?im)^(?:#+ )?(?:Decision|Order)\.?\s*$|IT IS ORDERED|ordered that", paper.text))
    return (found[-1].start(), len(paper.text)) if found else (0, 0)


def _heads(paper: Paper) -> list[re.Match[str]]:
    """Sums that are ordered for something: the heads of claim, and not the total, the costs, the interest."""
    return [
        found
        for found in _SUM.finditer(paper.text, *orders(paper))
        if re.match(r" (?:for the|together)|\.00 for", paper.text[found.end() : found.end() + 12])
    ]


def _pounds(value: float) -> str:
    return f"{value:,.2f}"


def _value(found: re.Match[str]) -> float:
    return float(found["sum"].replace(",", ""))


def _total(paper: Paper) -> list[re.Match[str]]:
    """The sum that is said to be the whole."""
    start, end = orders(paper)
    return [
        found
        for found in _SUM.finditer(paper.text, start, end)
        if re.search(r"(?:total of |so that )$", paper.text[: found.start()][-12:])
        or re.match(r" (?:in all|is due in all)", paper.text[found.end() : found.end() + 16])
    ]


def en_over_claim(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for found in _heads(paper):
        for _ in range(6):
            new = _pounds(_value(found) * draw.randint(3, 30) + draw.randint(1, 90))
            places = paper.every(re.escape(found["sum"]), (orders(paper)[0] // 3, len(paper.text)))
            yield plant("en_over_claim", paper, [(span, new) for span in places if span[0] >= paper.text.find("ssues")])


def en_order_unlike_reasons(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for found in _heads(paper):
        for _ in range(6):
            new = _pounds(_value(found) * draw.uniform(0.3, 0.9))
            yield plant(
                "en_order_unlike_reasons", paper, [(found.span("sum"), new)], [of.span() for of in _total(paper)]
            )


def en_total_wrong(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for found in _total(paper):
        parts = [part.span() for part in _heads(paper)]
        for _ in range(10):
            yield plant(
                "en_total_wrong",
                paper,
                [(found.span("sum"), _pounds(_value(found) * draw.uniform(0.5, 1.6)))],
                parts,
            )


def en_sides_swapped(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for found in re.finditer(
        r"(?P<payer>Defendant) (?P<must>must|shall|do|is to) (?:also )?pay the (?P<payee>Claimant)", paper.text
    ):
        if found.start() >= orders(paper)[0]:
            yield plant(
                "en_sides_swapped", paper, [(found.span("payer"), "Claimant"), (found.span("payee"), "Defendant")]
            )


def en_pays_himself(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for found in re.finditer(r"Defendant (?:must|shall|do|is to) (?:also )?pay the (?P<payee>Claimant)", paper.text):
        if found.start() >= orders(paper)[0]:
            yield plant(
                "en_pays_himself", paper, [(found.span("payee"), "Defendant")], [(found.start(), found.start("payee"))]
            )


def en_other_currency(paper: Paper, draw: random.Random) -> Iterator[Plant]:
    for found in _heads(paper):
        for sign in ("€", "$"):
            yield plant("en_other_currency", paper, [((found.start(), found.start() + 1), sign)])
