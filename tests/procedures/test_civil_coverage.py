"""Every step and branch of the civil procedure is reached by some run (`lw coverage` finds those that are not)."""

from __future__ import annotations

from playing import Game, Script, play, project
from test_civil import SETTLING, deciding, endless, hoping

from legalworld.model.events import Request
from legalworld.runs.coverage import coverage

BOTH = ("plaintiff_lawyer", "defendant_lawyer")


def answering(**given: str) -> Script:
    """The offline actors, but for these answers."""

    def script(request: Request, text: str) -> str:
        answer = request.form.answer
        if answer is None or answer.name not in given:
            return text
        return f"{text.rpartition('【')[0]}【{answer.name}：{given[answer.name]}】"

    return script


def late(request: Request, text: str) -> str:
    """Willing from the start, agreed only on appeal."""
    answer = request.form.answer
    if answer is None or answer.name not in ("willing", "agreed"):
        return text
    yes = answer.name == "willing" or request.id.startswith("SIT")
    return f"{text.rpartition('【')[0]}【{answer.name}：{'是' if yes else '否'}】"


def games() -> list[Game]:
    found = [play("jiedai", target) for target in BOTH]
    found += [play("jiedai", target, options={"memory": "no"}) for target in BOTH]
    found += [
        play("jiedai", target, fields={"appellants": side}, script=endless)
        for target in BOTH
        for side in ("原告", "被告")
    ]
    found += [play("laodong", target, options={"memory": "no"}) for target in BOTH]
    found += [play("wuye", target) for target in BOTH]
    found += [play("jiedai", target, fields={"appellants": "原告，被告"}) for target in BOTH]
    found += [play("jiedai", fields={"appellants": ""}), play("jiedai", fields=SETTLING, script=hoping())]
    found += [play("jiedai", fields=SETTLING, script=late), play("jiedai", script=deciding("发回重审"))]
    found += [play("jiedai", script=answering(recusal="是")), play("jiedai", fields={"appellants": "原告"})]
    return found


def test_every_step_and_branch_of_the_civil_procedure_is_reached() -> None:
    procedure = project().procedure
    assert procedure is not None
    found = coverage(procedure, [game.events for game in games()])
    assert [(branch.place, branch.kind) for branch in found.missed] == []
    assert len(found.branches) > 200
