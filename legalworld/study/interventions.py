"""Interventions: which versions of which documents a study of dependence puts in place of what was drafted.

A file in `interventions/` declares them; how a version comes about is a template or changes of sections, never Python.

    read = read_interventions(sources, "interventions/civil.yaml")
    problems = read.problems + fits(read.interventions, procedure) + unfit(read.interventions, procedure, templates)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, Literal

from ..language import diagnose
from ..language.sentences.keywords import truth
from ..language.spelling import nearest
from ..language.surface_reader import SurfaceReader, read_surface, text_of, texts_of
from ..language.surfaces import Surface, Text, Texts
from ..language.yaml.nodes import Scalar
from ..model.diagnostics import Diagnostic
from ..model.procedure import Document, Procedure, steps_of
from ..model.source import Sources, Span
from ..templates.template_set import TemplateSet

PROMPTS: Final = "intervene"
"""The folder of prompts in which the templates of versions lie, as those of a procedure of that name would."""

STUDY: Final = "study"
"""The name under which a template finds the reference, the draft and the section that it writes."""

_ROOTS: Final = ("own", "other", "known", "me", "scene", STUDY)


class QualitySurface(Surface):
    title: Text
    on_demand: Text | None = None


class ChangeSurface(Surface):
    delete: Texts = ()
    write: Text | None = None
    with_: Text | None = None
    swap: Texts = ()


class MakingSurface(Surface):
    template: Text | None = None
    change: tuple[ChangeSurface, ...] = ()


class ReplacedSurface(Surface):
    stages: Texts
    qualities: dict[str, MakingSurface]


class InterventionsSurface(Surface):
    lw: Text
    interventions: Text
    title: Text
    source: Text | None = None
    for_: Texts
    notes: Texts = ()
    against: Text | None = None
    qualities: dict[str, QualitySurface]
    documents: dict[str, ReplacedSurface]


@dataclass(frozen=True, slots=True)
class Quality:
    """A condition of the study. `on_demand`: only when it is named, such as a control."""

    name: str
    title: str
    on_demand: bool = False


@dataclass(frozen=True, slots=True)
class SectionChange:
    """Sections taken out, one written anew by a template, or two that take each other's place."""

    kind: Literal["delete", "write", "swap"]
    sections: tuple[str, ...]
    template: str
    span: Span


@dataclass(frozen=True, slots=True)
class Making:
    """How a version comes about: the text of a template ("" = the draft itself), then changes, in order."""

    template: str
    changes: tuple[SectionChange, ...]
    span: Span

    @property
    def control(self) -> bool:
        """Whether the draft is replaced by itself."""
        return not self.template and not self.changes


@dataclass(frozen=True, slots=True)
class Replaced:
    """A document with its versions by quality. `stages`: those downstream whose scores are compared."""

    document: str
    stages: tuple[str, ...]
    makings: Mapping[str, Making]
    span: Span


@dataclass(frozen=True, slots=True)
class Interventions:
    """`as_drafted`: scores are compared with the documents as they were drafted, else with those put in their place.

    `digest` is that of the file.
    """

    name: str
    title: str
    source: str
    procedures: tuple[str, ...]
    notes: tuple[str, ...]
    qualities: Mapping[str, Quality]
    documents: Mapping[str, Replaced]
    as_drafted: bool
    digest: str
    file: str
    span: Span


@dataclass(frozen=True, slots=True)
class LoadedInterventions:
    """Interventions, if they could be read, and every problem found on the way."""

    interventions: Interventions | None
    problems: tuple[Diagnostic, ...]


def read_interventions(sources: Sources, path: str) -> LoadedInterventions:
    """The file at a path. What it says of a procedure is checked by `fits`, its templates by `unfit`."""
    surface, problems, text = read_surface(InterventionsSurface, sources, path)
    if surface is None or text is None:
        return LoadedInterventions(None, problems)
    reader = SurfaceReader(problems)
    digest = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    built = _built(surface, reader, digest, path)
    return LoadedInterventions(None if reader.failed else built, tuple(reader.problems))


def _built(surface: InterventionsSurface, reader: SurfaceReader, digest: str, path: str) -> Interventions:
    reader.version(surface.lw)
    qualities = {
        name: Quality(name, one.title.text, one.on_demand is not None and bool(truth(one.on_demand.text)))
        for name, one in surface.qualities.items()
    }
    documents = {}
    for name, one in surface.documents.items():
        makings = {}
        for quality, making in one.qualities.items():
            if quality not in qualities:
                known = tuple(qualities)
                reader.report(diagnose.undeclared_intervention(making.span, name=quality, known=known))
            makings[quality] = _making(making, reader)
        documents[name] = Replaced(name, texts_of(one.stages), makings, one.span)
    return Interventions(
        surface.interventions.text,
        surface.title.text,
        text_of(surface.source),
        texts_of(surface.for_),
        texts_of(surface.notes),
        qualities,
        documents,
        _as_drafted(surface.against, reader),
        digest,
        path,
        surface.for_[0].span if surface.for_ else surface.interventions.span,
    )


def _as_drafted(word: Scalar | None, reader: SurfaceReader) -> bool:
    if word is not None and word.text not in ("drafted", "replaced"):
        reader.report(diagnose.invalid_comparison_side(word.span, found=word.text))
    return text_of(word) != "replaced"


def _making(surface: MakingSurface, reader: SurfaceReader) -> Making:
    changes = (_change(change, reader) for change in surface.change)
    return Making(text_of(surface.template), tuple(change for change in changes if change is not None), surface.span)


def _change(surface: ChangeSurface, reader: SurfaceReader) -> SectionChange | None:
    """One change; each does one thing."""
    done = [name for name in ("delete", "write", "swap") if getattr(surface, name)]
    if len(done) != 1 or (surface.with_ is not None and surface.write is None):
        reader.report(diagnose.invalid_change(surface.span))
        return None
    if surface.write is not None:
        if surface.with_ is None:
            reader.report(diagnose.missing_key(surface.span, key="with"))
            return None
        return SectionChange("write", (surface.write.text,), surface.with_.text, surface.write.span)
    if surface.swap:
        if len({one.text for one in surface.swap}) != 2 or len(surface.swap) != 2:
            reader.report(diagnose.swap_with_itself(surface.span))
            return None
        return SectionChange("swap", texts_of(surface.swap), "", surface.swap[0].span)
    return SectionChange("delete", texts_of(surface.delete), "", surface.delete[0].span)


# ---- against a procedure ---------------------------------------------------------------------------------------------


def fits(found: Interventions, procedure: Procedure) -> tuple[Diagnostic, ...]:
    """What the file names that the procedure does not have."""
    if procedure.name not in found.procedures:
        return (
            diagnose.interventions_for_other_procedure(
                found.span, name=found.name, procedure=procedure.name, known=found.procedures, nearest=None
            ),
        )
    return tuple(problem for one in found.documents.values() for problem in _document(one, procedure))


def _document(one: Replaced, procedure: Procedure) -> Iterator[Diagnostic]:
    document = procedure.documents.get(one.document)
    if document is None:
        yield diagnose.unknown_document(one.span, name=one.document, among=procedure.documents)
        return
    if one.document not in drafted(procedure):
        yield diagnose.unwritten_document(one.span, name=one.document, known=drafted(procedure), nearest=None)
    stages = tuple(stage.id for stage in procedure.stages)
    for name in one.stages:
        if name not in stages:
            yield diagnose.unknown_stage(one.span, name=name, among=stages)
    for making in one.makings.values():
        for change in making.changes:
            yield from _sections(change, document)


def _sections(change: SectionChange, document: Document) -> Iterator[Diagnostic]:
    for name in change.sections:
        if name not in document.sections:
            yield diagnose.unknown_section(change.span, name=name, document=document.title, known=document.sections)


def drafted(procedure: Procedure) -> tuple[str, ...]:
    """The documents that somebody writes in the course of the procedure, in its order."""
    steps = (step for stage in procedure.stages for step in steps_of(stage))
    return tuple(dict.fromkeys(slot.document for step in steps for slot in step.turn_slots if slot.act == "draft"))


# ---- its templates ---------------------------------------------------------------------------------------------------


def unfit(found: Interventions, procedure: Procedure, templates: TemplateSet) -> tuple[Diagnostic, ...]:
    """What is wrong with the templates of the versions: not there, outside the subset, names that nobody declared."""
    problems: dict[int, Diagnostic] = {}
    for name, span in _templates(found):
        home = templates.find((name,))
        if home is None:
            problem = diagnose.missing_template(span, name=name)
            problems[id(problem)] = problem
            continue
        for problem in (*templates.check(home), *_reads(templates, home, procedure)):
            problems[id(problem)] = problem
    return tuple({(one.code, one.span): one for one in problems.values()}.values())


def _templates(found: Interventions) -> Iterator[tuple[str, Span]]:
    for one in found.documents.values():
        for making in one.makings.values():
            if making.template:
                yield making.template, making.span
            for change in making.changes:
                if change.template:
                    yield change.template, change.span


def _reads(templates: TemplateSet, home: str, procedure: Procedure) -> Iterator[Diagnostic]:
    """Names that a template reads and that are not there where it is rendered."""
    seen = tuple(dict.fromkeys(grant.what for grant in procedure.grants))
    sealed = tuple(name for name, field in procedure.fields.items() if field.evaluation_only)
    for one in templates.reads(home):
        match one.path:
            case ("own" | "other" | "known", str(name), *_) if name not in seen:
                yield diagnose.unknown_field(one.span, name=name, among=seen)
            case ("study", "reference", str(name), *_) if name not in sealed:
                yield diagnose.unknown_intervention_name(
                    one.span, name=f"reference.{name}", known=sealed, nearest=nearest(name, sealed)
                )
            case (str(root), *_) if root not in _ROOTS:
                yield diagnose.unknown_intervention_name(one.span, name=root, known=_ROOTS)
