"""What came of tests as JUnit's XML, which servers that run checks show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from .find_tests import Result

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(results: Sequence[tuple[str, Result, Sequence[str]]]) -> bytes:
    """One suite for each file: (file, what came of a test of it, the lines that say what failed)."""
    root = ElementTree.Element("testsuites")
    for file in dict.fromkeys(file for file, _, _ in results):
        mine = [(found, lines) for name, found, lines in results if name == file]
        counts = {
            "tests": len(mine),
            "failures": sum(bool(found.failures) for found, _ in mine),
            "errors": sum(bool(found.broken) for found, _ in mine),
        }
        suite = ElementTree.SubElement(root, "testsuite", {"name": file, **{k: str(n) for k, n in counts.items()}})
        for found, lines in mine:
            words = {"name": _clean(found.test.name), "classname": file, "file": file}
            words |= {"line": str(found.test.span.line), "time": f"{found.seconds:.3f}"}
            case = ElementTree.SubElement(suite, "testcase", words)
            if found.failures:
                ElementTree.SubElement(case, "failure", {"type": found.failures[0].kind}).text = _clean(
                    "\n".join(lines)
                )
            elif found.broken:
                codes = ", ".join(dict.fromkeys(problem.code for problem in found.broken))
                ElementTree.SubElement(case, "error", {"type": codes})
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
