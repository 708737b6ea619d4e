"""What contradicts itself in norms that are linked: facts that hold otherwise in a circle, rows on one condition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..language import diagnose
from ..language.surface_reader import SurfaceReader
from ..language.surfaces import Surface, Text
from ..language.yaml.nodes import Scalar
from ..model.source import Span
from .definition import AccountOf, Need, ReckonRow
from .formulas import names_in
from .surfaces import PleaSurface


def reached(rows: Sequence[Surface], reader: SurfaceReader) -> None:
    """That each row of a list can be reached: one without a condition ends it, for its heads or grounds, and no
    condition stands twice."""
    seen: dict[str, Span] = {}
    for row in rows:
        when = getattr(row, "when", None)
        words = " ".join(when.text.split()) if when is not None else ""
        heads = " ".join(one.text for one in getattr(row, "heads", ()) or getattr(row, "grounds", ()))
        first = seen.get(f"{heads}|") or seen.get("|") or seen.get(f"{heads}|{words}")
        if first is not None:
            reader.report(diagnose.contradicting_rows(row.span, row=words or "-", also=(first,)))
        seen.setdefault(f"{heads}|{words}", row.span)


def once(words: Iterable[Text | Scalar], reader: SurfaceReader) -> None:
    """That no two rows say the same of what must be one: a condition of tiers, a plea."""
    seen: dict[str, Span] = {}
    for word in words:
        text = " ".join(word.text.split())
        if text in seen:
            reader.report(diagnose.contradicting_rows(word.span, row=text, also=(seen[text],)))
        seen.setdefault(text, word.span)


def pleas_once(pleas: Iterable[PleaSurface], reader: SurfaceReader) -> None:
    """That a norm, with those that it uses, says once what a plea is good for: by norms that use the same one it comes
    twice from one place."""
    once({one.plea.span: one.plea for one in pleas}.values(), reader)


def no_circle(
    needs: Mapping[str, Need],
    reckon: Mapping[str, Sequence[ReckonRow] | AccountOf],
    reader: SurfaceReader,
) -> None:
    """That what holds where nobody shows a fact does not rest on that fact itself, be it by what is reckoned."""
    rests = {name: names_in(need.otherwise) for name, need in needs.items()}
    rests |= {
        name: names_in(rows) if isinstance(rows, AccountOf) else tuple(one for row in rows for one in names_in(row))
        for name, rows in reckon.items()
    }
    told: set[str] = set()
    for name, need in needs.items():
        chain = _chain(name, rests) if name not in told else ()
        if chain and need.otherwise is not None:
            told |= {*chain}
            reader.report(diagnose.circular_norm(need.otherwise.span, chain=" - ".join(chain)))


def _chain(start: str, rests: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The shortest way from a name back to it; () if there is none."""
    ways: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    for way in ways:
        for name in rests.get(way[-1], ()):
            if name == start:
                return (*way, name)
            if name not in seen:
                seen.add(name)
                ways.append((*way, name))
    return ()
