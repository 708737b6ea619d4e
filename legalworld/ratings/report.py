"""What a comparison of raters says: tables in the terminal, JSON, CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..evaluation.metrics.agreement import Shares
from ..evaluation.metrics.values import Average, MissingScore, Value
from ..files.spreadsheet import harmless
from ..wording import sentences
from ..wording.columns import table
from .collect import Back
from .rater_agreement import AgreementRow, Aspect, Pairs, Raters, Ratings

Row = Mapping[str, Any]


MANY = 20  # raters, from which only those are shown who left something out
COUNTED = ("asked", "given", "empty", "refused", "absent", "bare")


def plain(value: Value) -> float | None:
    """A value as data; a gap is nothing."""
    return None if isinstance(value, MissingScore) else value


def _shown(value: Value, form: str = ".2f") -> str:
    return "-" if isinstance(value, MissingScore) else f"{value:{form}}"


def _percent(value: Value) -> str:
    return "-" if isinstance(value, MissingScore) else f"{100 * value:.1f}%"


# ---- the terminal ----------------------------------------------------------------------------------------------------


def terminal_ratings(back: Back, found: Ratings, locale: str) -> str:
    """Who rated how much; agreement with each grader, a table for each family; people among themselves; the spread."""
    word = sentences("ratings", locale)
    parts = ["\n".join(_handed_in(back, locale))]
    for name, lines in found.lines.items():
        if name:
            parts.append(word("with_grader", grader=word("offline", name=name) if name == "offline" else name))
        parts += ["\n".join(one) for one in _families(lines, bool(name), locale)]
        if not name:
            parts.append(word("no_grader"))
    parts.append("\n".join(_among(found.raters, locale)))
    spread = word("between").join(word("spread_one", value=f"{v:g}", count=n) for v, n in found.spread.items())
    if spread:
        parts.append(word("spread", spread=spread))
    return "\n\n".join(part for part in parts if part)


def _handed_in(back: Back, locale: str) -> Iterator[str]:
    word, key = sentences("ratings", locale), back.key
    yield word("title_compare", title=key.title, tag=key.tag, records=len(key.records), raters=len(key.raters))
    counts = back.filled.counts
    shown = [one for one in counts if len(counts) <= MANY or counts[one].given < counts[one].asked][:MANY]
    rows = [[word("rater"), *(word(f"count_{name}") for name in COUNTED)]]
    rows += [[rater, *(str(getattr(counts[rater], name)) for name in COUNTED)] for rater in shown]
    if len(counts) > 1:
        rows.append([word("whole"), *(str(sum(getattr(one, name) for one in counts.values())) for name in COUNTED)])
    yield from table(rows, frozenset(range(1, len(COUNTED) + 1))) if counts else [word("no_sheets")]
    if len(counts) > len(shown):
        yield word("more_people", count=len(counts) - len(shown))


def _families(lines: Sequence[AgreementRow], with_grader: bool, locale: str) -> Iterator[list[str]]:
    word = sentences("ratings", locale)
    every = ("people", "grader", "difference", "sigma", "error", "within", "kappa", "n")
    heads = every if with_grader else every[:1]
    for family in (one for one in lines if one.level == "group"):
        metrics = list(family.items)
        mine = [one for one in lines if one.level == "unit" and one.group == family.group]
        rows = [[family.group, *metrics, *(word(f"head_{name}") for name in heads)]]
        for one in (*mine, family):
            title = one.title if one.level == "unit" else word("whole")
            figures = [_shown(one.items[name]) for name in metrics]
            rows.append([title, *figures, *(_figure(one, name) for name in heads)])
        yield list(table(rows, frozenset(range(1, len(rows[0])))))
    whole = lines[0] if lines else None
    if whole is not None and with_grader:
        told = {name: _figure(whole, name) for name in heads}
        yield [word("all_line", **told, unpaired=whole.found.unpaired)]


def _figure(one: AgreementRow, name: str) -> str:
    found = one.found
    match name:
        case "people":
            return _shown(one.people)
        case "grader":
            return _shown(one.grader)
        case "difference":
            return _shown(found.difference, "+.2f")
        case "sigma":
            return _shown(found.sigma)
        case "error":
            return _shown(found.error)
        case "within":
            return _percent(found.within_one)
        case "kappa":
            return _shown(found.kappa)
        case _:
            return str(found.n)


def _among(raters: Raters, locale: str, most: int = 12) -> Iterator[str]:
    word = sentences("ratings", locale)
    if not raters.pairs:
        yield word("alone")
        return
    yield word("among")
    rows = [[word("raters"), *(word(f"head_{name}") for name in ("error", "within", "kappa", "n"))]]
    for (one, two), found in list(raters.pairs.items())[:most]:
        rows.append(
            [f"{one} / {two}", _shown(found.error), _percent(found.within_one), _shown(found.kappa), str(found.n)]
        )
    told = (_shown(raters.error), _percent(raters.within_one), _shown(raters.kappa.value), str(raters.n))
    rows.append([word("whole"), *told])
    yield from table(rows, frozenset(range(1, 5)))
    if len(raters.pairs) > most:
        yield word("more_raters", count=len(raters.pairs) - most)


def terminal_pairs(back: Back, found: Pairs, locale: str) -> str:
    """Win, tie and lose shares by aspect, people first, then each grader; kappas."""
    word, key = sentences("ratings", locale), back.key
    parts = ["\n".join(_handed_in(back, locale)), word("sides", first=key.sides[0], second=key.sides[1])]
    people = bool(back.filled.counts)
    whom = [*([word("people")] if people else []), *found.graders]
    three = [word("win"), word("tie"), word("lose")]
    kappas = [word("head_kappa")] if people else []
    shares = [f"{who} {one}" for who in whom for one in three]
    rows = [[word("head_item"), *shares, word("head_n"), word("head_settled"), *kappas]]
    for group, whole in found.groups.items():
        told = _three(whole) if people else []
        rows.append([group, *told, *[""] * (len(rows[0]) - 1 - len(told))])
        rows += [_aspect(one, people) for one in found.aspects if one.group == group]
    parts.append("\n".join(table(rows, frozenset(range(1, len(rows[0]))))))
    parts.append("\n".join(_kappas(found, people, locale)))
    return "\n\n".join(part for part in parts if part)


def _aspect(one: Aspect, people: bool) -> list[str]:
    every = [*([one.people] if people else []), *(shares for shares, _ in one.graders.values())]
    figures = [figure for shares in every for figure in _three(shares)]
    n = max((shares.n for shares in every), default=0)
    kappa = [_shown(one.kappa.value)] if people else []
    return [f"  {one.title}", *figures, str(n), str(one.settled), *kappa]


def _three(found: Shares) -> list[str]:
    return [_shown(part) for part in (found.win, found.tie, found.lose)]


def _kappas(found: Pairs, people: bool, locale: str) -> Iterator[str]:
    word = sentences("ratings", locale)
    if people:
        yield word("kappa_people", kappa=_shown(found.kappa.value), n=found.kappa.n)
        for name, (whole, single) in found.graders.items():
            told = {"kappa": _shown(whole), "single": _shown(single.value)}
            yield word("kappa_grader", grader=name, **told)
    if "offline" in found.graders:
        yield word("offline_pairs")


# ---- data ------------------------------------------------------------------------------------------------------------


def json_ratings(back: Back, found: Ratings) -> dict[str, Any]:
    """Everything, with the ratings themselves, what was remarked, and what is behind the labels."""
    raters = found.raters
    between = [{"first": one, "second": two, **_agreed(agreement)} for (one, two), agreement in raters.pairs.items()]
    among = {"n": raters.n, "mae": plain(raters.error), "within_one": plain(raters.within_one)}
    return {
        **_base(back),
        "agreement": [row for name, lines in found.lines.items() for row in _line_rows(name, lines)],
        "between_raters": {**among, "kappa": _averaged(raters.kappa), "pairs": between},
        "spread": [{"rating": value, "count": count} for value, count in found.spread.items()],
        "ratings": [
            {"rater": rater, **_told(back, thing), "rating": value}
            for rater, mine in back.filled.values.items()
            for thing, value in mine.items()
        ],
    }


def json_pairs(back: Back, found: Pairs) -> dict[str, Any]:
    return {
        **_base(back),
        "sides": list(back.key.sides),
        "aspects": list(_aspect_rows(found)),
        "kappa": _averaged(found.kappa),
        "graders": [
            {"grader": name, "kappa_majority": plain(whole), "kappa_annotators": _averaged(single)}
            for name, (whole, single) in found.graders.items()
        ],
        "preferences": [
            {"rater": rater, **_told(back, thing), "preference": str(one)}
            for rater, mine in back.filled.preferences.items()
            for thing, one in mine.items()
        ],
    }


def _base(back: Back) -> dict[str, Any]:
    counts = back.filled.counts.items()
    return {
        "kind": back.key.kind,
        "tag": back.key.tag,
        "rubric": back.key.rubric,
        "digest": back.key.digest,
        "raters": [{"rater": rater, **{name: getattr(one, name) for name in COUNTED}} for rater, one in counts],
        "remarks": [
            {"rater": rater, **_told(back, thing), "remark": text} for rater, thing, text in back.filled.remarks
        ],
    }


def _told(back: Back, thing: str) -> dict[str, Any]:
    one = back.key.by_id[thing]
    record = back.key.record[one.record]
    runs = {"runs": list(record.runs), "models": list(record.models)}
    return {"record": one.record, "case": record.case, **runs, "item": one.item, "key": one.key}


def _line_rows(name: str, lines: Iterable[AgreementRow]) -> Iterator[dict[str, Any]]:
    for one in lines:
        told = {"grader": name, "level": one.level, "group": one.group, "title": one.title}
        yield {**told, "people": plain(one.people), "scored": plain(one.grader), **_agreed(one.found)}


def _agreed(found: Any) -> dict[str, Any]:
    return {
        "n": found.n,
        "unpaired": found.unpaired,
        "difference": plain(found.difference),
        "sigma": plain(found.sigma),
        "mae": plain(found.error),
        "within_one": plain(found.within_one),
        "kappa": plain(found.kappa),
    }


def _averaged(found: Average) -> dict[str, Any]:
    return {"value": plain(found.value), "n": found.n, "excluded": {str(why): n for why, n in found.excluded}}


def _aspect_rows(found: Pairs) -> Iterator[dict[str, Any]]:
    for one in found.aspects:
        base = {"group": one.group, "item": one.item, "title": one.title}
        kappa = plain(one.kappa.value)
        yield {**base, "by": "people", **_shared(one.people), "settled": one.settled, "kappa": kappa}
        for name, (shares, with_people) in one.graders.items():
            yield {**base, "by": name, **_shared(shares), "settled": one.settled, "kappa": plain(with_people)}


def _shared(found: Shares) -> dict[str, Any]:
    three = {"win": plain(found.win), "tie": plain(found.tie), "lose": plain(found.lose)}
    return {**three, "n": found.n, "excluded": found.excluded}


def csv_ratings(found: Ratings) -> str:
    return _csv(row for name, lines in found.lines.items() for row in _line_rows(name, lines))


def csv_pairs(found: Pairs) -> str:
    return _csv(_aspect_rows(found))


def _csv(rows: Iterable[Row]) -> str:
    every = list(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(every[0]) if every else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: harmless(value) for name, value in row.items()} for row in every)
    return out.getvalue()
