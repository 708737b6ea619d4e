"""From the file of a study to what it declares: names held against each other; what it names outside is not asked.

study, problems = read_study(sources, "studies/small.yaml")
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from ..language import diagnose
from ..language.surface_reader import read_surface, text_of
from ..model.diagnostics import Diagnostic
from ..model.source import Sources
from .definition import Study, StudyCondition, StudyDifference, StudyScoring, StudyTraining
from .differences import CLAUSES, clause_of
from .layout import layout_problems
from .names import NameReader
from .read_cases import case_sets
from .read_conditions import ConditionReader
from .read_power import PowerReader
from .read_tables import TableReader
from .surfaces import StudyDifferenceSurface, StudyScoringSurface, StudySurface, StudyTrainingSurface
from .words import DOCUMENT, QUALITY, REPLACES, meant, words_of


def read_study(sources: Sources, path: str) -> tuple[Study | None, tuple[Diagnostic, ...]]:
    """Return the study at a path, if it could be read, and every problem found on the way, by its lines."""
    surface, problems, text = read_surface(StudySurface, sources, path, partial=True)
    reader = NameReader(problems)
    if surface is None or text is None:
        return None, problems
    digest = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    study = _built(surface, reader, path, digest)
    if not reader.failed:
        for table in study.tables.values():
            reader.problems += layout_problems(table, study)
    once = {(one.code, one.span, str(one.values)): one for one in reader.problems}
    told = tuple(sorted(once.values(), key=lambda one: (one.span.line, one.span.column, one.code)))
    return (None if reader.failed else study), told


def _built(surface: StudySurface, reader: NameReader, path: str, digest: str) -> Study:
    reader.version(surface.lw)
    conditions = ConditionReader(surface.conditions, reader).all()
    cases = case_sets(surface.cases, reader)
    for condition in conditions.values():
        _check_condition(condition, surface, reader)
    scoring = {name: _scoring(name, one, surface, reader) for name, one in surface.scoring.items()}
    names = {"conditions": tuple(conditions), "scoring": tuple(scoring), "cases": tuple(cases)}
    tables = TableReader(reader, names).all(surface.tables)
    return Study(
        surface.study.text,
        surface.title.text,
        text_of(surface.source),
        path,
        digest,
        surface.models,
        cases,
        conditions,
        scoring,
        tables,
        PowerReader(reader, tables, surface.cases).all(surface.power),
        tuple(_difference(one, conditions, reader) for one in surface.differences),
        {name: _training(name, one, surface, reader) for name, one in surface.training.items()},
    )


def _training(name: str, one: StudyTrainingSurface, surface: StudySurface, reader: NameReader) -> StudyTraining:
    """What goes out to train on: in forms that there are, of conditions that there are."""
    forms = []
    for word in one.forms:
        form = meant("training_forms", word.text)
        if form is None:
            reader.unreadable(word, "forms", words_of("training_forms"))
        else:
            forms.append(form)
    of = reader.listed(one.of, surface.conditions, "conditions") or tuple(surface.conditions)
    apart = (one.apart_from,) if one.apart_from is not None else ()
    held = next(iter(reader.listed(apart, surface.cases, "cases")), "")
    return StudyTraining(name, one.span, tuple(forms), of, one.roles, reader.filter(one.only), held)


def _difference(
    one: StudyDifferenceSurface, conditions: Mapping[str, StudyCondition], reader: NameReader
) -> StudyDifference:
    """A difference from the paper; one that nothing shows is a claim alone, and refused."""
    of = reader.listed(one.of, conditions, "conditions")
    for word in one.shown:
        if clause_of(word.text) is None:
            reader.unreadable(word, "shown", CLAUSES)
    if not one.shown:
        reader.report(diagnose.missing_key(one.span, key="shown"))
    return StudyDifference(one.point.text, one.paper.text, one.here.text, one.span, of or tuple(conditions), one.shown)


def _check_condition(condition: StudyCondition, surface: StudySurface, reader: NameReader) -> None:
    """The models and sets of cases that a condition names; where anything is played in it, it needs cases."""
    reader.listed(condition.cases, surface.cases, "cases")
    for fact, word in condition.words:
        if fact.partition(" ")[0] == "model" or fact == "others":
            reader.listed((word,), surface.models, "models")
    facts = {*condition.fixed, *condition.swept}
    lacking = tuple(one for one in (REPLACES, DOCUMENT, QUALITY) if one not in facts)
    if 0 < len(lacking) < 3:
        reader.report(diagnose.incomplete_study_part(condition.span, name=condition.name, known=lacking, nearest=None))
    if condition.points and not condition.cases:
        known = ("cases",)
        problem = diagnose.incomplete_study_part(condition.span, name=condition.name, known=known, nearest=None)
        reader.report(problem)


def _scoring(name: str, one: StudyScoringSurface, surface: StudySurface, reader: NameReader) -> StudyScoring:
    if not name.isidentifier() or meant("runs", name):
        reader.report(diagnose.invalid_rubric_name(one.span, name=name))
    if one.grader is not None:
        reader.listed((one.grader,), surface.models, "models")
    of = reader.listed(one.of, surface.conditions, "conditions")
    repeats = reader.whole_number(one.repeats, 1)
    if one.sheets is not None and one.given.intersection(("grader", "repeats")):
        reader.report(diagnose.sheets_and_grader(one.sheets.span, scoring=name))
    return StudyScoring(name, one.span, one.rubric, one.grader, repeats, of, text_of(one.needs), one.sheets)
