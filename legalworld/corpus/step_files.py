"""The files of one step: what came out, what fell out, and the mark that both are whole.

A step is done where its mark tells the digests of what went in and of what came out, and the files still are what it
tells. Half a file is never believed: it has another name until it is whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from ..files import regular
from ..files.regular import write_whole
from ..model.immutable import immutable, names_of
from ..model.json_text import read_json
from .records import Dropped, Outcome, Row, StepNotes, line_of

EXAMPLES: Final = 3
_CHUNK: Final = 1 << 20


@immutable
class StepDone:
    """What a step came to. `fallen`: how many by reason, with examples; `digest`: of what came out."""

    name: str
    taken: int
    kept: int
    fallen: dict[str, int]
    examples: dict[str, list[Row]]
    notes: Row
    settings: str
    digest: str
    fallen_digest: str

    def row(self) -> Row:
        return {name: getattr(self, name) for name in names_of(self)}


def digest_of(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def file_digest(file: Path) -> str:
    """The digest of a file, "" where there is none."""
    digest = blake2b(digest_size=16)
    try:
        with regular.opened(file) as data:
            while chunk := data.read(_CHUNK):
                digest.update(chunk)
    except OSError:
        return ""
    return digest.hexdigest()


@immutable
class StepFiles:
    """Where a step keeps what it made."""

    folder: Path
    number: int
    name: str

    @property
    def kept(self) -> Path:
        return self.folder / f"{self.number:02}-{self.name}.jsonl"

    @property
    def fallen(self) -> Path:
        return self.folder / f"{self.number:02}-{self.name}.dropped.jsonl"

    @property
    def mark(self) -> Path:
        return self.folder / f"{self.number:02}-{self.name}.done.json"

    def done(self, settings: str = "") -> StepDone | None:
        """What the step came to, if it was done by these settings ("" = any) and its files are as it left them."""
        try:
            told = read_json(regular.text(self.mark))
            done = StepDone(**{name: told[name] for name in names_of(StepDone)})
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if settings and done.settings != settings:
            return None
        whole = done.digest == file_digest(self.kept) and done.fallen_digest == file_digest(self.fallen)
        return done if whole else None

    def write(self, outcomes: Iterator[Outcome], settings: str, notes: StepNotes) -> StepDone:
        """Write what a step makes, one record after another, and mark it done. Raises OSError."""
        self.mark.unlink(missing_ok=True)
        parts = [file.with_name(f".{file.name}.part") for file in (self.kept, self.fallen)]
        fallen: dict[str, int] = {}
        examples: dict[str, list[Row]] = {}
        kept = 0
        with (
            regular.text_writer(parts[0]) as on,
            regular.text_writer(parts[1]) as off,
        ):
            for one in outcomes:
                if isinstance(one, Dropped):
                    row = one.row()
                    off.write(line_of(row))
                    fallen[one.reason] = fallen.get(one.reason, 0) + 1
                    if fallen[one.reason] <= EXAMPLES:
                        examples.setdefault(one.reason, []).append(row)
                else:
                    kept += 1
                    on.write(line_of(one))
        for part, file in zip(parts, (self.kept, self.fallen), strict=True):
            regular.put(part, file)
        digests = file_digest(self.kept), file_digest(self.fallen)
        taken = notes.values.pop("taken", kept + sum(fallen.values()))
        done = StepDone(
            self.name, taken, kept, dict(sorted(fallen.items())), examples, notes.values, settings, *digests
        )
        write_whole(self.mark, json.dumps(done.row(), ensure_ascii=False, indent=1).encode("utf-8"))
        return done
