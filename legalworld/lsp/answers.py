"""What a picture says of a place, as values of the protocol: in the author's language, measured as his editor counts.

Every function takes the project, the path of a file in it, and how the editor counts (`encoding`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Final

from lsprotocol import types

from ..authoring.completion import MOST, completion
from ..authoring.edits import LINE_END, Cursor, Edits, Region
from ..authoring.format import edits_of
from ..authoring.lookup import OutlineEntry, definition, hover, key_at, outline, references
from ..authoring.marked_words import WordKind, marked_words
from ..authoring.rename import renamed
from ..authoring.repairs import repairs
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.source import Span
from ..wording import Locale, say
from ..wording.diagnostics import message, repair
from ..wording.keys import explained
from .open_project import OpenProject
from .positions import EditorPoint

SOURCE: Final = "lw"
MOST_LINES_MENDED: Final = 50
MOST_PROBLEMS: Final = 200
"""So many of one file are told; what is beyond may follow from them."""

_COMPLETED: Final[Mapping[str, types.CompletionItemKind]] = {
    "keyword": types.CompletionItemKind.Keyword,
    "name": types.CompletionItemKind.Variable,
    "key": types.CompletionItemKind.Property,
}
_TOKEN_TYPES: Final[Mapping[WordKind, types.SemanticTokenTypes]] = {
    "keyword": types.SemanticTokenTypes.Keyword,
    "key": types.SemanticTokenTypes.Property,
    "name": types.SemanticTokenTypes.Variable,
    "role": types.SemanticTokenTypes.Class,
    "field": types.SemanticTokenTypes.Parameter,
    "document": types.SemanticTokenTypes.Struct,
    "answer": types.SemanticTokenTypes.Event,
    "option": types.SemanticTokenTypes.EnumMember,
    "kind": types.SemanticTokenTypes.Type,
    "stage": types.SemanticTokenTypes.Namespace,
    "marker": types.SemanticTokenTypes.Macro,
    "number": types.SemanticTokenTypes.Number,
    "text": types.SemanticTokenTypes.String,
    "sign": types.SemanticTokenTypes.Operator,
    "comment": types.SemanticTokenTypes.Comment,
    "filter": types.SemanticTokenTypes.Function,
}
LEGEND: Final = types.SemanticTokensLegend(
    [kind.value for kind in _TOKEN_TYPES.values()], [types.SemanticTokenModifiers.Declaration.value]
)
_NUMBERS: Final = {kind: number for number, kind in enumerate(_TOKEN_TYPES)}


class Refused(Exception):
    """What was asked for is not done, for a reason that the author is told."""

    def __init__(self, why: Diagnostic) -> None:
        super().__init__(why.code)
        self.why = why


# ---- problems --------------------------------------------------------------------------------------------------------


def problem(
    project: OpenProject, told: Diagnostic, encoding: str, language: Locale, only: tuple[str, ...] = ()
) -> types.Diagnostic:
    """A problem in its file. `only`: the procedures in which it is one, where a shared part is sound in others."""
    ruler = project.ruler(told.span.file, encoding)
    lines = [message(told, language), repair(told, language)]
    if only:
        among = say("run.among", language).join(only)
        lines.append(say("lsp.only_in", language, procedures=among))
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(project.uri(span.file), project.ruler(span.file, encoding).marked(span)),
            say("lsp.related", language),
        )
        for span in told.also
        if span.line and project.picture.read(span.file) is not None
    ]
    severe = types.DiagnosticSeverity.Error if told.severity == "error" else types.DiagnosticSeverity.Warning
    return types.Diagnostic(
        range=ruler.marked(told.span),
        message="\n".join(filter(None, lines)),
        severity=severe,
        code=told.code,
        source=SOURCE,
        related_information=related or None,
    )


# ---- what may stand here, and what does ------------------------------------------------------------------------------


def completed(project: OpenProject, path: str, position: EditorPoint, encoding: str) -> types.CompletionList:
    ruler = project.ruler(path, encoding)
    found = completion(project.picture, ruler.cursor(path, position))
    items = [
        types.CompletionItem(
            label=one.text, kind=_COMPLETED[one.kind], text_edit=ruler.edit(one.edit), filter_text=one.text
        )
        for one in found
    ]
    return types.CompletionList(is_incomplete=len(found) >= MOST, items=items)


def described(
    project: OpenProject, path: str, position: EditorPoint, encoding: str, language: Locale
) -> types.Hover | None:
    """What the name under a cursor is, and in which lines it is declared."""
    ruler = project.ruler(path, encoding)
    card = hover(project.picture, ruler.cursor(path, position))
    if card is None:
        return _of_key(project, path, position, encoding, language)
    kind = say(f"lsp.{card.kind}", language) if card.kind else say("lsp.name", language)
    lines = [say("lsp.card", language, name=card.name, kind=kind)]
    if card.title and card.title != card.name:
        lines.append(card.title)
    lines += [f"{region.path}:{region.first[0]}" for region in card.declared[:5]]
    text = types.MarkupContent(types.MarkupKind.PlainText, "\n".join(lines))
    return types.Hover(text, ruler.range(card.region))


def _of_key(
    project: OpenProject, path: str, position: EditorPoint, encoding: str, language: Locale
) -> types.Hover | None:
    """What the key under a cursor means."""
    ruler = project.ruler(path, encoding)
    cursor = ruler.cursor(path, position)
    key = key_at(project.picture, cursor)
    told = explained(key.text, language) if key is not None else ""
    if key is None or not told:
        return None
    text = types.MarkupContent(types.MarkupKind.PlainText, told)
    return types.Hover(text, ruler.range(Region.of(key.span)))


def locations(
    project: OpenProject, path: str, position: EditorPoint, encoding: str, *, declared: bool
) -> list[types.Location]:
    """Where the name under a cursor is declared; or wherever it stands, its declaration included."""
    cursor = project.ruler(path, encoding).cursor(path, position)
    regions = (definition if declared else references)(project.picture, cursor)
    return [_location(project, region, encoding) for region in regions]


def _location(project: OpenProject, region: Region, encoding: str) -> types.Location:
    return types.Location(project.uri(region.path), project.ruler(region.path, encoding).range(region))


# ---- changes ---------------------------------------------------------------------------------------------------------


def name_at(project: OpenProject, path: str, position: EditorPoint, encoding: str) -> types.Range | None:
    """The name under a cursor, which may be renamed."""
    ruler = project.ruler(path, encoding)
    card = hover(project.picture, ruler.cursor(path, position))
    return ruler.range(card.region) if card is not None else None


def rename(project: OpenProject, path: str, position: EditorPoint, encoding: str, new: str) -> types.WorkspaceEdit:
    """The edits by which a name becomes another one everywhere. Raises `Refused`."""
    edits = renamed(project.picture, project.ruler(path, encoding).cursor(path, position), new)
    return workspace_edit(project, edits, encoding)


def workspace_edit(project: OpenProject, edits: Edits, encoding: str) -> types.WorkspaceEdit:
    """Edits of several files, each for the version that is open. Raises `Refused`, also where one would change a file
    that came with the package."""
    if edits.why is not None:
        raise Refused(edits.why)
    shipped = next((file for file in edits.files if project.disk.built_in(file)), None)
    if shipped is not None:
        raise Refused(diagnose.edit_of_shipped_file(Span(shipped, 1, 1), path=shipped))
    changes = []
    for file in edits.files:
        ruler, buffer = project.ruler(file, encoding), project.buffers.get(file)
        version = buffer.version if buffer is not None else None
        made: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = [
            ruler.edit(edit) for edit in edits.texts if edit.region.path == file
        ]
        identifier = types.OptionalVersionedTextDocumentIdentifier(project.uri(file), version)
        changes.append(types.TextDocumentEdit(identifier, made))
    moved = [types.RenameFile(project.uri(old), project.uri(new)) for old, new in edits.renames]
    return types.WorkspaceEdit(document_changes=[*changes, *moved])


def laid_out(project: OpenProject, path: str, encoding: str) -> list[types.TextEdit]:
    """The layout of a file, as the lines that change. Raises `Refused`."""
    edits = edits_of(project.picture, path)
    if edits.why is not None:
        raise Refused(edits.why)
    text = (project.picture.read(path) or "").removeprefix("\ufeff")
    ruler = project.ruler(path, encoding)
    return [edit for whole in edits.texts for edit in _by_line(ruler.edit(whole), text, whole.text)]


def _by_line(whole: types.TextEdit, old: str, new: str) -> Iterator[types.TextEdit]:
    """One edit for what stands between the lines at the beginning and at the end that stay."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if LINE_END.split(old) != [line.rstrip("\r\n") for line in before] + ([""] if old[-1:] in "\r\n" else []):
        yield whole  # lines that only Python takes for such
        return
    head = next((at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), -1)
    if head < 0:
        head = min(len(before), len(after))
    most = min(len(before), len(after)) - head
    tail = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    end = len(before) - tail
    last = types.Position(end, 0) if end < len(before) else whole.range.end
    yield types.TextEdit(types.Range(types.Position(head, 0), last), "".join(after[head : len(after) - tail]))


def mended(
    project: OpenProject, path: str, place: types.Range, encoding: str, language: Locale
) -> list[types.CodeAction]:
    """The repairs of what is wrong in some lines, each proved."""
    main = project.home(path)
    if main is None:
        return []
    actions = []
    last = min(place.end.line, place.start.line + MOST_LINES_MENDED)
    for line in range(max(0, place.start.line), last + 1):
        for found in repairs(project.picture, main, path, line + 1):
            new = found.edits.texts[0].text
            actions.append(
                types.CodeAction(
                    title=say("lsp.mend", language, new=new.strip()),
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=[problem(project, found.diagnostic, encoding, language)],
                    edit=workspace_edit(project, found.edits, encoding),
                    is_preferred=True,
                )
            )
    return actions


# ---- the whole of a file ---------------------------------------------------------------------------------------------


def symbols(project: OpenProject, path: str, encoding: str) -> list[types.DocumentSymbol]:
    """The outline of a file: an entry goes on to the next one."""
    entries = outline(project.picture, path)
    lines = len(LINE_END.split(project.picture.read(path) or ""))
    return list(_symbols(project, entries, (lines + 1, 1), (path, encoding, 0)))


def _symbols(
    project: OpenProject, entries: tuple[OutlineEntry, ...], end: tuple[int, int], of: tuple[str, str, int]
) -> Iterator[types.DocumentSymbol]:
    path, encoding, depth = of
    ruler = project.ruler(path, encoding)
    for entry, after in zip_longest(entries, entries[1:]):
        following = (after.span.line, after.span.column) if after is not None else end
        name = Region.of(entry.span)
        last = max(name.last, following)
        yield types.DocumentSymbol(
            name=entry.name or "–",
            kind=types.SymbolKind.Namespace if depth == 0 else types.SymbolKind.Field,
            range=ruler.range(Region(path, name.first, last)),
            selection_range=ruler.range(name),
            children=list(_symbols(project, entry.children, last, (path, encoding, depth + 1))),
        )


def marked(project: OpenProject, path: str, encoding: str) -> types.SemanticTokens:
    """The words of a file that mean something, each as its distance from the one before."""
    ruler, data = project.ruler(path, encoding), list[int]()
    line = character = 0
    for word in marked_words(project.picture, path):
        place = ruler.range(Region.of(word.span))
        start, length = place.start, place.end.character - place.start.character
        if length <= 0:
            continue
        ahead = start.character - character if start.line == line else start.character
        data += [start.line - line, ahead, length, _NUMBERS[word.kind], int(word.declares)]
        line, character = start.line, start.character
    return types.SemanticTokens(data)


def highlights(project: OpenProject, path: str, position: EditorPoint, encoding: str) -> list[types.DocumentHighlight]:
    """Where else in the same file the name under a cursor stands."""
    cursor: Cursor = project.ruler(path, encoding).cursor(path, position)
    regions: Iterable[Region] = references(project.picture, cursor)
    ruler = project.ruler(path, encoding)
    return [types.DocumentHighlight(ruler.range(region)) for region in regions if region.path == path]
