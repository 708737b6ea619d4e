"""Fields of Word: what is calculated, of which the result is shown and the instruction is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from .parts import Element, UnreadWord, child, switch, value_of

# Without a result these show nothing that belongs to the text: entries of an index, page numbers, answers asked for.
_SILENT: Final = frozenset(
    {"XE", "TC", "TA", "RD", "SET", "ASK", "FILLIN", "PRIVATE", "BIDIOUTLINE", "NEXT", "NEXTIF", "SKIPIF", "COMMENTS"}
    | {"PAGE", "NUMPAGES", "SECTION", "SECTIONPAGES", "PAGEREF", "BOOKMARK", "FORMTEXT", "TOC", "INDEX", "HYPERLINK"}
    | {"REF", "NOTEREF", "MERGEFIELD", "DOCPROPERTY", "DOCVARIABLE", "IF", "SEQ", "INCLUDEPICTURE", ""}
)
_BUTTONS: Final = frozenset({"MACROBUTTON", "GOTOBUTTON"})


@dataclass(slots=True)
class _Field:
    phase: Literal["instruction", "result"] = "instruction"
    instruction: str = ""
    form: Element | None = None


class Fields:
    """The fields that are open at a place of a story. Raises UnreadWord for one whose words are drawn, not written."""

    def __init__(self) -> None:
        self._open: list[_Field] = []

    @property
    def shown(self) -> bool:
        """Whether words at this place are shown: they lie in the instruction of no field."""
        return all(field.phase == "result" for field in self._open)

    @property
    def closed(self) -> bool:
        return not self._open

    def instruct(self, words: str) -> None:
        if self._open and self._open[-1].phase == "instruction":
            self._open[-1].instruction += words

    def mark(self, element: Element) -> str:
        """One end of a field. Returns what it shows by itself."""
        match element.get("w:fldCharType"):
            case "begin":
                self._open.append(_Field(form=child(element, "w:ffData")))
            case "separate" if self._open:
                self._open[-1].phase = "result"
            case "end" if self._open:
                field = self._open.pop()
                if field.phase == "instruction" and self.shown:
                    return without_result(field.instruction, field.form)
        return ""


def without_result(instruction: str, form: Element | None = None) -> str:
    """What a field shows that has no result."""
    kind, _, rest = instruction.strip().partition(" ")
    match kind.upper():
        case "FORMCHECKBOX":
            box = child(form, "w:checkBox")
            on = switch(box, "w:checked")
            return "☒" if (switch(box, "w:default") if on is None else on) else "☐"
        case "FORMDROPDOWN":
            chosen = value_of(form, "w:ddList", "w:result") or value_of(form, "w:ddList", "w:default") or "0"
            listed = child(form, "w:ddList")
            entries = [one.get("w:val", "") for one in (() if listed is None else listed) if one.tag == "w:listEntry"]
            return entries[int(chosen)] if chosen.isdecimal() and int(chosen) < len(entries) else ""
        case name if name in _BUTTONS:
            return rest.strip().partition(" ")[2].strip()
        case name if name in _SILENT:
            return ""
    raise UnreadWord("field", kind)
