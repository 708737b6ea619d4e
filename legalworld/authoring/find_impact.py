"""A change of a project's files, held against a revision: each procedure made of them is played before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from ..binding.casefile import parse_data
from ..engine.settings import Settings
from ..files.project_files import EXPERT_FOLDERS, Disk, Snapshot, find
from ..files.revisions import ChangedFiles, SourcesBefore, changed_since
from ..language import diagnose
from ..language.link.linker import link
from ..language.spelling import nearest
from ..model.diagnostics import Diagnostic
from ..model.events import Drafted
from ..model.immutable import immutable, replace
from ..model.procedure import Procedure
from ..model.source import Sources, Span
from ..models.prices import likely_tokens
from ..runs.case_file import CaseFile, OpenedCase, bound_case, chosen_binding, open_case
from ..runs.catalogue import catalogue
from ..runs.norm_sets import norm_files
from ..runs.plan import chosen_options
from ..runs.project import Problems, Project
from ..templates.template_set import TemplateError, TemplateSet
from ..wording import locale, sentences
from .find_tests import OpenedTests, open_tests, test_files
from .impact import OfflineCourse, TouchedProcedure, stale_phrases, touched_prompts
from .kept_prompts import KeptPrompt, Matter, prompts_of
from .picture import WatchedSources
from .play_tests import TestMatter, play
from .procedure_tests import ProcedureTest, all_places
from .protocol_words import Phrases
from .snapshots import FOLDER, Ways, kept_ways

_YAML: Final = (".yaml", ".yml")


@immutable
class Side:
    """One procedure as it is, or was: its prompts in the ways of a case, a case played offline."""

    procedure: Procedure
    templates: TemplateSet
    prompts: Mapping[str, KeptPrompt]
    course: OfflineCourse


@immutable
class FoundImpact:
    """What some changed files touch: of the `possible` procedures, which are made of them, those in which something
    differs; and those that could not be played before and after, each with the reason."""

    changed: ChangedFiles
    procedures: tuple[TouchedProcedure, ...]
    possible: tuple[str, ...]
    broken: Mapping[str, Problems]


def changes_in(root: Path, revision: str, paths: Sequence[str], cwd: Path) -> ChangedFiles | Diagnostic:
    """The expert files of a project that are other ones than at a revision; those alone that `paths` lead to."""
    found = changed_since(root, revision, EXPERT_FOLDERS)
    if isinstance(found, Diagnostic) or not paths:
        return found
    wanted: set[str] = set()
    for word in paths:
        path = (cwd / word).absolute()
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else word
        mine = {one for one in found.paths if f"{one}/".startswith(f"{name}/") or name == "."}
        if not mine:
            near, known = nearest(name, found.paths), found.paths[:12]
            return diagnose.no_such_change(word, path=word, revision=revision, known=known, nearest=near)
        wanted |= mine
    before = {path: text for path, text in found.before.items() if path in wanted}
    return replace(found, before=before, gone=found.gone & wanted)


def impact(root: Path, changed: ChangedFiles, specs: Sequence[str] = ()) -> FoundImpact:
    """What the changes touch, procedure by procedure; `specs`: of these alone."""
    now: Sources = Snapshot(Disk(root))
    before = SourcesBefore(now, changed.before)
    procedures, possible, broken = [], [], {}
    for ways, kept in _wanted(root, specs):
        if not _may_touch(ways, now, before, changed, root):
            continue
        possible.append(ways.spec)
        found = _touched(ways, kept, now, before, (changed, root))
        if isinstance(found, tuple):
            broken[ways.spec] = found
        elif found is not None and not found.untouched:
            procedures.append(found)
    return FoundImpact(changed, tuple(procedures), tuple(dict.fromkeys(possible)), broken)


def _wanted(root: Path, specs: Sequence[str]) -> Iterator[tuple[Ways, bool]]:
    """What is kept under snapshots, whatever prompts are kept there; of other procedures the example, played once."""
    kept = [ways for ways in kept_ways(root / FOLDER) if isinstance(ways, Ways)]
    yield from ((ways, True) for ways in kept if not specs or ways.spec in specs)
    known = {ways.spec for ways in kept}
    for entry in catalogue(root):
        if entry.name in known or (specs and entry.name not in specs) or not entry.file:
            continue
        procedure = entry.procedure
        if procedure is not None and procedure.example:
            targets = tuple((target, ((),)) for target in procedure.targets[:1] or ("",))
            yield Ways(entry.name, procedure.example, by_target=targets), False


def _path_of(spec: str, sources: Sources) -> str:
    return next((path for end in _YAML if sources.read(path := f"specs/{spec}{end}") is not None), f"specs/{spec}.yaml")


def _may_touch(ways: Ways, now: Sources, before: Sources, changed: ChangedFiles, root: Path) -> bool:
    """Whether a procedure is, or was, made of some changed file."""
    case = find("cases", ways.case, root)
    if isinstance(case, tuple) and case[1] in changed.before:
        return True
    for sources in (now, before):
        watched = WatchedSources(sources)
        path = _path_of(ways.spec, sources)
        procedure = link(watched, path).procedure
        files = {path, *watched.files}
        if procedure is not None:
            templates = TemplateSet.of(sources, procedure)
            files |= {*templates.homes, *templates.tables, *norm_files(sources, procedure)}
        if files & set(changed.before):
            return True
    return False


def _touched(
    ways: Ways, kept: bool, now: Sources, before: Sources, at: tuple[ChangedFiles, Path]
) -> TouchedProcedure | Problems | None:
    """One procedure, played after and before; None where the first tells that nothing of it was read anew."""
    changed, root = at
    watched = WatchedSources(now)
    after = _side(ways, watched, changed, root)
    if isinstance(after, tuple) and watched.read(_path_of(ways.spec, now)) is not None:
        return after
    if not isinstance(after, tuple):
        norms = {*norm_files(now, after.procedure), *norm_files(before, after.procedure)}
        if norms.isdisjoint(changed.before) and not _reads_changes(watched, changed, ways, root):
            return None
    earlier = _side(ways, before, changed, root, was=True)
    if isinstance(earlier, tuple):
        return earlier
    if isinstance(after, tuple):  # the procedure is gone
        gone = touched_prompts(earlier.prompts, {})
        return TouchedProcedure(ways.spec, ways.case, kept, len(earlier.prompts), gone, earlier.course, OfflineCourse())
    texts = {path: now.read(path) or "" for path in (*after.procedure.files, *after.templates.homes)}
    prompts = touched_prompts(earlier.prompts, after.prompts)
    places = {place for prompt in prompts for place in (prompt.place,)}
    return TouchedProcedure(
        spec=ways.spec,
        case=ways.case,
        kept=kept,
        total=len({*earlier.prompts, *after.prompts}),
        prompts=prompts,
        before=earlier.course,
        after=after.course,
        stale=stale_phrases(earlier.procedure, after.procedure, texts),
        tests=tuple(_tests_at(ways.spec, places, root)),
        titles=_titles(after.procedure),
    )


def _titles(procedure: Procedure) -> dict[str, str]:
    """What people call the documents and the roles of a procedure."""
    phrases = Phrases(procedure, locale(), sentences("protocol"), {})
    documents = {name: one.title for name, one in procedure.documents.items()}
    return {**documents, **{role: phrases.role(role) for role in procedure.roles}}


def _reads_changes(watched: WatchedSources, changed: ChangedFiles, ways: Ways, root: Path) -> bool:
    """Whether what was played is made of a file that differs, or of a folder in which one has come or gone."""
    case = find("cases", ways.case, root)
    come_or_gone = [path for path, text in changed.before.items() if text is None or path in changed.gone]
    listed = any(path.startswith(f"{folder.rstrip('/')}/") for folder in watched.folders for path in come_or_gone)
    of_case = isinstance(case, tuple) and case[1] in changed.before
    return listed or of_case or not watched.files.isdisjoint(changed.before)


def _side(ways: Ways, sources: Sources, changed: ChangedFiles, root: Path, *, was: bool = False) -> Side | Problems:
    path = _path_of(ways.spec, sources)
    linked = link(sources, path)
    procedure = linked.procedure
    if procedure is None or not linked.usable:
        return linked.problems
    templates = TemplateSet.of(sources, procedure)
    options, wrong = chosen_options(procedure, dict(ways.options))
    project = Project(sources, path, procedure, templates, ())
    case = _case(project, ways, changed if was else None, root)
    if wrong or isinstance(case, tuple):
        return wrong or case  # type: ignore[return-value]
    try:
        prompts = prompts_of(Matter(procedure, templates, case.case, options), dict(ways.by_target))
        target = next((target for target, _ in ways.by_target if target), "")
        course = _course(TestMatter(procedure, templates, case.case, Settings(target, 0, options)))
    except TemplateError as error:
        return error.problems
    return Side(procedure, templates, prompts, course)


def _case(project: Project, ways: Ways, changed: ChangedFiles | None, root: Path) -> OpenedCase | Problems:
    """The case of some ways; with `changed`, as its file was before."""
    place = find("cases", ways.case.partition("#")[0], root)
    text = changed.before.get(place[1]) if changed is not None and isinstance(place, tuple) else None
    if text is None or isinstance(place, Diagnostic):
        return open_case(project, ways.case, "", dict(ways.fields), root)
    disk, path = place
    data, problems = parse_data(path, text)
    if data is None:
        return problems
    binding = chosen_binding(project, "", data, root)
    number = ways.case.partition("#")[2]
    if isinstance(binding, tuple):
        return binding
    file = CaseFile(disk, path, data, binding)
    return bound_case(project, file, int(number) if number.isdecimal() else None, dict(ways.fields), root)


def _course(matter: TestMatter) -> OfflineCourse:
    nothing = Span("", 0, 0)
    test = ProcedureTest("", nothing, None, None, (), (), (), 0, "offline", None, (), ())
    played = play(test, matter)
    documents = {(one.document, one.side): one.text for one in played.events if isinstance(one, Drafted)}
    sent = (message.content for call in played.calls for message in call.request.messages)
    return OfflineCourse(played.outcome, documents, len(played.calls), round(sum(map(likely_tokens, sent))))


def _tests_at(spec: str, places: set[str], root: Path) -> Iterator[str]:
    """FILE:LINE of the tests of a procedure that name a place at which a prompt differs."""
    files = test_files((spec,), root)
    for file in files:
        opened = open_tests(file, root) if isinstance(file, Path) else ()
        if isinstance(opened, OpenedTests):
            for test in opened.tests:
                if any(f"{named}/".startswith(f"{place}/") for named in all_places(test) for place in places):
                    yield f"{opened.file}:{test.span.line}"
