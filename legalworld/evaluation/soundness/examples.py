"""The examples of a file of checks, held against the checks that they stand in."""

from __future__ import annotations

from collections.abc import Iterator

from ...language import diagnose
from ...model.diagnostics import Diagnostic
from .audited import Audited
from .definition import Check, CheckFile
from .hold import hold
from .view import view


def wrong_examples(file: CheckFile) -> Iterator[Diagnostic]:
    """LW891: an example about which its check says otherwise."""
    for check in file.checks:
        if check.right and raises(check, check.right, file):
            yield diagnose.check_example(check.span, name=check.id, example="right")
        if check.wrong and not raises(check, check.wrong, file):
            yield diagnose.check_example(check.span, name=check.id, example="wrong")


def raises(check: Check, text: str, file: CheckFile) -> bool:
    """Whether a check raises an alarm about a text."""
    return any(one.held is False for one in hold(check, view(Audited(text, checks=file))))
