"""A paper can say who came: of the parties that its author may see, those who did not come to the stage are told."""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import played

from legalworld.model.events import Drafted

PEOPLE = {"left": ("Ann", "Bea"), "right": ("Cid", "Dan")}
FORM = (
    "Attended:{% for e in own.parties %}{% for p in e.value if p.name not in e.absent %} {{ p.name }}{% endfor %}"
    "{% endfor %}.\nAbsent:{% for e in own.parties %}{% for name in e.absent %} {{ name }}{% endfor %}{% endfor %}.\n"
)


AWAY = [set(each) - {""} for each in product(*[("", name) for name in ("Ann", "Bea", "Cid", "Dan")])]


@pytest.mark.parametrize("stage", ["court", "later"])
@pytest.mark.parametrize("away", AWAY, ids=str)
def test_a_paper_tells_who_came(away: set[str], stage: str) -> None:
    """In the stage to which they did not come, and in a later one that names none of them and they stay away from."""
    game = played(_spec(stage), _case(away), more={"documents/en/papers/paper.j2": FORM})
    (drafted,) = game.of(Drafted)
    everybody = [name for names in PEOPLE.values() for name in names]
    attended = "".join(f" {name}" for name in everybody if name not in away)
    absent = "".join(f" {name}" for name in everybody if name in away)
    assert drafted.text == f"Attended:{attended}.\nAbsent:{absent}."


@pytest.mark.parametrize("away", AWAY, ids=str)
def test_who_stayed_away_from_one_stage_alone_is_there_in_the_next(away: set[str]) -> None:
    text = _spec("later").replace("is yes}", "is yes, absent from: [court]}")
    game = played(text, _case(away), more={"documents/en/papers/paper.j2": FORM})
    (drafted,) = game.of(Drafted)
    assert drafted.text.endswith("Absent:.")


def _case(away: set[str]) -> str:
    records = {
        side: [{"name": name, "away": "yes" if name in away else "no"} for name in names]
        for side, names in PEOPLE.items()
    }
    return f"lw: 1\ncase: c\ntitle: t\nparties: {records}\n".replace("'", '"')


def _spec(stage: str) -> str:
    """Two stages; the parties are asked in the first, and a paper says in one of them who came."""
    take = {name: "      - take paper as judge\n" if name == stage else "" for name in ("court", "later")}
    return (
        "lw: 1\nprocedure: papers\ntitle: P\nlocale: en\n"
        'case: {parties: {path: "$.parties.{side}[*]", per: side, each: party, keys: [name, away]}}\n'
        "kinds: {J: judge, P: party}\nroles:\n  judge: {title: Judge, kind: judge}\n"
        + "".join(
            f"  {side}: {{title: {side.title()}, kind: party, side: {side}, each: parties,"
            " absent if: party.away is yes}\n"
            for side in PEOPLE
        )
        + "documents: {paper: {title: Paper}}\nvisibility: |\n  | field   | court | later |\n"
        "  |---------|-------|-------|\n  | parties | J P   | J P   |\n  | paper   | -     | J     |\n"
        "stages:\n  - stage: court\n    title: C\n    steps:\n      - judge asks left, right: x\n"
        f"{take['court']}"
        "  - stage: later\n    title: L\n    steps:\n      - judge announces: x\n"
        f"{take['later']}"
    )
