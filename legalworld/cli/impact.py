"""`lw impact`: what changed files of a project touch, held against a revision of git."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..language import diagnose
from ..wording import say
from . import options
from .help import Command
from .output import DONE, WRONG, as_json, complain, got, here, leave, wants_json, write_json

if TYPE_CHECKING:
    from ..authoring.find_impact import FoundImpact
    from ..authoring.impact import TouchedProcedure
    from ..files.revisions import ChangedFiles

_MOST_TESTS = 6


@click.command(cls=Command)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--base", metavar="REV", default="HEAD")
@options.listed("--specs", "NAME,...")
@options.as_json
def impact(paths: Sequence[str], base: str, specs: Sequence[str]) -> None:
    from ..authoring import find_impact
    from ..files.project_files import find_root

    root = find_root(here())
    if root is None:
        leave((diagnose.no_repository(str(here()), path=str(here()), reason="specs/"),))
    changed: ChangedFiles = got(find_impact.changes_in(root, base, paths, here()))
    found = find_impact.impact(root, changed, specs)
    if wants_json():
        write_json(_as_json(found))
    else:
        for line in _lines(found):
            click.echo(line)
        for spec, problems in found.broken.items():
            click.echo(say("impact.broken", spec=spec), err=True)
            complain(problems)
    sys.exit(WRONG if found.broken else DONE)


def _lines(found: FoundImpact) -> Iterator[str]:
    changed, touched = found.changed, found.procedures
    if not changed.paths:
        yield say("impact.none", revision=changed.revision)
        return
    yield say("impact.heading", count=len(changed.paths), revision=changed.revision)
    for path in changed.paths:
        kind = "gone" if path in changed.gone else "new" if changed.before[path] is None else "changed"
        yield say(f"impact.file_{kind}", file=path)
    for one in touched:
        yield from ("", *_of_procedure(one))
    names = {one.spec for one in touched} | set(found.broken)
    rest = [spec for spec in found.possible if spec not in names]
    if not found.possible:
        yield say("impact.no_procedure")
    if rest:
        yield "\n" + say("impact.untouched", count=len(rest), specs=say("run.among").join(rest))
    prompts = sum(len(one.prompts) for one in touched)
    if touched:
        counts = {"touched": len(touched), "possible": len(found.possible), "prompts": prompts}
        yield "\n" + say("impact.sum", **counts)


def _of_procedure(one: TouchedProcedure) -> Iterator[str]:
    from ..authoring.impact import at_places

    among = say("run.among").join
    yield click.style(say("impact.procedure", spec=one.spec, case=one.case), bold=True)
    unkept = "" if one.kept else say("impact.unkept", spec=one.spec)
    yield say("impact.prompts", count=len(one.prompts), total=one.total, unkept=unkept)
    for (role, place), count in at_places(one.prompts).items():
        yield say("impact.prompt_row", role=one.titles.get(role, role), place=place, count=count)
    if one.documents:
        words = [say(f"impact.{kind}", name=_document(one, name, side)) for name, side, kind in one.documents]
        yield say("impact.documents", words=among(words))
    if one.before.outcome != one.after.outcome:
        ends = [course.outcome or say("impact.no_outcome") for course in (one.before, one.after)]
        yield say("impact.outcome", before=ends[0], after=ends[1])
    for stale in one.stale:
        where = {"file": stale.span.file, "line": stale.span.line, "words": stale.words, "place": stale.place}
        yield say("impact.stale" if stale.now else "impact.stale_choice", **where, was=stale.was, now=stale.now)
    if one.kept and one.prompts:
        yield say("impact.snapshots", count=len(one.prompts), spec=one.spec)
    if one.tests:
        more = ("…",) if len(one.tests) > _MOST_TESTS else ()
        yield say("impact.tests", words=among((*one.tests[:_MOST_TESTS], *more)), spec=one.spec)
    yield say("impact.cost", **_cost(one))


def _cost(one: TouchedProcedure) -> dict[str, Any]:
    before, after = one.before, one.after
    more = {"calls_more": f"{after.calls - before.calls:+}", "tokens_more": f"{after.tokens - before.tokens:+,}"}
    return {"calls": after.calls, "tokens": f"{after.tokens:,}", **more}


def _document(one: TouchedProcedure, name: str, side: str) -> str:
    return f"{one.titles.get(name, name)}@{side}" if side else one.titles.get(name, name)


def _as_json(found: FoundImpact) -> dict[str, Any]:
    return {
        "base": found.changed.revision,
        "changed": list(found.changed.paths),
        "possible": list(found.possible),
        "procedures": [_procedure_as_json(one) for one in found.procedures],
        "broken": {spec: as_json(problems) for spec, problems in found.broken.items()},
    }


def _procedure_as_json(one: TouchedProcedure) -> dict[str, Any]:
    from ..model.immutable import names_of

    courses = {
        name: {key: getattr(course, key) for key in names_of(course) if key != "documents"}
        for name, course in (("before", one.before), ("after", one.after))
    }
    return {
        "spec": one.spec,
        "case": one.case,
        "kept": one.kept,
        "prompts": {prompt.name: prompt.kind for prompt in one.prompts},
        "of": one.total,
        "documents": [{"document": name, "side": side, "kind": kind} for name, side, kind in one.documents],
        **courses,
        "stale": [
            {"file": each.span.file, "line": each.span.line, "words": each.words, "place": each.place, "was": each.was,
             "now": each.now or None}
            for each in one.stale
        ],
        "tests": list(one.tests),
    }  # fmt: skip
