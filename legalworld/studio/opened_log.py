"""When somebody had the studio show what a case keeps for scoring: kept in the user's cache."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from ..files.regular import Stamp, appended
from ..files.template_shelf import VARIABLE, cache_folder, private_folder

Note = Callable[[str, str], None]
"""Takes down that values of a run were shown: when, in ISO 8601, and the name of the run."""

_MOST: Final = 1 << 20  # bytes of the file; behind that it is begun anew


def now() -> str:
    """The time as it is noted: UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def log_file(root: Path) -> Path | None:
    """The file that keeps what was shown of the runs below a folder; None where nothing may be kept."""
    told = os.environ.get(VARIABLE)
    if told == "":
        return None
    try:
        folder = private_folder(Path(told) if told else cache_folder() / "studio")
    except OSError:
        return None
    name = sha256(str(root.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return folder / f"opened-{name}.jsonl" if folder is not None else None


def noted(root: Path, at: str, run: str) -> None:
    """Keep a line of it. Raises OSError where there is a place for it and it cannot be written there."""
    file = log_file(root)
    if file is None:
        return
    line = json.dumps({"at": at, "run": run}, ensure_ascii=False) + "\n"
    if Stamp.of(file).size > _MOST:
        file.unlink()
    with appended(file, file.parent) as kept:
        kept.write(line.encode("utf-8", "replace"))
