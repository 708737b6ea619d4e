"""What contradicts itself in norms that are linked: facts that hold otherwise in a circle, rows on one condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from ..language import diagnose
from ..language.surface_reader import SurfaceReader
from ..language.surfaces import Surface, Text
from ..language.yaml.nodes import Scalar
from ..model import formulas as f
from ..model.formulas import Expression, FormulaTerm
from ..model.source import Span
from .definition import AccountOf, Need, ReckonRow
from .formulas import names_in
from .penal_parts import Band, RangeTier
from .surfaces import CrimeSurface, PleaSurface


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


# ---- tiers -----------------------------------------------------------------------------------------------------------


def tiers_in_order(
    surface: CrimeSurface, tiers: Sequence[RangeTier], bands: Mapping[str, Band], reader: SurfaceReader
) -> None:
    """That the tiers of an offence leave no months between them and share none, and each asks for more than the one
    above."""
    meant = reader.truth(surface.tiers_overlap)
    for below, tier in pairwise(tiers):
        span = tier.when.span
        most = below.most if below.most is not None else tier.least
        if tier.least > most:
            months = f"{most}-{tier.least}"
            reader.report(diagnose.gapped_tiers(span, tier=tier.id, below=below.id, months=months))
        elif tier.least < most and not meant:
            end = min(most, tier.most) if tier.most is not None else most
            months = f"{tier.least}-{end}"
            reader.report(diagnose.overlapping_tiers(span, tier=tier.id, below=below.id, months=months))
        high, low = _figure(below.high, bands), _figure(tier.low, bands)
        if high is not None and low is not None and high != low:
            what = " ".join(surface.scale.text.split()) if surface.scale is not None else ""
            reader.report(diagnose.tier_figures_apart(span, high=high[0], low=low[0], what=what))
        _rising(below, tier, bands, reader)


def _rising(below: RangeTier, tier: RangeTier, bands: Mapping[str, Band], reader: SurfaceReader) -> None:
    """That what both tiers open at by itself, the graver one opens at later."""
    first = dict(_thresholds(below.when, bands))
    for name, found in _thresholds(tier.when, bands):
        if name in first and found[1] <= first[name][1]:
            span, least = tier.when.span, first[name][0]
            reader.report(diagnose.tier_out_of_reach(span, name=name, found=found[0], below=least))


def _thresholds(when: Expression, bands: Mapping[str, Band]) -> Iterator[tuple[str, tuple[str, Decimal]]]:
    """Each name with the figure from which it opens a tier alone: in a condition by itself, or one of several."""
    parts = when.parts if isinstance(when, f.Joined) and when.kind == "any" else (when,)
    for part in parts:
        if isinstance(part, f.ValueTest) and part.test == "at least" and isinstance(part.left, FormulaTerm):
            figure = _figure(part.right, bands)
            if figure is not None and not part.negated:
                yield part.left.text, figure


def _figure(expression: Expression | None, bands: Mapping[str, Band]) -> tuple[str, Decimal] | None:
    """A figure as it is written, and the least that it can be; None for what has to be reckoned."""
    match expression:
        case f.BareNumber(value=value):
            return str(value), value
        case FormulaTerm(name=name) if name in bands:
            return name, bands[name].low
    return None
