"""ASP2LJ: cases made of drawn articles and rejected by scores; three drafts of each speech; every branch reached."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from cited import unchecked
from playing import ROOT, Game, Script, as_offline, changed_case, matter, play, project
from ruamel.yaml import YAML
from typed import lw

from legalworld.export.layout import FILE, DocumentForm, Layout, read_layout, styled
from legalworld.files.project_files import Disk
from legalworld.law.text.citations import citations
from legalworld.model import events as e
from legalworld.models.scripted import Manner
from legalworld.runs.coverage import coverage
from legalworld.templates.lookups import form_homes

AREAS = {"civil": "民事", "criminal": "刑事", "administrative": "行政"}
GIVEN = tuple(f"asp2lj-{area}" for area in AREAS)
DRAWN = tuple(f"statutes-{area}" for area in AREAS)
CASES = (*GIVEN, *DRAWN)
RUBRIC = ("correctness", "reality", "rationality", "complexity")
TITLES = {
    "civil": ("原告代理律师", "被告代理律师"),
    "criminal": ("公诉人", "辩护人"),
    "administrative": ("原告代理律师", "行政机关代理人"),
}


def game(
    case: str = "statutes-civil",
    *,
    options: Mapping[str, str] | None = None,
    fields: Mapping[str, str] | None = None,
    manner: Manner = "plain",
    script: Script = as_offline,
) -> Game:
    return play(case, "claimant", spec="asp2lj", options=options, fields=fields, manner=manner, script=script)


def outcomes(found: Game) -> list[str]:
    return [event.outcome for event in found.of(e.Ended)]


def assessor(*cases: Mapping[str, str]) -> Script:
    """What the assessor scores one case after the other, 4 where nothing else is said."""
    seen: dict[str, int] = {}

    def script(request: e.Request, text: str) -> str:
        answer = request.form.answer
        if request.role != "assessor" or answer is None:
            return text
        number = seen[answer.name] = seen.get(answer.name, -1) + 1
        return f"看过了。【{answer.name}：{cases[number].get(answer.name, '4')}】"

    return script


def examiner(*scores: str) -> Script:
    """What the examiner writes of the first draft, the second and the third of each speech."""

    def script(request: e.Request, text: str) -> str:
        if request.act != "review":
            return text
        return scores[request.view.variables["step"]["draft"]["number"] - 1]

    return script


def sent(found: Game, role: str, place: str = "") -> str:
    """All that a role was ever sent."""
    return "\n".join(m.content for one in found.said(place) if one.role == role for m in one.messages)


def texts(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    else:
        for each in node.values() if isinstance(node, dict) else node:
            yield from texts(each)


def read(case: str) -> Any:
    return YAML(typ="base").load(ROOT / "cases" / f"{case}.yaml")


@pytest.mark.parametrize("case", CASES)
def test_it_ends_with_a_decision(case: str) -> None:
    found = game(case)
    assert outcomes(found) == ["decided"]
    assert not found.of(e.Violated)
    assert all(event.missing == () for event in found.of(e.Drafted))
    assert not [event for event in found.of(e.Called) if event.refused]


@pytest.mark.parametrize("case", CASES)
def test_nothing_that_is_cited_is_wrong_or_unchecked(case: str) -> None:
    assert unchecked(game(case), case, "asp2lj") == []


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("manner", ["noisy", "silent"])
def test_actors_that_misbehave_come_to_an_end_too(case: str, manner: Manner) -> None:
    found = game(case, manner=manner)
    assert found.status == "ended"
    assert outcomes(found)[0] in ("decided", "rejected")
    assert found.of(e.Violated)


@pytest.mark.parametrize("area", AREAS)
def test_the_two_are_called_as_their_body_of_law_calls_them(area: str) -> None:
    found = game(f"asp2lj-{area}")
    assert tuple(dict.fromkeys(event.speaker for event in found.of(e.Spoke))) == TITLES[area]


# ---- the shipped cases -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("area", AREAS)
def test_articles_are_named_and_summed_up_not_copied(area: str) -> None:
    case = read(f"statutes-{area}")
    assert case["area"] == AREAS[area]
    named = [(one["law"], one["article"]) for one in case["articles"]]
    assert len(named) == len(set(named)) >= 15
    for one in case["articles"]:
        (found,) = citations(f"《{one['law']}》{one['article']}")
        assert found.law and found.article
        assert 5 < len(one["gist"]) <= 40  # our own line, not the article


def test_the_outcome_that_is_for_evaluation_reaches_nobody() -> None:
    for case in GIVEN:
        hidden = [text for text in texts(read(case)["real"]["result"]) if len(text) > 8]
        assert hidden
        found = game(case)
        everything = "\n".join(m.content for one in found.requests for m in one.messages)
        everything += "\n".join(repr(one.view.knowledge) for one in found.requests)
        assert not [text for text in hidden if text in everything]
        everything = "\n".join(event.model_dump_json() for event in found.events)
        assert not [text for text in hidden if text in everything]


def test_what_the_offline_actors_are_given_to_say_is_in_no_prompt() -> None:
    """The points in dispute and the law of each are for rules to speak from; a model finds its own."""
    for case in GIVEN:
        written = read(case)
        hidden = [*texts(written["real"]), *texts(written["grounds"]), *texts(written["issues"])]
        hidden = [text for text in hidden if len(text) > 8]
        assert len(hidden) > 20
        found = game(case, script=lambda one, text: "本方说完了。")
        everything = "\n".join(m.content for one in found.requests for m in one.messages)
        assert not [text for text in hidden if text in everything]


@pytest.mark.parametrize("case", CASES)
def test_nobody_repeats_himself_and_nothing_is_left_open(case: str) -> None:
    found = game(case)
    said = [line for event in found.of(e.Spoke) for line in event.text.splitlines() if len(line) > 8]
    assert len(said) == len(set(said)) >= 6
    papers = [event.text for event in found.of(e.Drafted, "pleading")] + [found.of(e.Drafted)[-1].text]
    for text in (*said, *papers):
        assert "待补充" not in text and "请求：请求" not in text


@pytest.mark.parametrize(
    ("case", "ordered"),
    [
        ("asp2lj-civil", "柏长汀于本判决生效之日起十日内支付原告冯渡口5600元"),  # 3600+2400+2800-3200
        ("asp2lj-criminal", "裴三省犯盗窃罪，判处拘役五个月，缓刑六个月"),
        ("asp2lj-administrative", "撤销江澜市鹿鸣区市场监督管理局2024年5月30日作出的行政处罚决定"),
    ],
)
def test_the_decision_follows_from_who_had_to_prove_what(case: str, ordered: str) -> None:
    decision = game(case).of(e.Drafted)[-1].text
    assert ordered in decision.partition("裁判结果：")[2]
    for issue in read(case)["issues"]:
        assert issue["question"] in decision
    if case == "asp2lj-administrative":
        assert all(f"第{article}条" in decision for article in ("四十四", "六十二", "七十"))


def test_what_a_drawn_article_is_made_into_is_in_no_prompt() -> None:
    """The points of the articles are for rules to speak from, as the setting is; a model makes its own case."""
    for case in DRAWN:
        written = read(case)
        told = ("law", "article", "gist")
        kept = [text for one in written["articles"] for key, text in one.items() if key not in told]
        hidden = [text for text in (*kept, written["setting"]) if len(text) > 8]
        assert len(hidden) > 100
        found = game(case, script=lambda one, text: "本方说完了。" if one.act != "note" else text)
        everything = "\n".join(m.content for one in found.requests for m in one.messages)
        assert not [text for text in hidden if text in everything]


# ---- what there is to play -------------------------------------------------------------------------------------------


def test_a_case_that_is_given_is_not_made() -> None:
    assert not game("asp2lj-criminal").said("making")
    assert next(event.document for event in game().of(e.Drafted)) == "made_facts"


@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("body", AREAS)
def test_a_case_of_another_body_of_law_is_not_played(area: str, body: str) -> None:
    found = game(f"asp2lj-{area}", options={"body": body})
    assert outcomes(found) == ["decided" if area == body else "other_body"]
    assert bool(found.requests) == (area == body)


def test_an_area_that_is_none_of_the_three_is_not_taken_for_civil() -> None:
    found = game("asp2lj-criminal", fields={"area": "刑事案件"})
    assert outcomes(found) == ["unknown_area"]
    assert not found.requests


def test_neither_facts_nor_articles_is_an_outcome_of_its_own() -> None:
    found = game("asp2lj-civil", fields={"facts": ""})
    assert outcomes(found) == ["no_material"]
    assert not found.requests


# ---- making a case ---------------------------------------------------------------------------------------------------


def test_what_is_made_has_facts_an_accusation_and_a_plea_but_no_judgment() -> None:
    found = game()
    assert [event.document for event in found.of(e.Drafted, "making")] == ["made_facts", "made_accusation", "made_plea"]
    judging = game(script=lambda one, text: text + "判决如下：驳回。" if one.role == "generator" else text)
    assert {event.rule for event in judging.of(e.Violated)} == {"no_judgment_made"}


@pytest.mark.parametrize("criterion", RUBRIC)
def test_one_low_score_rejects_and_the_next_case_is_made_of_other_articles(criterion: str) -> None:
    found = game(script=assessor({criterion: "2"}, {}))
    draws = [event.drawn for event in found.of(e.Captured) if event.source == "sample"]
    assert len(draws) == 2
    assert draws[0] != draws[1]
    assert outcomes(found) == ["decided"]
    assert [one.reason for one in found.of(e.Closed, "making")] == ["condition"]


def test_three_is_enough() -> None:
    found = game(script=assessor(dict.fromkeys(RUBRIC, "3")))
    assert len([event for event in found.of(e.Captured) if event.source == "sample"]) == 1
    assert outcomes(found) == ["decided"]


def test_a_case_that_is_rejected_three_times_is_no_case() -> None:
    found = game(script=assessor({"complexity": "1"}, {"reality": "0"}, {"correctness": "2"}))
    assert outcomes(found) == ["rejected"]
    assert not found.said("pleading")
    scored = [(one.name, one.value) for one in found.of(e.Captured) if one.name in RUBRIC and one.value in "012"]
    assert scored == [("complexity", "1"), ("reality", "0"), ("correctness", "2")]


def test_a_score_that_cannot_be_read_rejects() -> None:
    found = game(script=lambda one, text: "很好，满分10分。【quality：10】" if one.role == "assessor" else text)
    assert outcomes(found) == ["rejected"]
    assert {(one.value, one.source) for one in found.of(e.Captured) if one.name in RUBRIC} == {("0", "default")}
    assert {one.rule for one in found.of(e.Violated)} >= {"no_answer"}


@pytest.mark.parametrize("area", AREAS)
def test_of_articles_without_anything_else_rules_make_no_case(area: str, tmp_path: Path) -> None:
    """What a rule-based generator has no facts for is turned down, not argued and decided in empty words."""

    def change(case: Any) -> None:
        told = ("law", "article", "gist")
        case["articles"] = [{key: one[key] for key in told} for one in case["articles"]]

    assert outcomes(game(changed_case(tmp_path, f"statutes-{area}", change))) == ["rejected"]


STORY = {
    "make_facts": "经过：甲与乙说好修屋顶，乙收了钱没有修。\n证据：收据一张。",
    "make_accusation": "请求：\n退还8000元。\n理由：\n收了钱没有修。",
    "make_plea": "意见：\n不同意退。\n理由：\n是甲不让进门。",
}


@pytest.mark.parametrize("area", AREAS)
def test_a_case_that_somebody_else_made_up_is_argued_from_its_parts(area: str) -> None:
    """Where a model makes the case and rules argue it: requests and reasons each in their place, nothing said twice."""

    def script(one: e.Request, text: str) -> str:
        return next((told for step, told in STORY.items() if step in one.id), text)

    found = game(f"statutes-{area}", script=script)
    assert outcomes(found) == ["decided"]
    papers = texts_of(found)
    assert papers["accusation_paper"].count("退还8000元。") == 1 and "理由：\n收" not in papers["accusation_paper"]
    assert re.search("\n请求：\n\n退还8000元。\n\n事实和理由：", papers["accusation_paper"])
    assert "答辩意见：不同意退。" in papers["answer_paper"] and "是甲不让进门。" in papers["answer_paper"]
    said = [one.text for one in found.of(e.Spoke)]
    assert not [text for text in said if "请求：" in text or "意见：" in text]
    assert not [one["question"] for one in read(f"statutes-{area}")["articles"] if one["question"] in "".join(said)]


def test_the_rejected_case_is_not_argued() -> None:
    made = iter(range(9))

    def script(request: e.Request, text: str) -> str:
        if request.role == "generator" and request.id.startswith("making/attempts.make_facts"):
            return f"第{next(made)}号案情。\n" + text
        return assessing(request, text)

    assessing = assessor({"reality": "1"}, {})
    found = game(script=script)
    told = sent(found, "claimant") + sent(found, "respondent") + sent(found, "judge")
    assert "第1号案情" in told
    assert "第0号案情" not in told


# ---- who sees what ---------------------------------------------------------------------------------------------------


def test_the_drawn_articles_are_seen_by_the_generator_and_the_assessor_alone() -> None:
    found = game()
    seen = {request.role for request in found.requests for one in request.view.knowledge.shown if one.name == "drawn"}
    assert seen == {"generator", "assessor"}
    (draw,) = [event for event in found.of(e.Captured) if event.source == "sample"]
    case = matter("statutes-civil", spec="asp2lj").case
    assert len(draw.drawn) == len(draw.value) == 3
    assert len(case.fields["articles"]) > 3  # type: ignore[arg-type]
    undrawn = [one["gist"] for one in read("statutes-civil")["articles"] if one["gist"] not in "".join(draw.value)]
    everything = "\n".join(m.content for one in found.requests for m in one.messages)
    assert not [gist for gist in undrawn if gist in everything]


@pytest.mark.parametrize("case", ["asp2lj-civil", "statutes-civil"])
def test_the_plea_is_not_known_to_the_claimant_before_the_answer(case: str) -> None:
    plea = "PLEA-IS-HIDDEN"
    fields = {"plea": plea} if case == "asp2lj-civil" else None
    found = game(case, fields=fields, script=lambda one, text: plea if "make_plea" in one.id else text)
    assert plea not in sent(found, "claimant", "pleading")
    assert plea in sent(found, "respondent", "pleading")
    assert plea in sent(found, "claimant", "hearing")


def test_the_judge_has_heard_the_debate_when_he_decides() -> None:
    spoken = iter(range(99))
    found = game("asp2lj-civil", script=lambda one, text: f"发言{next(spoken)}。" if one.act == "state" else text)
    told = sent(found, "judge")
    assert [f"发言{n}。" in told for n in range(6)] == [True] * 6
    assert {one.role for one in found.said("hearing/judging")} == {"judge"}


def test_the_judge_may_read_earlier_arguments_and_nobody_else() -> None:
    (one,) = {text for text in read("asp2lj-criminal")["earlier"][0].values() if len(text) > 40}
    found = game("asp2lj-criminal")
    assert [(call.tool, one in call.result) for call in found.of(e.Called)][-1] == ("read_document", True)
    assert one in sent(found, "judge")
    for role in ("claimant", "respondent", "examiner"):
        assert one not in sent(found, role)
    opened = [(one.role, shown.name) for one in found.requests for shown in one.view.knowledge.shown]
    assert {role for role, name in opened if name in ("earlier", "earlier_record")} == {"judge"}
    without = game("asp2lj-criminal", options={"retriever": "no"})
    assert not without.of(e.Called)
    assert one not in sent(without, "judge")


# ---- three drafts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("area", AREAS)
def test_each_speech_is_drafted_and_scored_three_times_and_the_best_is_heard(area: str) -> None:
    found = game(f"asp2lj-{area}")
    reviewed = found.of(e.Reviewed)
    assert len(reviewed) == 3 * 2 * 3  # rounds, sides, drafts
    assert {event.verdict for event in reviewed} == {"scored"}
    assert all(set(event.scores) == {"引用", "反驳", "整体把握"} for event in reviewed)
    spoken = [event.text for event in found.of(e.Spoke)]
    for place, three in enumerate(reviewed[at : at + 3] for at in range(0, 18, 3)):
        totals = [sum(one.scores.values()) for one in three]
        assert totals == [6, 13.5, 10.5]
        assert [one.heard for one in three] == [False, True, False]
        assert spoken[place] == three[1].text
        assert len({one.text for one in three}) == 3


def test_of_equal_drafts_the_first_is_heard() -> None:
    found = game("asp2lj-civil", script=examiner(*["【引用：3】【反驳：3】【整体把握：3】"] * 3))
    assert {event.number for event in found.of(e.Reviewed) if event.heard} == {1}


def test_a_draft_that_fails_to_score_loses_to_one_that_has_a_score() -> None:
    found = game(
        "asp2lj-civil",
        script=examiner("很好。", "【引用：0】【反驳：0】【整体把握：0.5】", "【引用：九】"),
    )
    heard = {(one.number, one.verdict) for one in found.of(e.Reviewed) if one.heard}
    assert heard == {(2, "scored")}
    assert {one.verdict for one in found.of(e.Reviewed) if one.number != 2} == {"unscored"}


def test_when_no_draft_can_be_scored_the_first_is_heard_and_it_is_recorded() -> None:
    found = game("asp2lj-criminal", script=examiner(*["写得不错。", "【引用：8】", ""]))
    assert {event.verdict for event in found.of(e.Reviewed)} == {"unscored"}
    assert {event.number for event in found.of(e.Reviewed) if event.heard} == {1}
    assert "no_score" in {event.rule for event in found.of(e.Violated)}
    assert outcomes(found) == ["decided"]


def test_nobody_hears_a_draft_or_a_score() -> None:
    secret = "只给写的人看的意见"
    found = game("asp2lj-civil", script=lambda one, text: secret + text if one.act == "review" else text)
    assert secret in sent(found, "claimant")
    assert secret not in sent(found, "judge")
    dropped = [one.text for one in found.of(e.Reviewed) if one.number == 3 and one.person == "claimant"]
    for role in ("judge", "respondent"):
        assert not [text for text in dropped if text in sent(found, role)]


def test_the_ablations_of_the_paper_are_options() -> None:
    assert not game("asp2lj-criminal", options={"evolution": "no"}).of(e.Reviewed)
    silent = game("asp2lj-criminal", options={"argument": "no"})
    assert not silent.of(e.Spoke)
    assert outcomes(silent) == ["decided"]
    told = {one: sent(game("asp2lj-criminal", options={"retriever": one}), "judge") for one in ("yes", "no")}
    assert "search_articles" in told["yes"]
    assert "search_articles" not in told["no"]


def test_every_branch_is_reached() -> None:
    procedure = project("asp2lj").procedure
    assert procedure is not None
    games = [game(case) for case in CASES]
    games += [game(script=assessor({"complexity": "1"}, {"reality": "1"}, {"reality": "1"}))]
    games += [game("asp2lj-criminal", options=options) for options in ({"evolution": "no"}, {"argument": "no"})]
    games += [game("asp2lj-criminal", options={"body": "civil"}), game("asp2lj-civil", fields={"facts": ""})]
    games += [game("asp2lj-civil", fields={"area": "商事"})]
    found = coverage(procedure, [one.events for one in games])
    assert [(branch.place, branch.kind) for branch in found.missed] == []
    assert len(found.branches) > 40


# ---- pairs -----------------------------------------------------------------------------------------------------------


def test_pairs_are_the_best_and_the_worst_draft_of_each_speech(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert lw("run", "asp2lj", "--case", "asp2lj-criminal", "--out", "run", "--json").code == 0
    pairs = [json.loads(line) for line in lw("show", "run", "--pairs").out.splitlines()]
    assert [pair["speaker"] for pair in pairs] == ["公诉人", "辩护人"] * 3
    for pair in pairs:
        assert (sum(pair["chosen"]["scores"].values()), sum(pair["rejected"]["scores"].values())) == (13.5, 6)
        assert pair["chosen"]["text"] != pair["rejected"]["text"]
        assert next(message["role"] for message in pair["prompt"]) == "system"
        assert pair["rejected"]["text"] not in pair["prompt"][-1]["content"]


def test_speeches_without_scores_make_no_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("--case", "asp2lj-criminal", "--option", "evolution=no", "--out", "run", "--json")
    assert lw("run", "asp2lj", *words).code == 0
    assert lw("show", "run", "--pairs").out == ""


def test_nothing_is_to_be_proved_by_the_accused() -> None:
    """刑事诉讼法第五十一条; the parties of a decision are called what they are in a case of its kind."""
    texts = [one.text for one in game("asp2lj-criminal").of(e.Drafted) if one.document == "decision"]
    assert texts and all("辩护人证明" not in text and "一方证明" not in text for text in texts)
    assert all("公诉人认为" in text and "辩护人认为" in text and "起诉一方" not in text for text in texts)


# ---- the papers and the decision -------------------------------------------------------------------------------------

LISTS = Path(__file__).parent / "checklists"


def dealt(area: str) -> tuple[tuple[str, ...], ...]:
    """All articles of an area in threes: gists, each at least once."""
    gists = [one["gist"] for one in read(f"statutes-{area}")["articles"]]
    return tuple(
        tuple(gists[at : at + 3]) if at + 3 <= len(gists) else tuple(gists[-3:]) for at in range(0, len(gists), 3)
    )


def points(area: str, gists: tuple[str, ...]) -> list[Any]:
    return [one for one in read(f"statutes-{area}")["articles"] if one["gist"] in gists]


@cache
def drawn(folder: Path, area: str, gists: tuple[str, ...]) -> Game:
    """A case made of these articles and no others."""

    def change(case: Any) -> None:
        case["articles"] = [one for one in case["articles"] if one["gist"] in gists]

    return game(changed_case(folder, f"statutes-{area}", change, f"{area}-{hash(gists)}"))


def of_articles(folder: Path, area: str, *articles: str) -> tuple[Game, list[Any]]:
    found = [one for one in read(f"statutes-{area}")["articles"] if one["law"] + one["article"] in articles]
    assert len(found) == len(articles)
    gists = tuple(one["gist"] for one in found)
    return drawn(folder, area, gists), found


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("made")


def texts_of(found: Game) -> dict[str, str]:
    return {one.document: one.text for one in found.of(e.Drafted)}


def part(decision: str, label: str, end: str) -> str:
    return decision.partition(f"\n{label}：")[2].partition(f"\n{end}：")[0]


def articles_of(text: str) -> set[tuple[str, str]]:
    """(law, article) of every citation; one without a law is of the law named last."""
    found, last = set(), ""
    for one in citations(text):
        last = one.law or last
        found.add((last, one.article or ""))
    return found


DEALT = [(area, gists) for area in AREAS for gists in dealt(area)]
every_draw = pytest.mark.parametrize(("area", "gists"), DEALT, ids=lambda one: one if isinstance(one, str) else "")


def lacking(area: str, found: Game) -> list[str]:
    lists = YAML(typ="base").load((LISTS / "asp2lj.yaml").read_text("utf-8"))
    wrong = []
    for document, text in texts_of(found).items():
        for forms in (lists.get(document, {}), lists[AREAS[area]].get(document, {})):
            for point, form in forms.items():
                if (re.search(form, text) is None) is (point != "never"):
                    wrong.append(f"{document}：{point}")
    return wrong


@every_draw
def test_the_papers_of_a_made_case_have_all_that_theirs_must_have(
    area: str, gists: tuple[str, ...], folder: Path
) -> None:
    assert lacking(area, drawn(folder, area, gists)) == []


@pytest.mark.parametrize("area", AREAS)
def test_the_papers_of_a_given_case_have_all_that_theirs_must_have(area: str) -> None:
    assert lacking(area, game(f"asp2lj-{area}")) == []


@pytest.mark.parametrize("area", AREAS)
def test_on_paper_the_court_seals_its_decision_and_nothing_else(area: str) -> None:
    layout = read_layout(Disk(ROOT), form_homes("zh", ("asp2lj", "court"), FILE))
    assert isinstance(layout, Layout), layout
    documents = project("asp2lj").procedure.documents  # type: ignore[union-attr]
    papers = texts_of(game(f"asp2lj-{area}"))
    for name in ("accusation_paper", "answer_paper", "decision"):
        text = papers[name]
        form = DocumentForm(documents[name].title, documents[name].sections, "court")
        styles = [style for style, _ in styled(text, form, layout)]
        assert styles.count("title") == 1 and styles.index("title") <= 1, name
        assert ("seal" in styles) is (name == "decision"), name
        assert styles[-1] == ("bench" if name == "decision" else "signature")
        assert styles.count("number") == (name == "decision" or (area, name) == ("criminal", "accusation_paper"))


@every_draw
def test_what_is_drawn_is_argued_and_decided(area: str, gists: tuple[str, ...], folder: Path) -> None:
    """The complaint relies on the articles drawn, both sides argue the point of each, the decision says why."""
    found = drawn(folder, area, gists)
    papers, said = texts_of(found), "".join(one.text for one in found.of(e.Spoke))
    for one in points(area, gists):
        citation = articles_of(f"《{one['law']}》{one['article']}")
        assert citation <= articles_of(papers["accusation_paper"])
        assert one["question"] in papers["decision"] and one["claim"] in said and one["answer"] in said
        exhibits = [one[key] for key in ("proof", "counter") if key in one]
        for document in ("made_facts", "decision"):
            assert not [text for text in exhibits if text not in papers[document]]


@every_draw
def test_a_partys_paper_argues_for_that_party(area: str, gists: tuple[str, ...], folder: Path) -> None:
    papers = texts_of(drawn(folder, area, gists))
    for one in points(area, gists):
        assert one["claim"] in papers["accusation_paper"] and one["answer"] not in papers["accusation_paper"]
        assert one.get("told", one["facts"]) in papers["accusation_paper"]
        assert one["answer"] in papers["answer_paper"] and one["claim"] not in papers["answer_paper"]


@every_draw
def test_the_decision_rests_on_the_articles_that_its_reasons_rest_on(
    area: str, gists: tuple[str, ...], folder: Path
) -> None:
    decision = texts_of(drawn(folder, area, gists))["decision"]
    basis = articles_of(part(decision, "依据", "裁判结果"))
    found = points(area, gists)
    convicted = any("charge" in one and not {"lack", "excused"} & one.keys() for one in found)
    for one in found:
        if area == "criminal" and ("lack" in one or (one.get("effect") == "量刑" and not convicted)):
            continue
        assert articles_of(one["decides"]) <= basis
        if one.get("effect") != "量刑":
            assert one["finding"] in decision


@pytest.mark.parametrize("area", AREAS)
def test_the_reasons_of_a_point_give_what_its_order_gives(area: str) -> None:
    for one in read(f"statutes-{area}")["articles"]:
        needed = ("facts", "says", "question", "claim", "reply", "answer", "rule", "answer_rule", "finding", "plea")
        assert all(one[key].rstrip("”").endswith("。") for key in needed if key != "question"), one["article"]
        assert one["burden"] == "起诉" or area != "criminal"  # nothing is to be proved by the accused
        if one.get("amount", "0") != "0":
            assert f"{one['amount']}元" in one["finding"]
        if "asked" in one:
            assert f"{one['asked']}元" in one["prayer"] and int(one["amount"]) <= int(one["asked"])
        if "charge" in one:
            assert one["charge"] in one["finding"] and one["charge"] in one["prayer"]


def test_no_two_points_are_decided_for_the_same_reasons() -> None:
    reasons = [one["finding"] for area in AREAS for one in read(f"statutes-{area}")["articles"]]
    reasons += [one["finding"] for case in GIVEN for one in read(case)["issues"]]
    sentences = [sentence for reason in reasons for sentence in set(re.split("[。；]", reason)) if len(sentence) > 10]
    assert len(sentences) == len(set(sentences)) > 100


@pytest.mark.parametrize(
    ("area", "article", "ordered"),
    [
        ("civil", "民法典第一百五十一条", "驳回原告秦溪的诉讼请求。"),
        ("civil", "民法典第五百七十七条", "被告陆桥于本判决生效之日起十日内退还原告秦溪展架价款2000元。"),
        ("criminal", "刑法第三百一十二条", "被告人鲁澄无罪。"),
        ("administrative", "行政处罚法第三十六条", "驳回原告何苗的诉讼请求。"),
    ],
)
def test_one_point_makes_a_whole_case(area: str, article: str, ordered: str, folder: Path) -> None:
    """One item has no number, who loses all bears the fee, and nobody is at a loss for words in the second round."""
    found, _ = of_articles(folder, area, article)
    assert lacking(area, found) == [] and not found.of(e.Violated)
    decision = texts_of(found)["decision"]
    assert part(decision, "裁判结果", "告知").strip().split("\n")[0] == ordered
    if "驳回" in ordered:
        assert re.search("案件受理费[0-9.]+元，由原告", decision)
    said = [one.text for one in found.of(e.Spoke)]
    assert len(said) == len(set(said)) == 6


# ---- the three operative parts ---------------------------------------------------------------------------------------


def months(text: str) -> int:
    read_as = {"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "十一": 11}
    years, _, rest = text.rpartition("年")
    return 12 * read_as.get(years, 0) + read_as.get(rest.removesuffix("个月"), 0)


def test_sentences_for_several_offences_are_joined_within_the_law(folder: Path) -> None:
    """刑法第六十九条: between the longest and the sum, 拘役 taken up by 有期徒刑, fines added."""
    offences = [one for one in read("statutes-criminal")["articles"] if one.get("kind") in ("有期徒刑", "拘役")]
    offences = [one for one in offences if not {"lack", "excused"} & one.keys()]
    for three in [*combinations(offences, 3)][::17]:
        decision = texts_of(drawn(folder, "criminal", tuple(one["gist"] for one in three)))["decision"]
        ordered = part(decision, "裁判结果", "告知")
        terms = [months(term) for term in re.findall("判处有期徒刑([^，；（]+)", ordered)]
        (joined,) = re.findall("数罪并罚，决定执行有期徒刑([^，；（]+)", ordered)
        assert max(terms) <= months(joined) <= sum(terms)
        fines = sum(int(one.get("fine", 0)) for one in three)
        assert (f"个月，并处罚金人民币{fines}元（" in ordered or f"年，并处罚金人民币{fines}元（" in ordered) is (
            fines > 0
        )
        assert "第六十九条" in part(decision, "依据", "裁判结果")


def test_an_acquittal_says_which_it_is(folder: Path) -> None:
    """刑事诉讼法第二百条: the second item where the act is no crime, the third where the evidence does not suffice."""
    found, _ = of_articles(folder, "criminal", "刑法第二十条", "刑法第二十一条", "刑法第三百一十二条")
    decision = texts_of(found)["decision"]
    assert part(decision, "裁判结果", "告知").strip() == "被告人鲁澄无罪。"
    basis = part(decision, "依据", "裁判结果")
    assert "第二百条第二项、第三项" in basis and "第一项" not in basis
    found, _ = of_articles(folder, "criminal", "刑法第二十条", "刑法第二十一条", "刑法第六十七条")
    decision = texts_of(found)["decision"]
    assert "第二百条第二项。" in decision
    assert "这一情节对结果没有影响" in decision and "第六十七条" not in part(decision, "依据", "裁判结果")


def test_a_count_that_is_not_proved_is_left_out_of_the_sentence(folder: Path) -> None:
    found, _ = of_articles(folder, "criminal", "刑法第二百六十四条", "刑法第三百一十二条", "刑法第六十七条")
    decision = texts_of(found)["decision"]
    ordered = part(decision, "裁判结果", "告知")
    assert "犯盗窃罪，判处有期徒刑七个月" in ordered  # eight, less one for the confession
    assert "掩饰" not in ordered and "第二百条第一项、第三项" in decision
    assert "责令被告人鲁澄退赔被害人乌某人民币4600元" in ordered and "第六十四条" in decision


ANNULLED = {
    "行政处罚法第二十九条": "第二项",
    "行政处罚法第三十三条": "第六项",
    "行政处罚法第四十四条": "第三项",
    "行政处罚法第四十五条": "第三项",
    "行政处罚法第六十三条": "第三项",
    "行政诉讼法第三十四条": "第一项",
    "行政诉讼法第七十条": "第五项",
}


@pytest.mark.parametrize(("article", "item"), ANNULLED.items(), ids=list(ANNULLED))
def test_a_penalty_is_annulled_under_the_item_that_its_fault_falls_under(article: str, item: str, folder: Path) -> None:
    found, _ = of_articles(folder, "administrative", article, "行政处罚法第三十六条", "行政处罚法第六十条")
    decision = texts_of(found)["decision"]
    basis = part(decision, "依据", "裁判结果")
    assert f"第七十条{item}" in basis and "第七十四条" not in basis and "第六十九条" not in basis
    other, _ = of_articles(folder, "administrative", article, "行政许可法第六十九条", "行政处罚法第六十条")
    both = "第七十条第一项" if item == "第一项" else f"第七十条第一项、{item}"
    assert both in part(texts_of(other)["decision"], "依据", "裁判结果")
    ordered = part(decision, "裁判结果", "告知")
    assert ordered.strip().startswith("撤销") and "确认" not in ordered and "驳回" not in ordered
    assert "这一点不再单独确认违法" in decision
    assert "《中华人民共和国城乡规划法》第六十四条" in decision  # what the fine of 9600 rested on


@pytest.mark.parametrize(
    ("articles", "ordered", "basis"),
    [
        (("行政处罚法第三十六条", "行政诉讼法第六十九条", "行政处罚法第六十条"), "确认", "第七十四条第一款第二项"),
        (("行政处罚法第三十六条", "行政诉讼法第六十九条", "行政诉讼法第七十七条"), "变更", "第七十七条第一款"),
        (("行政处罚法第三十六条", "行政诉讼法第六十九条", "行政许可法第八条"), "驳回", "第六十九条"),
    ],
    ids=["unlawful", "changed", "lawful"],
)
def test_a_penalty_that_is_not_annulled_is_dealt_with_as_its_fault_deserves(
    articles: tuple[str, ...], ordered: str, basis: str, folder: Path
) -> None:
    decision = texts_of(of_articles(folder, "administrative", *articles)[0])["decision"]
    result = part(decision, "裁判结果", "告知")
    assert ordered in result and "驳回原告何苗的其余诉讼请求" in result
    assert "撤销江澜市" not in result
    assert basis in part(decision, "依据", "裁判结果") and "第七十条" not in part(decision, "依据", "裁判结果")


def test_the_given_penalty_is_annulled_for_the_hearing_that_was_not_held_and_for_being_unjust() -> None:
    decision = game("asp2lj-administrative").of(e.Drafted)[-1].text
    basis = part(decision, "依据", "裁判结果")
    assert all(
        f"第{article}" in basis for article in ("四十四条", "四十五条", "六十三条第一款", "七十条第三项、第六项")
    )
    assert "《中华人民共和国食品安全法》第一百二十四条第一款第五项" in decision
    assert "听证也没有举行" in decision and "明显不当" in decision


@pytest.mark.parametrize("gists", dealt("civil"), ids=lambda one: "")
def test_the_items_of_an_award_and_the_fee_add_up(gists: tuple[str, ...], folder: Path) -> None:
    decision = texts_of(drawn(folder, "civil", gists))["decision"]
    found = points("civil", gists)
    awarded = [int(one["amount"]) for one in found if ("lack" in one) is (one["burden"] == "应诉")]
    asked = sum(int(one["asked"]) for one in found)
    ordered = part(decision, "裁判结果", "告知")
    assert [int(sum_) for sum_ in re.findall(r"十日内\D+(\d+)元", ordered)] == awarded
    assert ("驳回" in ordered) is (sum(awarded) < asked)
    numbers = re.findall("^([一二三四])、", ordered, re.MULTILINE)
    assert all("一二三四".index(b) == "一二三四".index(a) + 1 for a, b in pairwise(numbers))
    fee, *shares = re.findall(r"([\d.]+)元", part(decision, "告知", "审判长").split("。")[0])
    assert round(float(fee) * 100) == round(50_00 + max(asked - 10_000, 0) * 2.5)
    assert not shares or round(sum(map(float, shares)), 2) == float(fee)
