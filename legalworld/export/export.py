"""The documents of a run as files for people: Markdown, Word, PDF; and the record of each hearing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..engine.view import View
from ..files.project_files import Disk, find_root, unreadable
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import Drafted, Entered, Event, Request, Spoke, Withheld
from ..model.procedure import Stage
from ..runs.open_run import OpenRun
from ..runs.project import Problems
from ..runs.transcript import DocumentNames
from ..templates.lookups import minutes
from ..templates.template_set import TemplateError
from .layout import DocumentForm, Layout, Paragraph, read_layout, styled

FORMATS = ("md", "docx", "pdf")
STYLE = "documents/style.docx"


@dataclass(frozen=True, slots=True)
class ExportedDocument:
    """A document to be written. `key`: NAME, NAME@SIDE, NAME@SIDE#2, or `minutes@STAGE`; `file` without its ending.

    `speech`: what was said, (who with a colon, words), in the place of the layout's line for it.
    """

    key: str
    file: str
    form: DocumentForm
    text: str
    missing: tuple[str, ...] = ()
    speech: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ExportResult:
    """What was written, and what went wrong on the way; documents with what their official form lacks."""

    files: tuple[Path, ...]
    lacking: tuple[tuple[str, tuple[str, ...]], ...]
    problems: Problems


def papers(opened: OpenRun) -> list[ExportedDocument]:
    """Every document of a run, the last state of each version, and the record of each stage that has one."""
    procedure, names = opened.procedure, DocumentNames(opened.procedure)
    written = []
    for event in opened.events:
        if isinstance(event, Drafted):
            file = names.name(event).removeprefix("documents/").removesuffix(".md")
            document = procedure.documents[event.document]
            key = f"{event.document}@{event.side}" if event.side else event.document
            form = DocumentForm(document.title, document.sections, "party" if document.sided else "court")
            written.append(ExportedDocument(key, file, form, event.text, event.missing))
    return [*written, *_records(opened)]


def _records(opened: OpenRun) -> Iterator[ExportedDocument]:
    """The records of the hearings, headed from what their keeper could see there."""
    kept = [stage for stage in opened.procedure.stages if stage.minutes]
    views = _views(opened) if kept else {}
    for stage in kept:
        home = opened.project.templates.find(minutes(stage.id))
        view = views.get(stage.id)
        colon = opened.procedure.marks.colon
        said = tuple((who and who + colon, words) for who, words in _said(opened.events, stage))
        if home is None or view is None or not said:
            continue
        try:
            text = opened.project.templates.render(home, view.variables).strip()
        except TemplateError:
            continue
        title = next((line for line in text.splitlines()[1:] if line.strip()), "").strip()
        yield ExportedDocument(
            f"minutes@{stage.id}", f"minutes-{stage.id}", DocumentForm(title, (), "minutes"), text, (), said
        )


def _said(events: Sequence[Event], stage: Stage) -> Iterator[tuple[str, str]]:
    """What was said aloud in a stage: phases as headings ("" as speaker), then who said what.

    What was off the record is left out.
    """
    withheld = {event.phase for event in events if isinstance(event, Withheld)}
    inside, heading = False, ""
    for event in events:
        match event:
            case Entered(level="stage", place=place):
                inside, heading = place == stage.id, ""
            case Entered(level="phase", title=title):
                heading = title
            case Spoke(speaker=speaker, text=text, place=place) if inside and place.rpartition("/")[0] not in withheld:
                if heading:
                    yield "", heading
                    heading = ""
                yield speaker, " ".join(text.split())
            case _:
                continue


def _views(opened: OpenRun) -> Mapping[str, View]:
    """Stage -> what the keeper of its record saw when he was last asked there; from the journal, played again."""
    answers = opened.answers
    keepers = {
        stage.id: {actor.role for actor in stage.minutes if hasattr(actor, "role")} for stage in opened.procedure.stages
    }
    views: dict[str, View] = {}
    game = opened.game()
    with suppress(StopIteration):
        turn = next(game)
        while True:
            for request in turn.requests:
                if isinstance(request, Request) and request.role in keepers.get(request.view.stage, ()):
                    views[request.view.stage] = request.view
            if any(request.id not in answers for request in turn.requests):
                break
            turn = game.send(tuple(answers[request.id] for request in turn.requests))
    return views


def chosen(papers: Sequence[ExportedDocument], words: Sequence[str]) -> list[ExportedDocument] | Diagnostic:
    """Those that are named by key, file, id or title; all when nothing is named."""
    if not words:
        return list(papers)
    kept: dict[str, ExportedDocument] = {}
    for word in words:
        named = [
            paper for paper in papers if word in (paper.key, paper.file, paper.key.partition("@")[0], paper.form.title)
        ]
        if not named:
            known = tuple(dict.fromkeys(paper.key for paper in papers))
            return diagnose.unknown_run_document("--document", name=word, known=known)
        kept |= {paper.file: paper for paper in named}
    return list(kept.values())


def paragraphs(paper: ExportedDocument, layout: Layout) -> list[Paragraph]:
    """A document as styled paragraphs; where its form has the line for what was said, that."""
    styled_lines: list[Paragraph] = []
    for style, text in styled(paper.text, paper.form, layout):
        if not (layout.speech and text == layout.speech):
            styled_lines.append((style, text))
            continue
        for who, words in paper.speech:
            styled_lines.append(("heading", words) if not who else ("speech", who + words))
    return styled_lines


def markdown(paper: ExportedDocument, layout: Layout) -> str:
    """The same as Markdown."""
    return "\n\n".join(f"## {text}" if style == "heading" else text for style, text in paragraphs(paper, layout)) + "\n"


def export(opened: OpenRun, words: Sequence[str], formats: Sequence[str], folder: Path) -> ExportResult | Diagnostic:
    """Write documents of a run. What LibreOffice cannot do is told; the other files are there all the same."""
    from .word import document, pdf

    layout = read_layout(Disk(find_root(Path.cwd())))
    if isinstance(layout, tuple):
        return layout[0]
    kept = chosen(papers(opened), words)
    if isinstance(kept, Diagnostic):
        return kept
    style = _own_style(opened)
    files: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for paper in kept:
            if "md" in formats:
                files.append(folder / f"{paper.file}.md")
                files[-1].write_text(markdown(paper, layout), encoding="utf-8")
            if "docx" in formats or "pdf" in formats:
                made = document(paragraphs(paper, layout), layout, style)
                if isinstance(made, Diagnostic):
                    return made
                files.append(folder / f"{paper.file}.docx")
                files[-1].write_bytes(made)
    except OSError as error:
        return unreadable(str(folder), error)
    problems: Problems = ()
    if "pdf" in formats:
        words_files = [file for file in files if file.suffix == ".docx"]
        failed = pdf(words_files, folder)
        problems = (failed,) if failed is not None else ()
        files += [file.with_suffix(".pdf") for file in words_files if file.with_suffix(".pdf").exists()]
    return ExportResult(tuple(files), tuple((one.file, one.missing) for one in kept if one.missing), problems)


def _own_style(opened: OpenRun) -> bytes | None:
    """The lawyer's own Word styles, where the project has them."""
    path = Path.cwd() / STYLE
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None
