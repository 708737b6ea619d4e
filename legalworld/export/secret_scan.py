"""What must not leave with a run: keys, in whatever form, and paths of this machine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ..files import regular
from ..files.secrets import echoes, folders_here, keys_here
from ..language import diagnose
from ..model.diagnostics import Diagnostic

_KEY: Final = re.compile(r"\b(?:sk|pk|rk|ghp|gho|xox[abp]|AKIA|AIza|hf)[-_]?[A-Za-z0-9_-]{20,200}")
TOLD: Final = ("run.yaml", "case.json", "sealed.json", "journal.jsonl")
"""The files of a run that all else is made from."""


def secret_in(path: Path, files: Mapping[str, bytes]) -> Diagnostic | None:
    """A key, or a path of this machine, in a file of a run."""
    keys, folders = keys_here(), folders_here()
    for name, data in files.items():
        text = data.decode("utf-8", "replace")
        if _KEY.search(text) or any(folder in text for folder in folders) or echoes(text, keys):
            return diagnose.secret_in_archive(str(path / name), name=name)
    return None


def secret_in_run(path: Path) -> Diagnostic | None:
    """The same of a run, by the files that all else is made from. Raises OSError."""
    found = (name for name in TOLD if regular.is_file(path / name, path))
    return secret_in(path, {name: regular.content(path / name, path, most=1 << 30) for name in found})
