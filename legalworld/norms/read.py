"""From a folder of norms to a `NormSet`, or to every problem in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from typing import Final

from ..figures.sums import read_sum
from ..figures.tables import FigureTable
from ..language import diagnose
from ..language.sentences.norm_words import ANY_CAUSE, CLAIM_SIDES
from ..language.surface_reader import SurfaceReader, read_node, texts_of
from ..language.surfaces import Model, Surface, canonical, load
from ..language.yaml.nodes import MapNode, Node
from ..model.diagnostics import Diagnostic
from ..model.source import Sources
from .contradictions import no_circle, pleas_once, reached
from .definition import CostRule, Norm, NormSet, OffenceNorm, ReviewNorm, SentencingRules
from .formulas import Names
from .link import Cited, LazyKinds, NormLinker, Reckonings
from .penal_link import link_offence
from .penal_words import read_penal_words
from .phrase_link import link_phrases
from .review_link import link_review
from .sentencing_link import link_sentencing
from .surfaces import CostsSurface, CrimeSurface, NormSurface, ReadingSurface, ReviewSurface, SentencingSurface
from .words import FACTS, HEADS, read_words

FOLDER: Final = "norms"
_KINDS: Final[Mapping[str, type[Surface]]] = {
    "norm": NormSurface,
    "offence": CrimeSurface,
    "sentencing": SentencingSurface,
    "costs": CostsSurface,
    "review": ReviewSurface,
    "reading": ReadingSurface,
}
_PENAL: Final = ("offence", "sentencing")
_MOST_USED: Final = 20


def folders(sources: Sources) -> tuple[str, ...]:
    """The folders of a project that hold norms."""
    found = (path.rpartition("/")[0] for path in sources.names(FOLDER) if path.endswith(f"/{FACTS}"))
    return tuple(dict.fromkeys(found))


def read_norms(
    sources: Sources, folder: str, tables: Mapping[str, FigureTable], cited: Cited, *, cause: str | None = None
) -> tuple[NormSet | None, tuple[Diagnostic, ...]]:
    """The norms of a folder, if they could be linked, and every problem found on the way.

    `tables`: rates and fees by name; `cited`: reads the articles that a text cites. `cause`: without what no
    claim of this cause is decided by: norms for others, offences, their sentencing, examples.
    """
    reader = SurfaceReader()
    words = read_words(sources, folder, reader)
    if words is None:
        return None, tuple(reader.problems)
    linker = NormLinker(reader, words, tables, cited)
    written = dict(_surfaces(sources, folder, reader, _PENAL if cause is not None else ()))
    rules = [one for one in written.values() if isinstance(one, SentencingSurface)]
    if rules:
        linker.spoken = read_penal_words(rules[0].words, reader)
    norms = {path: one for path, one in written.items() if isinstance(one, NormSurface) and _is_for(one, cause)}
    built = _Norms(linker, norms, examples=cause is None).all()
    for other in rules[1:]:
        name, first = other.sentencing, rules[0].sentencing
        reader.report(diagnose.overlapping_norms(name.span, name=name.text, other=first.text, also=(first.span,)))
    sentencing = link_sentencing(linker, rules[0]) if rules else None
    offences = dict(_offences(linker, written, (folder, sentencing)))
    reviews = dict(_reviews(linker, written))
    costs = tuple(_fees(linker, written.values()))
    results = {**words.orders, **linker.spoken["shown"]}
    told = tuple(one for one in written.values() if isinstance(one, ReadingSurface))
    phrases = link_phrases(linker, told)
    set_name = folder.rpartition("/")[2]
    found = NormSet(set_name, words, built, offences, sentencing, tables, costs, reviews, results, phrases)
    _overlapping(found, reader)
    _texts_of_one_offence(found, reader)
    problems = tuple({(one.code, one.span): one for one in reader.problems}.values())
    return (None if reader.failed else found), problems


def _is_for(surface: NormSurface, cause: str | None) -> bool:
    """Whether a norm may be for claims of a cause; those without one are there for others, or for any."""
    causes = texts_of(surface.claims.causes) if surface.claims is not None else ()
    return cause is None or not causes or cause in causes or bool({*causes} & {*ANY_CAUSE})


def _surfaces(
    sources: Sources, folder: str, reader: SurfaceReader, left_out: Collection[str]
) -> Iterator[tuple[str, Surface]]:
    """The files of a folder by what they say that they are, but for those that are `left_out`."""
    for path in sources.names(folder):
        if path.rpartition("/")[2] in (FACTS, HEADS) or not path.endswith((".yaml", ".yml")):
            continue
        node, problems, _ = read_node(sources, path)
        reader.problems += problems
        if node is None:
            continue
        keys = {canonical(entry.key.text) for entry in node.entries} if isinstance(node, MapNode) else set()
        if keys & {*left_out}:
            continue
        kind = next((model for key, model in _KINDS.items() if key in keys), NormSurface)
        surface = _loaded(kind, node, reader)
        if surface is not None:
            reader.version(surface.lw)  # type: ignore[attr-defined]
            yield path, surface


def _loaded(model: type[Model], node: Node, reader: SurfaceReader) -> Model | None:
    found, problems = load(model, node)
    reader.problems += problems
    return found


def _offences(
    linker: NormLinker, written: Mapping[str, Surface], of: tuple[str, SentencingRules | None]
) -> Iterator[tuple[str, OffenceNorm]]:
    """The offences of a folder, which rest on its rules of sentencing."""
    folder, rules = of
    crimes = {path: one for path, one in written.items() if isinstance(one, CrimeSurface)}
    if crimes and rules is None:
        span = next(iter(crimes.values())).offence.span
        linker.reader.report(diagnose.offence_without_rules(span, folder=folder))
    for path, surface in crimes.items() if rules is not None else ():
        linker.reader.declare(surface.offence.text, surface.offence.span)
        yield surface.offence.text, link_offence(linker, surface, path, rules)


def _reviews(linker: NormLinker, written: Mapping[str, Surface]) -> Iterator[tuple[str, ReviewNorm]]:
    for path, surface in written.items():
        if isinstance(surface, ReviewSurface):
            linker.reader.declare(surface.review.text, surface.review.span)
            yield surface.review.text, link_review(linker, surface, path)


def _fees(linker: NormLinker, written: Iterable[Surface]) -> Iterator[CostRule]:
    """The fees of a folder, each of a table that is there."""
    for surface in written:
        for one in surface.items if isinstance(surface, CostsSurface) else ():
            fixed = read_sum(one.fixed.text) if one.fixed is not None else None
            table = linker.reader.known(one.table, linker.tables, diagnose.unknown_norm_name) if one.table else ""
            if (fixed is None) == (table not in linker.tables):
                linker.reader.report(diagnose.fee_without_sum(one.item.span, item=one.item.text))
            else:
                yield CostRule(one.item.text, table, linker.cites(one.cites), fixed, texts_of(one.causes))


class _Norms:
    """The norms of a folder, each linked with those that it uses."""

    def __init__(self, linker: NormLinker, written: Mapping[str, NormSurface], *, examples: bool) -> None:
        self.linker, self.reader, self.with_examples = linker, linker.reader, examples
        self.homes = {surface.norm.text: path for path, surface in written.items()}
        self.written = {surface.norm.text: surface for surface in written.values()}
        for surface in written.values():
            self.reader.declare(surface.norm.text, surface.norm.span)

    def all(self) -> dict[str, Norm]:
        return {name: self._norm(name, surface) for name, surface in self.written.items()}

    def _used(self, surface: NormSurface, chain: tuple[str, ...]) -> Iterator[NormSurface]:
        """A norm and those that it uses, itself first; a circle is told once, where it closes."""
        yield surface
        for word in surface.uses:
            used = self.written.get(word.text)
            if word.text in chain:
                names = " - ".join((*chain, word.text))
                self.reader.report(diagnose.circular_norm(word.span, chain=names))
            elif used is None:
                self.reader.report(diagnose.unknown_used_norm(word.span, name=word.text, among=self.written))
            elif len(chain) < _MOST_USED:
                yield from self._used(used, (*chain, word.text))

    def _norm(self, name: str, surface: NormSurface) -> Norm:
        linker = self.linker
        parts = tuple(self._used(surface, (name,)))
        written: dict[str, Node] = {}
        for part in reversed(parts):
            written |= part.reckon
        pleas = tuple(one for part in parts for one in part.pleas)
        kinds = LazyKinds(written)

        def names_of(needs: Collection[str]) -> Names:
            return Names(linker.words, needs, kinds, [one.plea.text for one in pleas], linker.tables, CLAIM_SIDES)

        needs = linker.needs((part.needs for part in parts), names_of)
        names = names_of(needs)
        kinds.reckonings = Reckonings(linker, written, names)
        pleas_once(pleas, self.reader)
        reckoned = kinds.reckonings.all()
        no_circle(needs, reckoned, self.reader)
        since, until = linker.force(surface.in_force)
        claims = surface.claims
        self._whole(surface)
        return Norm(
            *(name, surface.title.text, surface.source.text, self.homes[name], surface.norm.span, since, until),
            on=linker.name(surface.in_force.on, names, "day") if surface.in_force is not None else None,
            heads=self.reader.all_known(claims.heads, linker.words.heads, diagnose.unknown_norm_name) if claims else (),
            causes=texts_of(claims.causes) if claims is not None else (),
            needs=needs,
            stands=linker.expression(surface.stands, names, "yes"),
            reckon=reckoned,
            gives=linker.gives(surface.gives, names),
            pleas=linker.pleas(pleas, names),
            liability=linker.liability(next((part.liability for part in parts if part.liability), ()), names),
            checked=surface.checked.text,
            residual=self.reader.truth(surface.residual),
            examples=linker.examples(surface.examples) if self.with_examples else (),
            premise=linker.sentence(surface.premise, names),
        )

    def _whole(self, surface: NormSurface) -> None:
        """That a norm gives something, each row of it in some case, and that an example shows it."""
        name = surface.norm.text
        reached(surface.gives, self.reader)
        reached(surface.liability, self.reader)
        if surface.claims is not None and not surface.gives:
            self.reader.report(diagnose.empty_norm(surface.span, name=name, key="gives"))
        if surface.claims is not None and not surface.examples:
            self.reader.report(diagnose.norm_without_example(surface.norm.span, name=name))


def _overlapping(found: NormSet, reader: SurfaceReader) -> None:
    """That no two norms are for the same claims in the same cause at the same time."""
    norms = [norm for norm in found.norms.values() if norm.heads and not norm.residual]
    for place, norm in enumerate(norms):
        for other in norms[:place]:
            heads = set(norm.heads) & set(other.heads)
            causes = not norm.causes or not other.causes or set(norm.causes) & set(other.causes)
            anywhere = (set(norm.causes) | set(other.causes)) & set(ANY_CAUSE)
            meet = norm.since <= (other.until or date.max) and other.since <= (norm.until or date.max)
            if heads and (causes or anywhere) and meet:
                reader.report(diagnose.overlapping_norms(norm.span, name=norm.id, other=other.id, also=(other.span,)))


def _texts_of_one_offence(found: NormSet, reader: SurfaceReader) -> None:
    """That no two texts of one offence are in force at the same time."""
    offences = tuple(found.offences.values())
    for place, one in enumerate(offences):
        for other in offences[:place]:
            meet = one.since <= (other.until or date.max) and other.since <= (one.until or date.max)
            if one.title == other.title and meet:
                reader.report(diagnose.overlapping_norms(one.span, name=one.id, other=other.id, also=(other.span,)))
