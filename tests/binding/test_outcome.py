"""The outcome of a record in what somebody may see: planted in any wording, anywhere, it is found; the rest stays."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from playing import ROOT

from legalworld.batch.cases import cases_in
from legalworld.batch.data_check import OpenBinding, opened_for
from legalworld.binding.casefile import as_json
from legalworld.binding.oddities import outcome_of
from legalworld.binding.outcome import NO_READER
from legalworld.law.text.penalties import penalties
from legalworld.model.case import Record, Sided
from legalworld.runs.case_file import OpenedCase

FOREIGN = ROOT / "tests" / "binding" / "cases" / "foreign"


def sample(name: str) -> dict[str, Any]:
    found = json.loads((FOREIGN / f"{name}.json").read_text(encoding="utf-8"))
    record: dict[str, Any] = found[0] if isinstance(found, list) else found
    return record


def bound(path: Path, record: dict[str, Any], binding: str) -> OpenedCase:
    (path / "one.json").write_text(json.dumps([record], ensure_ascii=False), encoding="utf-8")
    opened = opened_for(binding, path)
    assert isinstance(opened, OpenBinding)
    [one] = cases_in(opened.project, ("one.json",), binding, path)
    assert isinstance(one.matter, OpenedCase), one.matter
    return one.matter


FIGURES = "〇一二三四五六七八九"


def numeral(number: int) -> str:
    """A number below a hundred in Chinese."""
    tens, ones = divmod(number, 10)
    return ("" if tens < 2 else FIGURES[tens]) + ("十" if tens else "") + (FIGURES[ones] if ones else "")


def term(draw: random.Random, months: int) -> str:
    """A term in one of the ways that people write it."""
    years, rest = divmod(months, 12)
    write = draw.choice([numeral, str])
    ways = [
        (f"{write(years)}年" if years else "")
        + (f"{draw.choice(['', '零']) if years else ''}{write(rest)}个月" if rest else "")
    ]
    ways += [f"{write(months)}个月"] if months < 60 else []
    ways += ["半年"] if months == 6 else []
    ways += [f"{write(years)}年半"] if years and rest == 6 else []
    return draw.choice(ways)


def money(draw: random.Random, yuan: int) -> str:
    ways = [
        f"{yuan}元",
        f"人民币{yuan}元",
        f"人民币{yuan:,}元",
        f"{yuan / 10000:g}万元",
        f"{numeral(yuan // 1000)}千元",
    ]
    return draw.choice(ways[: 5 if yuan < 10_000 else 4])


def timed(word: str) -> Any:
    return lambda draw, months: draw.choice(
        [f"{word}{term(draw, months)}", f"{term(draw, months)}{draw.choice(['的', ''])}{word}"]
    )


WRITTEN: dict[str, Any] = {
    "有期徒刑": timed("有期徒刑"),
    "拘役": timed("拘役"),
    "管制": timed("管制"),
    "无期徒刑": lambda draw, _: draw.choice(["无期徒刑", "无期徒刑，剥夺政治权利终身"]),
    "死刑": lambda draw, _: "死刑",
    "死缓": lambda draw, _: draw.choice(
        ["死刑，缓期二年执行", "死刑缓期二年执行", "死刑，缓期2年执行", "死缓", "死刑（缓期二年执行）"]
    ),
    "缓刑": lambda draw, months: f"缓刑{draw.choice(['', '考验期'])}{term(draw, months)}",
    "罚金": lambda draw, months: f"罚金{money(draw, months * 1000)}",
}
FRAMES = [
    "公诉机关提出对被告人判处{}的",
    "建议判处被告人{}",
    "量刑建议为{}",
    "被告人自愿接受{}的处罚",
    "辩护人提出，判{}比较合适",
    "依法应当判处{}，请合议庭采纳",
    "检察员当庭说，{}是恰当的",
    "最后就是{}，我认了",
]
PLACES = ["原告诉请判令（公诉机关指控）", "被告代理人辩护", "基本案情", "被告基本情况"]


@pytest.mark.parametrize("kind", WRITTEN)
@pytest.mark.parametrize("seed", range(10))
def test_a_planted_punishment_is_found_in_any_wording(tmp_path: Path, kind: str, seed: int) -> None:
    draw = random.Random(f"{kind}{seed}")
    months = draw.choice([3, 6, 8, 10, 14, 18, 26, 40, 66])
    write = WRITTEN[kind]
    record = {**sample("simucourt-criminal"), "刑事_刑期": "无", "刑事_罚金": "无"}
    record["刑事_罚金" if kind == "罚金" else "刑事_刑期"] = f"判处{write(draw, months)}"
    place = draw.choice(PLACES)
    punishment = write(draw, months)
    frame = draw.choice(FRAMES).format(punishment)
    honest = draw.sample(["他把钱还了。", "双方达成了谅解。", "当天下着雨。"], 2)
    record[place] = f"{honest[0]}记号甲，{frame}。{honest[1]}"
    matter = bound(tmp_path, record, "simucourt-criminal")
    told = as_json(matter.case)
    by_rule = any(word in frame for word in ("建议", "量刑", "公诉机关提出"))  # the binding drops these itself
    assert punishment not in told, (frame, record["刑事_刑期"])
    assert by_rule or ("记号甲" not in told and "LW513" in [problem.code for problem in matter.problems])
    assert all(one.strip("。") in told for one in honest)


@pytest.mark.parametrize("kind", ["有期徒刑", "拘役", "管制", "缓刑", "罚金"])
@pytest.mark.parametrize("seed", range(10))
def test_another_punishment_and_an_earlier_one_stay(tmp_path: Path, kind: str, seed: int) -> None:
    draw = random.Random(f"{kind}{seed}")
    months = draw.choice([3, 8, 14, 26])
    write = WRITTEN[kind]
    record = {**sample("simucourt-criminal"), "刑事_刑期": "无", "刑事_罚金": "无"}
    record["刑事_罚金" if kind == "罚金" else "刑事_刑期"] = f"判处{write(draw, months)}"
    before = draw.choice(
        [
            f"曾因犯盗窃罪被判处{write(draw, months)}",
            f"因犯盗窃罪于2019年7月2日被江澜市鹿鸣区人民法院判处{write(draw, months)}，2019年9月1日刑满释放",
            f"2018年5月因赌博被法院判处有期徒刑九个月，并处{write(draw, months)}"[: None if kind == "罚金" else 0]
            or f"有前科，曾被判处{write(draw, months)}",
        ]
    )
    other = f"同案另一人已经被判处{write(draw, months + 1)}"
    record["基本案情"] = f"记号甲，{before}。记号乙，{other}。"
    told = as_json(bound(tmp_path, record, "simucourt-criminal").case)
    assert "记号甲" in told and "记号乙" in told, (before, other)


OPERATIVE = [
    "被告云汀企业于本判决生效之日起十日内返还原告林启川借款本金{}元及利息",
    "林启川应于本判决生效后三十日内将青塘区澜湖路{}号房屋腾退",
    "确认双方于2023年3月{}日签订的居间服务合同无效",
    "撤销江澜市青塘区人民法院第{}号判决的第二项和第三项",
    "云汀企业与郑若虹对上述第{}项债务承担连带清偿责任",
]


@pytest.mark.parametrize("seed", range(10))
def test_a_planted_decision_is_told(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    sentence = draw.choice(OPERATIVE).format(draw.randrange(11, 99))
    place = draw.choice(["被告代理人辩护", "原告陈述"])
    record = {**sample("simucourt-civil"), "民事结果1": f"一、{sentence}；"}
    clean = bound(tmp_path, record, "simucourt-civil")
    assert "LW803" not in [problem.code for problem in clean.problems]
    alike = draw.choice([sentence, sentence.replace("第", " 第 "), sentence + "，不服"])
    shown = {**record, place: f"我说两句。法院已经判了：{alike}。"}
    assert "LW803" in [problem.code for problem in bound(tmp_path, shown, "simucourt-civil").problems]
    claimed = {**record, "原告诉请判令（公诉机关指控）": f"1.{sentence}；2.诉讼费由被告负担。"}
    assert "LW803" not in [problem.code for problem in bound(tmp_path, claimed, "simucourt-civil").problems]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("处三年以下有期徒刑、拘役或者管制", []),
        ("处十年以上有期徒刑、无期徒刑或者死刑", []),
        ("判处有期徒刑三年至四年", [("fixed_term", 36, 48)]),
        ("有期徒刑XX，缓刑XX，并处罚金XX", []),
        (
            "有期徒刑六个月，缓刑一年，并处罚金人民币二千元",
            [("fixed_term", 6, 6), ("probation", 12, 12), ("fine", 2000, 2000)],
        ),
        ("赔偿被害人五千元", []),
        ("六个月", [("term", 6, 6)]),
        ("5000元", [("fine", 5000, 5000)]),
    ],
)
def test_punishments_are_values(text: str, found: list[tuple[str, int, int]]) -> None:
    assert [(one.kind, one.low, one.high) for one in penalties(text)] == found


SAID = "江澜市第一中级人民法院认定云汀企业应当返还林启川借款本金一万五千元"


@pytest.mark.parametrize("name", ["real", "truth", "secret", "verdict_of_the_court", "真实结果", "reference_decision"])
@pytest.mark.parametrize("sided", [False, True])
def test_a_sentence_of_any_sealed_field_is_looked_for(name: str, sided: bool) -> None:
    """What a procedure calls its sealed field decides nothing; reference answers alone are made of the material."""
    value: Any = Sided({"plaintiff": SAID}) if sided else (Record({"result": f"一、{SAID}。"}),)
    assert outcome_of({name: value}, NO_READER, {}).told_in(f"他说，{SAID}，不服。")
    assert not outcome_of({"references": value}, NO_READER, {}).told_in(SAID)


@pytest.mark.parametrize("seed", range(12))
def test_what_a_decision_below_says_openly_is_no_outcome(seed: int) -> None:
    """Of the sentences of a decision on appeal, those are looked for that the decision below does not say already."""
    draw = random.Random(seed)
    sentences = [one.format(draw.randrange(11, 99)) for one in OPERATIVE]
    below = draw.sample(sentences, draw.randrange(0, 5))
    end = draw.choice(["。", "；", "；\n"])
    first: Any = Record({"findings": end.join(below), "opinion": "应当返还。"})
    outcome = outcome_of({"real": end.join(sentences)}, NO_READER, {"first_ruling": first})
    for one in sentences:
        assert bool(outcome.told_in(f"我们认为{one}。")) is (one not in below)


EARLIER = [
    "于{day}被撤销缓刑，数罪并罚，被判处{term}，{later}刑满释放",
    "因盗窃于{day}获刑，判处{term}，{later}释放",
    "判处{term}，于{later}刑罚执行完毕",
    "犯诈骗罪判处{term}，{later}经减刑后刑满释放",
]
NOW = [
    "公诉机关提出判处{term}，{later}刑满释放后又犯",
    "检察员提出，判处{term}为宜，被告人{later}曾经刑满释放",
    "建议判处{term}，{later}刑满释放",
    "本案应当判处{term}，{later}释放",
    "判处{term}，同案犯已经释放",
]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("frame", [*EARLIER, *NOW])
def test_a_term_that_was_served_is_no_outcome(tmp_path: Path, frame: str, seed: int) -> None:
    draw = random.Random(f"{frame}{seed}")
    months = draw.choice([3, 8, 14, 26])
    record = {**sample("simucourt-criminal"), "刑事_罚金": "无", "刑事_刑期": f"判处有期徒刑{term(draw, months)}"}
    day, later = draw.choice(["2018年7月4日", "二〇一八年七月四日"]), draw.choice(["2020年4月14日", "2020年4月"])
    said = frame.format(day=day, later=later, term=f"有期徒刑{term(draw, months)}")
    record["基本案情"] = f"记号甲，{said}。"
    told = as_json(bound(tmp_path, record, "simucourt-criminal").case)
    assert ("记号甲" in told) is (frame in EARLIER), said
