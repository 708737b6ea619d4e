"""Files of norms: the shipped ones say what they should, and whatever is wrong with one is told where it stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from norm_sets import FACTS, FOLDER, HEADS, NORM, problems_of
from places import ROOT
from typed import lw

from legalworld.authoring.expert_files import checked
from legalworld.authoring.norm_check import norm_problems
from legalworld.files.project_files import Disk
from legalworld.language import diagnose
from legalworld.model.source import MemorySources
from legalworld.norms.decide import decide_claims
from legalworld.norms.examples import example_material, wrong_examples
from legalworld.norms.read import folders
from legalworld.runs.norm_sets import open_norms
from legalworld.wording.diagnostics import message, repair

SHIPPED = folders(Disk(ROOT))


@pytest.mark.parametrize("folder", SHIPPED)
def test_shipped_norms_are_without_fault(folder: str) -> None:
    problems = norm_problems(Disk(ROOT), folder, ROOT)
    assert [message(one, "zh") for one in problems] == []


@pytest.mark.parametrize("folder", SHIPPED)
def test_every_shipped_norm_has_examples_that_can_fail(folder: str) -> None:
    """Each example of a claim or a charge, told to give something else, is told to differ."""
    opened = open_norms(Disk(ROOT), folder)
    assert opened.norms is not None
    norms = [one for one in opened.norms.norms.values() if one.heads]
    others = (*opened.norms.offences.values(), *opened.norms.reviews.values())
    found = [example for one in (*norms, *others) for example in one.examples]
    assert all(one.examples for one in (*norms, *others))
    for example in found:
        object.__setattr__(example, "gives", ("1.11",))
    assert len(tuple(wrong_examples(opened.norms))) == len(found) > 0


TIERS = """\
lw: 1
offence: taking
title: 拿走
source: 刑法
needs: |
  | fact  | burden      | takes | otherwise |
  |-------|-------------|-------|-----------|
  | given | prosecution | sum   | empty     |
stands: given is proved
bands: {large: 1000-3000}
tiers: |
  | tier | when                 | main | months | extra |
  |------|----------------------|------|--------|-------|
  | 1    | given at least large | 监禁 | 0-36   | none  |
  | 2    | given at least 30000 | 监禁 | 36-120 | fine  |
fine: [{least: 10}]
checked: no
examples: [{example: 一, says: {甲1: {given: 5000}}, recommended: 监禁 12, gives: 监禁 12}]
"""
SENTENCING = """\
lw: 1
sentencing: x
words: {burden: {prosecution: claimant}}
needs: |
  | fact | burden | takes | otherwise |
  |------|--------|-------|-----------|
  | good | both   | any   |           |
circumstances: |
  | name | title | when           | duty | effect  | share | article |
  |------|-------|----------------|------|---------|-------|---------|
  | good | 表现  | good is proved | may  | lenient | 10    |         |
probation: {when: good is proved, most: 36}
start: 30
penalties: {监禁: 6-180}
checked: no
"""
USED = """\
lw: 1
norm: other
title: 另一条
source: 民法典
pleas: [{plea: late, when: late is pleaded, order: dismiss}]
uses: sale
checked: no
"""
TWICE = NORM.replace("norm: sale", "norm: again")
# What is changed in the norm -> the problem, and a word of the line on which it stands.
BROKEN = {
    "an unknown fact": (("given minus", "gven minus"), diagnose.unknown_norm_name, "gven"),
    "a fact that is not needed": (("stands: given", "stands: colour"), diagnose.unknown_norm_name, "colour"),
    "types in a sum": (("given minus sum of paid", "given minus due"), diagnose.formula_types, "minus due"),
    "types in a comparison": (("given is proved", "given is after due"), diagnose.formula_types, "after due"),
    "a sum of no list": (("sum of paid", "sum of due"), diagnose.formula_types, "sum of due"),
    "a sum as a condition": (("stands: given is proved", "stands: given"), diagnose.formula_types, "stands"),
    "money times money": (("given minus sum of paid", "given times given"), diagnose.formula_types, "times"),
    "no formula": (("given minus sum of paid", "given minus"), diagnose.expected_formula, "minus"),
    "a circle of names": (("owed: given minus", "owed: owed minus"), diagnose.circular_norm, "owed:"),
    "a plea that nobody knows": (
        ("stands: given is proved", "stands: late is pleaded"),
        diagnose.unknown_norm_name,
        "late",
    ),
    "a burden that nobody bears": (
        ("| claimant   | sum ", "| somebody   | sum "),
        diagnose.unknown_norm_word,
        "somebody",
    ),
    "no such way to take": (("| sum    |", "| most   |"), diagnose.unknown_norm_word, "most"),
    "no column": (("| takes  | otherwise |", "| tkes   | otherwise |"), diagnose.missing_column, "tkes"),
    "days the wrong way": (("2021-01-01, on", "2021-01-01, until: 2020-01-01, on"), diagnose.inverted_range, "until"),
    "an article that is not there": (("五百七十九条", "九千条"), diagnose.unknown_cited_article, "九千条"),
    "a law that is repealed": (("民法典第五百七十九条", "合同法第一百零七条"), diagnose.article_not_in_force, "合同法"),
    "an article before its law": (("2021-01-01, on", "2019-01-01, on"), diagnose.article_not_in_force, "五百七十九"),
    "no article": (("民法典第五百七十九条", "诚信"), diagnose.unreadable_article, "诚信"),
    "another value": (("gives: 80}", "gives: 90}"), diagnose.example_differs, "example"),
    "a value of another type": (("{given: 80}", "{given: 很多}"), diagnose.invalid_fact_value, "很多"),
    "an unknown fact in an example": (("{given: 80}", "{givn: 80}"), diagnose.unknown_norm_name, "givn"),
    "a head that nobody knows": (("heads: price", "heads: prize"), diagnose.unknown_norm_name, "prize"),
    "no such norm to use": (("checked: no", "uses: limit\nchecked: no"), diagnose.unknown_used_norm, "limit"),
    "nothing given": (("gives:\n  - {order: pay owed, cites: 民法典第五百七十九条}\n", ""), diagnose.empty_norm, "lw"),
    "a row that is never reached": (
        ("gives:\n", "gives:\n  - {order: dismiss}\n"),
        diagnose.contradicting_rows,
        "pay owed",
    ),
    "two rows on one condition": (
        (
            "  owed: given minus sum of paid",
            "  owed:\n    - {is: given, when: good}\n    - {is: 0, when: good}\n    - 1",
        ),
        diagnose.contradicting_rows,
        "is: 0",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_wrong_is_told_where_it_stands(what: str) -> None:
    (old, new), kind, word = BROKEN[what]
    assert old in NORM
    text = NORM.replace(old, new)
    problems = problems_of(text)
    mine = [one for one in problems if one.code == diagnose.code_of(kind)]
    assert mine, [(one.code, message(one, "zh")) for one in problems]
    line = text.splitlines()[mine[0].span.line - 1]
    assert word in line
    for locale in ("zh", "en"):
        assert message(mine[0], locale) and repair(mine[0], locale)


def test_the_norm_that_is_broken_above_is_whole() -> None:
    assert problems_of() == ()
    assert problems_of(also={"taking.yaml": TIERS, "rules.yaml": SENTENCING}) == ()


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("36-120", "120-36", diagnose.inverted_range),
        ("36-120", "long", diagnose.missing_range),
        ("0-36 ", "    ", diagnose.missing_range),
        ("1000-3000", "3000-1000", diagnose.inverted_range),
        ("| 监禁 | 36", "| 流放 | 36", diagnose.unknown_norm_word),
        ("| fine  |", "| gift  |", diagnose.unknown_norm_word),
        ("at least large", "at least lrge", diagnose.unknown_norm_name),
        ("gives: 监禁 12", "gives: 监禁 11", diagnose.example_differs),
        ("examples: [", "cites: 刑法第九千条\nexamples: [", diagnose.unknown_cited_article),
    ],
)
def test_what_is_wrong_with_an_offence(old: str, new: str, kind: diagnose.AnyKind) -> None:
    assert old in TIERS
    problems = problems_of(also={"taking.yaml": TIERS.replace(old, new, 1), "rules.yaml": SENTENCING})
    assert diagnose.code_of(kind) in {one.code for one in problems}
    assert {one.span.file for one in problems} == {f"{FOLDER}/taking.yaml"}


TWO = TIERS.replace("36-120", "{months}").replace("at least 30000", "at least {sum}")


@pytest.mark.parametrize("months", ["36-120", "30-120", "48-120", "0-12", "60-180 life"])
@pytest.mark.parametrize("sum_", ["30000", "3001", "1000", "999", "large"])
def test_tiers_stand_end_to_end(months: str, sum_: str) -> None:
    """Each begins where the one above ends, and asks for more."""
    least = int(months.partition("-")[0])
    expected = {
        diagnose.code_of(diagnose.overlapping_tiers): least < 36,
        diagnose.code_of(diagnose.gapped_tiers): least > 36,
        diagnose.code_of(diagnose.tier_out_of_reach): sum_ in ("1000", "999", "large"),
        diagnose.code_of(diagnose.contradicting_rows): sum_ == "large",
    }
    text = TWO.replace("{months}", months).replace("{sum}", sum_).partition("examples:")[0]
    problems = [
        one for one in problems_of(also={"taking.yaml": text, "rules.yaml": SENTENCING}) if one.code in expected
    ]
    assert {one.code for one in problems} == {code for code, wrong in expected.items() if wrong}
    assert all("| 2 " in text.splitlines()[one.span.line - 1] for one in problems)
    assert all(message(one, locale) and repair(one, locale) for one in problems for locale in ("zh", "en"))


@pytest.mark.parametrize(
    ("high", "low"), [("30000", "30000"), ("30000", "40000"), ("large", "large"), ("large", "3000")]
)
def test_figures_of_tiers_stand_end_to_end(high: str, low: str) -> None:
    rows = TIERS.replace("| extra |", "| extra | low | high |").replace("|-------|\n  | 1", "|---|---|---|\n  | 1")
    rows = rows.replace("| none  |", f"| none | 1000 | {high} |").replace("| fine  |", f"| fine | {low} | |")
    problems = problems_of(also={"taking.yaml": rows, "rules.yaml": SENTENCING})
    wrong = diagnose.code_of(diagnose.tier_figures_apart)
    assert [one.code for one in problems if one.code == wrong] == ([wrong] if high != low else [])


def test_two_texts_of_one_offence_at_the_same_time() -> None:
    again = TIERS.replace("offence: taking", "offence: again")
    problems = problems_of(also={"taking.yaml": TIERS, "again.yaml": again, "rules.yaml": SENTENCING})
    assert {one.code for one in problems} == {diagnose.code_of(diagnose.overlapping_norms)}


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ("orders: [{order: return}]\n", diagnose.order_without_object),
        ("orders: [{order: keep, amount: 5}]\n", diagnose.unknown_norm_word),
        ("combination: {share: 50, most: {}}\n", diagnose.combination_without_most),
        ("combination: {share: 500, most: {监禁: 9}}\n", diagnose.expected_number),
        ("combination: {share: 50, most: {监禁: 9, 流放: 9}}\n", diagnose.unknown_norm_word),
        ("age: {years: old, born: good, deed: good}\n", diagnose.formula_types),
    ],
)
def test_what_is_wrong_with_rules_of_sentencing(more: str, kind: diagnose.AnyKind | None) -> None:
    text = SENTENCING.replace("start: 30\n", f"start: 30\n{more}")
    problems = problems_of(also={"taking.yaml": TIERS, "rules.yaml": text})
    found = {one.code for one in problems}
    assert (diagnose.code_of(kind) in found) if kind is not None else found
    assert {one.span.file for one in problems} == {f"{FOLDER}/rules.yaml"}


@pytest.mark.parametrize("column", ["burden", "extra", "duty", "effect", "fault", "result", "order", "life", "shown"])
def test_words_of_penal_law_are_the_experts(column: str) -> None:
    """A word means what its expert says; one that means nothing is told where it stands."""
    text = SENTENCING.replace("words: {", f"words: {{{column}: {{某词: nothing}}, ")
    if column == "burden":
        text = SENTENCING.replace("{prosecution: claimant}", "{prosecution: claimant, 某词: nothing}")
    problems = problems_of(also={"taking.yaml": TIERS, "rules.yaml": text})
    assert [one.code for one in problems] == [diagnose.code_of(diagnose.unknown_norm_word)]
    assert "nothing" in text.splitlines()[problems[0].span.line - 1]


def test_an_offence_without_rules_of_sentencing_is_told_once() -> None:
    again = TIERS.replace("offence: taking", "offence: again").replace("title: 拿走", "title: 再拿走")
    problems = problems_of(also={"taking.yaml": TIERS, "again.yaml": again})
    assert [one.code for one in problems] == [diagnose.code_of(diagnose.offence_without_rules)]
    assert all(message(problems[0], locale) and repair(problems[0], locale) for locale in ("zh", "en"))


def test_norms_that_use_each_other_go_round_in_a_circle() -> None:
    problems = problems_of(NORM.replace("checked: no", "uses: other\nchecked: no"), also={"other.yaml": USED})
    assert {one.code for one in problems} == {diagnose.code_of(diagnose.circular_norm)}


def test_two_norms_for_the_same_claims() -> None:
    problems = problems_of(also={"again.yaml": TWICE})
    assert {one.code for one in problems} == {diagnose.code_of(diagnose.overlapping_norms)}
    later = TWICE.replace("since: 2021-01-01", "since: 2025-01-01").replace(
        "gives: 80}", "on: {judged: 2025-02-01}, gives: 80}"
    )
    first = NORM.replace("since: 2021-01-01", "since: 2021-01-01, until: 2024-12-31")
    first = first.replace("gives: 80}", "on: {judged: 2024-02-01}, gives: 80}")
    assert problems_of(first, also={"again.yaml": later}) == ()
    undated = first.replace("on: {judged: 2024-02-01}, gives: 80", "gives: undecided")
    assert problems_of(undated, also={"again.yaml": later}) == ()  # which is in force cannot be told


def test_a_name_of_a_fact_is_no_word_of_formulas() -> None:
    problems = problems_of(facts=FACTS + "  plus: {title: 加}\n  another: {title: 又一个, called: 交付}\n")
    assert [one.code for one in problems] == [
        diagnose.code_of(diagnose.reserved_name),
        diagnose.code_of(diagnose.duplicate_name),
    ]


def test_a_folder_without_words() -> None:
    texts = {f"{FOLDER}/heads.yaml": HEADS, f"{FOLDER}/sale.yaml": NORM}
    problems = norm_problems(MemorySources(texts), FOLDER, Path("/nowhere"))
    assert [one.code for one in problems] == [diagnose.code_of(diagnose.norms_without_words)]


def test_a_norm_without_example_is_warned_of() -> None:
    problems = problems_of(NORM.partition("examples:")[0])
    assert [(one.code, one.severity) for one in problems] == [
        (diagnose.code_of(diagnose.norm_without_example), "warning")
    ]


def test_checked_by_path() -> None:
    """`lw check` of a folder and of a file."""
    found = {one.file: one for one in checked("norms", ROOT)}
    assert {one.kind for one in found.values()} == {"norms"} and not any(one.wrong for one in found.values())
    assert {"norms/cn/sale-price.yaml", "norms/cn/facts.yaml", "norms/en/sale-price.yaml"} <= found.keys()
    (one,) = checked("norms/cn/theft.yaml", ROOT)
    assert one.kind == "norms" and one.problems == ()


def test_the_list_of_norms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with its articles, since when, its examples, and whether it was compared with the law."""
    monkeypatch.chdir(ROOT)
    rows = {(one["set"], one["id"]): one for one in json.loads(lw("norms", "--json").out)["norms"]}
    sale = rows["cn", "sale_price"]
    assert sale["since"] == "2021-01-01" and sale["examples"] > 2 and not sale["unchecked"]
    assert {"民法典 579", "民法典 626", "民法典 568"} <= set(sale["articles"])  # those of what it uses too
    assert rows["en", "sale_price"]["unchecked"]
    told = lw("norms")
    assert told.code == 0 and all(name in told.out for _, name in rows)


def test_a_decision_by_an_unchecked_norm_says_so() -> None:
    norms = open_norms(Disk(ROOT), "norms/en").norms
    assert norms is not None
    material = example_material(norms, norms.norms["sale_price"].examples[0], "price of goods")
    assert "unchecked_norm" in {one.kind for one in decide_claims(norms, material).thin}


def test_a_folder_of_somebody_else(tmp_path: Path) -> None:
    """Norms that lie in no project are checked in the folder where they are."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, text in (("facts", FACTS), ("heads", HEADS), ("sale", NORM.replace("gives: 80}", "gives: 81}"))):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    found = {Path(one.file).name: one for one in checked(str(folder), tmp_path)}
    assert {one.kind for one in found.values()} == {"norms"}
    assert [one.code for one in found["sale.yaml"].problems] == [diagnose.code_of(diagnose.example_differs)]
