"""Review of acts by norms: each ground that is not answered annuls the act or orders to act; where nobody says what the
exhibits of the authority state, nothing is decided."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playing import changed_case, play

from legalworld.model import events as e
from legalworld.model.undecided_claims import undecided_by_decision

UNSEEN_CASES = Path(__file__).parent / "unseen"
ANNULLED, DISMISSED, UNDECIDED = "撤销被告", "驳回原告", "不作处理"
Change = Callable[[dict[str, Any]], object]


def judged(tmp_path: Path, case: str, change: Change) -> tuple[str, str]:
    """The operative part of the judgment on a changed case, and all of it."""
    game = play(changed_case(tmp_path, case, change), "plaintiff_agent", spec="administrative")
    text = next(one.text for one in game.of(e.Drafted) if one.document == "administrative_judgment")
    left = undecided_by_decision(game.events).get("first_decision", (0, 0))[0]
    assert bool(left) == (UNDECIDED in text.partition("判决如下")[2])
    return text.partition("判决如下：")[2].partition("案件受理费")[0].strip(), text


def exhibits(data: dict[str, Any]) -> list[dict[str, Any]]:
    return list(data["evidence"]["defendant"])


def without(fact: str) -> Change:
    def change(data: dict[str, Any]) -> None:
        for one in exhibits(data):
            one.get("says", {}).pop(fact, None)

    return change


def test_an_act_that_every_paper_bears_out_stands(tmp_path: Path) -> None:
    found, _ = judged(tmp_path, "xiaofang", lambda data: None)
    assert found.startswith(DISMISSED)


@pytest.mark.parametrize("fact", ["competent", "proof_then", "law_applied", "informed", "told_rights", "hearing_held"])
def test_each_thing_that_the_authority_does_not_show_annuls_its_act(tmp_path: Path, fact: str) -> None:
    found, _ = judged(tmp_path, "xiaofang", without(fact))
    assert found.startswith(ANNULLED)


@pytest.mark.parametrize("day", ["2025-02-17", "2025-02-18", "2025-02-19", "2025-06-01"])
def test_what_was_made_after_the_act_proves_nothing_for_it(tmp_path: Path, day: str) -> None:
    def late(data: dict[str, Any]) -> None:
        next(one for one in exhibits(data) if "proof_then" in one.get("says", {}))["says"]["made"] = day

    found, _ = judged(tmp_path, "xiaofang", late)
    assert found.startswith(DISMISSED if day <= "2025-02-18" else ANNULLED)


@pytest.mark.parametrize("place", range(6))
def test_an_exhibit_of_which_nobody_says_what_it_states_annuls_nothing(tmp_path: Path, place: int) -> None:
    """Whatever of it matters is open: the act neither stands nor falls."""

    def unread(data: dict[str, Any]) -> None:
        exhibits(data)[place].pop("says")

    found, text = judged(tmp_path, "xiaofang", unread)
    assert ANNULLED not in found
    assert found.startswith(DISMISSED) or "演练文书" in text


@pytest.mark.parametrize("fined", [5000, 49999, 50000, 50001, 500000])
def test_a_fine_over_what_the_law_allows_falls(tmp_path: Path, fined: int) -> None:
    def fine(data: dict[str, Any]) -> None:
        next(one for one in exhibits(data) if "fined" in one.get("says", {}))["says"]["fined"] = fined

    found, _ = judged(tmp_path, "xiaofang", fine)
    assert found.startswith(DISMISSED if fined <= 50000 else ANNULLED)


def test_an_act_without_a_norm_is_left_undecided(tmp_path: Path) -> None:
    found, text = judged(tmp_path, "xiaofang", lambda data: data["matter"].update(cause="行政征收"))
    assert UNDECIDED in found and "演练文书，不是裁判" in text


@pytest.mark.parametrize(("done", "said"), [(False, "责令被告"), (True, DISMISSED)])
def test_who_does_not_act_is_ordered_to(tmp_path: Path, done: bool, said: str) -> None:
    def answered(data: dict[str, Any]) -> None:
        paper = {"id": "被证9", "name": "答复书", "form": "原件，原告签收", "source": "被告", "content": "已经答复"}
        if done:
            data["evidence"].setdefault("defendant", []).append({**paper, "on": "职责", "says": {"done": "yes"}})
            data.setdefault("objections", {})["plaintiff"] = [{"exhibit": "被证9", "opinion": "认可", "text": "收到"}]

    found, _ = judged(tmp_path, str(UNSEEN_CASES / "administrative/gongkai"), answered)
    assert found.startswith(said)
