"""Problems as other programs take them: SARIF for code hosts and editors, lines that mark a change on GitHub."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from ..model.diagnostics import Diagnostic
from ..model.source import Span
from . import Locale
from .diagnostics import in_order, message, repair

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {"error": "error", "warning": "warning"}


def sarif(problems: Iterable[Diagnostic], locale: Locale, version: str) -> str:
    """A SARIF 2.1.0 log: one run, a rule for each code, a result for each problem. Columns are counted in code points.

    Source: OASIS, Static Analysis Results Interchange Format 2.1.0.
    """
    found = in_order(problems)
    rules = {problem.code: _rule(problem) for problem in found}
    driver = {"name": "legalworld", "version": version, "rules": [rules[code] for code in sorted(rules)]}
    results = [_result(problem, locale) for problem in found]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _rule(problem: Diagnostic) -> dict[str, Any]:
    return {"id": problem.code, "defaultConfiguration": {"level": _LEVELS[problem.severity]}}


def _result(problem: Diagnostic, locale: Locale) -> dict[str, Any]:
    words = "\n".join(filter(None, (message(problem, locale), repair(problem, locale))))
    result: dict[str, Any] = {
        "ruleId": problem.code,
        "level": _LEVELS[problem.severity],
        "message": {"text": words},
        "locations": [_location(problem.span)],
    }
    if problem.also:
        result["relatedLocations"] = [_location(span) for span in problem.also]
    return result


def _location(span: Span) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _address(span.file)}}
    if span.line > 0:
        columns = {"startColumn": max(span.column, 1), "endColumn": max(span.column, 1) + span.length}
        place["region"] = {"startLine": span.line, **columns}
    return {"physicalLocation": place}


def _address(file: str) -> str:
    """A path as a relative reference: signs that mean something in an address are escaped."""
    escaped = re.sub(r"[%#?\\\s\x00-\x1f]", lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode()), file)
    return escaped if file.startswith("/") or ":" not in file.split("/")[0] else f"./{escaped}"


def github(problems: Iterable[Diagnostic], locale: Locale) -> str:
    """A line for each problem, as GitHub Actions reads them off a log and marks the file."""
    return "".join(f"{_command(problem, locale)}\n" for problem in in_order(problems))


def _command(problem: Diagnostic, locale: Locale) -> str:
    span = problem.span
    where = {"file": span.file, "title": problem.code}
    if span.line > 0:
        where |= {"line": str(span.line), "col": str(max(span.column, 1))}
    words = "\n".join(filter(None, (message(problem, locale), repair(problem, locale))))
    given = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in where.items())
    return f"::{_LEVELS[problem.severity]} {given}::{_escaped(words)}"


def _escaped(text: str, more: str = "") -> str:
    """What would end a command, or begin one, is escaped as GitHub asks for it."""
    for sign in ("%", "\r", "\n", *more):
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text
