"""Facts read from prose: every phrase of the shipped reading reads its value, no other word does, denials deny."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from norm_sets import FOLDER, problems_of, shipped

from legalworld.language import diagnose
from legalworld.model.decision import Party
from legalworld.norms.claims import asked
from legalworld.norms.decide import decide_claims
from legalworld.norms.definition import FactPhrase, Saying, Value
from legalworld.norms.material import CaseMaterial, Charge
from legalworld.norms.penal import decide_charge
from legalworld.norms.prose import exhibits_of, named_in, told_in
from legalworld.wording.diagnostics import message, repair

PERSONS = {"claimant": ("P1",), "respondent": ("D1",)}
PHRASES = [one for one in shipped("cn").phrases if not one.named]
NAMED = [one for one in shipped("cn").phrases if one.named]
VALUES: dict[str, list[tuple[str, Value]]] = {
    "money": [
        ("6300.00", Decimal("6300.00")),
        ("３万", Decimal(30000)),
        ("42.5万", Decimal(425000)),
        ("1,800", Decimal(1800)),
    ],
    "number": [("280.19", Decimal("280.19")), ("16", Decimal(16)), ("十二", Decimal(12))],
    "day": [("2023年7月6日", date(2023, 7, 6)), ("2014年7月", date(2014, 7, 1))],
}


@pytest.mark.parametrize("phrase", PHRASES, ids=lambda one: one.told)
@pytest.mark.parametrize("gap", ["", "某某"])
def test_every_phrase_reads_its_value(phrase: FactPhrase, gap: str) -> None:
    norms = replace(shipped("cn"), phrases=(phrase,))
    kind = norms.words.facts[phrase.fact].kind
    for written, value in VALUES.get(kind, [("", True)]) if phrase.value is None else [("", phrase.value)]:
        text = f"经查明，{phrase.told.replace('{}', written).replace('…', gap)}。此外没有别的。"
        (said,) = told_in(norms, text, PERSONS)[phrase.fact]
        expected = value * phrase.factor if isinstance(value, Decimal) and phrase.value is None else value
        assert said.value == (PERSONS[str(expected)] if expected in PERSONS else expected)
        assert all(said.keys[key] == PERSONS.get(name, name) for key, name in phrase.keys.items())


@pytest.mark.parametrize("phrase", [one for one in PHRASES if one.value is True], ids=lambda one: one.told)
@pytest.mark.parametrize("denial", ["没有", "并非", "不能证明", "尚未"])
def test_what_is_denied_in_its_clause_is_not_read(phrase: FactPhrase, denial: str) -> None:
    norms = replace(shipped("cn"), phrases=(phrase,))
    bare = phrase.told.replace("…", "某某")
    assert told_in(norms, f"本案{denial}{bare}。", PERSONS) == {}
    assert phrase.fact in told_in(norms, f"本案{denial}争议，{bare}。", PERSONS)


@pytest.mark.parametrize("phrase", NAMED, ids=lambda one: one.told)
def test_who_is_named_is_meant_and_nobody_else(phrase: FactPhrase) -> None:
    norms = replace(shipped("cn"), phrases=(phrase,))

    def read(signer: str, *respondents: str, before: str = "截至2024年9月20日，") -> dict[str, tuple[Saying, ...]]:
        people = (Party(id="P1", name="甲某", side="a"),)
        people += tuple(Party(id=f"D{at}", name=name, side="b") for at, name in enumerate(respondents, 1))
        words = phrase.told.replace("截至…", before).replace("{respondent}", signer).replace("{}", "36,800")
        return named_in(norms, f"“{words.replace('…', '，年底前付清”，')}。", people)

    for respondents in (("乙某",), ("丙某", "乙某"), ("乙某", "乙某分店")):
        (said,) = read("乙某", *respondents)[phrase.fact]
        signed = f"D{respondents.index('乙某') + 1}"
        assert (said.value, said.keys["signed"]) == (Decimal(36800), (signed,))
        assert said.keys["date"] == date(2024, 9, 20)
    for signer, *respondents in (
        ("甲某", "乙某"),  # the other side
        ("丁某", "乙某"),  # nobody in the case
        ("乙某之妻", "乙某"),
        ("甲某", "甲某"),  # a name that two bear
        ("乙某", "乙某", "乙某"),
        ("乙某分店", "乙某"),
    ):
        assert read(signer, *respondents) == {}, (signer, respondents)


def test_a_text_that_tells_nothing() -> None:
    for text in ("", "。。。", "今天天气很好，双方到庭。", "{}…", "1234567"):
        assert told_in(shipped("cn"), text, PERSONS) == {}


def test_what_was_not_read_is_open_and_neither_acquits_nor_dismisses() -> None:
    norms = shipped("cn")
    parties = (Party(id="P1", name="P1", side="a"), Party(id="D1", name="D1", side="b"))
    papers = exhibits_of("证", "a", told_in(norms, "2023年7月6日1时许，被告人到场。", PERSONS))
    assert papers
    base = CaseMaterial("CNY", "买卖合同纠纷", parties, exhibits=papers, partial=True)
    for offence in {one.title for one in norms.offences.values()}:
        found = decide_charge(norms, base, Charge("D1", offence))
        assert found.verdict.result == "open" and found.thin[0][1], offence
        whole = decide_charge(norms, replace(base, partial=False), Charge("D1", offence))
        assert whole.verdict.result in ("not_proved", "open")
    claims = asked(norms.words, "1", "支付货款100元", ("a", "b"), {"amount": Decimal(100)})
    (relief,) = decide_claims(norms, replace(base, claims=claims)).reliefs
    assert relief.result == "undecided"
    (relief,) = decide_claims(norms, replace(base, claims=claims, partial=False)).reliefs
    assert relief.result == "dismissed"


READING = """\
lw: 1
reading: x
checked: no
words:
  given: [{told: "交付了…{}元"}]
  good: [{told: 质量合格}]
  colour: [{told: 是红的, is: 红}]
"""


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("交付了…{}元", "交付了货物", diagnose.phrase_without_value),
        ("交付了…{}元", "{}到{}元", diagnose.phrase_without_value),
        ("交付了…{}元", "…{}", diagnose.phrase_without_value),
        ("质量合格", "'质量{}合格'", diagnose.phrase_without_value),
        (", is: 红", "", diagnose.phrase_without_value),
        ("good:", "god:", diagnose.unknown_norm_name),
        ('{}元"}', '{}元", keys: {signed: respondent}}', diagnose.unknown_norm_name),
        ('{}元"}', '{}元", factor: many}', diagnose.expected_number),
    ],
)
def test_what_is_wrong_with_a_reading(old: str, new: str, kind: diagnose.AnyKind) -> None:
    assert problems_of(also={"reading.yaml": READING}) == () and old in READING
    problems = problems_of(also={"reading.yaml": READING.replace(old, new)})
    assert [one.code for one in problems] == [diagnose.code_of(kind)]
    assert problems[0].span.file == f"{FOLDER}/reading.yaml"
    assert all(message(problems[0], locale) and repair(problems[0], locale) for locale in ("zh", "en"))
