"""The small claim: every end and branch; and not one Chinese character in an English run, whatever comes of it."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playing import Game, Script, changed_case, play, project
from typed import lw

from legalworld.model import events as e
from legalworld.model.events import Request
from legalworld.runs.coverage import coverage

# Ideographs, kana, and the punctuation, brackets and full-width forms that go with them.
CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
SETTLES = {"willing": "yes", "agreed": "yes"}


def saying(**values: str) -> Script:
    """The offline actors, but for these answers."""

    def script(request: Request, text: str) -> str:
        answer = request.form.answer
        if answer is None or answer.name not in values:
            return text
        return f"{text.rpartition('<<')[0]}<<{answer.name}: {values[answer.name]}>>"

    return script


def game(case: str = "smallclaims-worktop", **given: object) -> Game:
    return play(case, "", spec="smallclaims", **given)  # type: ignore[arg-type]


def outcome(found: Game) -> list[str]:
    return [event.outcome for event in found.of(e.Ended)]


def absent(who: str, notice: str = "no") -> dict[str, str]:
    return {"attendance": who, "notice": notice, "mediation": "no"}


def endless(request: Request, text: str) -> str:
    """Nobody in the chair ever closes, and the mediator never rings off."""
    if request.act == "converse":
        return f"And what else, {len(request.messages)}?"
    return request.form.leading[0].join(("<<", ">> And what else?")) if request.act == "moderate" else text


def turned(data: Any) -> None:
    """The case with the lay representative and the expert on the other side."""
    data["representatives"] = {"defendant": [{"name": "Mr Ivo Lang", "relation": "a neighbour"}]}
    data["expert"] = {"defendant": data["expert"]["claimant"]}


def ended_early(request: Request, text: str) -> str:
    """A party who wants no more of the mediation once he is asked for his figure."""
    there = "ask_figure" in request.id and request.act == "answer"
    return "<<mediation over>> I would rather see the judge." if there else text


def games(tmp_path: Path) -> Iterator[Game]:
    yield game(changed_case(tmp_path, "smallclaims-worktop", turned))
    yield game(changed_case(tmp_path, "smallclaims-worktop", turned), script=saying(permitted="no"))
    yield game(
        "smallclaims-garden", script=lambda request, text: text if request.form.answer else endless(request, text)
    )
    yield game()
    yield game(script=saying(permitted="no", appealing_now="no"))
    yield game(script=saying(award="0", appeal_permitted="yes"))
    yield game(options=absent("defendant_only"))
    yield game(options=absent("nobody"))
    yield game(options=absent("defendant_only", "yes"))
    yield game(options=absent("claimant_only"))
    yield game(options=absent("claimant_only", "yes"))
    yield game(options=absent("nobody", "yes"))
    yield game("smallclaims-garden")
    yield game("smallclaims-garden", options={"mediation": "no"})
    yield game("smallclaims-garden", script=saying(agreed="no"))
    yield game("smallclaims-garden", script=ended_early)
    yield game(script=endless)


def test_every_end_and_branch_is_reached(tmp_path: Path) -> None:
    procedure = project("smallclaims").procedure
    assert procedure is not None
    played = list(games(tmp_path))
    assert {one for found in played for one in outcome(found)} == {"judged", "settled", "struck_out"}
    found = coverage(procedure, [one.events for one in played])
    assert [(branch.place, branch.kind) for branch in found.missed] == []


def test_nothing_that_is_read_said_or_written_is_chinese(tmp_path: Path) -> None:
    for found in games(tmp_path):
        for request, reply in zip(found.requests, found.replies, strict=True):
            assert not CJK.search(reply), reply
            sent = "\n".join(message.content for message in request.messages)
            assert not CJK.search(sent), CJK.search(sent)
        for event in found.events:
            assert not CJK.search(event.model_dump_json()), event


@pytest.mark.parametrize("manner", ["noisy", "silent"])
def test_actors_that_misbehave_come_to_an_end_too(manner: str) -> None:
    found = game(manner=manner, options={"mediation": "no"})
    assert found.status == "ended"
    assert not any(CJK.search(reply) for reply in found.replies)


def test_nor_is_a_file_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    said = [lw("run", "smallclaims", "--out", "run").said, lw("show", "run").said]
    said += [lw("export", "run", "--format", form).said for form in ("md", "docx")]
    written = [*(tmp_path / "run").glob("*.md"), *(tmp_path / "run" / "documents").glob("*.md")]
    written += (tmp_path / "run" / "exports").glob("*.md")
    assert {file.name for file in written} >= {"transcript.md", "judgment.md", "order.md", "minutes-hearing.md"}
    word = sorted((tmp_path / "run" / "exports").glob("*.docx"))
    assert len(word) > 6
    parts = [zipfile.ZipFile(file).read("word/document.xml").decode() for file in word]
    footers = [zipfile.ZipFile(file).read(name).decode() for file in word for name in footer_names(file)]
    for text in (*said, *(file.read_text("utf-8") for file in written), *parts, *footers):
        assert not CJK.search(text), CJK.search(text)


def footer_names(file: Path) -> list[str]:
    return [name for name in zipfile.ZipFile(file).namelist() if re.fullmatch(r"word/footer\d*\.xml", name)]


def test_without_proof_the_claim_is_dismissed() -> None:
    found = game(script=saying(award="0"))
    documents = {event.document: event.text for event in found.of(e.Drafted)}
    assert "The claim is dismissed." in documents["order"]
    assert "The Claimant must pay the Defendant £4.50" in documents["order"]


def test_what_is_ordered_is_what_was_decided() -> None:
    documents = {event.document: event.text for event in game().of(e.Drafted)}
    assert "£1,480" in documents["order"] and "£220 for" in documents["order"]
    assert "£376.40" in documents["order"]  # 115 + 181 court fees, 6.40 the bus, 74 a day's earnings
    assert "£80.48" in documents["order"]  # 8 % a year of 1,700 for 216 days


def test_no_rule_of_conduct_is_broken_and_nothing_is_missing() -> None:
    for case in ("smallclaims-worktop", "smallclaims-garden"):
        found = game(case, options={"mediation": "no"})
        assert not found.of(e.Violated)
        assert all(event.missing == () for event in found.of(e.Drafted))


# ---- who sees what ---------------------------------------------------------------------------------------------------


def seen_by(found: Game, role: str) -> str:
    """All that was ever sent to a role."""
    sent = (message.content for request in found.requests if request.role == role for message in request.messages)
    return "\n".join(sent)


def test_the_judge_learns_nothing_of_the_mediation() -> None:
    found = game("smallclaims-garden", script=saying(agreed="no"))
    talk = [event.text for event in found.of(e.Spoke, "talks") if event.speaker != "Mediator"]
    assert len(talk) > 3
    read = seen_by(found, "judge")
    assert not [text for text in talk if text in read]
    limits = ("£1,700", "£1,800", "£1,700 in one payment", "not more than £1,800")
    assert not any(limit in read for limit in limits)
    assert not any(limit in seen_by(found, "mediator") for limit in limits[2:])


def test_neither_side_hears_what_the_other_tells_the_mediator() -> None:
    found = game("smallclaims-garden", script=saying(agreed="no"))
    secrets = {
        "Claimant": ["could give a little", "£1,700"],
        "Defendant": ["to have this over", "£1,800", "laid again by"],
    }
    for event in found.of(e.Spoke, "talks"):
        assert event.confined
    for title, said in secrets.items():
        spoken = "\n".join(event.text for event in found.of(e.Spoke, "talks") if event.speaker == title)
        assert all(words in spoken for words in said)
        other = {"Claimant": "defendant", "Defendant": "claimant"}[title]
        asked = "\n".join(
            m.content for r in found.requests if r.role == other for m in r.messages if m.role != "assistant"
        )
        put = [
            event.text
            for event in found.of(e.Spoke, "talks")
            if event.text.startswith(("These are the terms", "This is what is proposed"))
        ]
        for terms in put:
            asked = asked.replace(terms, "")
        assert not [words for words in said[:2] if words in asked]


def test_a_point_of_defence_that_is_made_good_takes_its_sum_off() -> None:
    documents = {
        event.document: event.text for event in game("smallclaims-garden", options={"mediation": "no"}).of(e.Drafted)
    }
    assert "From the £1,650 claimed I have taken £360" in documents["judgment"]
    assert (
        "£1,290" in documents["order"] and "£1,738.08 in all" in documents["order"]
    )  # 1,670 and 8 % on it for 186 days


def test_terms_of_a_settlement_say_who_does_what_and_by_when() -> None:
    settled = {event.document: event.text for event in game("smallclaims-garden").of(e.Drafted)}["settlement"]
    assert "1. The Defendant is to pay the Claimant £1,750 within 14 days of today." in settled
    assert "2. The Claimant is to lay the terrace along the house again within six weeks of today." in settled
    assert "[to be completed]" not in settled


def test_every_document_of_the_side_that_wins_is_weighed_on_the_sum_it_bears_on() -> None:
    written = {event.document: event.text for event in game().of(e.Drafted)}
    findings = written["judgment"].partition("Findings")[2].partition("Decision")[0].split("\n\n")
    first, second = (
        next(one for one in findings if f"On the claim for {words}" in one)
        for words in ("the cost of taking", "the cost of a plumber")
    )
    assert all(f"C{n}" in first for n in (1, 2, 4, 5)) and "C5" not in second and "C3" in second
    sealed = next(one for one in findings if "sealed with oil before" in one)
    assert "C5, which goes to why the worktop failed" in sealed
    assert "The Claimant may rely on one written report by Peter Lyle" in written["directions"]


def test_a_report_of_the_losing_side_bears_nothing_out(tmp_path: Path) -> None:
    found = game(changed_case(tmp_path, "smallclaims-worktop", turned))
    judgment = next(event.text for event in found.of(e.Drafted) if event.document == "judgment")
    assert "by the finding in C5" not in judgment and "tells against it" not in judgment
    assert "The Defendant may rely on one written report" in "".join(event.text for event in found.of(e.Drafted))


def test_who_has_no_paper_on_the_question_says_so() -> None:
    said = [event.text for event in game("smallclaims-garden", options={"mediation": "no"}).of(e.Spoke)]
    assert "No, Judge. On that I have no paper, only what I have told you." in said


def test_the_other_sides_documents_are_seen_at_the_hearing_alone() -> None:
    found = game()
    before = [r for r in found.requests if r.role == "defendant" and not r.id.startswith("hearing")]
    texts = "\n".join(message.content for request in before for message in request.messages)
    assert "cross-threaded" not in texts
    assert "cross-threaded" in seen_by(found, "defendant")


def test_an_expert_without_permission_is_not_heard() -> None:
    found = game(script=saying(permitted="no"))
    assert "no trace of oil" not in "\n".join(event.text for event in found.of(e.Spoke))
    assert "no trace of oil" not in seen_by(found, "judge")
    assert "no trace of oil" in seen_by(game(), "judge")


def test_of_two_reports_the_one_that_is_permitted_is_heard(tmp_path: Path) -> None:
    def both(data: Any) -> None:
        data["expert"]["defendant"] = [
            {"id": "D3", "name": "second report", "expert": "a joiner", "content": "Oak moves"}
        ]

    said: list[str] = []

    def script(request: Request, text: str) -> str:
        if request.form.answer is None or request.form.answer.name != "permitted":
            return text
        said.append("no" if said else "yes")
        return f"<<permitted: {said[-1]}>>"

    found = game(changed_case(tmp_path, "smallclaims-worktop", both, "both"), script=script)
    heard = "\n".join(event.text for event in found.of(e.Spoke))
    assert said == ["yes", "no"] and "no trace of oil" in heard and "Oak moves" not in heard


def test_what_is_for_evaluation_only_reaches_nobody() -> None:
    for found in (game(), game("smallclaims-garden")):
        assert not any("truth" in one.name for r in found.requests for one in r.view.knowledge.shown)
        everything = "\n".join(message.content for request in found.requests for message in request.messages)
        assert "judgment for the Claimant for" not in everything
        assert "settled at £1,750" not in everything


def written(found: Game) -> dict[str, str]:
    return {event.document: event.text for event in found.of(e.Drafted)}


def test_without_a_notice_the_claim_is_decided_on_the_claimants_evidence_alone() -> None:
    judgment = written(game(options=absent("claimant_only")))["judgment"]
    assert "on the Claimant's evidence alone (CPR 27.9(3))" in judgment and "C1 (Order and receipt)" in judgment
    assert "D1" not in judgment and "D2" not in judgment
    assert "D1 (Care leaflet)" in written(game(options=absent("claimant_only", "yes")))["judgment"]


def test_who_stays_away_has_the_court_fees_and_no_expenses_of_attending() -> None:
    for who, attended in (("defendant_only", "the Claimant absent"), ("nobody", "neither party attending")):
        order = written(game(options=absent(who, "yes")))["order"]
        assert attended in order
        assert "£296 within the same 14 days for costs, being court fees (CPR 27.14(2))" in order
