"""The file of interventions: found, read, and held against a procedure.

A file in `interventions/` declares them; how a version comes about is a template or changes of sections, never Python.

    declared = open_interventions("", procedure, Path.cwd())      # the only file for the procedure, or the problems
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Final

from ..files.project_files import Disk, find, find_root
from ..language import diagnose
from ..language.sentences.keywords import truth
from ..language.spelling import nearest
from ..language.surface_reader import SurfaceReader, read_surface, text_of, texts_of
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Procedure, all_steps
from ..model.source import Sources, Span
from ..runs.project import Problems, located
from ..templates.template_set import TemplateSet
from .interventions import STUDY, Interventions, Making, Quality, Replaced, SectionChange
from .surfaces import ChangeSurface, InterventionsSurface, ReplacedSurface

PROMPTS: Final = "intervene"
"""The folder of prompts in which the templates of versions lie, as those of a procedure of that name would."""

_ROOTS: Final = ("own", "other", "known", "me", "scene", STUDY)


@immutable
class Declared:
    """The interventions with the templates of their versions. `problems` are warnings."""

    interventions: Interventions
    templates: TemplateSet
    problems: Problems = ()


def open_interventions(word: str, procedure: Procedure, cwd: Path) -> Declared | Problems:
    """The file that a word names, or the only one that is for the procedure, checked with its templates."""
    found = find("interventions", word or _only(procedure, cwd) or procedure.name, cwd)
    if isinstance(found, Diagnostic):
        return (found,)
    disk, path = found
    interventions, problems = read_interventions(disk, path)
    folders = (procedure.name, *procedure.wording)  # the forms that a version changes
    templates = TemplateSet(disk, locale=procedure.locale, procedure=PROMPTS, wording=folders)
    if interventions is not None:
        problems += (*fits(interventions, procedure), *unfit(interventions, procedure, templates))
    problems = located((*problems, *disk.problems), disk, cwd)
    if interventions is None or any(problem.severity == "error" for problem in problems):
        return problems
    return Declared(interventions, templates, problems)


def _only(procedure: Procedure, cwd: Path) -> str:
    """The file of the project that is for a procedure, if there is one and no other."""
    disk = Disk(find_root(cwd))
    files = (file for file in disk.names("interventions") if file.endswith((".yaml", ".yml")))
    declared = (read_interventions(disk, file)[0] for file in files)
    known = [one for one in declared if one is not None]
    found = ([one.file for one in known if name in one.procedures] for name in procedure.names)
    fitting = next(filter(None, found), [])
    return fitting[0] if len(fitting) == 1 else ""


def read_interventions(sources: Sources, path: str) -> tuple[Interventions | None, Problems]:
    """The file at a path, if it could be read, and every problem found on the way. What it says of a procedure is
    checked by `fits`, its templates by `unfit`."""
    surface, problems, text = read_surface(InterventionsSurface, sources, path)
    if surface is None or text is None:
        return None, problems
    reader = SurfaceReader(problems)
    digest = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    built = _built(surface, reader, digest, path)
    return None if reader.failed else built, tuple(reader.problems)


def _built(surface: InterventionsSurface, reader: SurfaceReader, digest: str, path: str) -> Interventions:
    reader.version(surface.lw)
    qualities = {
        name: Quality(name, quality.title.text, quality.on_demand is not None and bool(truth(quality.on_demand.text)))
        for name, quality in surface.qualities.items()
    }
    against = surface.against
    if against is not None and against.text not in ("drafted", "replaced"):
        reader.report(diagnose.invalid_comparison_side(against.span, found=against.text))
    return Interventions(
        surface.interventions.text,
        surface.title.text,
        text_of(surface.source),
        texts_of(surface.for_),
        texts_of(surface.notes),
        qualities,
        {name: _replaced(name, document, qualities, reader) for name, document in surface.documents.items()},
        text_of(against) != "replaced",
        digest,
        path,
        surface.for_[0].span if surface.for_ else surface.interventions.span,
    )


def _replaced(name: str, surface: ReplacedSurface, qualities: Mapping[str, Quality], reader: SurfaceReader) -> Replaced:
    makings = {}
    for quality, making in surface.qualities.items():
        if quality not in qualities:
            reader.report(diagnose.undeclared_intervention(making.span, name=quality, known=tuple(qualities)))
        changes = (_change(change, reader) for change in making.change)
        made = tuple(change for change in changes if change is not None)
        makings[quality] = Making(text_of(making.template), made, making.span)
    return Replaced(name, texts_of(surface.stages), makings, surface.span)


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


def fits(interventions: Interventions, procedure: Procedure) -> Problems:
    """What the file names that the procedure does not have."""
    name, known = interventions.name, interventions.procedures
    if not set(procedure.names).intersection(known):
        return (
            diagnose.interventions_for_other_procedure(
                interventions.span, name=name, procedure=procedure.name, known=known, nearest=None
            ),
        )
    return tuple(problem for each in interventions.documents.values() for problem in _document(each, procedure))


def _document(replaced: Replaced, procedure: Procedure) -> Iterator[Diagnostic]:
    name, span, written = replaced.document, replaced.span, drafted(procedure)
    document = procedure.documents.get(name)
    if document is None:
        yield diagnose.unknown_document(span, name=name, among=procedure.documents)
        return
    if name not in written:
        yield diagnose.unwritten_document(span, name=name, known=written, nearest=None)
    stages = tuple(stage.id for stage in procedure.stages)
    for stage in replaced.stages:
        if stage not in stages:
            yield diagnose.unknown_stage(span, name=stage, among=stages)
    known = document.sections
    for change in (change for making in replaced.makings.values() for change in making.changes):
        for section in change.sections:
            if section not in known:
                yield diagnose.unknown_section(change.span, name=section, document=document.title, known=known)


def drafted(procedure: Procedure) -> tuple[str, ...]:
    """The documents that somebody writes in the course of the procedure, in its order."""
    steps = all_steps(procedure)
    return tuple(dict.fromkeys(slot.document for step in steps for slot in step.turn_slots if slot.act == "draft"))


# ---- its templates ---------------------------------------------------------------------------------------------------


def unfit(interventions: Interventions, procedure: Procedure, templates: TemplateSet) -> Problems:
    """What is wrong with the templates of the versions: not there, outside the subset, names that nobody declared."""
    problems: list[Diagnostic] = []
    for name, span in _templates(interventions):
        home = templates.find((name,))
        if home is None:
            problems.append(diagnose.missing_template(span, name=name))
        else:
            problems += (*templates.check(home), *_reads(templates, home, procedure))
    return tuple({(problem.code, problem.span): problem for problem in problems}.values())


def _templates(interventions: Interventions) -> Iterator[tuple[str, Span]]:
    for making in (making for replaced in interventions.documents.values() for making in replaced.makings.values()):
        parts: tuple[Making | SectionChange, ...] = (making, *making.changes)
        for part in parts:
            if part.template:
                yield part.template, part.span


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
