"""The language server: which message of the protocol is answered by what."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.version import __version__
from ..wording import Locale, locale
from ..wording.diagnostics import message, repair
from . import answers
from .answers import Refused
from .open_project import OpenProject, OpenProjects
from .positions import UNITS
from .waves import Waves
from .wire import OwnBuffers, run

CONTENT_MODIFIED: Final = -32801
REQUEST_FAILED: Final = -32803
_WAIT: Final = 0.002  # seconds in which a later edit makes a question idle
_TRIGGERS: Final = (" ", "{", "|", "、", "，", ",", "：", "【")

Answer = TypeVar("Answer")
Given = Callable[[OpenProject, str, Any], Answer]


class Desk:
    """What the server knows: the projects of open files, and how their editor counts and reads."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.projects = OpenProjects()
        self.waves: dict[Path, Waves] = {}
        self.language: Locale = locale()
        self.stamp = 0
        self._reported: set[str] = set()

    @property
    def encoding(self) -> str:
        """How the editor counts; UTF-16 unless it agreed to another."""
        agreed = str(getattr(self.server.workspace.position_encoding, "value", self.server.workspace.position_encoding))
        return agreed if agreed in UNITS else "utf-16"

    # ---- what the editor tells

    def begun(self, params: types.InitializeParams) -> None:
        """The language is what the editor was set to for us, else its own."""
        options = params.initialization_options
        wanted = options.get("language") if isinstance(options, dict) else getattr(options, "language", None)
        said = str(wanted or params.locale or "")
        if said:
            self.language = "zh" if said.lower().startswith("zh") else "en"

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        project = self.projects.open(document.uri, document.text, document.version)
        if project is not None:
            project.home(self._path(project, document.uri))
        self._touched(project, fresh=True)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Edits in their order; of a file that was not opened there is nothing to edit."""
        document = params.text_document
        found = self.projects.find(document.uri)
        if found is None or (buffer := found[0].buffers.get(found[1])) is None:
            return
        project, path = found
        text = buffer.text
        for change in params.content_changes:
            place = getattr(change, "range", None)
            text = project.measure(text, self.encoding).changed(place, change.text) if place else change.text
        if self.projects.open(document.uri, text, document.version) is None:
            project.closed(path)  # too long by now
        project.home(path)
        self._touched(project)

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        found = self.projects.find(params.text_document.uri)
        if found is not None:
            found[0].closed(found[1])
            self._touched(found[0])

    def saved(self) -> None:
        """Files have changed on the disk."""
        for project in self.projects.projects.values():
            if project.refreshed():
                self._touched(project)

    def _path(self, project: OpenProject, uri: str) -> str:
        found = self.projects.find(uri)
        return found[1] if found is not None else ""

    def _touched(self, project: OpenProject | None, *, fresh: bool = False) -> None:
        self.stamp += 1
        if project is None:
            return
        if fresh:
            project.refreshed()
        for root in [root for root in self.waves if root not in self.projects.projects]:
            self.waves.pop(root).stop()
        waves = self.waves.get(project.root)
        if waves is None:
            publish = self.server.text_document_publish_diagnostics
            waves = self.waves[project.root] = Waves(project, publish, lambda: (self.encoding, self.language))
        waves.touched()

    # ---- what the editor asks

    async def asked(self, uri: str, give: Callable[[OpenProject, str], Answer]) -> Answer | None:
        """An answer about a file; None where it is nobody's. A question that an edit has overtaken is refused."""
        stamp = self.stamp
        await asyncio.sleep(_WAIT)
        if stamp != self.stamp:
            raise JsonRpcException("-", CONTENT_MODIFIED)
        found = self.projects.find(uri)
        if found is None or found[0].picture.read(found[1]) is None:
            return None
        try:
            return give(*found)
        except Refused as refused:
            raise JsonRpcException(self.worded(refused.why), REQUEST_FAILED) from None
        except Exception as error:
            self.report(error)
            return None

    def worded(self, why: Diagnostic) -> str:
        """Why something is not done, and what to do about it."""
        return " ".join(filter(None, (message(why, self.language), repair(why, self.language))))

    def report(self, error: Exception) -> None:
        """An error that is ours: told once, in one line."""
        told = f"{type(error).__name__}: {error}"[:300]
        if told not in self._reported and len(self._reported) < 100:
            self._reported.add(told)
            text = self.worded(diagnose.internal_error("lw", error=told))
            self.server.window_log_message(types.LogMessageParams(types.MessageType.Error, text))


class Server(LanguageServer):
    """pygls' server, whose own errors are told in one line."""

    desk: Desk

    def report_server_error(self, error: Exception, source: Any) -> None:
        if not isinstance(error, JsonRpcException):
            self.desk.report(error)


def made() -> Server:
    """A server with all that it answers."""
    server = Server("lw", __version__, protocol_cls=OwnBuffers)
    desk = server.desk = Desk(server)
    _listen(server, desk)
    _answer_places(server, desk)
    _answer_files(server, desk)
    return server


def serve() -> int:
    """Answer on the standard streams until the editor ends. Returns the exit code of the process."""
    return run(made())


def _listen(server: Server, desk: Desk) -> None:
    server.feature(types.INITIALIZE)(lambda params: desk.begun(params))
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(lambda params: desk.opened(params))
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(lambda params: desk.changed(params))
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(lambda params: desk.closed(params))
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(lambda params: desk.saved())
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(lambda params: desk.saved())


def _placed(desk: Desk, give: Callable[[OpenProject, str, Any], Answer]) -> Callable[[Any], Awaitable[Answer | None]]:
    """A handler of a message that names a document."""

    async def handle(params: Any) -> Answer | None:
        return await desk.asked(params.text_document.uri, lambda project, path: give(project, path, params))

    return handle


def _answer_places(server: Server, desk: Desk) -> None:
    """What is asked about a place in a file."""

    def feature(name: str, give: Given[Any], options: Any = None) -> None:
        server.feature(name, options)(_placed(desk, give))

    feature(
        types.TEXT_DOCUMENT_COMPLETION,
        lambda project, path, params: answers.completed(project, path, params.position, desk.encoding),
        types.CompletionOptions(trigger_characters=list(_TRIGGERS)),
    )
    feature(
        types.TEXT_DOCUMENT_HOVER,
        lambda project, path, params: answers.described(project, path, params.position, desk.encoding, desk.language),
    )
    feature(
        types.TEXT_DOCUMENT_DEFINITION,
        lambda project, path, params: answers.locations(project, path, params.position, desk.encoding, declared=True),
    )
    feature(
        types.TEXT_DOCUMENT_REFERENCES,
        lambda project, path, params: answers.locations(project, path, params.position, desk.encoding, declared=False),
    )
    feature(
        types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT,
        lambda project, path, params: answers.highlights(project, path, params.position, desk.encoding),
    )
    feature(
        types.TEXT_DOCUMENT_RENAME,
        lambda project, path, params: answers.rename(project, path, params.position, desk.encoding, params.new_name),
        types.RenameOptions(prepare_provider=True),
    )
    feature(
        types.TEXT_DOCUMENT_PREPARE_RENAME,
        lambda project, path, params: answers.name_at(project, path, params.position, desk.encoding),
    )


def _answer_files(server: Server, desk: Desk) -> None:
    """What is asked about a whole file, or some lines of it."""

    def feature(name: str, give: Given[Any], options: Any = None) -> None:
        server.feature(name, options)(_placed(desk, give))

    feature(
        types.TEXT_DOCUMENT_FORMATTING,
        lambda project, path, params: answers.laid_out(project, path, desk.encoding),
    )
    feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        lambda project, path, params: answers.mended(project, path, params.range, desk.encoding, desk.language),
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    feature(
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
        lambda project, path, params: answers.symbols(project, path, desk.encoding),
    )
    feature(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        lambda project, path, params: answers.marked(project, path, desk.encoding),
        answers.LEGEND,
    )
