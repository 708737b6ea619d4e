"""Norms that go round in a circle, contradict themselves or each other, or have no range: told, where it stands."""

from __future__ import annotations

import pytest
from norm_sets import FOLDER, NORM, problems_of
from test_norm_files import SENTENCING, TIERS, USED

from legalworld.language import diagnose
from legalworld.wording.diagnostics import message, repair

GIVEN, DUE = "| given | claimant   | sum    |           |", "| due   | claimant   | latest | empty     |"
CIRCLES = {
    "itself": {GIVEN: "| given | claimant   | sum    | given     |"},
    "itself, moved": {DUE: "| due   | claimant   | latest | 1 day after due |"},
    "what is reckoned from it": {GIVEN: "| given | claimant   | sum    | owed      |"},
    "what is reckoned from what is reckoned": {
        GIVEN: "| given | claimant   | sum    | rest      |",
        "  owed: given minus sum of paid": "  rest: owed\n  owed: given minus sum of paid",
    },
}
LATE = "{plea: late, when: late is pleaded, order: dismiss}"
LESS = "{plea: late, when: late is pleaded, order: minus given}"


def changed(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new, 1)
    return text


def codes(norm: str, also: dict[str, str] | None = None) -> set[str]:
    problems = problems_of(norm, also=also)
    assert all(message(one, locale) and repair(one, locale) for one in problems for locale in ("zh", "en"))
    return {one.code for one in problems}


@pytest.mark.parametrize("what", CIRCLES)
def test_what_holds_otherwise_does_not_rest_on_itself(what: str) -> None:
    problems = problems_of(changed(NORM, CIRCLES[what]))
    (one,) = (problem for problem in problems if problem.code == diagnose.code_of(diagnose.circular_norm))
    assert one.span.file == f"{FOLDER}/sale.yaml"
    assert changed(NORM, CIRCLES[what]).splitlines()[one.span.line - 1].startswith("  | ")


def test_what_holds_otherwise_may_rest_on_another_fact() -> None:
    assert codes(changed(NORM, {GIVEN: "| given | claimant   | sum    | sum of paid |"})) == set()


@pytest.mark.parametrize("second", [LATE, LESS])
def test_a_plea_is_good_for_one_thing(second: str) -> None:
    told = {diagnose.code_of(diagnose.contradicting_rows)}
    both = changed(NORM, {"checked: no": f"pleas: [{LATE}, {second}]\nchecked: no"})
    assert codes(both) == told
    used = changed(NORM, {"checked: no": f"uses: other\npleas: [{second}]\nchecked: no"})
    assert codes(used, {"other.yaml": USED.replace("uses: sale\n", "")}) == told


def test_a_plea_that_two_used_norms_share_is_one() -> None:
    common = USED.replace("uses: sale\n", "")
    first = "lw: 1\nnorm: first\ntitle: 一\nsource: 民法典\nuses: other\nchecked: no\n"
    also = {"other.yaml": common, "first.yaml": first, "second.yaml": first.replace("first", "second")}
    assert codes(changed(NORM, {"checked: no": "uses: [first, second]\nchecked: no"}), also) == set()


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"given at least 30000": "given at least large"}, diagnose.contradicting_rows),
        ({"{least: 10}": "{least: 10, most: 5}"}, diagnose.inverted_range),
        ({"| 36-120 |": "| -      |"}, diagnose.missing_range),
        ({"given | prosecution | sum   | empty": "given | prosecution | sum   | given"}, diagnose.circular_norm),
    ],
)
def test_an_offence_that_contradicts_itself(changes: dict[str, str], kind: diagnose.AnyKind) -> None:
    taking = changed(TIERS, changes)
    assert diagnose.code_of(kind) in codes(NORM, {"taking.yaml": taking, "rules.yaml": SENTENCING})


def test_a_folder_has_one_set_of_rules_of_sentencing() -> None:
    also = {"taking.yaml": TIERS, "rules.yaml": SENTENCING, "more.yaml": SENTENCING.replace("start: 30", "start: 50")}
    assert codes(NORM, also) == {diagnose.code_of(diagnose.overlapping_norms)}
