"""Neighbours of shipped cases that a court decides by norms: one or two things changed; played to the judgment.

    neighbour = drawn(7)
    outcome = judged(neighbour, tmp_path)
    outcome.alarms, outcome.decided, outcome.claims

No text is asserted of them: whoever uses these says what is to hold of all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from places import ROOT
from playing import Way, play_anew, project
from ruamel.yaml import YAML

from legalworld.evaluation.soundness.audit import audit_run
from legalworld.evaluation.soundness.check_files import check_files
from legalworld.evaluation.stored_run import Stored
from legalworld.files.project_files import Disk
from legalworld.law.text.decision_claims import costs_alone
from legalworld.model.case import Case as LinkedCase
from legalworld.model.decision_parts import PartDecided
from legalworld.model.events import Drafted, Started
from legalworld.runs.case_file import open_case

Case = dict[str, Any]
Change = Callable[[Case, Random], None]
BASES: tuple[tuple[str, str, str], ...] = (
    ("civil", "jiedai", "appeal"),
    ("quexi", "quexi-huokuan", ""),
    ("xiaoe", "xiaoe-zujin", ""),
    ("labour-arbitration", "fenjian", ""),
    ("civil", "wuye", "appeal"),
)
"""Procedure, case, and where a game of it stops."""
_NAMES = ("平野舟", "柳半江", "苏合香有限公司", "Lin-Shore Ltd")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A case that lies near a shipped one. `changes`: what was changed, by name."""

    spec: str
    base: str
    until: str
    changes: tuple[str, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a neighbour: alarms of the audit; how many claims were decided, of how many."""

    alarms: tuple[str, ...]
    decided: int
    claims: int
    texts: Mapping[str, str]


# ---- what is changed -------------------------------------------------------------------------------------------------


def _claims(case: Case) -> list[Case]:
    return list(case["first"]["claims"] if "first" in case else case["claims"])


def _exhibits(case: Case) -> list[tuple[list[Case], Case]]:
    """Every exhibit with the list that it stands in."""
    if "first" in case:
        lists = [case["first"].get(side, {}).get("evidence", []) for side in ("plaintiff", "defendant")]
    else:
        lists = [case["evidence"].get(side, []) for side in ("plaintiff", "defendant")]
    return [(listed, one) for listed in lists for one in listed]


def _people(case: Case) -> Case:
    found: Case = case["parties"] if "parties" in case else case["people"]
    return found


def _said(case: Case, pairs: Mapping[str, str]) -> None:
    """Words for other words, all at once, everywhere in a case."""
    found = re.compile("|".join(map(re.escape, sorted(pairs, key=len, reverse=True))))
    text = json.dumps(case, ensure_ascii=False, default=str)
    case.update(json.loads(found.sub(lambda match: pairs[match[0]], text)))


def _plain(value: float) -> str:
    return f"{value:.2f}".removesuffix(".00")


def scaled(times: float) -> Change:
    def change(case: Case, dice: Random) -> None:
        del dice
        for claim in _claims(case):
            if "amount" in claim:
                before = float(claim["amount"])
                claim["amount"] = _plain(before * times)
                claim["text"] = claim["text"].replace(_plain(before), _plain(before * times))

    return change


def claim_more(case: Case, dice: Random) -> None:
    more = dice.choice(("判令被告赔偿损失500元", "判令被告支付违约金800元", "判令被告支付交通费120元"))
    amount = int("".join(filter(str.isdigit, more)))
    claims = case["first"]["claims"] if "first" in case else case["claims"]
    new = {"n": str(len(claims) + 1), "text": more, "amount": amount}
    claims.append({**new, **({"kind": "给付"} if "first" in case else {"on": "其他"})})


def worded_otherwise(case: Case, dice: Random) -> None:
    for claim in _claims(case):
        head = dice.choice(("请求依法判令被告", "被告应当", "要求对方", "恳请贵院判决被告尽快"))
        claim["text"] = claim["text"].replace("判令二被告", head).replace("判令被告", head)


def costs_within(case: Case, dice: Random) -> None:
    claim = next(one for one in _claims(case) if "amount" in one)
    claim["text"] += dice.choice(("；并承担本案诉讼费用", "，本案诉讼费用由被告承担"))


def exhibit_removed(case: Case, dice: Random) -> None:
    listed, one = dice.choice(_exhibits(case))
    listed.remove(one)


def exhibit_denied(case: Case, dice: Random) -> None:
    _, one = dice.choice(_exhibits(case))
    one |= {"form": "复印件，没有原件", "source": "单方制作"}
    _answered(case, one, "不认可")


def exhibit_in_part(case: Case, dice: Random) -> None:
    _, one = dice.choice(_exhibits(case))
    one |= {"form": "打印件", "source": "网页"}
    _answered(case, one, "部分认可")


def _answered(case: Case, exhibit: Case, opinion: str) -> None:
    for listed in case.get("objections", {}).values():
        for one in listed:
            if one["exhibit"] == exhibit["id"]:
                one["opinion"] = opinion


def names_exchanged(case: Case, dice: Random) -> None:
    del dice
    people = _people(case)
    first, second = people["plaintiff"][0]["name"], people["defendant"][0]["name"]
    _said(case, {first: second, second: first})


def other_names(case: Case, dice: Random) -> None:
    people = _people(case)
    new = dice.sample(_NAMES, 2)
    _said(case, {people["plaintiff"][0]["name"]: new[0], people["defendant"][0]["name"]: new[1]})


def one_name_twice(case: Case, dice: Random) -> None:
    del dice
    people = _people(case)
    _said(case, {people["defendant"][0]["name"]: people["plaintiff"][0]["name"]})


def party_more(case: Case, dice: Random) -> None:
    people = _people(case)
    listed = people["defendant"] if isinstance(people["defendant"], list) else [people["defendant"]]
    listed.append({**deepcopy(listed[0]), "id": "D9", "name": dice.choice(_NAMES)})


def fact_admitted(case: Case, dice: Random) -> None:
    saying = [one for _, one in _exhibits(case) if one.get("says")]
    one = dice.choice(saying)
    fact = dice.choice(sorted(one["says"]))
    admitted = {fact: one["says"].pop(fact)}
    home = case["first"] if "first" in case else case.setdefault("positions", {})
    home.setdefault("defendant", {}).setdefault("admits", {}).update(admitted)


def shuffled(case: Case, dice: Random) -> None:
    for listed in {id(listed): listed for listed, _ in _exhibits(case)}.values():
        dice.shuffle(listed)


CHANGES: Mapping[str, Change] = {
    "scaled down": scaled(0.1),
    "scaled up": scaled(10),
    "claim more": claim_more,
    "worded otherwise": worded_otherwise,
    "costs within": costs_within,
    "exhibit removed": exhibit_removed,
    "exhibit denied": exhibit_denied,
    "exhibit in part": exhibit_in_part,
    "names exchanged": names_exchanged,
    "other names": other_names,
    "one name twice": one_name_twice,
    "party more": party_more,
    "fact admitted": fact_admitted,
    "shuffled": shuffled,
}


def words_only(case: Case, dice: Random) -> None:
    """Nobody wrote down what exhibits state, what is admitted and what is pleaded: there are but the words."""
    del dice
    for _, one in _exhibits(case):
        one.pop("says", None)
    for side in ("plaintiff", "defendant"):
        for key in ("admits", "pleads"):
            case["first"].get(side, {}).pop(key, None)


def claimed(amount: int) -> Change:
    """The first claim is for another sum."""

    def change(case: Case, dice: Random) -> None:
        del dice
        claim = _claims(case)[0]
        before, claim["amount"] = _plain(float(claim["amount"])), str(amount)
        claim["text"] = claim["text"].replace(before, str(amount))

    return change


def cost_claim_joined(case: Case, dice: Random) -> None:
    """The claim of costs stands in the words of the claim before it."""
    del dice
    claims = case["first"]["claims"]
    claims.pop()
    claims[-1]["text"] += "，本案诉讼费用由被告承担"


def signed_by_another(case: Case, dice: Random) -> None:
    name = _people(case)["defendant"][0]["name"]
    for _, one in _exhibits(case):
        one["content"] = one["content"].replace(f"有{name}", dice.choice(("有岑九", f"没有{name}", f"有{name}之妻")))


def two_of_one_name(case: Case, dice: Random) -> None:
    """The second defendant bears the name of the first; where there is but one, somebody of his name joins him."""
    del dice
    listed = _people(case)["defendant"]
    if len(listed) > 1:
        _said(case, {listed[1]["name"]: listed[0]["name"]})
    else:
        listed.append({**deepcopy(listed[0]), "id": "D9"})


def defence_in_prose(case: Case, dice: Random) -> None:
    """The defendant wrote a defence, and nobody wrote down which one it is."""
    del dice
    case["first"].get("defendant", {}).pop("pleads", None)


MORE: Mapping[str, Change] = {
    "two of one name": two_of_one_name,
    "defence in prose": defence_in_prose,
    "words only": words_only,
    "claimed 968000": claimed(968000),
    "claimed 500000": claimed(500000),
    "claimed 20000": claimed(20000),
    "cost claim joined": cost_claim_joined,
    "signed by another": signed_by_another,
}
"""Changes that are not drawn: they are asked for by name."""


def drawn(seed: int) -> Neighbour:
    """The neighbour of a number: of each base in turn, one change or two."""
    dice = Random(seed)
    spec, base, until = BASES[seed % len(BASES)]
    changes = dice.sample(sorted(CHANGES), dice.choice((1, 1, 2)))
    return Neighbour(spec, base, until, tuple(changes), seed)


def written(neighbour: Neighbour, folder: Path) -> Path:
    """The case of a neighbour, as a file."""
    case, dice = deepcopy(_base(neighbour.base)), Random(neighbour.seed)
    for goal in case.get("goal", {}).values():
        goal["settle"] = "否"
    for name in neighbour.changes:
        {**CHANGES, **MORE}[name](case, dice)
    file = folder / f"neighbour-{neighbour.seed}.json"
    file.write_text(json.dumps(case, ensure_ascii=False, default=str), encoding="utf-8")
    return file


@cache
def _base(name: str) -> Case:
    found: Case = json.loads(
        json.dumps(YAML(typ="safe").load((ROOT / "cases" / f"{name}.yaml").read_text(encoding="utf-8")), default=str)
    )
    return found


# ---- played ----------------------------------------------------------------------------------------------------------


@cache
def _files() -> tuple[Any, ...]:
    return tuple(check_files(Disk(ROOT)).files)


def judged(neighbour: Neighbour, folder: Path) -> Judged:
    """A neighbour played to its judgment, and the judgment audited."""
    file = str(written(neighbour, folder))
    procedure = project(neighbour.spec).procedure
    assert procedure is not None
    target = next(iter(procedure.targets), "")
    way = Way(file, target, (), (), "plain", neighbour.spec, (), frozenset(), neighbour.until)
    game = play_anew(way)
    stated = {document for parts in procedure.decisions.values() for document in parts.documents}
    texts = {event.document: event.text for event in game.of(Drafted) if event.document in stated}
    opened = open_case(project(neighbour.spec), file, "", {}, ROOT)
    assert not isinstance(opened, tuple), opened
    stored = Stored(neighbour.spec, procedure, opened.case, "", tuple(game.of(Started)))
    alarms = [
        f"{audit.name}: {alarm.check.id}"
        for audit in audit_run(stored, _files(), texts)
        for alarm in audit.alarms
        if alarm.check.severity != "note"
    ]
    parts = next(iter(procedure.decisions.values()))
    costs = {f"{parts.claims}//{at}" for at, one in enumerate(_raw(opened.case, parts.claims)) if costs_alone(one)}
    results = list(_results(game.of(PartDecided), costs))
    return Judged(tuple(alarms), sum(one != "undecided" for one in results), len(results), texts)


def _raw(case: LinkedCase, field: str) -> Iterator[str]:
    """The words of each claim of a case."""
    for record in case.fields[field]:  # type: ignore[union-attr]
        yield str(record["text"])  # type: ignore[index,call-overload]


def _results(decided: list[PartDecided], costs: set[str]) -> Iterator[str]:
    """What became of each claim that is not of costs alone, in the last word about it."""
    found = {event.about: event.filled["reliefs"][0]["result"] for event in decided if event.part == "results"}
    yield from (result for about, result in found.items() if about not in costs)
