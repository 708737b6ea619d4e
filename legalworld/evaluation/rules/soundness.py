"""Whether what a court decided in a run is sound: the share of checks that hold, with no grader and no reference."""

from __future__ import annotations

from ..metrics.values import MissingScore, Reason
from ..soundness.audit import DocumentAudit, audit_run
from .rule import RuleInput, RuleResult

MOST_REASONS = 400
NOTE = "note"


def sound(case: RuleInput) -> RuleResult | MissingScore:
    """Of the checks that could be held against the decisions of the evidence, the share that holds; notes count not.

    Parts: `clean`, 1 where no check of the severity "wrong" raised an alarm, else 0; `read`, the share of checks that
    could be held: what was not read is no pass, and lowers this figure alone. Without a decision nothing is scored.
    """
    texts = {piece.document: piece.text for piece in case.evidence if piece.document}
    audits = tuple(audit_run(case.stored, case.stored.checks(), texts))
    weighed = [one for audit in audits for one in audit.results if one.check.severity != NOTE]
    decided = [one for one in weighed if one.held is not None]
    if not decided:
        return MissingScore(Reason.MISSING)
    alarms = [one for one in decided if not one.held]
    wrong = any(one.check.severity == "wrong" for one in alarms)
    parts = {"clean": 0.0 if wrong else 1.0, "read": len(decided) / len(weighed)}
    turns = tuple(piece.turn for piece in case.evidence if piece.document in _names(audits))
    told = "; ".join(f"{one.check.title} ({one.check.id} {one.part})" for one in alarms)
    return RuleResult(1 - len(alarms) / len(decided), told[:MOST_REASONS], parts, tuple(dict.fromkeys(turns)))


def _names(audits: tuple[DocumentAudit, ...]) -> frozenset[str]:
    return frozenset(audit.name for audit in audits)
