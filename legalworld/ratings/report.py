"""What a comparison of raters says: tables in the terminal, JSON, CSV.

`AGREEMENT_COLUMNS` are the columns of the tables of agreement; the rows of JSON and CSV have all that there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from ..evaluation.metrics.agreement import Shares, ends_of
from ..evaluation.metrics.intervals import Interval
from ..evaluation.metrics.reliability import Reliability
from ..evaluation.metrics.values import Average, Value, number, shown
from ..evaluation.report_text import Word
from ..files.spreadsheet import csv_text
from ..wording import sentences
from ..wording.columns import table
from .agreement import AgreementRow, Aspect, Pairs, Raters, Ratings
from .collect import Returned
from .reasons import reasons

Row = Mapping[str, Any]

MANY: Final = 20  # raters, from which only those are shown who left something out
PAIRS_SHOWN: Final = 12  # of raters
COUNTED: Final = ("asked", "given", "empty", "refused", "absent", "bare")
AGREEMENT_COLUMNS: Final = {
    "people": ("people", ".2f"),
    "scored": ("grader", ".2f"),
    "difference": ("difference", "+.2f"),
    "sigma": ("sigma", ".2f"),
    "mae": ("error", ".2f"),
    "within_one": ("within", ".1%"),
    "kappa": ("kappa", ".2f"),
    "n": ("n", ""),
}
"""A column of the rows of data -> the word for it (`head_WORD`), and how its figures are printed."""

AMONG_RATERS: Final = ("mae", "within_one", "kappa", "n")


def _printed(row: Row, columns: Sequence[str]) -> list[str]:
    return [shown(row[column], AGREEMENT_COLUMNS[column][1]) for column in columns]


def _heads(columns: Sequence[str], word: Word) -> list[str]:
    return [word(f"head_{AGREEMENT_COLUMNS[column][0]}") for column in columns]


def _table(rows: Sequence[Sequence[str]]) -> str:
    """A table with names in the first column and figures in all others."""
    return "\n".join(table(rows, frozenset(range(1, len(rows[0])))))


# ---- the terminal ----------------------------------------------------------------------------------------------------


def terminal_ratings(returned: Returned, found: Ratings, locale: str) -> str:
    """Who rated how much; agreement with each grader, a table for each family; people among themselves; the spread."""
    word = sentences("ratings", locale)
    parts = [_handed_in(returned, word)]
    for name, rows in found.rows.items():
        if name:
            parts.append(word("with_grader", grader=word("offline", name=name) if name == "offline" else name))
        parts += _families(rows, bool(name), word)
        if not name:
            parts.append(word("no_grader"))
    parts.append("\n".join(_among(found.raters, word)))
    spread = word("between").join(word("spread_one", value=f"{v:g}", count=n) for v, n in found.spread.items())
    if spread:
        parts.append(word("spread", spread=spread))
    parts.append(_themes(returned, word))
    return "\n\n".join(part for part in parts if part)


def _handed_in(returned: Returned, word: Word) -> str:
    """Who gave back how much."""
    key, counts = returned.key, returned.filled.counts
    title = word("title_compare", title=key.title, tag=key.tag, records=len(key.records), raters=len(key.raters))
    if not counts:
        return f"{title}\n{word('no_sheets')}"
    listed = [rater for rater, mine in counts.items() if len(counts) <= MANY or mine.given < mine.asked][:MANY]
    rows = [[word("rater"), *(word(f"count_{name}") for name in COUNTED)]]
    rows += [[rater, *(str(getattr(counts[rater], name)) for name in COUNTED)] for rater in listed]
    if len(counts) > 1:
        rows.append([word("whole"), *(str(sum(getattr(mine, name) for mine in counts.values())) for name in COUNTED)])
    more = [word("more_people", count=len(counts) - len(listed))] if len(counts) > len(listed) else []
    return "\n".join([title, _table(rows), *more])


def _families(rows: Sequence[AgreementRow], with_grader: bool, word: Word) -> Iterator[str]:
    """A table for each family, a row a unit; a line on all of them."""
    columns = tuple(AGREEMENT_COLUMNS) if with_grader else ("people",)
    for family in (row for row in rows if row.level == "group"):
        metrics = list(family.items)
        lines = [[family.group, *metrics, *_heads(columns, word)]]
        for row in (*(row for row in rows if row.level == "unit" and row.group == family.group), family):
            title = row.title if row.level == "unit" else word("whole")
            lines.append([title, *(shown(row.items.get(name)) for name in metrics), *_printed(_as_data(row), columns)])
        yield _table(lines)
    if rows and with_grader:
        whole = _as_data(rows[0])
        figures = zip((AGREEMENT_COLUMNS[column][0] for column in columns), _printed(whole, columns), strict=True)
        yield word("all_line", **dict(figures), unpaired=whole["unpaired"])
        ends = rows[0].agreement.intervals
        if any(one.low is not None for one in ends.values()):
            yield word("all_intervals", difference=span(ends["difference"], "+.2f"), within=span(ends["within_one"]))


def span(one: Interval, form: str = ".2f") -> str:
    """`[0.12, 0.34]`; `-` where there is none."""
    return "-" if one.low is None else f"[{shown(one.low, form)}, {shown(one.high, form)}]"


def reliability_line(found: Reliability, word: Word) -> str:
    """Alpha and the intraclass correlation of several raters, with their intervals."""
    return word(
        "reliability",
        alpha=_with_span(found.alpha, found.alpha_interval),
        icc=_with_span(found.icc, found.icc_interval),
        raters=found.raters,
        n=found.n,
        cases=found.cases,
    )


def _with_span(value: Value, interval: Interval) -> str:
    return shown(value) if interval.low is None else f"{shown(value)} {span(interval)}"


def _among(raters: Raters, word: Word) -> Iterator[str]:
    """Every two raters, and all of them together."""
    if not raters.pairs:
        yield word("alone")
        return
    yield word("among")
    yield _table([[word("raters"), *_heads(AMONG_RATERS, word)], *rater_rows(raters, word)])
    if len(raters.pairs) > PAIRS_SHOWN:
        yield word("more_raters", count=len(raters.pairs) - PAIRS_SHOWN)
    yield reliability_line(raters.reliability, word)


def rater_rows(raters: Raters, word: Word) -> list[list[str]]:
    """The first pairs of raters, and all of them."""
    rows = [
        [f"{first} / {second}", *_printed(agreed.figures(), AMONG_RATERS)]
        for (first, second), agreed in list(raters.pairs.items())[:PAIRS_SHOWN]
    ]
    whole = {"mae": raters.error, "within_one": raters.within_one, "kappa": raters.kappa.value, "n": raters.n}
    return [*rows, [word("whole"), *_printed(whole, AMONG_RATERS)]]


def _themes(returned: Returned, word: Word) -> str:
    """The reasons by theme, a row a theme of each group; "" where there are none."""
    rows = [[word("head_part"), word("head_theme"), word("head_n"), word("head_share"), word("head_other")]]
    for row in reasons(returned.key, returned.filled):
        group = word(f"reasons_{row.group}") if row.group in ("high", "low") else row.group
        rows.append([group, row.theme or "-", str(row.n), shown(row.share, ".1%") if row.n else "-", str(row.other)])
    return f"{word('themes')}\n{_table(rows)}\n{word('themes_note')}" if len(rows) > 1 else ""


def _theme_rows(returned: Returned) -> list[dict[str, Any]]:
    return [asdict(row) for row in reasons(returned.key, returned.filled)]


def terminal_pairs(returned: Returned, found: Pairs, locale: str) -> str:
    """Win, tie and lose shares by aspect, people first, then each grader; kappas."""
    word, sides = sentences("ratings", locale), returned.key.sides
    people = bool(returned.filled.counts)
    judges = [*([word("people")] if people else []), *found.graders]
    shares = [f"{judge} {share}" for judge in judges for share in (word("win"), word("tie"), word("lose"))]
    kappas = [word("head_kappa")] if people else []
    rows = [[word("head_item"), *shares, word("head_n"), word("head_settled"), *kappas]]
    for group, whole in found.groups.items():
        figures = _three(whole) if people else []
        rows.append([group, *figures, *[""] * (len(rows[0]) - 1 - len(figures))])
        rows += [_aspect(aspect, people) for aspect in found.aspects if aspect.group == group]
    parts = [
        _handed_in(returned, word),
        word("sides", first=sides[0], second=sides[1]),
        _table(rows),
        "\n".join(kappa_lines(found, people, word)),
        _themes(returned, word),
    ]
    return "\n\n".join(part for part in parts if part)


def _aspect(aspect: Aspect, people: bool) -> list[str]:
    every = [*([aspect.people] if people else []), *(shares for shares, _ in aspect.graders.values())]
    figures = [figure for shares in every for figure in _three(shares)]
    n = max((shares.n for shares in every), default=0)
    kappa = [shown(aspect.kappa.value)] if people else []
    return [f"  {aspect.title}", *figures, str(n), str(aspect.settled), *kappa]


def _three(shares: Shares) -> list[str]:
    return [shown(share) for share in (shares.win, shares.tie, shares.lose)]


def kappa_lines(found: Pairs, people: bool, word: Word) -> Iterator[str]:
    """Annotators among themselves and with each grader; what depends on the order of a pair."""
    if people:
        yield word("kappa_people", kappa=shown(found.kappa.value), n=found.kappa.n)
        if found.alpha.n:
            yield reliability_line(found.alpha, word)
        for name, (whole, single) in found.graders.items():
            yield word("kappa_grader", grader=name, kappa=shown(whole), single=shown(single.value))
    for name, one in found.positions.items():
        shares = {key: shown(getattr(one, key), ".0%") for key in ("changed", "first", "second")}
        yield word("position", grader=name, n=one.n, ends=span(one.interval, ".0%"), **shares)
    if "offline" in found.graders:
        yield word("offline_pairs")


# ---- data ------------------------------------------------------------------------------------------------------------


def json_ratings(returned: Returned, found: Ratings) -> dict[str, Any]:
    """Everything, with the ratings themselves, what was remarked, and what is behind the labels."""
    raters = found.raters
    pairs = [{"first": first, "second": second, **each.figures()} for (first, second), each in raters.pairs.items()]
    among = {"n": raters.n, "mae": number(raters.error), "within_one": number(raters.within_one)}
    return {
        **_returned(returned),
        "agreement": list(_agreement_rows(found)),
        "between_raters": {
            **among,
            "kappa": _averaged(raters.kappa),
            "pairs": pairs,
            "reliability": raters.reliability.figures(),
        },
        "spread": [{"rating": value, "count": count} for value, count in found.spread.items()],
        "themes": _theme_rows(returned),
        "ratings": _entries(returned, "rating", returned.filled.values),
    }


def json_pairs(returned: Returned, found: Pairs) -> dict[str, Any]:
    """The same of comparisons."""
    return {
        **_returned(returned),
        "sides": list(returned.key.sides),
        "themes": _theme_rows(returned),
        "aspects": list(_aspect_rows(found)),
        "kappa": _averaged(found.kappa),
        "reliability": found.alpha.figures(),
        "groups": [{"group": group, "by": "people", **_share_figures(whole)} for group, whole in found.groups.items()],
        "graders": [
            {"grader": name, "kappa_majority": number(whole), "kappa_annotators": _averaged(single)}
            for name, (whole, single) in found.graders.items()
        ],
        "positions": [
            {
                "grader": name,
                "n": one.n,
                **{key: number(getattr(one, key)) for key in ("changed", "first", "second")},
                "changed_low": one.interval.low,
                "changed_high": one.interval.high,
            }
            for name, one in found.positions.items()
        ],
        "preferences": _entries(returned, "preference", returned.filled.preferences),
    }


def _returned(returned: Returned) -> dict[str, Any]:
    key, filled = returned.key, returned.filled
    counts = filled.counts.items()
    return {
        "kind": key.kind,
        "tag": key.tag,
        "rubric": key.rubric,
        "digest": key.digest,
        "raters": [{"rater": rater, **{name: getattr(mine, name) for name in COUNTED}} for rater, mine in counts],
        "remarks": [{"rater": rater, **_item(returned, item), "remark": text} for rater, item, text in filled.remarks],
    }


def _entries(returned: Returned, name: str, entries: Mapping[str, Mapping[str, Any]]) -> list[Row]:
    """A row for each entry of each rater (rater -> item -> what was entered)."""
    return [
        {"rater": rater, **_item(returned, item), name: value}
        for rater, mine in entries.items()
        for item, value in mine.items()
    ]


def _item(returned: Returned, name: str) -> dict[str, Any]:
    """What is behind the label of an item."""
    item = returned.key.by_id[name]
    record = returned.key.record[item.record]
    runs = {"runs": list(record.runs), "models": list(record.models)}
    return {"record": item.record, "case": record.case, **runs, "item": item.item, "key": item.key}


def _agreement_rows(found: Ratings) -> Iterator[Row]:
    for name, rows in found.rows.items():
        yield from ({"grader": name, **_as_data(row)} for row in rows)


def _as_data(row: AgreementRow) -> dict[str, Any]:
    means = {"people": number(row.people), "scored": number(row.grader)}
    return {"level": row.level, "group": row.group, "title": row.title, **means, **row.agreement.figures()}


def _averaged(found: Average) -> dict[str, Any]:
    return {"value": number(found.value), "n": found.n, "excluded": {str(why): n for why, n in found.excluded}}


def _share_figures(shares: Shares) -> dict[str, float | None]:
    plain = {name: number(getattr(shares, name)) for name in ("win", "tie", "lose", "n", "excluded")}
    return plain | ends_of(shares.intervals)


def _aspect_rows(found: Pairs) -> Iterator[Row]:
    """A row for the people and one for each grader."""
    for aspect in found.aspects:
        judged = {"people": (aspect.people, aspect.kappa.value), **aspect.graders}
        for name, (shares, kappa) in judged.items():
            yield {
                "group": aspect.group,
                "item": aspect.item,
                "title": aspect.title,
                "by": name,
                **_share_figures(shares),
                "settled": aspect.settled,
                "kappa": number(kappa),
            }


def csv_ratings(found: Ratings) -> str:
    return csv_text(_agreement_rows(found))


def csv_pairs(found: Pairs) -> str:
    return csv_text(_aspect_rows(found))
