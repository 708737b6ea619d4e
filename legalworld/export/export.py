"""The documents of a run as files for people: Markdown, Word, PDF; and the record of each hearing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..engine.casting import cast
from ..files import regular
from ..files.project_files import Disk, find_root, unreadable
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import Drafted
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..runs.open_run import OpenRun
from ..runs.project import Problems
from ..runs.transcript import DocumentNames
from ..templates.lookups import form_homes
from .layout import FILE as LAYOUT
from .layout import DocumentForm, Layout, Paragraph, read_layout, styled
from .minutes import of_run

FORMATS = ("md", "docx", "pdf")
STYLE = "style.docx"


@immutable
class ExportedDocument:
    """A document to be written. `key`: NAME, NAME@SIDE, NAME@SIDE#2, or `minutes@STAGE`; `file` without its ending.

    `course`: what happened in a hearing, in the place of the layout's line for it.
    """

    key: str
    file: str
    form: DocumentForm
    text: str
    missing: tuple[str, ...] = ()
    course: tuple[Paragraph, ...] = ()


@immutable
class ExportResult:
    """What was written, and what went wrong on the way; documents with what their official form lacks."""

    files: tuple[Path, ...]
    lacking: tuple[tuple[str, tuple[str, ...]], ...]
    problems: Problems


def papers(opened: OpenRun) -> list[ExportedDocument]:
    """Every document of a run, the last state of each version, and the record of each stage that has one."""
    procedure, names = opened.procedure, DocumentNames(opened.procedure)
    sided = {person.id for person in cast(procedure, opened.case) if person.side}
    written = []
    for event in opened.events:
        if isinstance(event, Drafted):
            file = names.name(event).removeprefix("documents/").removesuffix(".md")
            document = procedure.documents[event.document]
            key = f"{event.document}@{event.side}" if event.side else event.document
            of_party = document.sided or event.person in sided
            form = DocumentForm(document.title, document.sections, "party" if of_party else "court")
            written.append(ExportedDocument(key, file, form, event.text, event.missing))
    return [*written, *_minutes(opened)]


def _minutes(opened: OpenRun) -> Iterator[ExportedDocument]:
    """The minutes of the hearings; their title is the second line that is not blank."""
    for one in of_run(opened):
        title = next((line for line in one.text.splitlines()[1:] if line.strip()), "").strip()
        form = DocumentForm(title, (), "minutes")
        yield ExportedDocument(f"minutes@{one.stage}", f"minutes-{one.stage}", form, one.text, (), one.course)


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
        styled_lines += paper.course if layout.speech and text == layout.speech else [(style, text)]
    return styled_lines


def markdown(paper: ExportedDocument, layout: Layout) -> str:
    """The same as Markdown."""
    return "\n\n".join(f"## {text}" if style == "heading" else text for style, text in paragraphs(paper, layout)) + "\n"


def export(opened: OpenRun, words: Sequence[str], formats: Sequence[str], folder: Path) -> ExportResult | Diagnostic:
    """Write documents of a run. What LibreOffice cannot do is told; the other files are there all the same."""
    from .word import blank, document, pdf

    layout = layout_of(opened.procedure)
    if isinstance(layout, tuple):
        return layout[0]
    kept = chosen(papers(opened), words)
    if isinstance(kept, Diagnostic):
        return kept
    in_word = "docx" in formats or "pdf" in formats
    files: list[Path] = []
    try:
        empty = blank(layout, _own_style(opened.procedure)) if in_word else b""
        if isinstance(empty, Diagnostic):
            return empty
        root = opened.folder.path if folder.is_relative_to(opened.folder.path) else None
        regular.make_folder(folder, root)
        for paper in kept:
            if "md" in formats:
                files.append(folder / f"{paper.file}.md")
                regular.write_whole(files[-1], markdown(paper, layout).encode("utf-8"), root)
            if in_word:
                files.append(folder / f"{paper.file}.docx")
                regular.write_whole(files[-1], document(paragraphs(paper, layout), layout, empty), root)
    except OSError as error:
        return unreadable(str(folder), error)
    problems: Problems = ()
    if "pdf" in formats:
        words_files = [file for file in files if file.suffix == ".docx"]
        try:
            for file in words_files:
                regular.vacant(file.with_suffix(".pdf"), root)
        except OSError as error:
            return unreadable(str(error.filename or folder), error)
        failed = pdf(words_files, folder)
        problems = (failed,) if failed is not None else ()
        files += [file.with_suffix(".pdf") for file in words_files if file.with_suffix(".pdf").exists()]
    return ExportResult(tuple(files), tuple((one.file, one.missing) for one in kept if one.missing), problems)


def layout_of(procedure: Procedure) -> Layout | tuple[Diagnostic, ...]:
    """The layout of a procedure's documents in the project at hand. One at the old place counts alone, as it did."""
    disk = Disk(find_root(Path.cwd()))
    old = f"documents/{LAYOUT}"
    return read_layout(disk, (old,) if isinstance(disk.find(old), str) else _form_homes(procedure, LAYOUT))


def _form_homes(procedure: Procedure, file: str) -> tuple[str, ...]:
    return form_homes(procedure.locale, procedure.folders, file)


def _own_style(procedure: Procedure) -> Path | None:
    """The file of the lawyer's own Word styles, where the project has one: the procedure's, else that of all."""
    disk = Disk(find_root(Path.cwd()))
    files = (disk.find(home) for home in (*_form_homes(procedure, STYLE), f"documents/{STYLE}"))
    return next((Path(file) for file in files if isinstance(file, str)), None)
