"""How much of the shipped templates of scripted actors stands in tags: told by the check, never more than it was."""

from __future__ import annotations

import json
from random import Random

import pytest
from places import ROOT
from typed import lw

from legalworld.templates.tag_share import tag_share, together

MOST = 81.42
"""Per cent of all templates of scripted actors together; falls with them."""
MOST_BELOW = 0.3


@pytest.mark.parametrize("seed", range(30))
def test_what_is_said_and_what_is_tags_is_counted(seed: int) -> None:
    dice = Random(seed)
    tags = [dice.choice(("{{ me.name }}", "{% if a %}", "{%- endif\n%}")) for _ in range(dice.randint(0, 6))]
    words = [dice.choice(("同意。", "我方\n", "")) for _ in range(len(tags) + 1)]
    text = words[0] + "".join(tag + word for tag, word in zip(tags, words[1:], strict=True))
    share = tag_share("t", "{# 说明：{{ 不算 }} #}" + text)
    assert (share.inside, share.all) == (sum(map(len, tags)), len(text))
    assert together([share, share]).percent == pytest.approx(share.percent)


def test_the_share_of_the_shipped_templates_has_not_grown() -> None:
    homes = sorted(ROOT.glob("prompts/*/**/offline/**/*.j2"))
    whole = together(tag_share(path.name, path.read_text("utf-8")) for path in homes)
    assert MOST - MOST_BELOW <= whole.percent <= MOST, "write the new share down where it has fallen"


def test_the_check_tells_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    told = lw("check", "specs/quexi.yaml", "--tags", "--json").out
    whole, *each = json.loads(told)["tags"]
    assert whole["inside"] == sum(one["inside"] for one in each) and [one["inside"] for one in each] == sorted(
        (one["inside"] for one in each), reverse=True
    )
    words = lw("check", "specs/quexi.yaml", "--tags").out
    assert each[0]["template"] in words and f"{whole['percent']}" in words
