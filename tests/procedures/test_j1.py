"""The six procedures of J1-Envs: played, misplayed, every branch reached, and what is hidden stays hidden."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cited import unchecked
from playing import ROOT, Game, Script, matter, play, project
from ruamel.yaml import YAML

from legalworld.binding.casefile import as_json, sealed_json
from legalworld.model import events as e
from legalworld.runs.coverage import coverage
from legalworld.runs.transcript import transcript

CASES = {
    "j1/kq": ("j1-yajin", "adviser"),
    "j1/lc": ("j1-yajin", "adviser"),
    "j1/cd": ("j1-yajin", "drafter"),
    "j1/dd": ("j1-yajin", "drafter"),
    "j1/civil-court": ("j1-yajin", "judge"),
    "j1/criminal-court": ("j1-daoqie", "judge"),
}
COURTS = tuple(spec for spec in CASES if "court" in spec)


def game(spec: str, **given: object) -> Game:
    case, target = CASES[spec]
    return play(case, target, spec=spec, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", CASES)
def test_nothing_that_is_cited_is_wrong_or_unchecked(spec: str) -> None:
    assert unchecked(game(spec), CASES[spec][0], spec) == []


@pytest.fixture
def topicless(tmp_path: Path) -> str:
    """The shipped case with nothing left to ask."""
    text = (ROOT / "cases/j1-yajin.yaml").read_text(encoding="utf-8")
    file = tmp_path / "topicless.yaml"
    file.write_text(re.sub(r"(?m)^  (topics|questions):", r"  was_\1:", text), encoding="utf-8")
    return str(file)


def judge(change: Script) -> Script:
    """The judge alone says something else than the offline actor."""

    def script(request: e.Request, text: str) -> str:
        return change(request, text) if request.act == "drive" else text

    return script


# ---- from beginning to end -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", CASES)
def test_it_runs_to_its_end(spec: str) -> None:
    found = game(spec)
    assert found.status == "ended"
    assert not found.of(e.Violated)
    for drafted in found.of(e.Drafted):
        assert drafted.missing == ()


@pytest.mark.parametrize("spec", CASES)
@pytest.mark.parametrize("manner", ["noisy", "silent"])
def test_actors_that_misbehave_come_to_an_end_too(spec: str, manner: str) -> None:
    found = game(spec, manner=manner)
    assert found.status == "ended"
    assert found.of(e.Violated)


@pytest.mark.parametrize("spec", ["j1/kq", "j1/lc"])
def test_every_topic_is_raised_once_and_in_order(spec: str) -> None:
    raised = [event.n for event in game(spec).of(e.Raised)]
    assert raised == list(range(1, len(raised) + 1))
    assert len(raised) >= 4


@pytest.mark.parametrize(("spec", "items"), [("j1/civil-court", 20), ("j1/criminal-court", 11)])
def test_the_judge_does_every_item_of_the_published_list_each_in_a_turn_of_its_own(spec: str, items: int) -> None:
    done = [event.items for event in game(spec, options={"order": "published"}).of(e.Performed)]
    assert [item for turn in done for item in turn] == list(range(1, items + 1))
    assert all(len(turn) == 1 for turn in done)


@pytest.mark.parametrize(("spec", "items"), [("j1/civil-court", 22), ("j1/criminal-court", 16)])
def test_the_statutory_order_has_what_the_law_asks_for(spec: str, items: int) -> None:
    done = {item for event in game(spec, options={"order": "statutory"}).of(e.Performed) for item in event.items}
    assert done == set(range(1, items + 1))


@pytest.mark.parametrize(("spec", "turns"), [("j1/kq", 30), ("j1/lc", 20), ("j1/cd", 40), ("j1/dd", 30)])
def test_talk_has_the_published_limit(spec: str, turns: int) -> None:
    found = game(spec, script=lambda request, _: "嗯。" if request.form.kind != "document" else "待补充")
    closed = found.of(e.Closed)[-1]
    assert (closed.reason, closed.turns) == ("budget", turns)


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["j1/kq", "j1/lc"])
def test_an_empty_list_of_topics_closes_at_once_and_is_recorded(spec: str, topicless: str) -> None:
    found = play(topicless, "adviser", spec=spec)
    assert [event.reason for event in found.of(e.Closed)] == ["empty"]
    assert not found.requests


@pytest.mark.parametrize("spec", COURTS)
def test_a_judge_who_never_closes_is_stopped_by_the_limit(spec: str) -> None:
    found = game(spec, script=judge(lambda request, text: re.sub(r"【结束庭审】", "", text) or "继续。"))
    closed = found.of(e.Closed)[-1]
    assert (closed.reason, closed.turns) == ("budget", 100)
    (drafted,) = found.of(e.Drafted)  # and the judgment is asked for all the same
    assert drafted.text.startswith("本院认为")
    assert [event.outcome for event in found.of(e.Ended)] == ["judgment"]


@pytest.mark.parametrize("spec", COURTS)
def test_a_judge_who_closes_at_once_has_done_nothing(spec: str) -> None:
    found = game(spec, script=judge(lambda request, text: "【结束庭审】本院认为，事实清楚。判决如下：驳回。"))
    (closed,) = found.of(e.Closed)
    assert (closed.reason, closed.turns) == ("token", 1)
    assert not found.of(e.Performed)
    assert len(found.of(e.Spoke)) <= 1


IN_OTHER_WORDS = (
    ("原告", "现在核对身份：原告何闻溪，女，请说明是否属实，并说明代理权限。", "已确认"),
    ("被告", "是否清楚未经许可中途退庭的，可以缺席判决？", "后果"),
    ("原告", "首先请原告陈述诉讼请求，以及所依据的事实和理由。", "诉讼请求是"),
    ("被告", "请被告方针对原告陈述的事实和诉讼请求进行答辩。", "应当从押金里扣"),
    ("原告", "下面进行举证、质证。请原告方出示一份证据，说明名称、来源和证明目的。", "现出示原证1"),
    ("被告", "请问被告对原证1有没有异议？请发表质证意见。", "是有异议"),
    ("原告", "被告方对原证1提出异议，请原告方就此回应。", "不能否定"),
    ("原告", "举证、质证到此结束。下面由法庭发问：请问原告，交房当天查看过吗？", "126.40"),
    ("原告", "根据双方的举证、质证，归纳焦点如下。请围绕焦点发表辩论意见。", "请求予以支持"),
    ("被告", "被告对刚才的辩论意见还有没有补充？", "驳回"),
)


def test_offline_counsel_understands_a_judge_who_does_not_speak_as_the_offline_one() -> None:
    """A judge under test is a model; the lawyers that answer it may be the offline actors."""
    said = iter(IN_OTHER_WORDS)

    def words(request: e.Request, text: str) -> str:
        side, asked, _ = next(said, ("", "", ""))
        return f"【对{side}代理律师说】{asked}" if asked else "【结束庭审】本院认为，事实清楚。判决如下：驳回。"

    found = game("j1/civil-court", script=judge(words))
    answers = [event.text for event in found.of(e.Spoke) if event.act == "reply"]
    expected = [part for _, _, part in IN_OTHER_WORDS]
    assert [part for part, answer in zip(expected, answers, strict=True) if part not in answer] == []


ORDER = {
    "j1/civil-court": ["plaintiff_lawyer", "defendant_lawyer"],
    "j1/criminal-court": ["prosecutor", "defendant", "attorney"],
}


@pytest.mark.parametrize("spec", COURTS)
@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ("请说。", {"no_token"}),
        ("【对书记员说】请说。", {"no_token", "forged_token"}),
        ("【第99项】请说。", {"no_token", "forged_token"}),
    ],
)
def test_a_judge_who_addresses_nobody_or_somebody_absent_is_asked_again_then_the_next_in_order_is_called(
    spec: str, words: str, rules: set[str]
) -> None:
    found = game(spec, script=judge(lambda request, text: words))
    assert {event.rule for event in found.of(e.Violated)} == rules
    called = [request.role for request in found.requests if request.act == "reply"]
    assert called[: 2 * len(ORDER[spec])] == ORDER[spec] * 2
    asked = [request.role for request in found.requests[:3]]
    assert asked == ["judge", "judge", ORDER[spec][0]]
    assert not found.of(e.Performed)
    assert found.of(e.Closed)[-1].reason == "budget"


@pytest.mark.parametrize("spec", COURTS)
def test_a_judge_who_calls_two_at_once_is_answered_by_the_first(spec: str) -> None:
    first, second = {"j1/civil-court": ("原告代理律师", "被告代理律师")}.get(spec, ("公诉人", "辩护人"))
    found = game(spec, script=judge(lambda request, text: f"【对{first}说】【对{second}说】请说。"))
    assert {event.rule for event in found.of(e.Violated)} == {"token_not_at_start", "second_call"}  # asked once more
    assert {request.role for request in found.requests if request.act == "reply"} == {ORDER[spec][0]}


@pytest.mark.parametrize("spec", COURTS)
def test_several_items_done_in_one_turn_are_recorded_as_such(spec: str) -> None:
    def merged(request: e.Request, text: str) -> str:
        return "【第1项】【第2项】【第3项】" + text if not request.view.variables["step"]["turn"] > 1 else text

    first = game(spec, script=judge(merged)).of(e.Performed)[0]
    assert set(first.items) >= {1, 2, 3}


@pytest.mark.parametrize(("spec", "items"), [("j1/civil-court", 20), ("j1/criminal-court", 16)])
def test_the_transcript_tells_what_was_done_together_and_what_was_left_undone(spec: str, items: int) -> None:
    call = "原告代理律师" if "civil" in spec else "公诉人"

    def hasty(request: e.Request, text: str) -> str:
        first = request.view.variables["step"]["turn"] == 1
        return f"【对{call}说】【第1项】【第3项】好。" if first else "【结束庭审】本院认为，有理。判决如下：驳回。"

    procedure = project(spec).procedure
    assert procedure is not None
    case = matter(CASES[spec][0], spec=spec).case
    record = transcript(procedure, case, [], {}, game(spec, script=judge(hasty)).events)
    assert "〔一次做了清单的第1、3项〕" in record
    left = "、".join(str(n) for n in range(1, items + 1) if n not in (1, 3))
    assert f"〔清单没有做的：第{left}项〕" in record
    plain = transcript(procedure, case, [], {}, game(spec).events)
    assert "清单" not in plain


# ---- what is hidden, what is reached ---------------------------------------------------------------------------------


COURT = {"matter", "people", "counsel"}  # what the judge has in hand before anybody has spoken
LAWYER = COURT | {"facts", "evidence", "objections", "settlement"}
SHOWN = {  # by hand, from what the six environments give to each role
    "j1/kq": {"public": {"theme", "topics", "style"}, "adviser": set()},
    "j1/lc": {"public": {"background", "topics", "style"}, "adviser": set()},
    "j1/cd": {"plaintiff": {"people", "adversary", "claims", "facts", "evidence", "filing", "style"}, "drafter": set()},
    "j1/dd": {
        "defendant": {"people", "adversary", "matter", "defence", "evidence", "style", "j1_complaint"},
        "drafter": {"j1_complaint"},
    },
    "j1/civil-court": {
        "plaintiff_lawyer": LAWYER | {"claims", "statement"},
        "defendant_lawyer": LAWYER | {"defence"},
        "judge": COURT,
    },
    "j1/criminal-court": {
        "prosecutor": {"matter", "people", "prosecutors", "accusation", "charge_opinion", "recommendation", "evidence"},
        "defendant": {"matter", "people", "account", "attitude", "objections", "style"},
        "attorney": {"matter", "people", "counsel", "account", "attitude", "objections", "evidence", "plea"},
        "judge": COURT | {"prosecutors"},
    },
}


@pytest.mark.parametrize("spec", CASES)
def test_each_role_is_shown_what_its_environment_gives_it_and_no_more(spec: str) -> None:
    found: dict[str, set[str]] = {}
    for request in game(spec).requests:
        found.setdefault(request.role, set()).update(one.name for one in request.view.knowledge.shown)
    assert found == SHOWN[spec]


@pytest.mark.parametrize("spec", CASES)
def test_nothing_that_is_for_evaluation_only_is_ever_sent_or_said(spec: str, tmp_path: Path) -> None:
    """Every value of `real` and every reference answer is replaced by a marker."""
    lines = (ROOT / "cases" / f"{CASES[spec][0]}.yaml").read_text(encoding="utf-8").splitlines()
    real = lines.index("real:")
    sealed = [re.sub(r"(?<=[:-]) (?=\S)[^:].*", " 封存" + str(n), line) for n, line in enumerate(lines[real:])]
    marked = [re.sub(r"(?<=      answer: ).*", "封存", line) for line in lines[:real]] + sealed
    file = tmp_path / "marked.yaml"
    file.write_text("\n".join(marked), encoding="utf-8")
    found = play(str(file), CASES[spec][1], spec=spec)
    assert "\n".join(marked).count("封存") >= 6
    assert not [one.id for one in found.requests for message in one.messages if "封存" in message.content]
    assert not [event for event in found.events if "封存" in event.model_dump_json()]


def test_the_judge_is_not_told_the_case_before_it_is_heard() -> None:
    """A judge who closes at once has only what was filed; with `pleadings_read` also the pleadings."""

    def closing(request: e.Request, text: str) -> str:
        return "【结束庭审】本院认为，无。判决如下：驳回。" if request.act == "drive" else text

    for read in ("no", "yes"):
        found = game("j1/civil-court", script=closing, options={"pleadings_read": read})
        sent = "\n".join(message.content for request in found.requests for message in request.messages)
        assert ("逾期返还押金的利息" in sent) == (read == "yes")
        assert "愿意调解" not in sent and "原证1" not in sent
    for read in ("no", "yes"):
        found = game("j1/criminal-court", script=closing, options={"indictment_read": read})
        sent = "\n".join(message.content for request in found.requests for message in request.messages)
        assert ("剪断车锁" in sent) == (read == "yes")
        assert "公证1" not in sent and "有期徒刑七个月" not in sent


@pytest.mark.parametrize(
    ("spec", "option", "role", "asked", "words"),
    [
        ("j1/civil-court", "refuse_mediation", "defendant_lawyer", "是否同意调解", "拒绝调解。"),
        ("j1/civil-court", "confirm_identity", "plaintiff_lawyer", "身份信息", "已确认。"),
        ("j1/criminal-court", "no_objection", "defendant", "质证", "没有质证意见。"),
        ("j1/criminal-court", "confirm_identity", "defendant", "身份信息", "已确认。"),
    ],
)
def test_a_setting_of_the_environment_is_an_option(spec: str, option: str, role: str, asked: str, words: str) -> None:
    def answers(value: str) -> tuple[list[str], str]:
        found, last, said, told = game(spec, options={option: value}), "", [], ""
        for request, text in zip(found.requests, found.replies, strict=True):
            if request.role == role and asked in last:
                said.append(text.strip())
                told = request.messages[-1].content
            last = text
        return said, told

    (with_it, told), (without, untold) = answers("yes"), answers("no")
    assert with_it and all(text.endswith(words) for text in with_it)
    assert any(words not in text for text in without)
    assert words.rstrip("。") in told and words.rstrip("。") not in untold


@pytest.mark.parametrize("spec", CASES)
def test_every_branch_is_reached(spec: str, topicless: str) -> None:
    procedure = project(spec).procedure
    assert procedure is not None
    games = [game(spec), game(spec, manner="silent"), game(spec, manner="noisy")]
    if spec in COURTS:
        games += [
            game(spec, options={"order": order}, manner=manner)
            for order in ("published", "statutory")
            for manner in ("plain", "silent")
        ]
    if "topics" in procedure.fields:
        games.append(play(topicless, "adviser", spec=spec))
    found = coverage(procedure, [one.events for one in games])
    assert [(branch.place, branch.kind) for branch in found.missed] == []


# ---- the release, as far as its names are known ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "file", "number", "name"),
    [
        ("j1/civil-court", "civil.jsonl", 1, "庄若安"),
        ("j1/civil-court", "civil.jsonl", 2, "江澜云汀装饰有限公司"),
        ("j1/criminal-court", "criminal.jsonl", 1, "骆小满"),
    ],
)
def test_a_record_in_the_form_of_the_release_runs_by_its_binding(spec: str, file: str, number: int, name: str) -> None:
    found = play(f"{ROOT / 'tests/binding/cases/j1' / file}#{number}", "judge", spec=spec)
    assert [event.outcome for event in found.of(e.Ended)] == ["judgment"]
    assert name in "\n".join(event.text for event in found.of(e.Spoke))


@pytest.mark.parametrize(
    ("spec", "file", "number", "people"),
    [
        ("j1/civil-court", "civil.jsonl", 1, {"plaintiff": ["庄若安"], "defendant": ["关山月"]}),
        ("j1/civil-court", "civil.jsonl", 2, {"plaintiff": ["米粟"], "defendant": ["谭溪", "江澜云汀装饰有限公司"]}),
        ("j1/criminal-court", "criminal.jsonl", 1, {"defence": ["骆小满"]}),
    ],
)
def test_what_the_court_found_is_for_evaluation_and_what_is_not_known_stays_empty(
    spec: str, file: str, number: int, people: dict[str, list[str]]
) -> None:
    case = matter(f"{ROOT / 'tests/binding/cases/j1' / file}#{number}", spec=spec).case
    fields, sealed = json.loads(as_json(case))["fields"], json.loads(sealed_json(case))["sealed"]
    assert {side: [one["name"] for one in found] for side, found in fields["people"].items() if found} == people
    assert {name for name, value in fields.items() if value} == {"people"}
    assert "findings" in sealed["real"] and len(sealed["real"]) > 1


def test_the_three_rules_of_redistribution_differ_and_are_data() -> None:
    rules = {}
    for name in ("lcpf", "big-five", "maser"):
        rules[name] = YAML(typ="safe").load(ROOT / "personas" / f"{name}.yaml")["redistribution"]
    assert (rules["lcpf"]["to"], rules["lcpf"]["threshold"]) == (["high", "low"], "60 %")
    assert (rules["big-five"]["level"], rules["maser"]["level"]) == ("medium", "any")
    for name in ("big-five", "maser"):
        assert rules[name]["weights"] == {"high": 2, "medium": 1, "low": 2}
    assert rules["maser"]["favour"] == {"emotional_stability": "high"}
    assert all("seed" in rule["log"] for rule in rules.values())


# ---- what a judge would sign -----------------------------------------------------------------------------------------


def judgment_of(spec: str) -> str:
    return next(one.text for one in game(spec).of(e.Drafted) if "判决" in one.text)


def test_the_civil_judgment_can_be_enforced() -> None:
    """Who, what, by when; what the plaintiff gave up, with its figure; the law of the case, not of procedure alone."""
    text = judgment_of("j1/civil-court")
    disposition = text.partition("判决如下：")[2]
    for part in (
        "被告罗远山于本判决生效之日起十日内",
        "6400元",
        "6273.60元",
        "驳回原告何闻溪的其他诉讼请求",
        "第二百六十四条",
    ):
        assert part in disposition, part
    assert "待补充" not in text and "《中华人民共和国民法典》第五百零九条第一款" in text


def test_the_criminal_judgment_names_the_articles_of_the_crime_and_of_each_penalty() -> None:
    grounds = judgment_of("j1/criminal-court").rpartition("\n依照")[2].partition("判决如下")[0]
    for article in ("第二百六十四条", "第六十七条第三款", "第七十二条", "第五十二条", "第二百条第一项"):
        assert article in grounds, article


def test_an_objection_is_answered_for_the_exhibit_that_it_is_about() -> None:
    answers = [one.text for one in game("j1/civil-court").of(e.Spoke) if "不能否定" in one.text]
    assert len(answers) == len(set(answers)) == 4 and all("证" in one[:4] for one in answers)


LISTED: dict[str, dict[str, str]] = YAML(typ="base").load(Path(__file__).parent / "checklists/j1.yaml")


@pytest.mark.parametrize(
    ("spec", "case"),
    [*((spec, case) for spec, (case, _) in CASES.items()), ("maser", "maser-qiankuan"), ("maser", "maser-peixun")],
)
def test_a_document_has_all_that_one_of_its_kind_must_have(spec: str, case: str) -> None:
    lacking = [
        f"{drafted.document}：{point}"
        for drafted in play(case, "", spec=spec).of(e.Drafted)
        for point, form in LISTED[drafted.document].items()
        if (re.search(form, drafted.text) is None) is (point != "never")
    ]
    assert lacking == []


@pytest.mark.parametrize("spec", CASES)
@pytest.mark.parametrize("order", ["published", "statutory"])
def test_no_two_turns_of_a_hearing_are_in_the_same_words(spec: str, order: str) -> None:
    """But for the confirmation that the environment puts into everybody's mouth."""
    said = [one.text for one in game(spec, options={"order": order} if spec in COURTS else {}).of(e.Spoke)]
    assert {text for text in said if said.count(text) > 1} <= {"已确认。"}


def test_the_bench_names_the_exhibit_that_was_dealt_with_before_it_calls_for_the_next() -> None:
    for spec in COURTS:
        called = [one.text for one in game(spec).of(e.Spoke) if "下一份" in one.text]
        assert len(called) >= 4 and all(re.search("[原被公辩]证[0-9]", text) for text in called)


def test_the_first_question_does_not_go_on_from_another() -> None:
    asked = [one.text for one in game("j1/kq").of(e.Spoke) if one.person == "public"][1:]
    assert asked[0].startswith("头一件，") and not [text for text in asked[1:] if text.startswith("头一件")]
