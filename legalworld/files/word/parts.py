"""The parts of a .docx file as trees, within bounds, with short names for their elements (`w:p`).

No declaration of a document type is read (`office_file` refuses it), so nothing in a part can grow.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import Final, cast
from xml.etree import ElementTree

from ...wording import say
from ..packed import FAULTS, OFFICE, Package, office_file

DEEPEST: Final = 200
"""Elements inside each other; Word itself refuses a file long before."""

_MAIN: Final = "/officeDocument"
_PREFIXES: Final = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r",
    "http://purl.oclc.org/ooxml/officeDocument/relationships": "r",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://purl.oclc.org/ooxml/drawingml/main": "a",
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
    "http://purl.oclc.org/ooxml/drawingml/chart": "c",
    "http://schemas.microsoft.com/office/drawing/2014/chartex": "c",
    "http://schemas.openxmlformats.org/drawingml/2006/diagram": "dgm",
    "http://purl.oclc.org/ooxml/drawingml/diagram": "dgm",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup": "wpg",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas": "wpc",
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
}
# What newer versions of Word add and this reader follows: an alternative that requires it is the one shown.
FOLLOWED: Final = frozenset(
    {"wps", "wpg", "wpc", "wpi", "wp14", "w14", "w15", "w16", "w16cid", "w16se", "w16cex", "a14", "m", "v", "o"}
)

Element = ElementTree.Element


class UnreadWord(ValueError):
    """A Word file, or a construct in it, that is not read: why, by its name among the sentences, and what."""

    def __init__(self, reason: str, name: str = "") -> None:
        super().__init__(say(f"word.{reason}", name=name[:80]))


class WordParts:
    """The parts of a .docx file. Raises ValueError for what is none, or means harm."""

    def __init__(self, data: bytes) -> None:
        try:
            self._package = Package(office_file(data), OFFICE)
        except FAULTS as error:
            raise ValueError(str(error)[:200]) from None
        self._main = next(self._targets("", _MAIN), "")
        if self._main not in self._package.entries:
            raise UnreadWord("no_word_file")

    @property
    def document(self) -> Element:
        return self._tree(self._main)

    def beside(self, kind: str) -> Element | None:
        """The part that belongs to the document as its styles, numbering, footnotes; None where there is none."""
        name = next(self._targets(self._main, f"/{kind}"), "")
        return self._tree(name) if name in self._package.entries else None

    def _targets(self, source: str, kind: str) -> Iterator[str]:
        folder, _, name = source.rpartition("/")
        relations = posixpath.join(folder, "_rels", f"{name}.rels")
        if relations not in self._package.entries:
            return
        for relation in self._tree(relations):
            if relation.get("Type", "").endswith(kind) and relation.get("TargetMode") != "External":
                yield posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/")

    def _tree(self, name: str) -> Element:
        depth = 0
        root: Element | None = None
        parser: ElementTree.XMLPullParser[Element] = ElementTree.XMLPullParser(("start", "end"))
        try:
            for block in self._package.blocks(name):
                parser.feed(block)
                for event, element in cast(Iterator[tuple[str, Element]], parser.read_events()):
                    depth += 1 if event == "start" else -1
                    if depth > DEEPEST:
                        raise UnreadWord("deep", name)
                    if event == "start":
                        root = element if root is None else root
                        element.tag = _short(element.tag)
                        if any(key[:1] == "{" for key in element.attrib):
                            _shorten(element)
            parser.close()
        except (ElementTree.ParseError, *FAULTS) as error:
            raise UnreadWord("damaged", f"{name}: {error}") from None
        if root is None:
            raise UnreadWord("damaged", name)
        return root


def _short(name: str) -> str:
    """`{http://…/main}p` -> `w:p`; a name of an unknown vocabulary stays."""
    if name[:1] != "{":
        return name
    space, _, local = name[1:].partition("}")
    prefix = _PREFIXES.get(space)
    return f"{prefix}:{local}" if prefix else name


def _shorten(element: Element) -> None:
    attributes = {_short(key): value for key, value in element.attrib.items()}
    element.attrib.clear()
    element.attrib.update(attributes)


def child(element: Element | None, *path: str) -> Element | None:
    """The first element below, along a path of names."""
    for name in path:
        element = None if element is None else next((one for one in element if one.tag == name), None)
    return element


def value_of(element: Element | None, *path: str) -> str:
    """The `w:val` of the element along a path; "" where there is none."""
    found = child(element, *path)
    return "" if found is None else found.get("w:val", "")


def switch(properties: Element | None, name: str) -> bool | None:
    """Whether a property is on; None where nothing is said of it."""
    found = child(properties, name)
    return None if found is None else found.get("w:val", "1") not in ("0", "false", "off", "none")


def whole_number(text: str, otherwise: int) -> int:
    """A number that the file says, of at most nine figures."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else otherwise


def by_id(element: Element | None, kind: str, key: str) -> Mapping[str, Element]:
    """The elements of a kind right below, by an attribute."""
    return {one.get(key, ""): one for one in (() if element is None else element) if one.tag == kind}
