"""Who the reasons hold liable and whom the orders name: made-up judgments, one of those left out, or none.

Names, counts, words and order are drawn by seed; what is asserted is the check that is raised and its two places, and
that a judgment whose orders say what its reasons do raises none of these checks.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pytest
from places import ROOT

from legalworld.evaluation.soundness.audit import DocumentAudit, audit_text
from legalworld.evaluation.soundness.check_files import check_files
from legalworld.evaluation.soundness.definition import CheckFile
from legalworld.files.project_files import Disk

CHECKS = ("payers_ordered", "payees_ordered", "joint_is_kept", "act_is_ordered")
NAMES = (
    *("郑若虹", "称意商贸有限公司", "李认为", "未央百货有限公司", "柳半江", "不二家食品有限公司", "欧阳提出", "叶共同"),
    *("应知秋", "云汀餐饮管理有限公司", "苏支付", "万和建材厂"),
)
JOINT = ("共同", "连带")


@dataclass(frozen=True)
class Judged:
    """A judgment: who is sued, who claims, what the reasons say of whom, what the orders say."""

    sued: list[str]
    claiming: list[str]
    reasons: str
    orders: list[str]
    labour: bool = False


@cache
def files() -> tuple[CheckFile, ...]:
    return tuple(check_files(Disk(ROOT)).files)


def raised(text: str) -> dict[str, DocumentAudit]:
    found = audit_text(text, "t", files())
    assert isinstance(found, DocumentAudit)
    for one in found.alarms:
        if one.check.id in CHECKS:
            assert len(one.places) > 1, (one.check.id, text)
    return {one.check.id: found for one in found.alarms if one.check.id in CHECKS}


def held(text: str, check: str) -> bool:
    found = audit_text(text, "t", files())
    assert isinstance(found, DocumentAudit)
    return any(one.check.id == check and one.held for one in found.results)


def written(judged: Judged, draw: random.Random) -> str:
    first, second = ("申请人", "被申请人") if judged.labour else ("原告", "被告")
    colon = draw.choice("：:")
    heads = [f"{first}{colon}{name}。" for name in judged.claiming] + [
        f"{second}{colon}{name}。" for name in judged.sued
    ]
    orders = (
        judged.orders
        if len(judged.orders) == 1
        else [f"{mark}、{one}" for mark, one in zip("一二三四五", judged.orders, strict=False)]
    )
    bench = "本委" if judged.labour else "本院"
    decides = "裁决" if judged.labour else "判决"
    kind = "仲裁裁决书" if judged.labour else "民事判决书"
    lines = [
        "江澜市劳动人事争议仲裁委员会" if judged.labour else "江澜市青塘区人民法院",
        kind,
        "（2025）虚0105民初1号",
        *heads,
        f"{first}{'、'.join(judged.claiming)}与{second}{'、'.join(judged.sued)}纠纷一案，{bench}受理后公开开庭进行了审理。",
        f"{first}提出请求：判令{second}支付60000元。",
        f"{second}{judged.sued[0]}辩称，不应当支付。",
        "经审理查明：2024年5月1日，双方结算，尚欠60000元。",
        f"{bench}认为，{judged.reasons}依照《中华人民共和国民法典》第五百零九条规定，{decides}如下：",
        *orders,
        "" if judged.labour else f"案件受理费1300元，由被告{judged.sued[0]}负担。",
        f"{'仲裁员' if judged.labour else '审判员'}　丙",
        "2025年3月1日",
    ]
    return "\n".join(line for line in lines if line)


def hold(people: str, debt: str, joint: str, draw: random.Random) -> str:
    """The reasons: some people owe a sum, in one way or another."""
    return draw.choice(
        (
            f"{people}应{joint}支付{debt}。",
            f"{people}应当{joint}向{{payees}}支付{debt}。",
            f"双方已经结算，{people}未付，应当{joint}承担付款责任。" if joint else f"{people}应当支付{debt}。",
            f"{{payees}}请求{people}{joint}支付{debt}，应予支持。",
            f"因此由{people}{joint}支付{debt}。",
            f"{people}应当{joint}承担支付{debt}的责任。",
        )
    )


def order(people: str, payees: str, debt: str, joint: str, draw: random.Random) -> str:
    when = draw.choice(("于本判决生效之日起十日内", "自本判决发生法律效力之日起十日内"))
    return draw.choice(
        (
            f"{people}{when}{joint}支付{payees}{debt}；",
            f"{people}{when}{joint}向{payees}支付{debt}；",
            f"{people}{joint}支付{payees}{debt}，{when}付清；",
        )
    )


def listed(names: list[str], title: str, draw: random.Random) -> str:
    names = draw.sample(names, len(names))
    if draw.random() < 0.4:
        return title + "、".join(names)
    return draw.choice("、和").join(f"{draw.choice((title, ''))}{name}" for name in names)


def drawn(seed: int) -> tuple[str, str, str, str, bool]:
    """A judgment as it should be, one with a payer left out, with a payee left out, and with parts for each."""
    draw = random.Random(seed)
    names = draw.sample(NAMES, 5)
    sued, claiming = names[: draw.randint(2, 3)], names[3 : 3 + draw.randint(1, 2)]
    labour = draw.random() < 0.3
    first, second = ("申请人", "被申请人") if labour else ("原告", "被告")
    joint, debt = draw.choice(JOINT), "货款60000元"
    payees = listed(claiming, first, draw)
    reasons = hold(listed(sued, second, draw), debt, joint, draw).format(payees=payees)

    def judged(orders: list[str]) -> str:
        return written(Judged(sued, claiming, reasons, orders, labour), draw)

    left = draw.sample(sued, len(sued) - 1)
    parts = [order(second + one, payees, f"货款{60000 // len(sued)}元", "", draw) for one in sued]
    return (
        judged([order(listed(sued, second, draw), payees, debt, joint, draw)]),
        judged([order(listed(left, second, draw), payees, debt, joint if len(left) > 1 else "", draw)]),
        judged([order(listed(sued, second, draw), first + claiming[0], debt, joint, draw)]),
        judged(parts),
        len(claiming) > 1 and payees in reasons,
    )


@pytest.mark.parametrize("seed", range(60))
def test_whom_the_orders_leave_out_is_told(seed: int) -> None:
    right, payer, payee, parts, two = drawn(seed)
    assert raised(right) == {}, right
    assert "payers_ordered" in raised(payer), payer
    assert "joint_is_kept" in raised(parts), parts
    assert ("payees_ordered" in raised(payee)) is two, payee


EXCUSES: tuple[Callable[[str, str], str], ...] = (
    lambda one, other: f"{one}、{other}应共同支付货款60000元。{other}的保证期间已过，{other}不再承担责任。",
    lambda one, other: f"{one}应支付货款60000元，不足部分由{other}承担。",
    lambda one, other: f"{one}应支付货款60000元。原告撤回对{other}的起诉，本院准许。",
    lambda one, other: f"{one}辩称{other}应当共同承担付款责任，没有依据。{one}应支付货款60000元。",
    lambda one, other: f"如果货物合格，{one}、{other}应当共同支付货款。{one}应支付货款60000元。",
    lambda one, other: f"{one}系{other}的员工，应当支付货款60000元。",
    lambda one, other: f"约定{one}、{other}应当共同支付货款。{one}应支付货款60000元。",
    lambda one, other: f"{one}、{other}应共同支付货款。{other}已将其应付部分付清。{one}应支付货款60000元。",
    lambda one, other: f"{other}应当承担举证责任。{one}应支付货款60000元。",
    lambda one, other: (
        f"原告请求{one}、{other}共同支付货款60000元，对{one}的部分支持，其余不予支持。{one}应支付货款60000元。"
    ),
)


@pytest.mark.parametrize("excuse", EXCUSES)
def test_whom_the_reasons_let_go_need_not_be_ordered(excuse: Callable[[str, str], str]) -> None:
    for seed in range(8):
        draw = random.Random(seed)
        one, other, claiming = draw.sample(NAMES, 3)
        orders = [order(f"被告{one}", f"原告{claiming}", "货款60000元", "", draw)]
        text = written(Judged([one, other], [claiming], excuse(one, other), orders), draw)
        assert raised(text) == {}, text


CRIMINAL = """江澜市青塘区人民法院
刑事判决书
（2025）虚0105刑初1号
公诉机关江澜市青塘区人民检察院。
被告人{a}，男。
被告人{b}，男。
经审理查明：被告人{a}、{b}结伙窃取他人电缆，价值4600元。
本院认为，被告人{a}、{b}秘密窃取他人财物，数额较大，其行为均已构成盗窃罪。{reasons}依照《中华人民共和国刑法》第二百六十四条规定，判决如下：
一、被告人{a}犯盗窃罪，判处有期徒刑八个月，并处罚金人民币三千元；
二、被告人{b}犯盗窃罪，判处有期徒刑六个月，并处罚金人民币二千元；
三、{orders}
如不服本判决，可在接到判决书的第二日起十日内上诉于江澜市第一中级人民法院。
审判员　丙
2025年3月1日"""


@pytest.mark.parametrize("seed", range(12))
def test_restitution_by_several_accused(seed: int) -> None:
    draw = random.Random(seed)
    a, b = draw.sample([name for name in NAMES if len(name) < 4 and name[1:] not in JOINT], 2)
    reasons = draw.choice(
        (
            f"被告人{a}、{b}应当共同退赔被害人损失4600元。",
            f"依法责令被告人{a}、{b}退赔被害人损失。",
            f"被告人{b}、被告人{a}应当退赔违法所得。",
        )
    )
    right = draw.choice((f"责令被告人{a}、{b}共同退赔被害人4600元。", f"责令被告人{b}和被告人{a}退赔被害人丁4600元。"))
    alone = draw.choice((a, b))
    wrong = f"责令被告人{alone}退赔被害人4600元。"
    assert raised(CRIMINAL.format(a=a, b=b, reasons=reasons, orders=right)) == {}
    assert "payers_ordered" in raised(CRIMINAL.format(a=a, b=b, reasons=reasons, orders=wrong))


ENGLISH = """In the County Court at Wexcombe
Judgment
Between {claimant}, Claimant, and {one}, First Defendant, and {two}, Second Defendant
The Claimant claims £1,480.00 for a new worktop.
Reasons
On the claim for a new worktop: £1,480.00 is due. {said}
ORDER
{orders}
District Judge"""


@pytest.mark.parametrize("seed", range(24))
def test_english_defendants_left_out(seed: int) -> None:
    draw = random.Random(seed)
    claimant, one, two = draw.sample(["Ann Lee", "Bob Marsh", "Fix Ltd", "Wexcombe Kitchens Limited", "Joan Pay"], 3)
    both = draw.choice(
        ("The First Defendant and the Second Defendant", "The First and Second Defendants", "Both Defendants")
    )
    said = draw.choice(
        (
            f"{both} are jointly liable to the Claimant.",
            f"{both} are jointly and severally liable for it.",
            f"{one} and {two} must jointly pay it.",
        )
    )
    tail = "pay the Claimant £1,480.00 for a new worktop within 14 days."
    right = f"1. {both} must jointly and severally {tail}"
    alone = draw.choice((f"The {draw.choice(('First', 'Second'))} Defendant", one, two))
    half = "pay the Claimant £740.00 for a new worktop within 14 days."
    parts = f"1. The First Defendant must {half}\n2. The Second Defendant must {half}"

    def text(orders: str, said: str = said) -> str:
        return ENGLISH.format(claimant=claimant, one=one, two=two, said=said, orders=orders)

    assert raised(text(right)) == {}, text(right)
    assert "payers_ordered" in raised(text(f"1. {alone} must {tail}")), text(f"1. {alone} must {tail}")
    assert "joint_is_kept" in raised(text(parts)), text(parts)
    excused = f"{two} says that {one} is liable. {one} is not liable. {two} is liable."
    assert raised(text(f"1. {two} must {tail}", excused)) == {}


ACTS = ("解除双方的租赁合同", "腾退房屋", "办理过户登记", "确认合同无效", "停止使用商标", "拆除围墙")


@pytest.mark.parametrize("act", ACTS)
def test_an_act_that_is_granted_is_ordered(act: str) -> None:
    for seed in range(6):
        draw = random.Random(seed)
        one, claiming = draw.sample(NAMES, 2)
        said = f"原告{draw.choice(('请求', '要求', '主张'))}{act}，{draw.choice(('于法有据，', ''))}应予支持。"
        pays = order(f"被告{one}", f"原告{claiming}", "货款60000元", "", draw)
        deed = act if act.startswith(("解除", "确认")) else f"被告{one}于本判决生效之日起十日内{act}"
        reasons = f"{said}被告{one}应支付货款60000元。"
        right = written(Judged([one], [claiming], reasons, [f"{deed}；", pays]), draw)
        wrong = written(Judged([one], [claiming], reasons, [pays]), draw)
        assert raised(right) == {}, right
        assert held(right, "act_is_ordered"), right
        assert "act_is_ordered" in raised(wrong), wrong
