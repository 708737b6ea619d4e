"""The form of a statutory citation: the short name of a law, then article, paragraph and item in Chinese numerals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...language import diagnose
from ...language.sentences.quantities import numeral
from ...model import plan
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.source import Span, place_of
from ..template_readers import CheckContext

# LAW di ARTICLE tiao [zhi SUB] [di PARAGRAPH kuan] [di ITEM xiang]; the law may stand in title marks, the item in
# brackets.
_FORM: Final = re.compile(
    r"\s*\u300a?(?P<law>[^\u300a\u300b\s]+?)\u300b?\s*"
    r"\u7b2c(?P<article>[^\u7b2c\u6761\s]+)\u6761(?:\u4e4b(?P<sub>[^\u7b2c\u6761\s]+))?\s*"
    r"(?:\u7b2c(?P<paragraph>[^\u7b2c\u6b3e\s]+)\u6b3e)?\s*"
    r"(?:\u7b2c[\uff08(]?(?P<item>[^\u7b2c\u9879\uff08\uff09()\s]+)[\uff09)]?\u9879)?\s*"
)
# An ordinal, or a number of articles, paragraphs or items: a citation of that form was meant.
_BROKEN: Final = re.compile(
    r"\u7b2c|[\d\u3007\u96f6\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343]\s*[\u6761\u6b3e\u9879]"
)


@immutable
class BasisCitation:
    """`paragraph` and `item` are 0 where none is named; `sub` for an article with a number behind it (133-1)."""

    law: str
    article: int
    sub: int
    paragraph: int
    item: int


def parse(text: str) -> BasisCitation | None:
    """The citation; None where it does not have the form."""
    match = _FORM.fullmatch(text)
    if match is None:
        return None
    numbers = [numeral(word) if word else 0 for word in match.group("article", "sub", "paragraph", "item")]
    article, sub, paragraph, item = numbers
    if not article or sub is None or paragraph is None or item is None:
        return None
    return BasisCitation(match["law"], article, sub, paragraph, item)


def unclear_citations(context: CheckContext) -> Iterator[Diagnostic]:
    """LW099, LW391: a basis that is a citation gone wrong, or cites a law that the procedure does not list.

    Laws of other countries are cited in forms of their own: that a listed law is named is all that is asked of these.
    """
    laws = context.procedure.law
    told: set[str] = set()
    for text, span in dict.fromkeys(_cited(context)):
        citation = parse(text)
        law = citation.law if citation is not None else text
        if law in told:
            continue
        if citation is None and (_BROKEN.search(text) or (text in laws and not text.isascii())):
            yield diagnose.incomplete_citation(span, found=text)
        elif laws and not (law in laws if citation is not None else any(name in text for name in laws)):
            yield diagnose.unlisted_law(span, found=text, laws=laws)
        else:
            continue
        told.add(law)


def _cited(context: CheckContext) -> Iterator[tuple[str, Span]]:
    for visit in context.visits:
        what = visit.what.info if isinstance(visit.what, plan.Step) else visit.what
        yield from ((text, place_of(what, "basis", number)) for number, text in enumerate(what.basis))
    for document in context.procedure.documents.values():
        for text in document.basis:
            yield text, document.span


RULES = (unclear_citations,)
