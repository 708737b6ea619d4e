"""What a study names outside its own file, held against the project around it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from ..evaluation.rubric.definition import FormulaName, Rubric
from ..evaluation.rubric.formulas import names_in
from ..language import diagnose
from ..language.sentences.keywords import as_choice
from ..language.yaml.nodes import Scalar
from ..model.diagnostics import Diagnostic
from ..model.procedure import Procedure, parts_of
from ..study.interventions import Interventions
from .definition import Study, StudyColumn, StudyCondition, StudyTable
from .differences import clause_of, otherwise
from .layout import conditions_of
from .words import DOCUMENT, MINUS, QUALITY, REPLACES, listed, meant

NO = "no"


class Surroundings(Protocol):
    """The project around a study. A thing that is not there is None, or False."""

    def procedure(self, name: str) -> Procedure | None: ...

    def rubric(self, name: str) -> Rubric | None: ...

    def names(self, folder: str) -> Collection[str]:
        """Return the names of what lies in an expert folder."""
        ...

    def interventions(self, name: str, procedure: Procedure) -> Interventions | None: ...

    def text(self, path: str) -> str | None:
        """Return the text of a file of the project; None where there is none."""
        ...

    def file_there(self, pattern: str) -> bool: ...

    def bound(self, model: str) -> bool:
        """Return whether a model can be called: an address of a provider, an offline actor, a name of models.yaml."""
        ...


def project_problems(study: Study, around: Surroundings) -> Iterator[Diagnostic]:
    """Yield what a study names that the project has not; what only lacks is a warning, what can never be an error."""
    for name, word in study.models.items():
        if not around.bound(word.text or name):
            yield diagnose.unbound_study_model(word.span, name=name)
    for cases in study.cases.values():
        for word in cases.files if not cases.needs else ():
            yield from _absent(word, "from", around.file_there(word.text), ())
        if cases.binding is not None:
            names = around.names("bindings")
            yield from _absent(cases.binding, "binding", cases.binding.text in names, names)
        if cases.join is not None and not cases.needs:
            yield from _absent(cases.join[0], "join", around.file_there(cases.join[0].text), ())
    for condition in study.conditions.values():
        yield from _of_condition(condition, around)
    yield from _of_figures(study, around)
    yield from _differences(study, around)
    for training in study.training.values():
        words = [word for name in training.of for fact, word in study.conditions[name].words if fact == "procedure"]
        found = [one for word in words if (one := around.procedure(word.text)) is not None]
        known = tuple(dict.fromkeys(role for one in found for role in one.roles))
        for word in training.roles if found else ():
            if word.text not in known:
                yield diagnose.unknown_role(word.span, name=word.text, among=known)


def _differences(study: Study, around: Surroundings) -> Iterator[Diagnostic]:
    """Differences from a paper that spec or prompts do not show. Of what is played under several combinations, each is
    asked."""
    for one in study.differences:
        points = [point for name in one.of for point in study.conditions[name].points]
        for word in one.shown:
            clause = clause_of(word.text)
            told: set[str] = set()
            for point in points if clause is not None else ():
                procedure = around.procedure(point.facts["procedure"])
                found = otherwise(clause, procedure, point, around.text) if procedure and clause else None
                if procedure is not None and found is not None and procedure.name not in told:
                    told.add(procedure.name)
                    yield _not_shown(word, procedure, found)


def _not_shown(word: Scalar, procedure: Procedure, found: str) -> Diagnostic:
    if not found:
        return diagnose.nothing_that_shows(word.span, shown=word.text, procedure=procedure.name)
    return diagnose.difference_not_shown(word.span, shown=word.text, procedure=procedure.name, found=found)


def _absent(word: Scalar, key: str, there: bool, among: Collection[str]) -> Iterator[Diagnostic]:
    if not there:
        yield diagnose.absent_study_input(word.span, name=word.text, key=key, among=tuple(among))


def _of_condition(condition: StudyCondition, around: Surroundings) -> Iterator[Diagnostic]:
    procedures: list[Procedure] = []
    names = around.names("specs")
    for fact, word in condition.words:
        if fact == "procedure":
            procedure = around.procedure(word.text)
            if not condition.needs:
                yield from _absent(word, fact, procedure is not None, names)
            procedures += [procedure] if procedure is not None else []
    for procedure in procedures:
        for fact, word in condition.words:
            yield from _fact(procedure, fact, word)
        yield from _replaced(condition, procedure, around)


def _replaced(condition: StudyCondition, procedure: Procedure, around: Surroundings) -> Iterator[Diagnostic]:
    """Documents and qualities that the interventions of a condition do not declare."""
    for word in (word for fact, word in condition.words if fact == REPLACES):
        names = around.names("interventions")
        yield from _absent(word, REPLACES, word.text in names, names)
        declared = around.interventions(word.text, procedure) if word.text in names else None
        known = {DOCUMENT: declared.documents, QUALITY: declared.qualities} if declared is not None else {}
        for fact, each in condition.words:
            if fact in known and each.text not in known[fact]:
                yield diagnose.undeclared_intervention(each.span, name=each.text, known=tuple(known[fact]))


def _fact(procedure: Procedure, fact: str, word: Scalar) -> Iterator[Diagnostic]:
    head, _, name = fact.partition(" ")
    if head == "target" and word.text not in procedure.targets:
        yield diagnose.unknown_role(word.span, name=word.text, among=procedure.targets)
    elif head == "model" and name and name not in procedure.roles:
        yield diagnose.unknown_role(word.span, name=name, among=tuple(procedure.roles))
    elif head == "option":
        yield from _option(procedure, name, word)
    elif head == "profile":
        known = [one for persona in procedure.personas.values() for one in persona.profiles]
        if word.text not in known:
            yield diagnose.unknown_profile(word.span, name=word.text, known=tuple(known), among=known)
    elif head == MINUS:
        yield from _away(procedure, word)


def _option(procedure: Procedure, name: str, word: Scalar) -> Iterator[Diagnostic]:
    option = procedure.options.get(name)
    if option is None:
        known = tuple(procedure.options)
        yield diagnose.unknown_option(word.span, name=name, known=known, among=known)
    elif as_choice(word.text, option.choices) not in option.choices:
        known = option.choices
        yield diagnose.unknown_option_choice(word.span, name=name, value=word.text, known=known, nearest=None)


def _away(procedure: Procedure, word: Scalar) -> Iterator[Diagnostic]:
    known = removable(procedure)
    for name in listed(word.text):
        if not meant("nothing", name) and name not in known:
            yield diagnose.nothing_to_take_away(
                word.span, name=name, procedure=procedure.name, known=known, among=known
            )


def removable(procedure: Procedure) -> tuple[str, ...]:
    """Return what can be taken away of a procedure: options that may be no, stages and phases."""
    options = (name for name, one in procedure.options.items() if as_choice(NO, one.choices) in one.choices)
    return (*options, *parts_of(procedure))


def taken_away(procedure: Procedure, things: Sequence[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return what `minus` comes to: options with the choice that turns them off, and the stages and phases left out."""
    options = {name: as_choice(NO, procedure.options[name].choices) for name in things if name in procedure.options}
    parts = parts_of(procedure)
    return options, tuple(name for name in things if name not in options and name in parts)


def _of_figures(study: Study, around: Surroundings) -> Iterator[Diagnostic]:
    """Rubrics that are not there, and figures that a rubric has not."""
    for scoring in study.scoring.values():
        if scoring.sheets is not None and not scoring.needs:
            yield from _absent(scoring.sheets, "sheets", around.file_there(scoring.sheets.text), ())
        if not scoring.needs:
            names = around.names("rubrics")
            yield from _absent(scoring.rubric, "rubric", around.rubric(scoring.rubric.text) is not None, names)
    for table in study.tables.values():
        yield from _stages(study, table, around)
        for column in table.columns:
            yield from _passes(study, column, around)
        columns = [one.value for one in table.columns if one.value is not None and not one.needs and not table.needs]
        rows = [one for row in table.rows for one in (*row.values, row.unit) if one is not None and not row.needs]
        for expression in (*columns, *rows):
            for name in names_in(expression):
                yield from _figure(study, name, around)


def _passes(study: Study, column: StudyColumn, around: Surroundings) -> Iterator[Diagnostic]:
    """A column that asks for passes of a figure that is none."""
    name = column.value
    if not column.passes_in or not isinstance(name, FormulaName):
        return
    scoring = study.scoring.get(name.name)
    rubric = around.rubric(scoring.rubric.text) if scoring is not None and not scoring.needs else None
    if rubric is not None and name.part in figures_of(rubric) and name.part not in rubric.passes:
        known = tuple(rubric.passes)
        asked = f"{name.name}.{name.part}"
        yield diagnose.not_a_pass(name.span, name=asked, rubric=rubric.name, known=known, nearest=None)


def _stages(study: Study, table: StudyTable, around: Surroundings) -> Iterator[Diagnostic]:
    """Stages of columns that no procedure of the table has."""
    facts = [each for name in conditions_of(table, study) for each in study.conditions[name].words]
    names = [word.text for fact, word in facts if fact == "procedure"]
    procedures = [found for name in names if (found := around.procedure(name)) is not None]
    known = tuple(dict.fromkeys(part for one in procedures for part in parts_of(one)))
    for column in table.columns if procedures else ():
        for stage in column.stages:
            if stage not in known:
                yield diagnose.unknown_study_stage(column.span, name=stage, known=known, among=known)


def _figure(study: Study, name: FormulaName, around: Surroundings) -> Iterator[Diagnostic]:
    scoring = study.scoring.get(name.name)
    if scoring is None or scoring.needs:
        return
    rubric = around.rubric(scoring.rubric.text)
    known = figures_of(rubric) if rubric is not None else ()
    if rubric is not None and name.part not in known:
        shown = tuple(sorted(known))
        yield diagnose.unknown_study_figure(name.span, rubric=rubric.name, name=name.part, known=shown, among=shown)


def figures_of(rubric: Rubric) -> frozenset[str]:
    """Return all that a table may take of a rubric: formulas, pass conditions, groups and items."""
    metrics = (metric.name for ask in rubric.asks.values() for metric in ask.metrics)
    return frozenset((*metrics, *rubric.measures, *rubric.groups, *rubric.formulas, *rubric.passes))
