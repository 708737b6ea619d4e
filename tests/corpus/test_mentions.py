"""People and firms that a text names and nobody declares: who is found, and what is no name."""

from __future__ import annotations

import pytest

from legalworld.corpus.masks import masked
from legalworld.corpus.mentions import firms, people

PEOPLE = {
    "在上诉人与林启川工程合同纷一案中，通过会计审计认定林启川记在乡政府应收款项下的借款": ("林启川",),
    "经双方共同认定，共付给甘某生(甘志会)工程款合计2875000元": ("甘志会",),
    "对汪某应享受的各项待遇及抵扣汪砚秋应承担的社保": ("汪砚秋",),
    "证人程远川、屈仲谋进行了调查核实；叶知秋出具证明材料": ("程远川", "屈仲谋", "叶知秋"),
    "2020年4月15日付给陈欠工程款壹拾万元整": (),
    "徐汇区的申请人依照安全法领取许可证，郑开检刑诉〔2024〕3号起诉书另行送达通知书": (),
    "委托江澜衡正律师事务所律师到庭，被告人经审查从宽处理，由东向西行驶": (),
}
FIRMS = {
    "我方又联系到虹桥货站、顺心货站提供了证明，并且我与虹桥货站、顺心货站没有结清": ("虹桥货站", "顺心货站"),
    "二审期间提供重庆永和会计师事务所有限责任公司的报告": ("重庆永和会计师事务所有限责任公司",),
    "在附近超市、机动车修理厂消费，设立有限责任公司、未上市股份有限公司，在附近超市、机动车修理厂消费": (),
    "保险人为中国平安财产保险股份有限公司，购自青岛某莱西购物有限公司": (),
}


@pytest.mark.parametrize(("said", "named"), PEOPLE.items())
def test_people(said: str, named: tuple[str, ...]) -> None:
    assert people(said, ("甘某生", "汪某")) == named


@pytest.mark.parametrize(("said", "named"), FIRMS.items())
def test_firms(said: str, named: tuple[str, ...]) -> None:
    assert firms(said, ("郑若虹",)) == named


def test_who_takes_part_is_found_by_his_own_name_alone() -> None:
    assert people("林启川与郑若虹签订协议，林启川付款", ("林启川", "郑若虹")) == ()
    assert firms("与重庆永和建筑劳务有限公司签订合同", ("重庆永和建筑劳务有限公司",)) == ()


def test_each_has_a_mask_of_his_own() -> None:
    reasons = (
        "与林启川一案认定林启川的借款。虹桥货站介绍，经虹桥货站证明。由重庆永和建筑有限公司审计，永和公司出具报告。"
    )
    parties = {"plaintiff": [{"name": "甘某"}], "defendant": [{"name": "林某"}]}
    row = {"id": "1", "case": {"parties": parties, "appeal": {"plaintiff": {"reasons": reasons}}}}
    changed = masked(row)
    assert isinstance(changed, dict)
    assert changed["case"]["appeal"]["plaintiff"]["reasons"] == (
        "与林某甲一案认定林某甲的借款。某甲货站介绍，经某甲货站证明。由某甲有限公司审计，某甲公司出具报告。"
    )


def test_time_grows_with_the_text() -> None:
    """Ten thousand names, each once: looked at one by one, and never compared with one another."""
    said = "".join(f"与重庆{chr(0x4E00 + n)}建设有限公司、王{chr(0x4E00 + n)}伟签订合同。" for n in range(10_000))
    assert len(firms(said, ())) > 1000
    assert isinstance(people(said, ()), tuple)
