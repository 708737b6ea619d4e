"""A card grows: runs without it, a reflection on each, and runs with what came of them.

grown = grow(Growth(asked, project, opened, out), tell)

The same command goes on with what stopped: runs from their journals, reflections from the replies that were kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from ..batch.cases import cases_in
from ..batch.identity import folder_name
from ..batch.play import Batch, BatchOutcome, Job, Unplayable, play_jobs
from ..batch.results import JobResult
from ..binding.casefile import as_json
from ..engine.casting import cast
from ..evaluation.evaluate import evaluate
from ..evaluation.grader import grader_settings
from ..evaluation.metrics.values import Value, mean_of, number
from ..evaluation.report import scaled
from ..evaluation.results import Evaluation
from ..evaluation.rubric.definition import Formula
from ..evaluation.rubric.open import OpenRubric
from ..files.digest import digest
from ..files.regular import write_whole
from ..language import diagnose
from ..model.case import texts
from ..model.immutable import immutable
from ..model.source import Span
from ..models.endpoint import DEADLINE
from ..models.failures import ModelFailed
from ..models.litellm_client import refusal
from ..models.named.catalogue import called_models
from ..models.schemes import UNPAID, scheme_of
from ..runs.case_file import OpenedCase
from ..runs.lifecycle import RunPlan
from ..runs.plan import CalledWith, called_with, chosen_models, chosen_options, chosen_target
from ..runs.project import Problems, Project, spec_copy
from ..templates.template_set import TemplateSet
from .card import CardText, GrownCard, as_markdown
from .equipped import equipped, extendable
from .reflection import look_back
from .reflector import OFFLINE, PROMPTS, TEMPLATES, Reflector
from .reply import CardFault
from .session import BASE, WITH, GrowthSession, ReflectionFile, begin
from .traces import CaseTraces, CommonWords

LONGEST_NAME: Final = 40
DIGITS: Final = 16  # of a case's digest, in a card


@immutable
class Growth:
    """A session, opened: the procedure and the rubric that it names, and the folder that it is in."""

    asked: GrowthSession
    project: Project
    opened: OpenRubric
    out: Path
    at_once: int = 8
    deadline: float = DEADLINE

    @property
    def formula(self) -> Formula:
        return self.opened.rubric.formulas[self.asked.figure]


@immutable
class RefusedCard:
    """A reflection of which nothing was kept, and why."""

    case: str
    faults: tuple[CardFault, ...]


@immutable
class Grown:
    """What came of a session. `card`: its last version, None where none was kept; `refused`: those that were not.

    `interrupted`: it is to be gone on with.
    """

    card: GrownCard | None
    file: Path | None
    versions: int
    refused: tuple[RefusedCard, ...]
    problems: Problems
    interrupted: bool = False


@immutable
class MatterRun:
    """A case of a session, with the folder names of its runs, one for each seed."""

    matter: OpenedCase
    where: str
    folders: tuple[str, ...]


Tell = Callable[[JobResult], None]


TOTAL: Final = "total"


# ---- what is asked for -----------------------------------------------------------------------------------------------


def session_of(project: Project, opened: OpenRubric, said: Mapping[str, object]) -> GrowthSession | Problems:
    """What a command says, completed and checked: the target, the reflector, the figure. `said`: the keys of a session
    but for its digests."""
    procedure, rubric = project.procedure, opened.rubric
    assert procedure is not None
    asked = GrowthSession(digest=spec_copy(project).digest, rubric=rubric.name, rubric_digest=rubric.digest, **said)
    options, problems = chosen_options(procedure, asked.options)
    target, more = chosen_target(procedure, asked.target)
    models, wrong = chosen_models(procedure, target, asked.models)
    problems = (*problems, *more, *wrong, *extendable(project))
    if not target and not more:
        problems += (diagnose.nobody_to_reflect(Span(asked.spec, 0, 0), procedure=procedure.name),)
    if not _plain_name(asked.card):
        problems += (diagnose.invalid_card_name("--card", name=asked.card, most=LONGEST_NAME),)
    figures = tuple(rubric.formulas)
    if asked.figure and asked.figure not in figures:
        problems += (diagnose.unknown_figure("--figure", name=asked.figure, rubric=rubric.name, known=figures),)
    reflector = asked.reflector or _reflecting(models.get(target, OFFLINE))
    reflecting = called_models((reflector,), Path.cwd(), "--reflect")
    if isinstance(reflecting, tuple):
        problems += reflecting
    elif reflector != OFFLINE and (failed := refusal(reflecting.endpoint(reflector, DEADLINE))) is not None:
        problems += (failed.at("--reflect"),)
    called = called_with(models, asked.settings, Path.cwd())
    problems += () if isinstance(called, CalledWith) else called
    told = {"target": target, "options": options, "reflector": reflector, "figure": asked.figure or bar_of(figures)}
    return problems or asked.model_copy(update=told)


def bar_of(figures: Sequence[str]) -> str:
    """Return the figure of a rubric that cards are measured by where nobody names one: what is called the total (in
    longjud that of the released weights), else the last."""
    return next((name for name in figures if name.lower() == TOTAL), figures[-1])


def _plain_name(name: str) -> bool:
    """Whether a name can be that of a card and of a part of a procedure's name: small letters, digits, hyphens."""
    plain = name.replace("-", "")
    return 0 < len(name) <= LONGEST_NAME and plain.isascii() and plain.isalnum() and name == name.lower().strip("-")


def _reflecting(model: str) -> str:
    """Who reflects where nobody is named: the model of the role under test; rules, where rules play it."""
    return OFFLINE if scheme_of(model) in UNPAID else model


def reflect_templates(project: Project) -> TemplateSet | Problems:
    """The templates of reflections; or what is wrong with them."""
    assert project.procedure is not None
    templates = TemplateSet(project.sources, locale=project.procedure.locale, procedure=PROMPTS)
    problems: Problems = ()
    for name in TEMPLATES:
        home = templates.find((name,))
        if home is None:
            problems += (
                diagnose.missing_template(Span(f"prompts/{project.procedure.locale}/{PROMPTS}", 0, 0), name=name),
            )
        else:
            problems += templates.check(home)
            strange = (read for read in templates.reads(home) if read.path[0] != "reflection")
            problems += tuple(diagnose.unknown_grader_name(read.span, name=str(read.path[0])) for read in strange)
    return problems or templates


# ---- cases and runs --------------------------------------------------------------------------------------------------


def matters_of(growth: Growth, words: Sequence[str]) -> tuple[tuple[MatterRun, ...], Problems]:
    """The cases that words name, each once; and what is wrong with the others."""
    assert growth.project.procedure is not None
    words = tuple(words) or (growth.project.example,)
    found: list[MatterRun] = []
    problems: Problems = ()
    for one in cases_in(growth.project, words, growth.asked.binding, Path.cwd()):
        if isinstance(one.matter, OpenedCase):
            folders = tuple(f"{folder_name(one.matter.case.id)}-{seed}" for seed in range(growth.asked.seeds))
            found.append(MatterRun(one.matter, one.where, folders))
        else:
            problems += one.matter
    return tuple(found), problems


def played(growth: Growth, project: Project, matters: Sequence[MatterRun], folder: Path, tell: Tell) -> BatchOutcome:
    """The runs of cases by a project, in a folder; what is finished is left as it is."""
    return play_jobs(_jobs(growth, project, matters, folder), Batch(growth.at_once, growth.deadline), tell)


def _jobs(growth: Growth, project: Project, matters: Sequence[MatterRun], folder: Path) -> Iterator[Job | Unplayable]:
    asked, procedure = growth.asked, project.procedure
    assert procedure is not None
    models, _ = chosen_models(procedure, asked.target, asked.models)
    called = called_with(models, asked.settings, Path.cwd())
    called = called if isinstance(called, CalledWith) else CalledWith(models, {})  # a session is checked when it begins
    for one in matters:
        for seed, name in enumerate(one.folders):
            out = folder / name
            plan = RunPlan(project, one.matter, asked.target, called.models, asked.options, seed, out=out)
            yield Job(replace(plan, profiles=called.profiles), one.where)


def scored(growth: Growth, outcome: BatchOutcome) -> tuple[dict[Path, Evaluation], Problems]:
    """The evaluations of the runs that came to their end."""
    folders = tuple(one.folder for one in outcome.results if one.folder is not None and one.status == "ended")
    settings = grader_settings(growth.asked.grader, Path.cwd(), deadline=growth.deadline)
    if isinstance(settings, tuple):
        return {}, settings
    outcomes = evaluate(folders, growth.opened, settings)
    done = {one.path: one.evaluation for one in outcomes if one.evaluation is not None}
    return done, tuple(problem for one in outcomes if one.evaluation is None for problem in one.problems)


def figures(growth: Growth, evaluations: Mapping[Path, Evaluation], matters: Sequence[MatterRun]) -> dict[str, Value]:
    """Case -> its figure as the rubric shows it: the mean over its seeds; a case without one is left out."""
    values: dict[str, list[float]] = {}
    by_folder = {path.name: evaluation for path, evaluation in evaluations.items()}
    for one in matters:
        for name in one.folders:
            figure = by_folder[name].figure(growth.asked.figure) if name in by_folder else None
            if figure is not None and (value := scaled(figure.value, growth.formula)) is not None:
                values.setdefault(one.matter.case.id, []).append(value)
    return {case: mean_of(several) for case, several in values.items()}


def case_digest(matter: OpenedCase) -> str:
    """What tells a case from others, whatever it is called: a digest of its fields."""
    data = {"case.json": as_json(replace(matter.case, id="", title=""))}
    return digest(data)[:DIGITS]


def common_words(growth: Growth, matters: Sequence[MatterRun]) -> CommonWords:
    """What tells of no case: the project's own texts, and the terms by which cases are told apart (`by`)."""
    name, *keys = growth.asked.by.split(".")
    terms = []
    for one in matters if name else ():
        value = one.matter.case.fields.get(name)
        terms += list(texts(value, keys[0] if keys else ""))
    return CommonWords(tuple(spec_copy(growth.project).texts.values()), tuple(terms))


def traces_of(growth: Growth, matters: Sequence[MatterRun], common: CommonWords) -> tuple[CaseTraces, ...]:
    """The traces of cases, by which they are found again in cards."""
    procedure = growth.project.procedure
    assert procedure is not None
    people = ((one.matter.case, cast(procedure, one.matter.case, growth.asked.options)) for one in matters)
    return tuple(CaseTraces(case, (who.name for who in persons if who.name), common) for case, persons in people)


# ---- the session -----------------------------------------------------------------------------------------------------


def grow(growth: Growth, tell: Tell) -> Grown | Problems:
    """Play, score, reflect, play again. What is wrong with a case leaves the others alone. Raises OSError."""
    templates = reflect_templates(growth.project)
    if isinstance(templates, tuple):
        return templates
    if problems := begin(growth.out, growth.asked):
        return problems
    matters, problems = matters_of(growth, growth.asked.cases)
    outcome = played(growth, growth.project, matters, growth.out / BASE, tell)
    if outcome.interrupted or any(one.status in ("stopped", "interrupted") for one in outcome.results):
        return Grown(None, None, 0, (), problems + outcome.problems, interrupted=True)
    evaluations, unscored = scored(growth, outcome)
    problems += (*outcome.problems, *unscored)
    before = figures(growth, evaluations, matters)
    reflecting = _Reflecting(growth, matters, templates, before)
    try:
        for one in matters:
            folder = growth.out / BASE / one.folders[0]
            if folder in evaluations:
                problems += reflecting.take(one, folder, evaluations[folder])
    except ModelFailed as failed:
        return Grown(None, None, 0, (), (*problems, failed.at("--reflect")), interrupted=True)
    refused = tuple(reflecting.refused)
    if reflecting.card is None:
        return Grown(None, None, 0, refused, problems)
    so_far = Grown(reflecting.card, None, reflecting.card.version, refused, problems)
    return _tried(growth, so_far, matters, before, tell)


def _tried(
    growth: Growth, so_far: Grown, matters: Sequence[MatterRun], before: Mapping[str, Value], tell: Tell
) -> Grown:
    """The last version, played on the cases that it was made from, and written with its figures."""
    card, problems = so_far.card, so_far.problems
    assert card is not None
    project = equipped(growth.project, card.name, as_markdown(card))
    assert isinstance(project, Project)  # the version was linked when it was kept
    outcome = played(growth, project, matters, growth.out / WITH, tell)
    evaluations, unscored = scored(growth, outcome)
    after = figures(growth, evaluations, matters)
    both = [case for case in before if case in after]
    if both and not outcome.interrupted:
        sides = (mean_of(side[case] for case in both) for side in (before, after))
        first, second = map(number, sides)
        card = replace(card, before=first, after=second)
    file = growth.out / f"{card.name}.md"
    write_whole(file, as_markdown(card).encode("utf-8"))
    stopped = outcome.interrupted or any(one.status in ("stopped", "interrupted") for one in outcome.results)
    problems = (*problems, *outcome.problems, *unscored)
    return replace(so_far, card=card, file=file, problems=problems, interrupted=stopped)


class _Reflecting:
    """The reflections of a session, one after the other; each goes on from the card that the one before it left."""

    def __init__(
        self, growth: Growth, matters: Sequence[MatterRun], templates: TemplateSet, before: Mapping[str, Value]
    ) -> None:
        procedure = growth.project.procedure
        assert procedure is not None
        others = tuple(
            (one.title, one.checklist)
            for one in procedure.skills.values()
            if not one.who or {growth.asked.target, procedure.roles[growth.asked.target].kind} & {*one.who}
        )
        traces = traces_of(growth, matters, common_words(growth, matters))
        self._growth = growth
        self._before = before
        self._reflector = Reflector(
            growth.asked.reflector, templates, procedure.locale, others, traces, growth.deadline
        )
        self._count = 0
        self.card: GrownCard | None = None
        self.refused: list[RefusedCard] = []

    def take(self, one: MatterRun, folder: Path, evaluation: Evaluation) -> Problems:
        """Reflect on one run; keep what is good. Raises ModelFailed, OSError."""
        growth, before = self._growth, self.card
        looked = look_back(folder, growth.opened.rubric, evaluation, growth.formula)
        if isinstance(looked, tuple):
            return looked
        self._count += 1
        path = growth.out / "reflections" / f"{self._count:02}-{folder.name}.json"
        file = ReflectionFile.open(path, one.matter.case.id, looked.chain)
        said, faults = self._reflector.reflect(looked, before.said if before is not None else None, file)
        outcome: dict[str, object] = {"by": growth.asked.reflector, "faults": [fault.kind for fault in faults]}
        if said is not None and (before is None or said != before.said):
            acts = tuple(dict.fromkeys(act for stage in said.stages for act in looked.acts[stage]))
            self.card = self._version(said, acts, (one, folder, looked.date))
            if problems := self._written(self.card):
                self.card = before
                return problems
            outcome["card"] = self.card.id
        elif faults:
            self.refused.append(RefusedCard(one.matter.case.id, faults))
        file.write(outcome)
        return ()

    def _version(self, said: CardText, acts: tuple[str, ...], run: tuple[MatterRun, Path, str]) -> GrownCard:
        """The next version of the card, or the first."""
        one, folder, date = run
        old, asked = self.card, self._growth.asked
        runs = (*(old.runs if old is not None else ()), folder.relative_to(self._growth.out).as_posix())
        case = f"{one.matter.case.id} {case_digest(one.matter)}"
        cases = (*(old.cases if old is not None else ()), case)
        return GrownCard(
            name=asked.card,
            version=old.version + 1 if old is not None else 1,
            said=said,
            who=asked.target,
            acts=acts,
            body=self._reflector.body,
            parents=(old.id,) if old is not None else (),
            runs=runs,
            cases=cases,
            rubric=asked.rubric,
            date=max(date, old.date if old is not None else ""),
            by=asked.reflector,
            before=None,
        )

    def _written(self, card: GrownCard) -> Problems:
        """Write a version that can be linked; else say why it cannot. Raises OSError."""
        text = as_markdown(card)
        project = equipped(self._growth.project, card.name, text)
        if not isinstance(project, Project):
            return project
        folder = self._growth.out / "cards"
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / f"{card.name}.{card.version}.md", text.encode("utf-8"))
        return ()
