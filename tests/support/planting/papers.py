"""The judgments that contradictions are planted in: stored, written by hand, played by offline actors, real."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from places import DATA, ROOT, TESTS
from typed import lw

from planting.paper import Paper

WRITTEN = TESTS / "evaluation" / "written"
STORED = TESTS / "evaluation" / "judgments"
_STORED_CASES = {
    "administrative": "chachao",
    "civil": "jiedai",
    "criminal": "kuaijian",
    "criminal-appeal": "dianlan",
    "labour-arbitration": "fenjian",
    "quexi": "quexi-huokuan",
    "smallclaims": "smallclaims-worktop",
}
_PLAYED = {
    "civil": "jiedai laodong quexi-huokuan xiaoe-zujin",
    "quexi": "laodong jiedai xiaoe-zujin",
    "xiaoe": "xiaoe-zujin jiedai quexi-huokuan",
    "criminal": "kuaijian dianlan jiuyi bianlidian tingche",
    "criminal-appeal": "kuaijian dianlan jiuyi tingche",
    "administrative": "chachao xiaofang zhangyuan",
    "administrative-appeal": "chachao xiaofang zhangyuan",
    "labour-arbitration": "fenjian",
    "enforcement-objection": "chaobiaodi chuzu-jichuang",
    "retrial": "zaishen-huokuan zaishen-zhuangxiu",
    "smallclaims": "smallclaims-worktop",
    "j1/civil-court": "j1-yajin",
    "j1/criminal-court": "j1-daoqie",
}
_DECISIONS = ("judgment", "award", "ruling", "order", "decision")
_NOTHING = ("", "无")


def written() -> Iterator[Paper]:
    """Judgments as language models write them, about shipped cases."""
    for name, entry in tomllib.loads((WRITTEN / "cases.toml").read_text(encoding="utf-8")).items():
        yield Paper(
            name, (WRITTEN / name).read_text(encoding="utf-8"), str(ROOT / "cases" / entry["case"]), entry["spec"]
        )


def unread() -> Iterator[Paper]:
    """Sound judgments by others, who had not read the checks: some about shipped cases, some about none."""
    for folder in ("thirty", "careless"):
        told = tomllib.loads((TESTS / "evaluation" / folder / "judgments.toml").read_text(encoding="utf-8"))
        for name, entry in told.items():
            if not entry["wrong"]:
                text = (TESTS / "evaluation" / folder / name).read_text(encoding="utf-8")
                case = str(ROOT / "cases" / entry["case"]) if entry.get("case") else ""
                yield Paper(f"{folder}/{name}", text, case, entry.get("spec", ""))


def several() -> Iterator[Paper]:
    """Sound judgments written for places that the others lack: several on a side, second instances, English."""
    for file in sorted((TESTS / "evaluation" / "several").glob("*.md")):
        yield Paper(f"several/{file.name}", file.read_text(encoding="utf-8"), "", "")


def stored() -> Iterator[Paper]:
    """Judgments that the offline actors wrote, kept as text."""
    for file in sorted(STORED.iterdir()):
        spec = file.name.split(".")[0]
        case = ROOT / "cases" / f"{_STORED_CASES[spec]}.yaml"
        yield Paper(file.name, file.read_text(encoding="utf-8"), str(case), spec)


def played(folder: Path) -> Iterator[Paper]:
    """Judgments of shipped cases, played by the offline actors into `folder`; what is there is not played again."""
    for spec, cases in _PLAYED.items():
        for case in cases.split():
            run = folder / f"{spec.replace('/', '_')}-{case}"
            file = ROOT / "cases" / f"{case}.yaml"
            if not run.exists():
                lw("run", spec, "--case", file, "--out", run)
            for document in sorted((run / "documents").iterdir()):
                if any(word in document.name for word in _DECISIONS) and document.suffix == ".md":
                    yield Paper(f"{run.name}.{document.name}", document.read_text(encoding="utf-8"), str(file), spec)


def real() -> Iterator[Paper]:
    """Judgments of real records, put together from their own sentences; none where the data is not there."""
    for name in ("first-instance", "second-instance"):
        file = DATA / "simucourt" / f"{name}.json"
        records = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
        for number, record in enumerate(records, 1):
            text, spec = _put_together({key: value.strip() for key, value in record.items() if isinstance(value, str)})
            yield Paper(f"{name}-{number}", text, f"{file}#{number}", spec)
    for file in sorted((DATA / "simcourt").glob("*.json")):
        record = json.loads(file.read_text(encoding="utf-8"))
        result = record["result"] if "判决如下" in record["result"] else "判决如下：\n\n" + record["result"]
        text = f"某人民法院\n\n刑事判决书\n\n{record['defendant_information']}\n\n{result}\n"
        yield Paper(f"simcourt-{file.stem}", text, str(file), "criminal")


def _put_together(record: dict[str, str]) -> tuple[str, str]:
    def of(*keys: str) -> list[str]:
        return [record[key] for key in keys if record.get(key, "") not in _NOTHING]

    kind, again = record["类别"], "上诉人" in record
    head = [*of("法院"), f"{kind}判决书", *of("案号")]
    if again:
        head += [
            f"上诉人{record['上诉人']}",
            f"被上诉人{record['被上诉人']}",
            *of("上诉请求", "被上诉人辩护", "一审法院认定事实", "一审法院意见"),
        ]
        head += [f"一审法院判决：{words}" for words in of("一审法院审判结果")] + of("本院二审查明事实")
    elif kind == "刑事":
        head += [
            f"公诉机关：{record['原告（公诉）']}。",
            f"被告人：{record['被告']}。",
            *of("原告诉请判令（公诉机关指控）"),
        ]
    else:
        head += [f"原告：{record['原告（公诉）']}。", f"被告：{record['被告']}。"]
        head += [f"原告向本院提出诉讼请求：{words}" for words in of("原告诉请判令（公诉机关指控）")]
    facts = [f"经审理查明，{words}" for words in of("基本案情")]
    reasons = of("法院意见", "二审意见")[0]
    laws = "、".join(of(*(f"引用法律条文{number}" for number in range(1, 12))))
    parts = [
        *head,
        *facts,
        "本院认为，" + reasons.removeprefix("本院认为，"),
        f"依照{laws}之规定，判决如下：",
        _ordered(record, of),
    ]
    spec = {"民事": "civil", "刑事": "criminal", "行政": "administrative"}[kind]
    last = ["本判决为终审判决。"] if again else []
    return "\n\n".join([*parts, *last]) + "\n", spec + ("-appeal" if again and spec != "civil" else "")


def _ordered(record: dict[str, str], of: Any) -> str:
    items = of(*(f"{kind}结果{number}" for kind in ("民事", "刑事_", "行政") for number in range(1, 4)))
    if "被告" in record and (crime := of("刑事_罪名", "刑事_刑期", "刑事_罚金")):
        items = ["，".join(crime).replace("被告人犯", f"被告人{record['被告']}犯")]
    if len(items) == 1:
        return str(items[0]).rstrip("。；") + "。"
    return "\n\n".join(f"{mark}、{item.rstrip('。；')}；" for mark, item in zip("一二三四五六", items, strict=False))
