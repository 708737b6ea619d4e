"""An editor as a test drives it: a client of `lw lsp` over standard input and output, with texts that it edits."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from places import HANG
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path

COMMAND = (sys.executable, "-m", "legalworld", "lsp")


class Editor:
    """`told`: URI -> its problems, as they were published last; `said`: messages that the server logged or showed."""

    def __init__(self, root: Path, language: str = "en") -> None:
        self.root, self.language = root, language
        self.client = LanguageClient("test", "1")
        self.told: dict[str, types.PublishDiagnosticsParams] = {}
        self.said: list[str] = []
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.changed = asyncio.Event()
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._hear(params))
        for name in (types.WINDOW_LOG_MESSAGE, types.WINDOW_SHOW_MESSAGE):
            self.client.feature(name)(lambda params: self.said.append(params.message))

    def _hear(self, params: types.PublishDiagnosticsParams) -> None:
        self.told[params.uri] = params
        self.changed.set()

    async def __aenter__(self) -> Editor:
        await self.client.start_io(*COMMAND, cwd=str(self.root))
        await self.client.initialize_async(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(), root_uri=self.root.as_uri(), locale=self.language
            )
        )
        self.client.initialized(types.InitializedParams())
        return self

    async def __aexit__(self, *error: object) -> None:
        server = self.client._server
        assert server is not None
        if server.returncode is None:
            await asyncio.wait_for(self.client.shutdown_async(None), HANG)
            self.client.exit(None)
        await asyncio.wait_for(server.wait(), HANG)
        assert server.stderr is not None
        self.stderr = (await server.stderr.read()).decode()
        await self.client.stop()
        assert self.stderr == "", self.stderr

    # ---- files

    def uri(self, path: str) -> str:
        uri = from_fs_path(str(self.root / path))
        assert uri is not None
        return uri

    def open(self, path: str, text: str | None = None) -> str:
        text = (self.root / path).read_text("utf-8") if text is None else text
        self.texts[path], self.versions[path] = text, 1
        document = types.TextDocumentItem(self.uri(path), "yaml", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        return text

    def write(self, path: str, text: str) -> None:
        """The whole text anew."""
        self._change(path, types.TextDocumentContentChangeWholeDocument(text))
        self.texts[path] = text

    def edit(self, path: str, place: types.Range, new: str) -> None:
        """A stretch anew; the test knows what becomes of its text."""
        self._change(path, types.TextDocumentContentChangePartial(place, new))

    def _change(self, path: str, change: Any) -> None:
        self.versions[path] = self.versions.get(path, 0) + 1
        document = types.VersionedTextDocumentIdentifier(self.versions[path], self.uri(path))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def close(self, path: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.document(path)))

    def document(self, path: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(path))

    # ---- questions

    async def ask(self, call: Callable[[Any], Any], params: Any) -> Any:
        return await asyncio.wait_for(call(params), HANG)

    async def completion(self, path: str, at: types.Position) -> list[types.CompletionItem]:
        params = types.CompletionParams(self.document(path), at)
        found = await self.ask(self.client.text_document_completion_async, params)
        return [] if found is None else list(found.items)

    async def problems(self, path: str, wanted: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """The problems of the version that stands there now, as soon as they are what is waited for."""

        async def waited() -> list[types.Diagnostic]:
            while True:
                told = self.told.get(self.uri(path))
                if told is not None and told.version == self.versions.get(path) and wanted(list(told.diagnostics)):
                    return list(told.diagnostics)
                self.changed.clear()
                await self.changed.wait()

        return await asyncio.wait_for(waited(), HANG)


def position(text: str, offset: int) -> types.Position:
    """Where an offset of a text stands, as an editor counts: lines, and UTF-16 units in them."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    line = before.rsplit("\n", 1)[-1]
    return types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)


def behind(text: str, words: str) -> types.Position:
    """The place right behind some words that stand in a text once."""
    assert text.count(words) == 1, words
    return position(text, text.index(words) + len(words))
