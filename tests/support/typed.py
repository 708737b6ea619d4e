"""A command as it is typed, in this process: `lw("run", "bargain", "--json").object()["outcome"]`."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from legalworld.cli.main import main


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Both streams as a session writes them down."""
        err = "".join(f"! {line}".rstrip() + "\n" for line in self.err.splitlines())
        return self.out + err + (f"[{self.code}]\n" if self.code else "")

    def object(self) -> Any:
        """The one JSON object that was printed."""
        (line,) = self.out.splitlines()
        return json.loads(line)


def lw(*words: str | Path) -> Ran:
    """A command in this process; the working folder and the language are those of the test."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left:
        main([str(word) for word in words])
    assert isinstance(left.value.code, int)
    return Ran(left.value.code, out.getvalue(), err.getvalue())
