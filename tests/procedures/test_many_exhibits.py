"""Cases with so many exhibits that five hundred speeches come of them are played to their end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playing import changed_case, play

MOST = 500
LISTS = ("evidence", "exhibits")


def multiplied(value: Any, count: int, key: str = "") -> Any:
    """A case whose lists of exhibits are made this long, each exhibit under a number and a name of its own."""
    if isinstance(value, dict):  # lists of either side stand below the name of all
        return {name: multiplied(one, count, key if key in LISTS else name) for name, one in value.items()}
    if not isinstance(value, list):
        return value
    if (
        key in ("evidence", "exhibits")
        and value
        and all(isinstance(one, dict) and {"id", "name"} <= {*one} for one in value)
    ):
        more = [
            {**value[n % len(value)], "id": f"{value[n % len(value)]['id']}之{n}"} for n in range(len(value), count)
        ]
        return [*value, *({**one, "name": f"{one['name']}（{one['id']}）"} for one in more)]
    return [multiplied(one, count, key) for one in value]


@pytest.mark.parametrize(
    ("spec", "case", "target", "count"),
    [
        ("criminal", "kuaijian", "", 50),
        ("civil", "jiedai", "plaintiff_lawyer", 50),
        ("labour-arbitration", "fenjian", "plaintiff_agent", 90),
        ("enforcement-objection", "chuzu-jichuang", "plaintiff_agent", 90),
    ],
)
def test_five_hundred_speeches_come_to_an_end(spec: str, case: str, target: str, count: int, tmp_path: Path) -> None:
    def longer(data: Any) -> None:
        changed = multiplied(data, count)
        data.clear()
        data.update(changed)

    game = play(changed_case(tmp_path, case, longer), target, spec=spec)
    assert game.status == "ended" and len(game.requests) >= MOST
