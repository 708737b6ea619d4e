"""Every step and branch of the civil procedure is reached by some run (`lw coverage` finds those that are not)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from playing import Game, Script, answering, as_offline, play, project
from test_civil import SETTLING, deciding, endless, hoping

from legalworld.model.events import Request
from legalworld.runs.coverage import coverage

BOTH = ("plaintiff_lawyer", "defendant_lawyer")


def late(request: Request, text: str) -> str:
    """Willing from the start, agreed only on appeal."""
    return answering(willing="是", agreed="是" if request.id.startswith("SIT") else "否")(request, text)


def challenged(request: Request, text: str) -> str:
    """Somebody asks on appeal for another bench, and is granted it."""
    return answering(recusal="是", recused="是")(request, text) if request.id.startswith("SIT") else text


def broken_off(request: Request, text: str) -> str:
    """Whoever is asked to mediate will not."""
    return f"{text}【结束调解】" if "/mediation/" in request.id and request.act == "answer" else text


def games() -> Iterator[Game]:
    """One after the other, so that no more than one of them is held."""
    for target in BOTH:
        yield play("laodong", target, options={"memory": "no"})
        yield play("jiedai", target, fields={"appellants": "原告"}, script=endless)
        yield play("wuye", target)
    yield play("jiedai", options={"memory": "no"})
    yield play("jiedai", "defendant_lawyer", fields={"appellants": "原告，被告"})
    yield trial(fields={"appellants": ""})
    yield trial(fields={"appellants": "被告", "appeal_requests.defendant": ""})
    yield play(
        "jiedai", skip=("LC", "CD", "DD", "FIT"), fields={"first_ruling.result": "返还借款。", "appellants": "原告"}
    )
    yield trial(fields=SETTLING, script=hoping())
    yield trial(fields=SETTLING, script=late)
    yield trial(fields={"amendment.from": "FIT"})
    yield play("wuye", fields={"amendment.from": "FIT"})
    yield trial(fields={**SETTLING, "amendment.from": "FIT"}, script=late)
    yield trial(script=deciding("发回重审"))
    yield trial(script=answering(recusal="是"))
    yield trial(script=answering(recusal="是", recused="是"))
    yield trial(script=challenged)
    yield trial(script=broken_off)


def trial(script: Script = as_offline, **given: Mapping[str, str]) -> Game:
    """The loan without the talks before the trial."""
    return play("jiedai", script=script, skip=("LC", "CD", "DD"), **given)


def test_every_step_and_branch_of_the_civil_procedure_is_reached() -> None:
    procedure = project().procedure
    assert procedure is not None
    found = coverage(procedure, [game.events for game in games()])
    assert [(branch.place, branch.kind) for branch in found.missed] == []
    assert len(found.branches) > 200
