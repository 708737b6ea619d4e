"""Forks in which a document is another one: made once, whole or not at all, with a note of what was replaced."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..files import regular
from ..files.regular import write_whole
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.json_text import read_json
from ..runs.folder import RunFolder
from ..runs.fork import Replacement, fork_of
from ..wording import sentences
from .file import Declared
from .interventions import Making, Quality
from .variants import Sight, Writer, reads_reference, version

NOTE: Final = "intervention"


@dataclass(slots=True)
class Forks:
    """Makes forks of base runs; why one could not be made is added to `problems`."""

    declared: Declared
    writer: Writer
    problems: list[Diagnostic]

    def made(self, sight: Sight, how: tuple[Quality, Making], folder: Path) -> bool:
        """Return whether the fork is there, made as it would be made now; a new one appears whole or not at all."""
        quality, making = how
        templates, point = self.declared.templates, sight.point
        text = version(sight, making, templates, quality.title)
        if isinstance(text, tuple):
            self.problems += text
            return False
        if (folder / "run.yaml").is_file():
            return self._same(sight, text, folder)
        words = self.writer.rewritten(text, sight, templates, quality.title)
        if isinstance(words, tuple):
            self.problems += words
            return False
        part = folder.with_name(f".{folder.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        forked = fork_of(sight.opened, Replacement(point.place, point.document, point.side, words), part)
        if isinstance(forked, tuple):
            self.problems += forked
            return False
        self._note(sight, how, part, (text, words))
        part.rename(folder)
        return True

    def _same(self, sight: Sight, text: str, folder: Path) -> bool:
        """Whether a fork that is there is of this base run and of this version."""
        run = RunFolder.open(folder)
        try:
            note = read_json(regular.text(folder / f"{NOTE}.json", folder))
        except (OSError, ValueError):
            note = {}
        fits_base = isinstance(run, RunFolder) and run.info.parent == sight.opened.loaded.chain
        if fits_base and isinstance(note, dict) and note.get("version") == text:
            return True
        self.problems.append(diagnose.outdated_intervention(str(folder), path=str(folder)))
        return False

    def _note(self, sight: Sight, how: tuple[Quality, Making], folder: Path, texts: tuple[str, str]) -> None:
        """What was done, beside the fork: for a reader, and as data. `texts`: the version, and as the writer put it.
        Raises OSError."""
        quality, making = how
        declared, point, procedure = self.declared.interventions, sight.point, sight.opened.procedure
        sealed = reads_reference(making, self.declared.templates)
        data = {
            "study": declared.name,
            "file_digest": declared.digest,
            "document": point.document,
            "side": point.side,
            "quality": quality.name,
            "place": point.place,
            "base": sight.opened.loaded.chain,
            "template": making.template,
            "changes": [
                {"kind": change.kind, "sections": list(change.sections), "template": change.template}
                for change in making.changes
            ],
            "reads_reference": sealed,
            "writer": self.writer.model,
            "version": texts[0],
        }
        word = sentences("intervene", procedure.locale)
        page = word(
            "note",
            document=procedure.documents[point.document].title,
            quality=quality.title,
            place=point.place,
            sealed=word("sealed" if sealed else "not_sealed"),
            before=point.text.strip(),
            after=texts[1].strip(),
        )
        write_whole(folder / f"{NOTE}.md", page.encode("utf-8"))
        write_whole(folder / f"{NOTE}.json", _json(data))


def _json(data: Mapping[str, Any]) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
