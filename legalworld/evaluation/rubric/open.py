"""The rubrics of a project: found by name or procedure, opened and checked with the templates of their questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Final

from ...files.project_files import Disk, find, find_root
from ...language import diagnose
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.procedure import Procedure
from ...model.source import MemorySources, Span
from ...runs.folder import RunFolder
from ...runs.open_run import project_of
from ...runs.project import Problems, located
from ...templates.template_set import TemplateSet
from ..metrics.added import added_metrics
from ..rules.registry import scoring_rules
from .definition import Rubric
from .fit import fits
from .load import PROMPTS, read_rubric

LOCALES: Final = ("zh", "en")  # in which questions may be asked, the usual one first
_GRADING: Final = "grading"  # the only name that the templates of questions may read


@immutable
class OpenRubric:
    """A rubric with the templates that its questions are rendered from. `problems` are warnings.

    `templates`: the usual ones; `others`: locale -> those of further languages that the project has.
    """

    rubric: Rubric
    templates: TemplateSet
    problems: Problems = ()
    others: Mapping[str, TemplateSet] = field(default_factory=dict)

    def in_language(self, procedure: Procedure) -> TemplateSet:
        """The templates in the language of a procedure, whose runs are graded in the language that is spoken in them;
        the usual ones where there are none in it."""
        return self.others.get(procedure.locale, self.templates)


def rubrics_for(path: Path, cwd: Path) -> tuple[str, ...]:
    """The rubrics of the project that are for the procedure of a run, by name."""
    folder = RunFolder.open(path)
    copies = folder.sources() if isinstance(folder, RunFolder) else None
    if not isinstance(folder, RunFolder) or not isinstance(copies, MemorySources):
        return ()
    procedure = project_of(folder, copies).procedure
    return rubrics_serving(procedure, cwd) if procedure is not None else ()


def rubrics_serving(procedure: Procedure, cwd: Path) -> tuple[str, ...]:
    """The rubrics of the project that score runs of a procedure, by name: its own, else those of what it extends."""
    disk = Disk(find_root(cwd))
    read = (read_rubric(disk, file)[0] for file in disk.names("rubrics") if file.endswith(".yaml"))
    rubrics = [one for one in read if one is not None and not one.pairs]
    found = (tuple(one.name for one in rubrics if name in one.procedures) for name in procedure.names)
    return next(filter(None, found), ())


def references_read(procedure: Procedure, cwd: Path) -> frozenset[tuple[str, tuple[str, ...]]]:
    """What the rubrics for a procedure, or for one that it extends, read of the values for evaluation only.

    For each item the name of its rubric and the places that it reads, FIELD.KEY, the first of which that has something
    will do.
    """
    disk = Disk(find_root(cwd))
    sealed = {name for name, field in procedure.case_fields.items() if field.evaluation_only}
    read = set()
    for file in disk.names("rubrics"):
        rubric = read_rubric(disk, file)[0] if file.endswith(".yaml") else None
        if rubric is None or not set(procedure.names).intersection(rubric.procedures):
            continue
        items = (*(ask.item for ask in rubric.asks.values()), *(measure.item for measure in rubric.measures.values()))
        for item in items:
            selections = (*item.reference, *item.evidence, *item.background)
            places = [(one.name, *one.keys) for one in selections if one.kind == "field" and one.name in sealed]
            read |= {(rubric.name, tuple(map(".".join, places)))} if places else set()
    return frozenset(read)


def open_rubric(word: str, cwd: Path, *, pairs: bool = False) -> OpenRubric | Problems:
    """The rubric that a word names, checked with its templates: one that scores runs, or (`pairs`) compares two."""
    found = find("rubrics", word, cwd)
    if isinstance(found, Diagnostic):
        return (found,)
    disk, path = found
    rubric, problems = read_rubric(disk, path)
    problems = (*problems, *scoring_rules().problems, *added_metrics().problems)
    every = {locale: TemplateSet(disk, locale=locale, procedure=PROMPTS) for locale in LOCALES}
    there = [locale for locale, one in every.items() if one.find((_who(pairs),))] or [LOCALES[0]]
    if rubric is not None:
        problems += tuple(problem for locale in there for problem in _template_problems(rubric, every[locale]))
        if rubric.pairs is not pairs:
            problems += (diagnose.unsuitable_rubric("--rubric", name=rubric.name),)
    if rubric is None or any(problem.severity == "error" for problem in problems):
        return located((*problems, *disk.problems), disk, cwd)
    others = {locale: every[locale] for locale in there}
    return OpenRubric(rubric, every[there[0]], located(problems, disk, cwd), others)


def _who(pairs: bool) -> str:
    """The template that tells the grader who he is."""
    return "who/pair" if pairs else "who/grader"


def _template_problems(rubric: Rubric, templates: TemplateSet) -> Iterator[Diagnostic]:
    """What is wrong with the templates of a rubric's questions."""
    names = {f"ask/{ask.prompt}": ask.item.span for ask in rubric.asks.values()}
    names |= {name: Span(rubric.file, 1, 1) for name in (_who(rubric.pairs), "again/strict")} if names else {}
    for name, span in names.items():
        home = templates.find((name,))
        if home is None:
            yield diagnose.missing_template(span, name=name)
            continue
        yield from templates.check(home)
        for read in templates.reads(home):
            if read.path[0] != _GRADING:
                yield diagnose.unknown_grader_name(read.span, name=read.path[0])


def unsuitable(rubric: Rubric, procedure: Procedure, place: Path | str) -> Problems:
    """Why runs of a procedure cannot be scored by a rubric. `place`: where the run lies, or what was named."""
    if set(procedure.names).intersection(rubric.procedures):
        return fits(rubric, procedure)
    return (
        diagnose.rubric_for_other_procedure(
            str(place), rubric=rubric.name, procedure=procedure.name, known=rubric.procedures
        ),
    )
