"""What the styles of a Word file say of text: whether it is hidden, to which list a paragraph belongs."""

from __future__ import annotations

from collections.abc import Iterator

from .parts import Element, by_id, child, switch, value_of, whole_number


class Styles:
    """The styles by their ids; those of a document without any say nothing."""

    def __init__(self, part: Element | None) -> None:
        self._styles = by_id(part, "w:style", "w:styleId")
        self._default = next(
            (
                name
                for name, style in self._styles.items()
                if style.get("w:type") == "paragraph" and style.get("w:default") in ("1", "true")
            ),
            "",
        )
        self._switches: dict[tuple[str, str], bool] = {}
        self._run_defaults = child(part, "w:docDefaults", "w:rPrDefault", "w:rPr")

    def lineage(self, name: str) -> Iterator[tuple[str, Element]]:
        """A style and those that it is based on, each once."""
        seen: set[str] = set()
        while (style := self._styles.get(name)) is not None and name not in seen:
            seen.add(name)
            yield name, style
            name = value_of(style, "w:basedOn")

    def of_paragraph(self, properties: Element | None) -> str:
        """The id of a paragraph's style."""
        return value_of(properties, "w:pStyle") or self._default

    def hides(self, run: Element | None, paragraph_style: str) -> bool:
        """Whether text is hidden."""
        return self._on("w:vanish", run, paragraph_style)

    def strikes(self, run: Element | None, paragraph_style: str) -> bool:
        """Whether text is crossed out."""
        return self._on("w:strike", run, paragraph_style) or self._on("w:dstrike", run, paragraph_style)

    def position(self, run: Element | None) -> str:
        """`superscript`, `subscript` or another position of text on its line, by its own properties or its style."""
        if own := value_of(run, "w:vertAlign"):
            return own
        said = (value_of(style, "w:rPr", "w:vertAlign") for _, style in self.lineage(value_of(run, "w:rStyle")))
        return next(filter(None, said), "")

    def _on(self, name: str, run: Element | None, paragraph_style: str) -> bool:
        """A switch by a run's own properties, else by its styles: where both say so they cancel out."""
        if (own := switch(run, name)) is not None:
            return own
        by_styles = self._said(name, paragraph_style) != self._said(name, value_of(run, "w:rStyle"))
        return bool(switch(self._run_defaults, name)) or by_styles

    def _said(self, name: str, style_id: str) -> bool:
        if (name, style_id) not in self._switches:
            said = (switch(child(style, "w:rPr"), name) for _, style in self.lineage(style_id))
            self._switches[name, style_id] = next((on for on in said if on is not None), False)
        return self._switches[name, style_id]

    def list_of(self, properties: Element | None) -> tuple[str, int | str] | None:
        """The list of a paragraph and its level there, or the style by which the list finds the level."""
        if (own := child(properties, "w:numPr")) is not None and child(own, "w:numId") is not None:
            return value_of(own, "w:numId"), whole_number(value_of(own, "w:ilvl"), 0)
        own_level = value_of(own, "w:ilvl")
        for name, style in self.lineage(self.of_paragraph(properties)):
            if number := value_of(style, "w:pPr", "w:numPr", "w:numId"):
                level = own_level or value_of(style, "w:pPr", "w:numPr", "w:ilvl")
                return number, whole_number(level, 0) if level else name
        return None
