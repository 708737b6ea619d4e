"""Values that are amended during the proceedings: seen by nobody before their stage, phase or day, by the same readers
from then on. Spec, place, day, form of the value and sides are drawn."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from scripted import SPEC, Construct, play, read_script, read_sources

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.engine.settings import Settings
from legalworld.model.amendments import Amended, amended_in, in_force
from legalworld.model.case import Record, Sided, texts
from legalworld.model.events import Asked, Entered
from legalworld.runs.amendment_remarks import told_of_amendments
from legalworld.runs.project import read_project

FIRST, AMENDED, FURTHER = "500 CROWNS", "900 DUCATS", "1100 GUILDERS"
STAGES = {"office": "2025-03-03", "court": "2025-04-07", "appeal": "2025-06-02"}
PHASES = ("opening", "hearing")
PLACES = [place for stage in STAGES for place in (stage, *(f"{stage}/{phase}" for phase in PHASES))]

FORMS = {  # what is declared of the field; whether it has sides; a value of a text
    "text": ("path: $.claims", "$.later", False, lambda text: text),
    "list": ('path: "$.claims[*]", each: claim', '"$.later[*]"', False, lambda text: [text, "costs"]),
    "records": (
        'path: "$.claims[*]", each: claim, keys: [n, text], types: {n: {unique: yes}}',
        '"$.later[*]"',
        False,
        lambda text: [{"n": "1", "text": text}, {"n": "2", "text": "costs"}],
    ),
    "sided": ('path: "$.claims.{side}", per: side', '"$.later.{side}"', True, lambda text: text),
}
SPEC_TEXT = """lw: 1
procedure: desk
title: Desk
case:
  claims: {{title: Claims, {form}}}
  later: {{title: Claims as amended, path: {later}, amends: claims, in force from: amendment.from}}
  further: {{title: Claims as amended again, path: {further}, amends: claims, in force from: amendment.again}}
  amendment: {{title: Amendment, path: $.amendment, keys: [from, again]}}
  days: {{title: Days, path: $.days, keys: [office, court, appeal], required: yes}}
dates:
  office_day: {{from: days.office}}
  court_day: {{from: days.court}}
  appeal_day: {{from: days.appeal}}
kinds: {{P: party, J: judge}}
roles:
  ann: {{title: Ann, kind: party, side: a}}
  bob: {{title: Bob, kind: party, side: b}}
  judge: {{title: Judge, kind: judge}}
visibility: |
  | field             | office | court | appeal |
  |-------------------|--------|-------|--------|
  | claims {whose} | P      | P J   | J      |
  | office_day        | P J    | P J   | P J    |
  | court_day         | P J    | P J   | P J    |
  | appeal_day        | P J    | P J   | P J    |
stages:
"""
_KNOWN = "{{% for e in shown.entries %}}{{{{ shown.title }}}}:{0}{{% endfor %}}\n"
_EACH = "{{% for c in e.value %}}\n{{{{ {0} }}}}\n\n{{% endfor %}}"
KNOWN = {
    "text": _KNOWN.format("{{ e.value }}"),
    "sided": _KNOWN.format("{{ e.value }}"),
    "list": _KNOWN.format(_EACH.format("c")),
    "records": _KNOWN.format(_EACH.format("c.text")),
}


def written(folder: Path, form: str, start: str, again: str) -> Construct:
    """A construct in which claims of a form are amended from `start` on and once more from `again` on."""
    declared, later, sided, value = FORMS[form]
    whose = "all" if sided else "   "
    text = SPEC_TEXT.format(form=declared, later=later, further=later.replace("later", "further"), whose=whose)
    for stage in STAGES:
        text += f"  - stage: {stage}\n    title: {stage}\n    on: {stage}_day\n    phases:\n"
        for phase in PHASES:
            steps = "".join(f"          - {who} states: something\n" for who in ("ann", "bob", "judge"))
            text += f"      - phase: {phase}\n        title: {phase}\n        steps:\n{steps}"
    case = {"lw": "1", "case": "c", "days": STAGES, "amendment": {"from": start, "again": again}}
    for name, words in (("claims", FIRST), ("later", AMENDED), ("further", FURTHER)):
        case[name] = {"a": value(words)} if sided else value(words)
    known = folder / "prompts" / "zh" / "know" / "claims.j2"
    known.parent.mkdir(parents=True)
    known.write_text(KNOWN[form], encoding="utf-8")
    (folder / "spec.yaml").write_text(text, encoding="utf-8")
    replies = {who: ["I have nothing to add."] * 6 for who in ("ann", "bob", "judge")}
    (folder / "script.yaml").write_text(json.dumps({"replies": replies}), encoding="utf-8")
    project = read_project(read_sources(folder), SPEC)
    assert project.procedure is not None, project.problems
    data, problems = parse_data("case.json", json.dumps({k: v for k, v in case.items() if v}))
    assert data is not None, problems
    bound, problems = bind(project.procedure, data, record=None, binding=None, settings={})
    assert bound is not None and not problems, problems
    return Construct(project, bound, read_script(folder), Settings("", 0, {}))


def first_place(start: str) -> int:
    """The number of the first place at which an amendment must hold; one behind the last where it never does."""
    if start in PLACES:
        return PLACES.index(start)
    return next((PLACES.index(stage) for stage, day in STAGES.items() if day >= start), len(PLACES))


STARTS = [*PLACES, *("2025-01-01", "2025-03-03", "2025-03-04", "2025-04-07", "2025-06-02", "2025-06-03")]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("start", STARTS)
def test_nobody_sees_an_amended_value_before_it_holds(tmp_path: Path, start: str, form: str) -> None:
    again = random.Random(f"{start} {form}").choice(STARTS)
    construct = written(tmp_path, form, start, again)
    played = play(construct)
    holds = {AMENDED: first_place(start), FURTHER: first_place(again)}
    here, asked = -1, 0
    for one in played.events:
        if isinstance(one, Entered) and one.place in PLACES:
            here = PLACES.index(one.place)
        if not isinstance(one, Asked):
            continue
        asked += 1
        added = "\n".join(message.content for message in one.added)
        for words, number in holds.items():
            assert words not in added or here >= number, (one.id, words)
        if (told := [words for words in (FIRST, AMENDED, FURTHER) if words in added]) and here >= min(holds.values()):
            assert FIRST not in told, "what was amended is told as if it still held"
    assert asked == 18
    told = amended_in(played.events)
    assert sorted(told) == sorted(
        name for name, w in (("later", AMENDED), ("further", FURTHER)) if holds[w] < len(PLACES)
    )
    assert [event.title for event in played.events if isinstance(event, Amended)] == [
        {"later": "Claims as amended", "further": "Claims as amended again"}[name] for name in told
    ]


@pytest.mark.parametrize("form", FORMS)
def test_who_saw_the_first_value_is_told_the_amended_one(tmp_path: Path, form: str) -> None:
    played = play(written(tmp_path, form, "court/hearing", "appeal"))
    told = {FIRST: set(), AMENDED: set(), FURTHER: set()}
    for one in played.events:
        for words in told:
            if isinstance(one, Asked) and any(words in message.content for message in one.added):
                told[words].add(one.person)
    assert told == {FIRST: {"ann", "bob", "judge"}, AMENDED: {"ann", "bob", "judge"}, FURTHER: {"judge"}}


@pytest.mark.parametrize("form", FORMS)
def test_a_run_read_again_has_what_held_at_its_end(tmp_path: Path, form: str) -> None:
    construct = written(tmp_path, form, "court", "2025-06-03")  # the second one never comes
    assert construct.project.procedure is not None
    events = play(construct).events
    last = in_force(construct.project.procedure, construct.case, amended_in(events))
    assert AMENDED in str(last.fields["claims"]) and FURTHER not in str(last.fields["claims"])
    assert FIRST in str(construct.case.fields["claims"])


@pytest.mark.parametrize(
    ("start", "code"),
    [
        ("", "LW978"),
        ("curt", "LW978"),
        ("court/closing", "LW978"),
        ("soon", "LW978"),
        ("2025-06-03", "LW979"),
        ("3 June 2025", "LW979"),
        ("2 June 2025", ""),
        ("appeal", ""),
        ("office/hearing", ""),
    ],
)
def test_what_never_holds_is_told(tmp_path: Path, start: str, code: str) -> None:
    construct = written(tmp_path, "records", start, "court")
    procedure = construct.project.procedure
    assert procedure is not None
    data, _ = parse_data("case.json", "{}")
    assert data is not None
    found = [one.code for one in told_of_amendments(procedure, construct.case, data, None)]
    assert found == ([code] if code else [])


# ---- what refers to what was amended ---------------------------------------------------------------------------------

REFERRING = """lw: 1
procedure: desk
title: Desk
case:
  claims:
    title: Claims
    path: "$.claims[*]"
    each: claim
    keys: [n, text, kind]
    types: {{n: {{unique: yes}}, kind: {{choices: [debt, act]}}}}
  later: {{title: Claims as amended, path: "$.later[*]", amends: claims, in force from: amendment.from}}
  topics: {{title: Topics, path: "$.topics[*]", each: topic}}
  topics_later: {{title: Topics later, path: "$.topics_later[*]", amends: topics, in force from: amendment.from}}
  amendment: {{title: Amendment, path: $.amendment, keys: [from]}}
  exhibits:
    title: Exhibits
    path: "$.exhibits{side}[*]"
    {per}each: exhibit
    keys: [id, claims]
    types: {{claims: {{refers to: [claims.n], many: yes}}}}
kinds: {{P: party}}
roles:
  ann: {{title: Ann, kind: party, side: a}}
  bob: {{title: Bob, kind: party, side: b}}
stages:
  - stage: court
    title: Court
    steps:
      - ann states: something
"""


def referring(folder: Path, sided: bool, case: dict[str, object]) -> tuple[list[str], list[str]]:
    """What the exhibits of a case refer to once its claims are amended, and what is told of it."""
    text = REFERRING.format(side=".{side}" if sided else "", per="per: side\n    " if sided else "")
    (folder / "spec.yaml").write_text(text, encoding="utf-8")
    project = read_project(read_sources(folder), SPEC)
    assert project.procedure is not None, project.problems
    data, _ = parse_data("case.json", json.dumps({"lw": "1", "case": "c", **case}))
    assert data is not None
    bound, problems = bind(project.procedure, data, record=None, binding=None, settings={})
    assert bound is not None and not problems, problems
    told = [one.code for one in told_of_amendments(project.procedure, bound, data, None)]
    after = in_force(project.procedure, bound, ("later",))
    ids = [" ".join(texts(exhibit)) for exhibit in records_of(after.fields["exhibits"])]
    return ids, told


def records_of(value: object) -> list[Record]:
    match value:
        case Sided():
            return [one for each in value.values.values() for one in records_of(each)]
        case tuple():
            return [one for one in value if isinstance(one, Record)]
        case _:
            return []


@pytest.mark.parametrize("sided", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_references_to_what_is_gone_go_with_it(tmp_path: Path, seed: int, sided: bool) -> None:
    draw = random.Random(seed)
    ids = [str(number) for number in range(1, 6)]
    kept = draw.sample(ids, draw.randint(1, 4))
    meant = [sorted(draw.sample(ids, draw.randint(1, 3))) for _ in range(4)]
    exhibits = [{"id": f"E{number}", "claims": one} for number, one in enumerate(meant)]
    claims = {own: {"n": own, "text": f"claim {own}", "kind": "debt"} for own in ids}
    case = {
        "claims": [*claims.values()],
        "later": [claims[own] for own in kept],
        "amendment": {"from": "court"},
        "exhibits": {"a": exhibits[:2], "b": exhibits[2:]} if sided else exhibits,
    }
    found, told = referring(tmp_path, sided, case)
    left = [[own for own in one if own in kept] or one for one in meant]  # about what is over, not about all the rest
    assert found == [" ".join((f"E{number}", *one)) for number, one in enumerate(left)]
    assert told == []


CLAIM = {"n": "2", "text": "interest", "kind": "debt"}
RENUMBERED = [
    ([{"n": "1", "text": "interest", "kind": "debt"}], ["LW243"]),  # what was 2 before
    ([{"n": "2", "text": "the books", "kind": "act"}], ["LW243"]),  # of another kind
    ([{"n": "2", "text": "interest of 3 %", "kind": "debt"}], []),
    ([{"n": "2", "text": "interest"}], []),
    ([{"n": "9", "text": "the books", "kind": "act"}], []),
    ([CLAIM], []),
]


@pytest.mark.parametrize(("later", "codes"), RENUMBERED)
@pytest.mark.parametrize("topics", [0, 1, 2])
def test_what_a_case_does_not_say_of_an_amendment_is_told(
    tmp_path: Path, later: list[dict[str, str]], codes: list[str], topics: int
) -> None:
    case: dict[str, object] = {
        "claims": [{"n": "1", "text": "the loan", "kind": "debt"}, CLAIM],
        "later": later,
        "amendment": {"from": "court"},
        "exhibits": [{"id": "E1", "claims": ["1", "2"]}],
        **({"topics": ["whether it was lent"]} if topics else {}),
        **({"topics_later": ["whether interest runs"]} if topics == 2 else {}),
    }
    _, told = referring(tmp_path, False, case)
    assert told == [*codes, *(["LW244"] if topics == 1 else [])]
