"""The civil procedure over every shipped case: target side x who appeals x mediation accepted or not.

Played in memory by the offline actors, and by those that misbehave; what ought to come is written here as a table, not
read from the spec.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import pytest
from playing import NATIVE, RECORDS, ROOT, Game, Script, Way, matter, play, play_anew, project, within

from legalworld.engine.casting import cast
from legalworld.model.case import Sided
from legalworld.model.events import (
    Asked,
    Assigned,
    Captured,
    Closed,
    Drafted,
    Ended,
    Entered,
    Request,
    Skipped,
    Spoke,
    Violated,
    Withheld,
)
from legalworld.models.scripted import Manner

TARGETS = ("plaintiff_lawyer", "defendant_lawyer")
APPEALS = {"plaintiff": "原告", "defendant": "被告", "both": "原告，被告", "nobody": ""}
CASES = (*NATIVE, *RECORDS)
SIDES = ("plaintiff", "defendant")
WHO = {"plaintiff": "原告", "defendant": "被告"}
TALKS = ("LC", "CD", "DD", "AD", "AR")
TRIALS = ("FIT", "SIT")


@dataclass(frozen=True)
class Cell:
    """One cell of the matrix."""

    case: str
    target: str
    appeal: str
    settles: bool

    @property
    def side(self) -> str:
        return self.target.removesuffix("_lawyer")

    @property
    def appellants(self) -> tuple[str, ...]:
        return {"both": SIDES, "nobody": ()}.get(self.appeal, (self.appeal,))

    @property
    def appealed(self) -> bool:
        return bool(self.appellants) and not self.settles

    def worn(self, side: str) -> str:
        """How the party of a side is called in the second instance, without a name."""
        if self.appeal == "both":
            return f"上诉人（原审{WHO[side]}）"
        return "上诉人" if side == self.appeal else "被上诉人"


def cells() -> list[Cell]:
    """Of the project's own cases, everything. Of records, which play by the same steps, each two of case, target and
    appeal together in some cell. Where mediation succeeds it is no matter who would have appealed."""
    judged = [
        Cell(case, target, by, settles=False)
        for c, case in enumerate(CASES)
        for a, by in enumerate(APPEALS)
        for t, target in enumerate(TARGETS)
        if case in NATIVE or (c + a + t) % 2 == 0
    ]
    return judged + [Cell(case, target, "both", settles=True) for case in CASES for target in TARGETS]


@lru_cache(maxsize=1)  # a game holds some MB; the tests of one cell follow each other
def played(cell: Cell, manner: Manner = "plain") -> Game:
    settle = "是" if cell.settles else "否"
    fields = {"appellants": APPEALS[cell.appeal], **{f"goal.{side}.settle": settle for side in SIDES}}
    return play(cell.case, cell.target, fields=fields, manner=manner)


def name_of(cell: Cell) -> str:
    return f"{cell.case}-{cell.side}-{cell.appeal}-{'mediated' if cell.settles else 'judged'}"


# By module, so that pytest puts the tests of one cell together.
every_cell = pytest.mark.parametrize("cell", cells(), ids=name_of, scope="module")
appealed_cells = pytest.mark.parametrize(
    "cell", [cell for cell in cells() if cell.appealed], ids=name_of, scope="module"
)


# ---- outcome, stages, documents --------------------------------------------------------------------------------------


def outcome(cell: Cell) -> tuple[str, str]:
    """How the case ends, and with which document."""
    if cell.settles:
        return "mediated", "mediation_record"
    return ("final_judgment", "final_judgment") if cell.appealed else ("first_judgment_effective", "first_judgment")


def stages(cell: Cell) -> list[str]:
    drafting = "CD" if cell.side == "plaintiff" else "DD"
    if not cell.appealed:
        return ["LC", drafting, "FIT"] if cell.settles else ["LC", drafting, "FIT", "appeal"]
    writing = {"AD": cell.side in cell.appellants, "AR": set(cell.appellants) != {cell.side}}
    return ["LC", drafting, "FIT", "appeal", *(stage for stage, due in writing.items() if due), "SIT"]


def documents(cell: Cell) -> set[tuple[str, str, str, str]]:
    """Document, side, author's title, source: the target writes his own, the case supplies the other side's."""
    found = {
        ("complaint", "plaintiff", "原告代理律师", "reply" if cell.side == "plaintiff" else "case"),
        ("defence_statement", "defendant", "被告代理律师", "reply" if cell.side == "defendant" else "case"),
        ("evidence_list", "plaintiff", "原告代理律师", "case"),
        ("evidence_list", "defendant", "被告代理律师", "case"),
        ("mediation_record" if cell.settles else "first_judgment", "", "审判长", "reply"),
    }
    if not cell.appealed:
        return found
    for side in cell.appellants:  # whose requests the case does not give writes them
        given = matter(cell.case).case.fields["appeal_requests"]
        source = "case" if side != cell.side and isinstance(given, Sided) and given.values[side] else "reply"
        found.add(("appeal_petition", side, f"{cell.worn(side)}代理律师", source))
    for side in SIDES:
        if set(cell.appellants) != {side}:  # somebody on the other side appealed
            source = "reply" if side == cell.side else "case"
            found.add(("appeal_defence", side, f"{cell.worn(side)}代理律师", source))
    return found | {("final_judgment", "", "审判长", "reply")}


@every_cell
def test_the_case_ends_as_it_must(cell: Cell) -> None:
    game = played(cell)
    (ended,) = game.of(Ended)
    assert game.status == "ended"
    assert (ended.outcome, ended.document) == outcome(cell)


@every_cell
def test_the_right_stages_are_entered_and_the_others_skipped(cell: Cell) -> None:
    game = played(cell)
    entered = [event.place for event in game.of(Entered) if event.level == "stage"]
    skipped = {event.place for event in game.of(Skipped) if event.reason == "condition" and "/" not in event.place}
    assert entered == stages(cell)
    before_the_end = ("LC", "CD", "DD", "FIT", "appeal", "AD", "AR", "SIT")
    before_the_end = before_the_end[: before_the_end.index(entered[-1])]
    assert skipped == set(before_the_end) - set(entered)


@every_cell
def test_the_right_documents_are_written_by_the_right_hands(cell: Cell) -> None:
    drafted = played(cell).of(Drafted)
    found = [(event.document, event.side, event.speaker, event.source) for event in drafted]
    assert len(found) == len(set(found))
    assert set(found) == documents(cell)
    assert [event.missing for event in drafted] == [()] * len(drafted)
    assert all(event.text.strip() for event in drafted)


@every_cell
def test_the_offline_actors_break_no_rule(cell: Cell) -> None:
    game = played(cell)
    assert game.of(Violated) == []
    assert {event.source for event in game.of(Captured)} == {"reply"}
    assert {event.reason for event in game.of(Closed)} == {"token"}


@every_cell
def test_a_judgment_gives_the_opinion_of_the_court_once(cell: Cell) -> None:
    judgments = [event.text for event in played(cell).of(Drafted) if event.document.endswith("_judgment")]
    assert [text.count("本院认为") for text in judgments] == [1] * len(judgments)


@every_cell
def test_mediation_that_succeeds_leaves_no_judgment_and_no_appeal(cell: Cell) -> None:
    game = played(cell)
    agreed = [event.value for event in game.of(Captured, "FIT/mediation") if event.name == "agreed"]
    if cell.settles:
        assert set(agreed) == {"yes"}
        assert issued(game, "judge") == ["mediation_record"]
        assert not game.said("FIT/judgment")
        assert not game.of(Assigned)
    else:
        assert agreed == []
        assert issued(game, "judge") == ["first_judgment"]


def issued(game: Game, person: str) -> list[str]:
    return [event.document for event in game.of(Drafted) if event.person == person]


# ---- who is called what, and who speaks first ------------------------------------------------------------------------


@appealed_cells
def test_titles_are_as_now_worn(cell: Cell) -> None:
    game = played(cell)
    names = names_of(cell.case)
    for side in SIDES:
        lawyers = {event.speaker for event in game.of(Asked, "SIT") if event.person == f"{side}_lawyer"}
        parties = {event.person: event.speaker for event in game.of(Asked, "SIT") if event.role == side}
        assert lawyers == {f"{cell.worn(side)}代理律师"}
        several = len(parties) > 1
        assert parties == {person: cell.worn(side) + (names[person] if several else "") for person in parties}


@cache
def names_of(case: str) -> dict[str, str]:
    procedure = project().procedure
    assert procedure is not None
    return {person.id: person.name for person in cast(procedure, matter(case).case)}


@appealed_cells
def test_the_appellant_speaks_first_and_the_plaintiff_when_both_appeal(cell: Cell) -> None:
    game = played(cell)
    first = "plaintiff" if cell.appeal == "both" else cell.appeal
    second = "defendant" if first == "plaintiff" else "plaintiff"
    assert {event.person for event in game.of(Spoke, "SIT/investigation/claim")} == {f"{first}_lawyer"}
    assert {event.person for event in game.of(Spoke, "SIT/investigation/answer")} == {f"{second}_lawyer"}


@appealed_cells
def test_another_judge_sits_in_the_second_instance(cell: Cell) -> None:
    benches = {place: {event.person for event in played(cell).of(Asked, place)} for place in TRIALS}
    assert "judge" in benches["FIT"] - benches["SIT"]
    assert "appeal_judge" in benches["SIT"] - benches["FIT"]


@every_cell
def test_before_the_trial_only_the_target_and_his_client_speak(cell: Cell) -> None:
    game = played(cell)
    for stage in TALKS:
        people = {(event.role, event.person.partition("_lawyer")[1]) for event in game.of(Asked, stage)}
        assert {role for role, _ in people} <= {cell.side, cell.target}


# ---- several parties, some of whom do not appeal ---------------------------------------------------------------------


def test_a_party_who_does_not_appeal_beside_one_who_does_keeps_his_first_title() -> None:
    game = play("jiedai", fields={"appellants": "郑若虹"})
    titles = {event.person: event.speaker for event in game.of(Asked, "SIT")}
    assert titles == {
        "plaintiff": "被上诉人",
        "defendant-1": "上诉人",
        "defendant-2": "原审被告",
        "plaintiff_lawyer": "被上诉人代理律师",
        "defendant_lawyer": "上诉人代理律师",
        "appeal_judge": "审判长",
    }
    judgment = game.of(Drafted)[-1].text
    assert "上诉人（原审被告）：郑若虹" in judgment
    assert "原审被告：云汀餐饮管理有限公司" in judgment
    for step in ("opening/identity_third", "investigation/third_opinion", "debate/argue_third"):
        assert game.of(Spoke, f"SIT/{step}"), step


def test_one_of_two_defendants_appeals_beside_the_plaintiff() -> None:
    game = play("jiedai", fields={"appellants": "林启川；郑若虹"})
    titles = {event.person: event.speaker for event in game.of(Asked, "SIT")}
    assert titles["plaintiff"] == "上诉人（原审原告）"
    assert titles["defendant-1"] == "上诉人（原审被告）"
    assert titles["defendant-2"] == "被上诉人"


# ---- turn budgets ----------------------------------------------------------------------------------------------------


every_case = pytest.mark.parametrize("case", CASES, scope="module")  # the tests of one case follow each other


def endless(request: Request, text: str) -> str:
    """Nobody ever closes: the bench calls the first on its list again and again, the others talk on."""
    if request.act == "moderate":
        return f"【{request.form.leading[0]}】请继续说明。"
    return "这件事请再说一说。" if request.act == "converse" else text


@every_case
def test_talk_that_nobody_ends_is_ended_by_its_budget(case: str) -> None:
    game = play(case, script=endless)
    assert {event.reason for event in game.of(Closed)} == {"budget"}
    for stage in TALKS:
        assert len(game.of(Spoke, stage)) in (0, 30)
    drafted = {event.document: event.source for event in game.of(Drafted)}
    assert drafted["complaint"] == "reply"  # asked for outright when the talk brought none
    for stage in TRIALS:
        rounds = [event for event in game.of(Spoke, stage) if event.act in ("moderate", "reply")]
        assert len(rounds) in (0, 24)  # two of them, of twelve turns each
    assert game.of(Ended)[0].outcome == play(case).of(Ended)[0].outcome


def test_the_debate_of_a_trial_is_no_shorter_for_many_exhibits(tmp_path: Path) -> None:
    text = (ROOT / "cases" / "jiedai.yaml").read_text(encoding="utf-8")
    start, end = text.index("      - id: 原证1"), text.index("  defendant:\n    facts:")
    items = text[start:end]
    more = "".join(items.replace("原证", f"原证{n}-") for n in range(1, 6))
    (tmp_path / "many.yaml").write_text(text[:end] + more + text[end:], encoding="utf-8")
    game = play(str(tmp_path / "many.yaml"))
    assert len(game.of(Spoke, "FIT/investigation")) > 60
    loops = {event.place: (event.reason, event.turns) for event in game.of(Closed, "FIT")}
    assert loops == {event.place: (event.reason, event.turns) for event in play("jiedai").of(Closed, "FIT")}
    assert set(loops) == {"FIT/investigation/inquire", "FIT/debate/debate"}
    for place in ("FIT/debate/argue_first", "FIT/debate/argue_second", "FIT/final/final", "FIT/mediation/willing"):
        assert game.of(Spoke, place), place
    assert issued(game, "judge") == ["first_judgment"]
    assert len(game.of(Spoke, "FIT/investigation/present")) == 32


# ---- what the second bench can do ------------------------------------------------------------------------------------


def deciding(disposition: str) -> Script:
    def script(request: Request, text: str) -> str:
        return f"【disposition：{disposition}】" if within(request, "SIT/judgment/dispose") else text

    return script


DISPOSITIONS = {"维持原判": "驳回上诉，维持原判。", "改判": "二、变更（2024）", "撤销原判": "一、撤销江澜市"}


@pytest.mark.parametrize("disposition", DISPOSITIONS)
def test_the_second_judgment_follows_the_disposition(disposition: str) -> None:
    game = play("jiedai", script=deciding(disposition))
    assert game.of(Ended)[0].outcome == "final_judgment"
    last = game.of(Drafted)[-1]
    assert (last.document, last.missing) == ("final_judgment", ())
    disposed = last.text.partition("判决如下")[2]
    assert [word for word, text in DISPOSITIONS.items() if text in disposed] == [disposition]


def test_a_remand_is_a_ruling_and_no_judgment() -> None:
    game = play("jiedai", script=deciding("发回重审"))
    (ended,) = game.of(Ended)
    assert (ended.outcome, ended.document) == ("remanded", "remand_ruling")
    assert issued(game, "appeal_judge") == ["remand_ruling"]
    assert game.of(Drafted)[-1].missing == ()


def test_a_recusal_that_is_applied_for_is_ruled_on() -> None:
    def script(request: Request, text: str) -> str:
        asked = within(request, "FIT/opening/recusal") and request.person == "plaintiff"
        return "我申请回避。\n【recusal：是】" if asked else text

    game = play("wuye", script=script)
    assert [event.person for event in game.of(Spoke, "FIT/opening/recusal_ruling")] == ["judge"]
    assert not play("wuye").of(Spoke, "FIT/opening/recusal_ruling")


# ---- mediation -------------------------------------------------------------------------------------------------------

SETTLING = {f"goal.{side}.settle": "是" for side in SIDES}
CONCESSION = "九折一次付清"


def hoping(*, agreed: str = "否") -> Script:
    """Willing to mediate, with a concession in the proposal; the agreement is then reached or not."""

    def script(request: Request, text: str) -> str:
        stage = request.view.stage
        if within(request, f"{stage}/mediation/propose"):
            return f"我方愿意{CONCESSION}。"
        if within(request, f"{stage}/mediation/agree") and request.act == "answer":
            return f"对{CONCESSION}的意见已经说明。\n【agreed：{agreed}】"
        return text

    return script


def bench_reads(game: Game, stage: str) -> str:
    """All that the bench of a trial was sent outside the talks of mediation."""
    bench = {"FIT": "judge", "SIT": "appeal_judge"}[stage]
    calls = [call for call in game.said(stage) if call.person == bench and not within(call, f"{stage}/mediation")]
    return "\n".join(message.content for call in calls for message in call.messages)


@pytest.mark.parametrize("shielded", ["yes", "no"])
def test_talk_in_mediation_is_kept_from_the_bench_that_decides(shielded: str) -> None:
    game = play("jiedai", fields=SETTLING, options={"mediation_shielded": shielded}, script=hoping())
    assert game.of(Ended)[0].outcome == "final_judgment"
    for stage in TRIALS:
        assert game.of(Spoke, f"{stage}/mediation/propose")
        assert (CONCESSION in bench_reads(game, stage)) == (shielded == "no")
        withheld = [event.persons for event in game.of(Withheld) if event.phase == f"{stage}/mediation"]
        assert withheld == ([("judge" if stage == "FIT" else "appeal_judge",)] if shielded == "yes" else [])


def test_mediation_may_succeed_in_the_second_instance_only() -> None:
    def script(request: Request, text: str) -> str:
        return hoping(agreed="是" if request.id.startswith("SIT") else "否")(request, text)

    game = play("jiedai", fields=SETTLING, script=script)
    assert game.of(Ended)[0].outcome == "mediated"
    assert issued(game, "appeal_judge") == ["mediation_record"]
    record = game.of(Drafted)[-1]
    assert (record.speaker, record.person, record.missing) == ("审判长", "appeal_judge", ())
    assert not game.said("SIT/judgment")


def test_one_party_who_will_not_agree_is_enough_to_go_on() -> None:
    def script(request: Request, text: str) -> str:
        refuses = request.person == "defendant-2" and within(request, "FIT/mediation/agree")
        return "我公司不同意。\n【agreed：否】" if refuses else text

    game = play("jiedai", fields=SETTLING, script=script)
    values = {event.person: event.value for event in game.of(Captured, "FIT/mediation/agree")}
    assert values == {"plaintiff": "yes", "defendant-1": "yes", "defendant-2": "no"}
    assert issued(game, "judge") == ["first_judgment"]


@pytest.mark.parametrize("stage", TRIALS)
@pytest.mark.parametrize(
    ("step", "who", "words"),
    [
        ("willing", "plaintiff", "请法院判。【结束调解】"),
        ("willing", "defendant-1", "【结束调解】"),
        ("propose", "plaintiff", "【结束调解】不谈了。"),
        ("counter", "defendant-2", "不同意，请法院判。\n【结束调解】"),
        ("agree", "plaintiff", "【结束调解】"),
        ("willing", "bench", "【结束调解】双方已经表明不愿调解。"),
        ("terms", "bench", "【结束调解】"),
    ],
)
def test_whoever_ends_the_mediation_is_the_last_who_is_asked_in_it(stage: str, step: str, who: str, words: str) -> None:
    persons = {"bench": "judge" if stage == "FIT" else "appeal_judge"}
    refused: list[str] = []

    def script(request: Request, text: str) -> str:
        place = f"{stage}/mediation"
        there = (
            f"{place}/{step}" if stage == "FIT" or who == "bench" else place
        )  # on appeal the sides speak the other way
        if not refused and within(request, there) and request.person == persons.get(who, who):
            refused.append(request.id)
            return words
        return hoping()(request, text)

    game = play("jiedai", fields=SETTLING, skip=TALKS, script=script)
    asked = [request.id for request in game.said(f"{stage}/mediation")]
    assert refused == asked[-1:]
    assert "【结束调解】" in "".join(part.content for part in game.said(f"{stage}/mediation")[-1].messages)
    assert issued(game, "judge" if stage == "FIT" else "appeal_judge") != ["mediation_record"]
    assert game.of(Ended)[0].outcome == "final_judgment"
    assert not game.of(Violated)
    assert "】\n各方都愿意调解" not in bench_reads(game, stage)


def test_a_mediation_that_nobody_ends_is_played_to_its_end() -> None:
    game = play("jiedai", fields=SETTLING, skip=TALKS, script=hoping())
    for stage in TRIALS:
        assert sum(within(request, f"{stage}/mediation/agree") for request in game.requests) == 4


# ---- what is told again ---


def test_what_a_stage_tells_again_it_tells_in_the_order_of_before_and_what_stays_longest_first() -> None:
    """A provider keeps what two prompts begin with: the order outlives the stage, and what goes soon stands last."""
    begun: dict[str, list[str]] = {}
    for call in play("jiedai", fields={"appellants": "被告"}).requests:
        stage = call.id.partition("/")[0]
        if call.person == "plaintiff" and stage not in begun:
            begun[stage] = [home.partition("#")[2] for home, _ in call.messages[0].parts if "/know/" in home]
    assert [*begun] == ["LC", "CD", "FIT", "AR", "SIT"]
    assert begun["LC"] == [
        "own parties",
        "other parties",
        "own counsel",
        "own facts",
        "own evidence",
        "own goal",
        "own questions",
    ]
    assert begun["CD"][:6] == begun["FIT"][:6] == begun["SIT"][:6] == begun["LC"][:6]
    assert begun["CD"][-1] == "all paper_dates"


# ---- the list of disputes --------------------------------------------------------------------------------------------


@every_case
def test_the_list_of_disputes_is_made_before_the_trial_and_brought_up_to_date_after_its_phases(case: str) -> None:
    game = play(case)
    noted = [event.place for event in game.of(Captured, "FIT") if event.name == "disputes"]
    assert noted[0] == "FIT/preparation/extract_disputes"
    assert [place for place in noted if place.endswith("/update_disputes")] == [
        "FIT/investigation/update_disputes",
        "FIT/debate/update_disputes",
    ]
    assert all(event.value for event in game.of(Captured) if event.name == "disputes")
    heads = {"FIT/opening/open_court", "FIT/investigation/claim", "FIT/debate/argue_first"}
    for call in game.said("FIT"):
        if call.id.rpartition("/")[0].rpartition("/")[0] in heads:
            assert call.view.variables["known"]["disputes"], call.id


def test_an_issue_that_the_bench_adds_later_is_announced_in_both_instances() -> None:
    """After the investigation when the debate is opened, after the debate with the question for final opinions."""
    new = {"investigation": "利息从哪一天起算", "debate": "保证期间是否届满"}

    def script(request: Request, text: str) -> str:
        phase = request.id.split("/")[1]
        added = phase in new and within(request, f"{request.id.partition('/')[0]}/{phase}/update_disputes")
        return text.replace("】", f"；{new[phase]}】") if added else text

    game = play("jiedai", fields={"appellants": "被告"}, script=script)
    for stage in ("FIT", "SIT"):
        for place, issue in (("debate/control", new["investigation"]), ("final/final", new["debate"])):
            said = [event.text for event in game.of(Spoke, f"{stage}/{place}") if event.act in ("announce", "ask")]
            assert issue in said[0]
            (asked,) = [one for one in game.said(f"{stage}/{place}") if one.act in ("announce", "ask")]
            assert "争议焦点清单" in asked.messages[-1].content
    added = [event.text.count("清单增加") for event in game.of(Spoke) if "清单增加" in event.text]
    assert added == [1, 1, 1, 1]  # what was announced before is not announced again


# ---- actors that misbehave -------------------------------------------------------------------------------------------

WAYS = [(by, settles) for by in APPEALS for settles in (True, False) if by == "both" or not settles]
NOISY = [  # each case with each target, and each target with each way to an end
    Cell(case, target, *WAYS[(2 * c + t) % len(WAYS)])
    for c, case in enumerate(CASES)
    for t, target in enumerate(TARGETS)
]


@pytest.mark.parametrize("cell", NOISY, ids=name_of)
def test_with_noisy_actors_the_run_goes_on_and_all_that_was_wrong_is_recorded(cell: Cell) -> None:
    game = played(cell, "noisy")
    (ended,) = game.of(Ended)
    assert ended.outcome in {"mediated", "first_judgment_effective", "final_judgment", "remanded"}
    assert game.status == "ended"
    recorded = {(event.request, event.rule) for event in game.of(Violated)}
    for request, reply in zip(game.requests, game.replies, strict=True):
        for rule in wrong(request, reply):
            assert (request.id, rule) in recorded, (request.id, reply)


def wrong(request: Request, reply: str) -> set[str]:
    """What is plainly wrong with a reply, found without the code under test."""
    form, rules = request.form, set()
    if "<tool_call>" in reply:
        return set()  # it says nothing: the calls are answered, and he is asked again
    if not reply.strip():
        return {"empty"} | ({"no_answer"} if form.answer else set())
    others = "|".join(re.escape(label) for label in form.labels - {form.own})
    document = form.kind == "document" or any(f"【{token}】" in reply for token in form.ending)
    if not document and form.heard and others and re.search(rf"^(?:{others})：", reply, re.MULTILINE):
        rules.add("forged_speaker")
    elif re.search("|".join(re.escape(f"【{token}】") for token in form.tokens) or "(?!)", reply):
        rules.add("forged_token")
    if form.answer and not any(f"【{name}：" in reply for name in (form.answer.title, form.answer.name)):
        rules.add("no_answer")
    return rules


def test_template_syntax_in_a_reply_is_heard_as_it_was_said() -> None:
    game = play("jiedai", manner="noisy")
    assert [event for event in game.of(Spoke) if event.text.startswith("{{ own }}{% for x in heard %}")]
    sent = [message.content for request in game.requests for message in request.added]
    assert [text for text in sent if "：{{ own }}{% for x in heard %}" in text]


def test_noisy_actors_are_as_deterministic_as_the_others() -> None:
    way = Way("jiedai", TARGETS[0], (), (), "noisy", "civil", ())
    assert play_anew(way).events == play_anew(way).events


# ---- records in the LegalWorld format, by binding alone --------------------------------------------------------------


APPELLANTS = dict(zip(RECORDS, ["被告", "原告", "被告", "双方", "被告"], strict=True))


@pytest.mark.parametrize(("record", "appellants"), APPELLANTS.items())
def test_a_record_of_the_release_runs_end_to_end_by_its_binding(record: str, appellants: str) -> None:
    target = TARGETS[RECORDS.index(record) % 2]
    assert matter(record).binding == "legalworld"
    game = play(record, target, options={"appeal_by": "case"})
    assert game.of(Ended)[0].outcome == "final_judgment"
    worn = {event.role: event.persons for event in game.of(Assigned)}
    sides = {person.partition("-")[0] for person in worn["appellant"]}
    assert sides == {"原告": {"plaintiff"}, "被告": {"defendant"}, "双方": set(SIDES)}[appellants]
    assert game.of(Violated) == []
    assert all(event.missing == () for event in game.of(Drafted))


def test_what_a_record_does_not_say_is_not_made_up() -> None:
    texts = [event.text for event in play(RECORDS[2]).of(Drafted)]
    assert all("None" not in text and "null" not in text and "undefined" not in text for text in texts)
    assert any("待补充" in text for text in texts)


def test_an_appeal_without_reasons_in_the_case_takes_up_what_was_said_before(tmp_path: Path) -> None:
    """A case written without a second instance in mind still has a petition that can be answered."""
    text = (ROOT / "cases/wuye.yaml").read_text(encoding="utf-8")
    file = tmp_path / "unreasoned.yaml"
    file.write_text(re.sub(r"(?m)^    reasons: .*\n", "", text), encoding="utf-8")
    unwilling = {"goal.plaintiff.settle": "否", "goal.defendant.settle": "否", "appellants": "被告"}
    drafted = play(str(file), fields=unwilling).of(Drafted)
    (petition,) = [one.text for one in drafted if one.document == "appeal_petition"]
    reasons = petition.partition("事实与理由")[2]
    assert "一审判决没有采纳" in reasons
    assert "两次都在七日内上门修补" in reasons
    assert "待补充" not in reasons


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("请您先说一下您的出生日期和住址。", "地址是江澜市青塘区望溪路88号"),
        ("保全费交了多少，票据还在不在？", "原件"),
        ("这笔钱为什么转进公司的账户？", "一时说不准"),
        ("请求要不要改动？", "不用改"),
    ],
)
def test_a_client_answers_what_a_lawyer_asks_first(asked: str, answered: str) -> None:
    def script(request: Request, text: str) -> str:
        drafting = request.id.startswith("CD/") and request.person == "plaintiff_lawyer" and request.act == "converse"
        return asked if drafting and "此致" not in text else text

    said = [
        one.text for one in play("jiedai", script=script, skip=("FIT",)).of(Spoke, "CD") if one.person == "plaintiff"
    ]
    assert answered in said[0]
