"""Real records decided by the shipped norms, and what came of it beside the real judgment.

    make norm-table [ARGS="--without id,id --each"]

Facts come from what a record says before the decision: the indictment, what the court found, what was claimed; never
from the operative part or the court's opinion. Reads `../shared/data` beside the project; outside the tests' run.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from math import sqrt
from pathlib import Path
from typing import Any

from places import ROOT

from legalworld.files.project_files import Disk
from legalworld.language.dates import read_day
from legalworld.law.text.decision_claims import claim_sum
from legalworld.law.text.money import sums
from legalworld.model.decision import Party
from legalworld.norms.claims import asked
from legalworld.norms.decide import decide_claims
from legalworld.norms.definition import NormSet, Value
from legalworld.norms.material import CaseMaterial, Charge, Recommended
from legalworld.norms.penal import decide_charge
from legalworld.norms.prose import exhibits_of, told_in
from legalworld.runs.norm_sets import open_norms

DATA = next((one for up in ROOT.parents[:2] if (one := up / "shared" / "data").is_dir()), Path("/"))
ACCUSES, ANSWERS = "prosecution", "defence"
_MONTHS = re.compile(r"(?:([\d一二两三四五六七八九十]+)年)?(?:又?([\d一二两三四五六七八九十]+)个?月)?")
_TERM = re.compile(r"(有期徒刑|拘役|管制)([^，。；、缓]{1,24})")
_NUMERALS = {char: place for place, char in enumerate("零一二三四五六七八九")} | {"两": 2}


def sum_of(words: str) -> Decimal | None:
    found = claim_sum(words)
    return found.value if found is not None else None


@dataclass
class Row:
    """One record: what was asked, what the norms gave, what the court gave, and how far they are apart."""

    record: str
    what: str
    status: str
    ours: str = ""
    theirs: str = ""
    marks: dict[str, bool] = field(default_factory=dict)
    apart: dict[str, int] = field(default_factory=dict)
    why: str = ""


def number(text: str) -> int:
    """A small number in digits or Chinese numerals."""
    if text.isdigit():
        return int(text)
    tens, _, ones = text.partition("十")
    if "十" in text:
        return (_NUMERALS[tens] if tens else 1) * 10 + (_NUMERALS[ones] if ones else 0)
    return _NUMERALS.get(text, 0)


def months(text: str) -> int | None:
    """`一年二个月` in months."""
    found = next((one for one in _MONTHS.finditer(text) if one.group()), None)
    if found is None:
        return None
    years, rest = (number(one) if one else 0 for one in found.groups())
    return years * 12 + rest


def recommendation(text: str) -> Recommended | None:
    """The sentence that a prosecutor recommends, a range as such; None where there is none."""
    said = re.search(r"建议(?:对其|对被告人\S{1,4})?判处(.{4,80}?)(?:。|$)", text)
    found = _TERM.search(said[1]) if said is not None else None
    turned = re.search(r"某.?([^，。；、某]{2,24}以[上下])(有期徒刑|拘役)", said[1]) if said is not None else None
    if turned is not None:  # 三年以上三年六个月以下有期徒刑
        found = _TERM.search(f"{turned[2]}{turned[1]}")
    if said is None or found is None:
        return None
    words = found[2].replace("至", "到")
    low, _, high = words.partition("到")
    short = re.fullmatch(r"(\d+)-(\d+)个月", words)
    if short is not None:
        first, last = int(short[1]), int(short[2])
    elif high:
        last = months(high) or 0
        first = months(low) if "年" in low or "月" in low else number(low)
        first = first or 0
    else:
        parts = re.split("以上", words)
        first = months(parts[0]) or 0
        last = (months(parts[1]) or first) if len(parts) > 1 else first
        if words.endswith("以下") and len(parts) == 1:
            first, last = 0, last
    probation = re.search(r"缓刑(.{1,8}?)(?:，|$|,|并)", said[1])
    fine = re.search(r"罚金(?:人民币)?([\d.]+|[一二三四五六七八九十]+)(万|千)?元", said[1])
    sum_ = None
    if fine is not None:
        unit = {"万": 10000, "千": 1000, None: 1}[fine[2]]
        sum_ = (Decimal(fine[1]) if fine[1][0].isdigit() else Decimal(number(fine[1]))) * unit
    return Recommended(
        found[1], first, months(probation[1]) if probation else None, sum_, last if last != first else None
    )


# ---- charges ---------------------------------------------------------------------------------------------------------


def criminal(norms: NormSet, name: str, title: str, facts: str, case: dict[str, Any]) -> Row:
    """One charge of one person. `case`: opinion (with the recommendation), judged, months, kind, probation, fine."""
    parties = (Party(id="P1", name="P1", side=ACCUSES), Party(id="D1", name="D1", side=ANSWERS))
    told = told_in(norms, facts, {"claimant": ("P1",), "respondent": ("D1",)})
    papers = exhibits_of("证", ACCUSES, told)
    known = {"judged": case["judged"]} if case["judged"] else {}
    asked_for = recommendation(case["opinion"])
    offence = next((one.title for one in norms.offences.values() if title in one.title), title)
    charge = Charge("D1", offence, asked_for)
    material = CaseMaterial("CNY", "", parties, exhibits=papers, charges=(charge,), days=known, partial=True)
    found = decide_charge(norms, material, charge)
    theirs = f"{case['months']}m p{case['probation']} f{case['fine']}"
    punishment = found.verdict.punishment
    if found.verdict.result != "convicted" or punishment is None or punishment.term is None:
        missing = "; ".join(f"{kind} {what}".strip() for kind, what in found.thin)
        status = "declined" if found.verdict.result == "open" else "decided"
        row = Row(name, title, status, found.verdict.result, theirs, why=missing or found.verdict.result)
        if status == "decided":
            row.marks["convicted"] = False
        return row
    alone = decide_charge(norms, material, replace(charge, recommended=None)).verdict.punishment
    assert found.range is not None and alone is not None and alone.term is not None
    ours, free = punishment.term.months or 0, alone.term.months or 0
    most = found.range.most if found.range.most is not None else 10**6
    probation = punishment.probation.months if punishment.probation is not None else 0
    row = Row(name, title, "decided", f"{ours}m (alone {free}m) p{probation} [{found.range.least}-{most}]", theirs)
    row.marks = {
        "convicted": True,
        "real term in range": found.range.least <= case["months"] <= most,
        "term equal": ours == case["months"],
        "term alone within 3 months": abs(free - case["months"]) <= 3,
        "probation as given": bool(probation) == bool(case["probation"]),
    }
    row.apart = {"asked": abs(ours - case["months"]), "alone": abs(free - case["months"])}
    row.why = "; ".join(f"{kind} {what}".strip() for kind, what in found.thin if kind != "discretion")
    return row


def _between(text: str, start: str, *ends: str) -> str:
    at = text.find(start)
    rest = text[at:] if at >= 0 else text
    stops = [place for place in (rest.find(end) for end in ends) if place > 0]
    return rest[: min(stops)] if stops else rest


def _last_day(text: str) -> date | None:
    days = [read_day(one) for one in re.findall(r"\d{4}年\d{1,2}月\d{1,2}日", text)]
    return max((one for one in days if one is not None), default=None)


def simcourt(norms: NormSet) -> Iterator[Row]:
    for path in sorted((DATA / "simcourt").glob("*.json"), key=lambda one: int(one.stem)):
        record = json.loads(path.read_text(encoding="utf-8"))
        said = record["prosecution_statement"]
        opinion = _between(said, "本院认为", "根据《中华人民共和国刑事诉讼法》")
        facts = record["defendant_information"] + "\n" + _between(said, "经依法审查查明", "认定上述事实的证据")
        case = {"opinion": opinion, "judged": _last_day(said), "months": int(record["term"])}
        case |= {"probation": int(record["reprieve"]), "fine": record["fine"]}
        yield criminal(
            norms, f"simcourt/{path.stem}", record["charge"][0], f"{facts}\n{opinion.split('建议')[0]}", case
        )


def simucourt_criminal(norms: NormSet, record: Mapping[str, str], name: str) -> Row:
    title = record["刑事_罪名"].split("犯", 1)[1]
    first = record.get("基本案情") or record.get("一审法院认定事实") or ""
    asked_for = record.get("原告诉请判令（公诉机关指控）") or ""
    opinion = asked_for.replace("无", "", 1) if asked_for == "无" else asked_for
    facts = f"{record.get('被告基本情况', '')}\n{first}\n{opinion.split('建议')[0]}"
    punished = record["刑事_刑期"]
    term = _TERM.search(punished)
    probation = re.search(r"缓刑(.+)", punished)
    case = {"opinion": opinion, "judged": read_day(record["发布时间"].strip()) or _last_day(first)}
    case |= {"months": months(term[2]) if term else 0, "probation": months(probation[1]) if probation else 0}
    return criminal(norms, name, title, facts, {**case, "fine": record["刑事_罚金"]})


# ---- claims ----------------------------------------------------------------------------------------------------------


def civil(norms: NormSet, name: str, cause: str, case: dict[str, Any]) -> Iterator[Row]:
    """Each claim of a case. `case`: claims (texts), facts, respondents, judged, awarded (the operative part, to compare
    with), or None where there is no judgment."""
    defend = [f"D{place}" for place in range(1, case["respondents"] + 1)]
    parties = tuple(Party(id=one, name=one, side="claims" if one == "P1" else "defends") for one in ("P1", *defend))
    told = told_in(norms, case["facts"], {"claimant": ("P1",), "respondent": tuple(defend)})
    papers = exhibits_of("证", "claims", told)
    claims = []
    for place, text in enumerate(case["claims"], 1):
        amount = claim_sum(text)
        known: dict[str, Value] = {"amount": amount.value} if amount is not None else {}
        days = [read_day(one) for one in re.findall(r"\d{4}年\d{1,2}月\d{1,2}日", text)]
        for key, day in zip(("from", "to"), days, strict=False):
            known |= {key: day} if day is not None else {}
        claims += asked(norms.words, str(place), text, ("claims", "defends"), known, sum_of=sum_of)
    judged = {"judged": case["judged"]} if case["judged"] else {}
    material = CaseMaterial("CNY", cause, parties, tuple(claims), papers, days=judged, partial=True)
    decision = decide_claims(norms, material)
    by_part = {one.part: one for one in decision.thin}
    given = sorted({one.amount for one in claim_values(case["awarded"])}) if case["awarded"] else []
    costs = {one for one, head in norms.words.heads.items() if head.costs}
    asked_claims = [one for one in claims if one.head not in costs]
    for place, (claim, relief) in enumerate(zip(asked_claims, decision.reliefs, strict=True), 1):
        what = f"{cause} {norms.words.heads[claim.head].title if claim.head else '?'}"
        theirs = case["awarded"][:60] if case["awarded"] else "no judgment"
        if relief.result == "undecided":
            lacking = needed(norms, claim.head, cause) if relief.norm == "" else ""
            thin = "; ".join(
                f"{one.kind} {one.missing}".strip() for one in decision.thin if one.part == f"reliefs/{place}"
            )
            yield Row(f"{name}/{claim.id}", what, "declined", "", theirs, why=f"{thin} {lacking}".strip())
            continue
        value = relief.amount.value if relief.amount is not None else Decimal(0)
        row = Row(f"{name}/{claim.id}", what, "decided", f"{relief.result} {value}", theirs)
        row.why = by_part[f"reliefs/{place}"].kind if f"reliefs/{place}" in by_part else ""
        if case["awarded"] is not None:
            dismissed = not case["awarded"]
            row.marks = {"winner": (relief.result == "dismissed") is dismissed}
            if given:
                row.marks["amount"] = value in given
        yield row


def needed(norms: NormSet, head: str, cause: str) -> str:
    """The facts that whoever claims must show by the norm that would be for a claim."""
    found = [one for one in norms.norms.values() if one.applies(head, cause, ()) and not one.residual]
    facts = norms.words.facts
    return ", ".join(
        facts[name].title
        for norm in found
        for name, need in norm.needs.items()
        if need.burden == "claimant" and not need.empty and need.otherwise is None
    )


def claim_values(text: str) -> list[Any]:
    """The sums of an operative part."""
    return list(sums(text))


def pieces(text: str) -> list[str]:
    """The claims of a text, one by one."""
    found = re.split(
        r"(?:^|[；;。\s])(?:\d+[．.、]|[一二三四五]、)|[；;]", text.partition("事实与理由")[0].partition("主要事实")[0]
    )
    return [one.strip() for one in found if len(one.strip()) > 4]


def simucourt(norms: NormSet) -> Iterator[Row]:
    for file in ("first-instance", "second-instance"):
        for record in json.loads((DATA / "simucourt" / f"{file}.json").read_text(encoding="utf-8")):
            name = f"simucourt/{file[:-9]}/{record['序号']}{record['类别'][0]}"
            if record["类别"] == "刑事":
                yield simucourt_criminal(norms, record, name)
                continue
            if file == "first-instance":
                claims, facts = pieces(record["原告诉请判令（公诉机关指控）"]), record["基本案情"]
                awarded = record["民事结果1"] if record["类别"] == "民事" else record["行政结果1"]
                against = record["被告"].count("、") + 1
            else:
                told = record["一审法院认定事实"]
                claims = pieces(_between(told, "请求", "一审法院认定", "一审法院经审理").partition("：")[2])
                facts = told.partition("认定")[2]
                awarded, against = record["一审法院审判结果"], 1
            lost = awarded.startswith("驳回")
            case = {"claims": claims or [record["案由"]], "facts": facts, "respondents": against}
            case |= {"judged": read_day(record["发布时间"].strip()), "awarded": "" if lost else awarded}
            yield from civil(norms, name, record["案由"], case)


def maser(norms: NormSet) -> Iterator[Row]:
    for record in json.loads((DATA / "maser" / "sample.json").read_text(encoding="utf-8")):
        claims = pieces(record["claim"]["非诉讼费用内容"])
        facts = record["case_r_f"] + "\n" + "\n".join(record["evidence"]["原告"])
        case = {"claims": claims, "facts": facts, "respondents": max(1, record["defendant"].count("身份：被告"))}
        yield from civil(
            norms, f"maser/{record['id']}", record["law_reason"], {**case, "judged": None, "awarded": None}
        )


# ---- the table -------------------------------------------------------------------------------------------------------


def wilson(right: int, total: int) -> str:
    """n / N with a 95 % interval."""
    if not total:
        return "0 / 0"
    share, z = right / total, 1.96
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return f"{right} / {total} ({max(0.0, middle - half):.0%}-{min(1.0, middle + half):.0%})"


def summary(rows: list[Row]) -> Iterator[str]:
    decided = [one for one in rows if one.status == "decided"]
    yield f"decided {wilson(len(decided), len(rows))}, declined {len(rows) - len(decided)}"
    names = dict.fromkeys(mark for one in decided for mark in one.marks)
    for mark in names:
        judged = [one for one in decided if mark in one.marks]
        yield f"  {mark}: {wilson(sum(one.marks[mark] for one in judged), len(judged))}"
    for key in ("asked", "alone"):
        apart = sorted(one.apart[key] for one in decided if key in one.apart)
        if apart:
            mean, middle = sum(apart) / len(apart), apart[len(apart) // 2]
            yield f"  months apart ({key}): mean {mean:.1f}, median {middle}, most {apart[-1]}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--without", default="", help="ids of norms and offences that are left out, by commas")
    parser.add_argument("--only", default="", help="a file with the ids of those that are kept")
    parser.add_argument("--each", action="store_true", help="every record")
    args = parser.parse_args()
    norms = open_norms(Disk(ROOT), "norms/cn").norms
    assert norms is not None
    kept = set(Path(args.only).read_text(encoding="utf-8").split()) if args.only else None
    gone = set(args.without.split(","))
    norms = replace(
        norms,
        norms={key: one for key, one in norms.norms.items() if key not in gone and (kept is None or key in kept)},
        offences={key: one for key, one in norms.offences.items() if key not in gone and (kept is None or key in kept)},
    )
    groups = {"simcourt": list(simcourt(norms)), "simucourt": list(simucourt(norms)), "maser": list(maser(norms))}
    for name, rows in groups.items():
        print(f"{name}: {len(rows)} charges and claims")
        for line in summary(rows):
            print(f"  {line}")
        for row in rows:
            wrong = [mark for mark, right in row.marks.items() if not right]
            if args.each or wrong or row.status == "declined":
                told = f"{row.record} {row.what}: {row.status} {row.ours} | {row.theirs}"
                print(f"    {told} | {' '.join(wrong)} | {row.why}")


if __name__ == "__main__":
    main()
