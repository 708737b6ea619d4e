"""Runs as pages that need no server: one file a run, one a procedure, and a list of them. From the same functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

from pydantic import BaseModel

from ..authoring.graph import DEPTHS
from ..export.secret_scan import secret_in
from ..files import regular
from ..files.project_files import unreadable
from ..index.run_row import read_row
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.text import plain_name
from ..runs.open_run import OpenRun, open_run
from ..runs.project import Problems
from ..wording import Locale
from .answer_pool import deflated, packed
from .lines import units
from .procedure_pages import ProcedurePages
from .responses import RunChoices, RunList, RunListRow
from .responses_assessed import CheckList
from .responses_run import LinePage, LineRow
from .run_pages import BY_TURN, PARTS, RunPages
from .shell import PageName, boot, packed_page
from .studio_run import StudioRun
from .withheld import Withholding, names_of, open_scores, sealed_of

INDEX = "index.html"


@immutable
class PublishChoices:
    """`prompts`: with every prompt; `names`: with the names of persons; `language`: in which the pages begin, `chosen`:
    also for readers whose browser has another."""

    prompts: bool
    names: bool
    language: Locale
    chosen: bool = False


@immutable
class PublishedSite:
    """The files that were written, and what is wrong with runs that were left out."""

    files: tuple[str, ...]
    runs: tuple[str, ...]
    problems: Problems


def publish(runs: Iterable[tuple[str, Path]], out: Path, choices: PublishChoices) -> PublishedSite | Diagnostic:
    """Write the pages of runs, each with the name that it is to have, into a folder that is new or empty."""
    try:
        regular.make_folder(out)
        if any(out.iterdir()):
            return diagnose.site_folder_not_empty("--out", path=str(out))
        return _written(list(runs), out, choices)
    except OSError as error:
        return unreadable(str(error.filename or out), error)


def _written(runs: Sequence[tuple[str, Path]], out: Path, choices: PublishChoices) -> PublishedSite:
    opened, problems = _opened(runs)
    files = {name: f"run-{number}-{plain_name(name)[:60]}.html" for number, name in enumerate(opened, 1)}
    groups: dict[str, list[RunPages]] = {}
    for pages in opened.values():
        groups.setdefault(pages.run.procedure.name, []).append(pages)
    files |= {f"procedure/{name}": f"procedure-{plain_name(name)}.html" for name in groups}
    written, kept = [], []
    for name, pages in opened.items():
        withhold = _withholding([pages], choices)
        answers = {address: withhold(answer) for address, answer in run_answers(pages, choices, withhold)}
        if problem := _put(out / files[name], ("run", name), answers, files, choices):
            problems.append(problem)
            continue
        written.append(files[name])
        kept.append((name, withhold))
    for name, group in groups.items():
        withhold = _withholding(group, choices)
        answers = {address: withhold(answer) for address, answer in procedure_answers(group)}
        file = files[f"procedure/{name}"]
        problem = _put(out / file, ("procedure", name), answers, files, choices)
        written += [file] if problem is None else []
        problems += [problem] if problem is not None else []
    paths = dict(runs)
    rows = [withhold(_row(opened[name].run, paths[name]).model_dump(mode="json")) for name, withhold in kept]
    if problem := _put(out / INDEX, ("runs", ""), {"runs": _list(rows)}, files, choices):
        problems.append(problem)
    return PublishedSite((*written, INDEX), tuple(name for name, _ in kept), tuple(problems))


def _opened(runs: Sequence[tuple[str, Path]]) -> tuple[dict[str, RunPages], list[Diagnostic]]:
    """The runs that can be relied on, and what is wrong with the others."""
    found: dict[str, RunPages] = {}
    problems: list[Diagnostic] = []
    for name, path in runs:
        opened = open_run(path)
        if isinstance(opened, OpenRun):
            found[name] = RunPages(StudioRun(name, opened, path.parent))
        else:
            problems += opened
    return found, problems


def _withholding(group: Sequence[RunPages], choices: PublishChoices) -> Withholding:
    names: dict[str, str] = {}
    for pages in group if not choices.names else ():
        names |= names_of(pages.run)
    return Withholding(names, [text for pages in group for text in sealed_of(pages.run)])


def _put(
    file: Path,
    page: tuple[PageName, str],
    answers: Mapping[str, Any],
    files: Mapping[str, str],
    choices: PublishChoices,
) -> Diagnostic | None:
    """Write a page; a problem where something in it looks like a key, or a path of this machine. Raises OSError."""
    data = packed(answers, files)
    if secret_in(file, {file.name: data}) is not None:
        return diagnose.secret_in_published(file.name, name=page[1] or file.name)
    regular.write_whole(file, _page(page, choices, deflated(data)).encode("utf-8", "replace"))
    return None


def _page(page: tuple[PageName, str], choices: PublishChoices, data: str) -> str:
    name, identity = page
    return packed_page(boot(name, identity, "", choices.language, pack=data, chosen=choices.chosen))


# ---- answers ---------------------------------------------------------------------------------------------------------


def run_answers(pages: RunPages, choices: PublishChoices, withhold: Withholding) -> Iterator[tuple[str, Any]]:
    """Every answer that a page of a run may ask for, by its address; its texts as they are, places in them as they will
    be when what is withheld has gone out of the texts."""
    base, run = f"run/{pages.run.id}", pages.run
    left = {"prompts", "asked", "sealed"} - ({"prompts"} if choices.prompts else set()) | (
        {"names"} if not choices.names else set()
    )
    has = tuple(one for one in pages.head.has if one not in left)
    yield f"{base}/head", _json(pages.head.model_copy(update={"has": has, "names": choices.names, "live": False}))
    yield f"{base}/lines", _json(_marked(pages.transcript.lines(0, len(pages.transcript.rows)), withhold))
    for part in PARTS:
        if part == "checks":
            yield f"{base}/checks", _json(_placed(pages, withhold))
        elif part == "scores":
            yield f"{base}/scores", _json(open_scores(pages.scores, bool(run.opened.folder.info.sealed_sum)))
        elif (answer := pages.answer(part, {})) is not None:
            yield f"{base}/{part}", _json(answer)
    for turn in range(1, len(run.calls) + 1):
        for what in BY_TURN:
            if (what != "prompt" or choices.prompts) and (answer := pages.answer(f"{what}/{turn}", {})) is not None:
                yield f"{base}/{what}/{turn}", _without_provider(_json(answer))
        yield from _long_words(pages, base, turn)
    for person in run.persons:
        yield f"{base}/heard/{person}", _json(pages.answer(f"heard/{person}", {}))
    for doc in pages.documents.rows:
        yield f"{base}/doc/{doc.name}", _json(pages.documents.page(doc.name))
    yield from _articles(pages, base)


def _marked(lines: LinePage, withhold: Withholding) -> LinePage:
    """The transcript with its citations marked where they will stand."""

    def moved(line: LineRow, place: int) -> int:
        coded = line.text.encode("utf-16-le", "surrogatepass")
        return units(withhold.text(coded[: 2 * place].decode("utf-16-le", "replace")))

    rows = [
        line.model_copy(
            update={
                "cites": tuple(
                    mark.model_copy(update={"start": moved(line, mark.start), "end": moved(line, mark.end)})
                    for mark in line.cites
                ),
                "length": line.length if line.length > units(line.text) else units(withhold.text(line.text)),
            }
        )
        for line in lines.lines
    ]
    return lines.model_copy(update={"lines": tuple(rows)})


def _placed(pages: RunPages, withhold: Withholding) -> CheckList:
    """The checks with their places where they will stand in the documents."""
    texts = {
        doc.name: page.text for doc in pages.documents.rows if (page := pages.documents.page(doc.name)) is not None
    }
    rows = []
    for row in pages.checks.rows:
        places = [
            place.model_copy(
                update={name: withhold.moved(texts[place.doc], getattr(place, name)) for name in ("start", "end")}
                if place.doc in texts
                else {}
            )
            for place in row.places
        ]
        rows.append(row.model_copy(update={"places": tuple(places)}))
    return pages.checks.model_copy(update={"rows": tuple(rows)})


def _long_words(pages: RunPages, base: str, turn: int) -> Iterator[tuple[str, Any]]:
    """The rest of a text that is longer than a row of the transcript holds."""
    line = pages.transcript.rows[pages.transcript.line_of(turn)]
    first = len(line.text.encode("utf-16-le", "surrogatepass")) // 2
    while first < line.length:
        words = pages.transcript.words(turn, first)
        yield f"{base}/words/{turn}?from={first}", _json(words)
        first += max(len(words.text.encode("utf-16-le", "surrogatepass")) // 2, 1)


def _articles(pages: RunPages, base: str) -> Iterator[tuple[str, Any]]:
    """The articles that are cited, each on the day that counts."""
    asked = dict.fromkeys(
        (row.law, row.article, row.at or "") for row in pages.citations.citations if row.law and row.article
    )
    for law, article, at in asked:
        query = {"law": str(law), "article": str(article), "at": at}
        yield f"{base}/article?{_query(query)}", _json(pages.answer("article", query))


def procedure_answers(group: Sequence[RunPages]) -> Iterator[tuple[str, Any]]:
    """Every answer that a page of a procedure may ask for; the ways of all runs of it that are published are on it."""
    opened = group[0].run.opened
    pages = ProcedurePages(opened.project, opened.procedure)
    base, runs = f"procedure/{opened.procedure.name}", [one.run.events for one in group]
    matrix = pages.matrix()
    yield f"{base}/head", _json(pages.answer("head", {}, runs))
    yield f"{base}/matrix", _json(matrix)
    yield f"{base}/coverage", _json(pages.coverage(runs))
    for language in ("zh", "en"):
        yield f"{base}/protocol?{_query({'lang': language})}", _json(pages.protocol("zh" if language == "zh" else "en"))
        for depth in DEPTHS:
            query = {"lang": language, "depth": depth}
            yield f"{base}/graph?{_query(query)}", _json(pages.answer("graph", _lists(query), runs))
        for role in ("", *opened.procedure.roles):
            query = {"role": role, "lang": language}
            yield f"{base}/path?{_query(query)}", _json(pages.answer("path", _lists(query), runs))
    for row in matrix.rows:
        for kind in matrix.kinds:
            for stage in matrix.stages:
                query = {"what": row.what, "whose": row.whose, "kind": kind.id, "stage": stage.id}
                yield f"{base}/why?{_query(query)}", _json(pages.why(_lists(query)))


def _json(answer: BaseModel | None) -> Any:
    return answer.model_dump(mode="json") if answer is not None else None


def _without_provider(value: Any) -> Any:
    """An answer without what a model's provider gave with a call and wants back: nobody can read it."""
    match value:
        case dict():
            return {name: "" if name == "provider_data" else _without_provider(one) for name, one in value.items()}
        case list():
            return [_without_provider(one) for one in value]
        case _:
            return value


def _lists(query: Mapping[str, str]) -> dict[str, list[str]]:
    return {name: [value] for name, value in query.items() if value}


def _query(query: Mapping[str, str]) -> str:
    """A query as browsers spell one: without what is empty."""
    parts = [(name, quote_plus(value, safe="*").replace("~", "%7E")) for name, value in query.items() if value]
    return "&".join(f"{name}={value}" for name, value in parts)


def _row(run: StudioRun, path: Path) -> RunListRow:
    row = read_row(path, run.id)
    return RunListRow(
        id=run.id,
        procedure=row.procedure,
        procedure_title=run.procedure.title,
        case=row.case,
        case_title=run.opened.case.title,
        target=row.target,
        model=row.model,
        models=row.models,
        options=row.options,
        seed=row.seed,
        status=row.status,
        live=False,
        outcome=row.outcome,
        ending=row.ending,
        place=row.place,
        turns=row.turns,
        tokens=row.tokens,
        figures=(),
    )


def _list(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The list of the published runs."""
    columns = ("procedure", "case", "model", "status")
    found = {name: tuple(sorted({str(row[name]) for row in rows if row[name]})) for name in columns}
    listed = RunList(
        first=0,
        total=len(rows),
        rows=tuple(RunListRow(**row) for row in rows),
        figures=(),
        damaged=0,
        choices=RunChoices(**found),
        problems=(),
        writing=False,
    )
    return listed.model_dump(mode="json")
