"""Whether the words of a reference, or the labels of a form, stand in a text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ...model.text import SIGNS, folded
from ..metrics.compliance import form
from ..metrics.values import MissingScore, Reason
from ..sections import label_at
from .rule import RuleInput, RuleResult


@lru_cache(maxsize=512)  # several items look at one document
def normal(text: str) -> str:
    """A text without signs, full-width forms or case: two fields that say the same are the same."""
    return folded(text, SIGNS)


def stands(case: RuleInput) -> RuleResult | MissingScore:
    """1 when every reference text stands in the evidence, else 0; with `as: share`, the share that does."""
    text = normal(case.text)
    lacking = [expected for expected in case.expected if normal(expected) not in text]
    share = (len(case.expected) - len(lacking)) / len(case.expected)
    value = share if case.argument("as") == "share" else float(not lacking)
    return RuleResult(value, "; ".join(lacking)[:400])


def equal(case: RuleInput) -> RuleResult | MissingScore:
    """1 when evidence and reference say the same, else 0. `last`: only the last piece of evidence counts."""
    text = case.evidence[-1].text if case.argument("last") else case.text
    return RuleResult(float(normal(text) in map(normal, case.expected)), text[:200])


def classed(case: RuleInput) -> RuleResult | MissingScore:
    """1 when evidence and reference are of the same class, else 0. `classes`: each as `NAME=word|word`; a text is of
    the first of which it has a word. A reference that is of none is no reference; evidence that is of none is wrong."""
    classes = tuple(one.partition("=")[::2] for one in case.arguments.get("classes", ()))
    mine, real = (_class(text, classes) for text in (case.text, case.expected_text))
    if not real:
        return MissingScore(Reason.NO_REFERENCE)
    return RuleResult(float(mine == real), f"{mine} / {real}", truth=real)


def _class(text: str, classes: Sequence[tuple[str, str]]) -> str:
    return next((name for name, words in classes if any(word in text for word in words.split("|"))), "")


def labels(case: RuleInput) -> RuleResult | MissingScore:
    """Seq * Label (J1-Eval, FOR): the document's section labels, in order and all there; `labels` overrides them."""
    document = next((piece.document for piece in case.evidence if piece.document), "")
    declared = case.stored.procedure.documents.get(document)
    labels = case.arguments.get("labels") or (declared.sections if declared is not None else ())
    if not labels:
        return MissingScore(Reason.NO_REFERENCE, document)
    places = {label: place[0] for label in labels if (place := label_at(case.text, label)) is not None}
    ordered = sorted(places, key=places.__getitem__)
    score = form(ordered, tuple(dict.fromkeys(labels)))
    if isinstance(score, MissingScore):
        return score
    lacking = [label for label in labels if label not in places]
    return RuleResult(score.score, "; ".join(lacking), {"sequence": score.order, "labels": score.labels})
