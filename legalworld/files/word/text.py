"""The text of a .docx file as Word shows it with all changes accepted.

Insertions and not deletions, results of fields and not their instructions, numbers of lists, boxes and notes, and
nothing that is hidden.

Headers and footers, comments and pictures are no text of the document. What is shown and cannot be read - embedded
objects, charts, parts in another format, crossed-out words - refuses the file, and so does an element that is not
known and holds words: no word is passed over in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from .fields import Fields, without_result
from .list_numbers import Numbering
from .parts import FOLLOWED, Element, UnreadWord, WordParts, by_id, child, switch, value_of
from .styles import Styles

# What holds words that are not shown, or none: deleted and moved away, instructions, properties.
_PASSED_OVER: Final = frozenset({"w:del", "w:moveFrom", "w:delText", "w:delInstrText", "w:sdtPr", "w:sdtEndPr"})
_THROUGH: Final = frozenset(
    {"w:ins", "w:moveTo", "w:smartTag", "w:hyperlink", "w:sdt", "w:sdtContent", "w:customXml", "w:dir", "w:bdo"}
    | {"w:ruby", "w:rubyBase", "w:drawing", "w:pict", "mc:Choice", "mc:Fallback"}
)
_REFUSED: Final = frozenset({"w:altChunk", "w:subDoc", "w:object", "o:OLEObject", "c:chart", "dgm:relIds"})
_WORDS: Final = frozenset({"w:t", "m:t", "a:t"})
_SIGNS: Final = {"w:tab": "\t", "w:ptab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-", "w:softHyphen": ""}
_POSITIONS: Final = {"superscript": "^", "subscript": "_"}
_SOFT: Final = {0xAD: None, 0x2011: "-"}
# Signs of symbol fonts, which have their own code pages: boxes to be ticked.
_SYMBOLS: Final = {
    ("wingdings", 0xFE): "☑", ("wingdings", 0xFD): "☒", ("wingdings", 0xA8): "□", ("wingdings", 0x6F): "□",
    ("wingdings 2", 0x52): "☑", ("wingdings 2", 0x53): "☒", ("wingdings 2", 0x54): "☒", ("wingdings 2", 0xA3): "□",
    ("wingdings 2", 0x50): "✓", ("wingdings 2", 0x4F): "✗",
}  # fmt: skip
_BETWEEN_PARAGRAPHS: Final = "；"  # in one cell of a row: no number goes on across it
UNKNOWN_SIGN: Final = "\ufffd"


def word_text(data: bytes) -> str:
    """The text of a .docx file, a paragraph or a row of a table a line. Raises ValueError for what is not read."""
    parts = WordParts(data)
    reader = _StoryReader(Styles(parts.beside("styles")), Numbering(parts.beside("numbering")))
    body = child(parts.document, "w:body")
    if body is None:
        raise UnreadWord("no_word_file")
    lines = reader.story(body)
    for kind in ("footnote", "endnote"):
        notes = by_id(parts.beside(f"{kind}s"), f"w:{kind}", "w:id")
        for number in dict.fromkeys(reader.notes[kind]):
            if number in notes:
                lines += reader.story(notes[number])
    return "\n".join(lines)


@dataclass(slots=True)
class _Story:
    """The body, a box, a cell or a note while it is read: whole lines, and the one that is being put together."""

    lines: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    boxes: list[str] = field(default_factory=list)
    position: str = ""  # of what was said last


class _StoryReader:
    def __init__(self, styles: Styles, numbering: Numbering) -> None:
        self.notes: Mapping[str, list[str]] = {"footnote": [], "endnote": []}
        self._styles = styles
        self._numbering = numbering
        self._fields = Fields()
        self._story = _Story()
        self._style = ""  # of the paragraph
        self._hidden = False  # the run
        self._look: Element | None = None  # the properties of the run

    # ---- stories

    def story(self, element: Element) -> list[str]:
        """The lines of a story of its own: no field reaches across its ends."""
        outer, self._fields = self._fields, Fields()
        lines = self._within(element)
        if not self._fields.closed:
            raise UnreadWord("open_field")
        self._fields = outer
        return lines

    def _within(self, element: Element) -> list[str]:
        outer = self._story, self._style, self._hidden, self._look
        self._story = _Story()
        self._blocks(element)
        if self._story.line or self._story.boxes:
            self._end_line("")
        lines = self._story.lines
        self._story, self._style, self._hidden, self._look = outer
        return lines

    def _say(self, words: str) -> None:
        if words and not self._hidden and self._fields.shown:
            self._story.line.append(words)

    def _end_line(self, label: str) -> None:
        """Put down the line that was read; boxes that are anchored in it follow."""
        story = self._story
        if story.line or label or not story.boxes:
            story.lines += (label + "".join(story.line)).split("\n")
        story.lines += story.boxes
        story.line, story.boxes = [], []

    # ---- paragraphs and tables

    def _blocks(self, element: Element) -> None:
        for block in element:
            if block.tag in _THROUGH:
                self._blocks(block)
            else:
                self._inline(block)

    def _paragraph(self, element: Element) -> None:
        properties = child(element, "w:pPr")
        own = child(properties, "w:rPr")
        self._style = self._styles.of_paragraph(properties)
        for part in element:
            self._inline(part)
        joined = child(own, "w:del") is not None or child(own, "w:moveFrom") is not None
        if joined or switch(own, "w:specVanish") or self._styles.hides(own, self._style) or not self._fields.shown:
            return  # its mark is not shown: the next one goes on in its line
        listed = self._styles.list_of(properties)
        self._end_line(self._numbering.label(*listed) if listed is not None else "")

    def _table(self, element: Element) -> None:
        if self._story.line:
            self._end_line("")
        for row in _found(element, "w:tr"):
            properties = child(row, "w:trPr")
            if child(properties, "w:del") is not None or switch(properties, "w:hidden"):
                continue
            cells = [self._within(cell) if _cell_shown(cell) else [] for cell in _found(row, "w:tc")]
            if len(cells) == 1:
                self._story.lines += cells[0]
            else:
                words = (_BETWEEN_PARAGRAPHS.join(line for line in lines if line.strip()) for lines in cells)
                self._story.lines.append("| " + " | ".join(words) + " |")

    # ---- what stands in them

    def _inline(self, element: Element) -> None:
        match element.tag:
            case "w:r" | "m:r":
                self._run(element)
            case "w:fldSimple":
                if len(element):
                    self._each(element)
                else:
                    self._say(without_result(element.get("w:instr", "")))
            case "mc:AlternateContent":
                self._each(_alternative(element))
            case "w:p":
                self._paragraph(element)
            case "w:tbl":
                self._table(element)
            case name if name in _THROUGH:
                self._each(element)
            case _:
                self._other(element)

    def _each(self, element: Element | None) -> None:
        for part in () if element is None else element:
            self._inline(part)

    def _run(self, element: Element) -> None:
        before = self._hidden, self._look
        self._look = child(element, "w:rPr")
        self._hidden = self._hidden or self._styles.hides(self._look, self._style)
        self._each(element)
        self._hidden, self._look = before

    def _other(self, element: Element) -> None:
        """A part of a run, a drawing, a formula; what is not known may hold no words."""
        name = element.tag
        if name in _PASSED_OVER:
            return
        if name in _REFUSED:
            raise UnreadWord("construct", name)
        if (read := _PARTS.get(name)) is not None:
            read(self, element)
        elif name in _SIGNS:
            self._say(_SIGNS[name])
        elif name.startswith(("m:", "v:", "wps:", "wpg:", "wpc:", "a:")) or name.endswith(_DRAWN):
            self._each(element)
        elif any(one.tag in _WORDS and (one.text or "").strip() for one in element.iter()):
            raise UnreadWord("construct", name)
        else:
            for one in element.iter():
                if one.tag in _REFUSED:
                    raise UnreadWord("construct", one.tag)

    def _text(self, element: Element) -> None:
        words = element.text or ""
        if element.get("{http://www.w3.org/XML/1998/namespace}space") != "preserve":
            words = words.strip(" \t\r\n")
        if words.strip() and not self._hidden and self._fields.shown:
            if self._styles.strikes(self._look, self._style):
                raise UnreadWord("struck", words.strip()[:20])
            self._move_to(_POSITIONS.get(self._styles.position(self._look), ""), words)
        self._say(words.translate(_SOFT))

    def _move_to(self, position: str, words: str) -> None:
        """Keep a raised or lowered figure, and the one after it, from being read on as the same number."""
        before = next((said for said in reversed(self._story.line) if said), "")
        if position != self._story.position and words[0].isdecimal() and before[-1:].isdecimal():
            self._say(position or " ")
        self._story.position = position

    def _instruction(self, element: Element) -> None:
        self._fields.instruct(element.text or "")

    def _field_mark(self, element: Element) -> None:
        self._say(self._fields.mark(element))

    def _symbol(self, element: Element) -> None:
        try:
            sign = int(element.get("w:char", ""), 16)
        except ValueError:
            raise UnreadWord("construct", "w:sym") from None
        font = element.get("w:font", "").lower()
        if not 0xF000 <= sign <= 0xF0FF:
            self._say(chr(sign) if sign < 0x110000 and not 0xD800 <= sign < 0xE000 else UNKNOWN_SIGN)
        elif font == "symbol" and chr(sign - 0xF000) in "0123456789.,-%+=()/":
            self._say(chr(sign - 0xF000))
        else:
            self._say(_SYMBOLS.get((font, sign - 0xF000), UNKNOWN_SIGN))

    def _note(self, element: Element) -> None:
        if not self._hidden and self._fields.shown:
            self.notes[element.tag[2:].removesuffix("Reference")].append(element.get("w:id", ""))

    def _reading(self, element: Element) -> None:
        """How a word is pronounced, which stands above it."""
        self._say("（")
        self._each(element)
        self._say("）")

    def _box(self, element: Element) -> None:
        if not self._hidden and self._fields.shown:
            self._story.boxes += self.story(element)

    def _line_of_drawing(self, element: Element) -> None:
        words = "".join(one.text or "" for one in element.iter("a:t"))
        if words and not self._hidden and self._fields.shown:
            self._story.boxes.append(words)

    def _word_art(self, element: Element) -> None:
        words = element.get("string", "")
        if words and not self._hidden and self._fields.shown:
            self._story.boxes.append(words)

    def _raised(self, element: Element) -> None:
        """A power or an index: never written on as if it were the next figure."""
        for at, part in enumerate(one for one in element if not one.tag.endswith("Pr")):
            if at:
                self._say("^" if part.tag == "m:sup" else "_" if part.tag == "m:sub" else "")
            self._each(part)

    def _fraction(self, element: Element) -> None:
        self._each(child(element, "m:num"))
        self._say("/")
        self._each(child(element, "m:den"))


_PARTS: Final[Mapping[str, Callable[[_StoryReader, Element], None]]] = {
    "w:t": _StoryReader._text,
    "m:t": _StoryReader._text,
    "w:instrText": _StoryReader._instruction,
    "w:fldChar": _StoryReader._field_mark,
    "w:sym": _StoryReader._symbol,
    "w:footnoteReference": _StoryReader._note,
    "w:endnoteReference": _StoryReader._note,
    "w:rt": _StoryReader._reading,
    "w:txbxContent": _StoryReader._box,
    "a:p": _StoryReader._line_of_drawing,
    "v:textpath": _StoryReader._word_art,
    "m:f": _StoryReader._fraction,
    "m:sSup": _StoryReader._raised,
    "m:sSub": _StoryReader._raised,
    "m:sSubSup": _StoryReader._raised,
}
_DRAWN: Final = ("}inline", "}anchor", "}lockedCanvas")


def _found(element: Element, name: str) -> Iterator[Element]:
    """The rows of a table or the cells of a row, through what is wrapped around them."""
    for one in element:
        if one.tag == name:
            yield one
        elif one.tag in _THROUGH:
            yield from _found(one, name)
        elif one.tag in _REFUSED:
            raise UnreadWord("construct", one.tag)


def _cell_shown(cell: Element) -> bool:
    """Whether a cell shows what is in it: one that is joined to the cell above or before it does not."""
    properties = child(cell, "w:tcPr")
    if child(properties, "w:cellDel") is not None:
        return False
    joined = (child(properties, name) for name in ("w:vMerge", "w:hMerge"))
    return all(one is None or value_of(one) == "restart" for one in joined)


def _alternative(element: Element) -> Element | None:
    """The alternative that Word shows: the first that requires nothing unknown, else what to fall back on."""
    for one in element:
        if one.tag == "mc:Choice" and set((one.get("Requires") or "?").split()) <= FOLLOWED:
            return one
    return child(element, "mc:Fallback")
