"""What holds of judgments by norms whatever the case: on appeal, of persons of one name, of a defence in prose."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from judged_neighbours import CHANGES, Judged, Neighbour, judged, written
from places import ROOT
from playing import changed_case, play, project

from legalworld.law.text.case_frame import case_frame
from legalworld.law.text.decisions import read_decision
from legalworld.model.events import Drafted
from legalworld.runs.case_file import OpenedCase, open_case

KEPT = re.compile("维持|应予支持上诉|上诉的理由|第一百七十七条第一款第一项")
NOTHING = re.compile(r"(?:\A|；|、)对原告[^；]*?第\d+项诉讼请求[^；]*?不作处理")
APPEALED = (("civil", "jiedai"), ("civil", "wuye"))
SHARED = (*APPEALED, ("quexi", "quexi-huokuan"))


def _ordered(text: str) -> str:
    return text.partition("判决如下")[2] or text.partition("裁定如下")[2]


def _items(text: str) -> list[str]:
    """The items of the operative part, without those on fees."""
    return [one for one in re.split("[；\n]", _ordered(text).partition("案件受理费")[0]) if len(one) > 8]


def _played(spec: str, base: str, changes: tuple[str, ...], seed: int, folder: Path) -> Judged:
    outcome = judged(Neighbour(spec, base, "", changes, seed), folder)
    assert outcome.alarms == () and outcome.texts
    return outcome


@pytest.mark.parametrize(("spec", "base"), APPEALED)
@pytest.mark.parametrize("seed", range(3))
def test_an_appeal_keeps_nothing_where_nothing_was_decided(spec: str, base: str, seed: int, tmp_path: Path) -> None:
    """Whatever else is changed: where the court below left every claim open, nothing is there to be kept."""
    more = Random(seed).sample(("shuffled", "other names", "names exchanged", "worded otherwise"), 1)
    texts = _played(spec, base, ("words only", *more), seed, tmp_path).texts
    first, second = texts["first_judgment"], texts.get("final_judgment") or texts["remand_ruling"]
    assert not any(re.search("支付|返还|修复", one) for one in _items(first))
    if all(NOTHING.search(one) for one in _items(first)):
        assert not KEPT.search(second.partition("本院认为")[2])
        assert "演练文书" in second
        assert re.search("对上诉请求不作处理|发回", _ordered(second))


@pytest.mark.parametrize(("spec", "base"), APPEALED)
@pytest.mark.parametrize("seed", range(4))
def test_on_appeal_everybody_bears_the_title_that_he_has_there(spec: str, base: str, seed: int, tmp_path: Path) -> None:
    """Nobody who appeals, or is appealed against, is called by his part below alone."""
    changes = tuple(Random(seed).sample(sorted({*CHANGES} - {"one name twice"}), 1))
    text = _played(spec, base, changes, seed, tmp_path).texts.get("final_judgment", "")
    heading, reasons = text.partition("因")[0], text.partition("本院认为，第二审")[2]
    for title, name in re.findall(r"(\S*?上诉人)（原审(?:原告|被告)）：([^，。]+)", heading):
        assert name not in re.findall(rf"(?<!（)原审(?:原告|被告)({re.escape(name)})", reasons)
        called = set(re.findall(rf"(被?上诉人)（原审..）(?:[^，。；]*、)?{re.escape(name)}", reasons))
        assert called <= {title}


@pytest.mark.parametrize(("spec", "base"), SHARED)
@pytest.mark.parametrize("seed", range(2))
def test_parties_of_one_name_are_told_apart(spec: str, base: str, seed: int, tmp_path: Path) -> None:
    """Each who pays, who need not, and who defends himself is one of the two; so the judgment is read, too."""
    neighbour = Neighbour(spec, base, "", ("two of one name", *(("shuffled",) * (seed % 2))), seed)
    text = _played(spec, base, neighbour.changes, seed, tmp_path).texts["first_judgment"]
    names = re.findall(r"^被告[一二]：([^，]+)，", text, re.MULTILINE)
    assert len(names) == 2 and names[0] == names[1]
    reasons = text.partition("本院认为，")[2].partition("关于被告答辩")[0].partition("被告答辩提出")[0]
    for part in (reasons, _ordered(text).partition("如不服")[0]):
        assert not re.search(rf"被告{re.escape(names[0])}", part)
    opened = open_case(project(spec), str(written(neighbour, tmp_path)), "", {}, ROOT)
    procedure = project(spec).procedure
    assert isinstance(opened, OpenedCase) and procedure is not None
    parts = procedure.decisions["first_decision"]
    read = read_decision(text, case_frame(procedure, opened.case, parts))
    for relief in read.reliefs:
        told = re.findall(r"被告([一二])", _ordered(text).split("；")[int(relief.item) - 1])
        if relief.order in ("pay", "return") and told:
            assert relief.payers == tuple(f"defendant-{'一二'.index(one) + 1}" for one in told)


@pytest.mark.parametrize(("spec", "base"), APPEALED)
@pytest.mark.parametrize("seed", range(3))
def test_a_defence_in_prose_is_answered(spec: str, base: str, seed: int, tmp_path: Path) -> None:
    more = Random(seed).sample(("shuffled", "other names", "claim more", "exhibit removed"), 1)
    text = _played(spec, base, ("defence in prose", *more), seed, tmp_path).texts["first_judgment"]
    wrote = text.partition("辩称，")[2].partition("\n")[0]
    reasons = text.partition("本院认为，")[2]
    assert wrote and wrote.rstrip("。") in reasons
    assert re.search("关于这些意见，(?:凡与|有关的请求没有处理|原告的请求没有得到支持)", reasons)


@pytest.mark.parametrize("seed", range(3))
def test_who_has_to_show_a_fact_is_as_the_norm_says(seed: int, tmp_path: Path) -> None:
    """Whatever the case says of a point for which it names the facts."""
    norm = (ROOT / "norms" / "cn" / "labour.yaml").read_text("utf-8")
    needs = re.findall(r"^  \| (\w+) +\| (claimant|respondent) ", norm, re.MULTILINE)
    sides = {name: {"claimant": "申请人", "respondent": "被申请人"}[side] for name, side in needs}
    points: list[tuple[str, str]] = []

    def change(case: dict[str, Any]) -> None:
        for one in case["points"]:
            one["burden"] = Random(seed * 100 + int(one["n"])).choice(("plaintiff", "defendant"))
            points.append((one["text"], sides[one["shows"][0]]))

    file = changed_case(tmp_path, "fenjian", change)
    game = play(file, "plaintiff_agent", spec="labour-arbitration")
    text = next(one.text for one in game.of(Drafted) if "award" in one.document)
    for title, side in points:
        told = text.partition(f"，{title}。")[2].partition("\n")[0]
        assert f"应当由{side}举证" in told, title
        assert not re.search("由(?!" + side + "承担举证)[^，。]{2,4}承担举证不能", told), title


@pytest.mark.parametrize("base", ["smallclaims-worktop", "smallclaims-garden"])
@pytest.mark.parametrize("seed", range(4))
def test_a_point_of_defence_is_met_by_what_is_said_to_meet_it_alone(base: str, seed: int, tmp_path: Path) -> None:
    dice, meets = Random(seed), dict[str, list[str]]()

    def change(case: dict[str, Any]) -> None:
        numbers = [one["n"] for one in case["defence"]]
        dice.shuffle(case["documents"]["claimant"])
        for one in case["documents"]["claimant"]:
            one["meets"] = meets[one["id"]] = dice.sample(numbers, dice.randrange(len(numbers)))

    game = play(changed_case(tmp_path, base, change), "claimant", spec="smallclaims")
    papers = [one.text for one in game.of(Drafted) if one.document == "judgment"]
    points = [one for text in papers for one in re.findall(r"^\d+\. The Defendant says that .*$", text, re.MULTILINE)]
    for number, told in enumerate(points, 1):
        against = set(re.findall(r"(C\d), relied on", told))
        assert against <= {paper for paper, met in meets.items() if str(number) in met}, told
    if base == "smallclaims-worktop":
        assert points and any("relied on" in told for told in points) == any(meets[one] for one in ("C1", "C2", "C3"))
