"""An item is told with the title of its list once, whatever word of the cue stands before the hole.

Neighbours: titles in one and in several, of one word and of more; the word before it the title, its plural, its head,
capitals, or something else; what the item is called by: its number where nobody may see it, an id that bears the title,
a name; votes and speech; two locales. Asserted: the title never stands twice in a row, the number always stands, and
words that are no title stay.
"""

from __future__ import annotations

import re

import pytest
from neighbours import Game, played

from legalworld.model.votes import Voted

SPEC = """\
lw: 1
procedure: titles
title: Titles
locale: {locale}
case:
  claims: {{title: {title}, path: "$.claims[*]", each: claim, keys: [id, text]}}
kinds: {{C: chair, M: member}}
roles:
  chair:  {{title: Chair, kind: chair}}
  member: {{title: Member, kind: member, persons: 2}}
visibility: |
  | field  | court |
  |--------|-------|
  | claims | {seen} |
  | held   | C M   |
stages:
  - stage: court
    title: T
    steps:
      - for each one in claims:
          - {verb}: "{cue}"
            id: asked
{more}      - chair announces: over
        id: later
"""
VOTE = "            answer: held is yes or no\n            reveals: names\n"
SPEECH = "            answer: held is yes or no\n"
# locale, title, cue; what the cue is to be for the second item, which is called by its number or by title and number
DOUBLED = (
    ("zh", "权利要求", "权利要求{one}是否有效", "权利要求2是否有效"),
    ("zh", "权利要求", "就权利要求 {one} 表决", "就权利要求 2 表决"),
    ("zh", "诉讼请求", "请求{one}是否成立", "请求2是否成立"),
    ("en", "Claim", "claim {one} stands", "claim 2 stands"),
    ("en", "Claims", "Claim {one} stands", "Claim 2 stands"),
    ("en", "Claims", "is claim {one} valid", "is claim 2 valid"),
    ("en", "Heads of claim", "of heads of claim {one}", "of heads of claim 2"),
    ("en", "CLAIM", "claim {one} stands", "claim 2 stands"),
)
APART = (
    ("zh", "权利要求", "{one}是否有效", "权利要求2是否有效"),
    ("zh", "权利要求", "法院对{one}的看法", "法院对权利要求2的看法"),
    ("en", "Claim", "disclaim {one}", "disclaim Claim 2"),
    ("en", "Claim", "vote on {one}", "vote on Claim 2"),
    ("en", "Claim", "{one}: valid", "Claim 2: valid"),
    ("en", "Claim", "no claim in {one}", "no claim in Claim 2"),
)


def _played(locale: str, title: str, cue: str, verb: str, ids: tuple[str, str], seen: str) -> Game:
    more = VOTE if verb.endswith("vote") else SPEECH
    spec = SPEC.format(locale=locale, title=title, cue=cue, verb=verb, more=more, seen=seen)
    case = f"lw: 1\ncase: c\nclaims: [{{id: {ids[0]}, text: aaa}}, {{id: {ids[1]}, text: bbb}}]\n"
    return played(spec, case, lambda request: "word <<held: yes>>")


@pytest.mark.parametrize(("locale", "title", "cue", "told"), DOUBLED + APART)
@pytest.mark.parametrize("seen", ["C M", "–"])
def test_the_title_of_a_vote_names_its_item_once(locale: str, title: str, cue: str, told: str, seen: str) -> None:
    """Everybody is told by number; voters who may see the item, by its id where that bears the title."""
    apart = " " if locale == "en" else ""
    ids = (f"{title}{apart}1", f"{title}{apart}2")
    game = _played(locale, title, cue, "chair, member vote", ids, seen)
    assert [vote.title for vote in game.of(Voted)][1] == told
    doubled = re.compile(rf"(?<![A-Za-z]){re.escape(title)}\s*{re.escape(title)}", re.IGNORECASE)
    for request in game.requests:
        assert not doubled.search(game.task(request))
    second = game.task(game.said("asked#2", "vote")[0] if game.said("asked#2") else game.said("asked")[3])
    assert told in second or cue.startswith("{one}")


@pytest.mark.parametrize(("locale", "title", "cue", "told"), DOUBLED + APART)
@pytest.mark.parametrize("verb", ["chair states", "chair asks member", "chair announces"])
def test_what_is_asked_about_names_it_once(locale: str, title: str, cue: str, told: str, verb: str) -> None:
    apart = " " if locale == "en" else ""
    game = _played(locale, title, cue, verb, (f"{title}{apart}1", f"{title}{apart}2"), "C M")
    doubled = re.compile(rf"(?<![A-Za-z]){re.escape(title)}\s*{re.escape(title)}", re.IGNORECASE)
    tasks = [game.task(request) for request in game.said("asked")]
    assert not any(doubled.search(task) for task in tasks)
    assert any(told in task for task in tasks)


@pytest.mark.parametrize("named", ["Claimant's interest", "Claims", "权利要求书"])
def test_a_name_that_begins_like_the_title_stays_whole(named: str) -> None:
    """Only what follows the title and is no word of its own is left alone."""
    title, cue = ("权利要求", "权利要求{one.id}") if not named.isascii() else ("Claim", "claim {one.id}")
    game = _played("en", title, cue, "chair states", (f'"{named}"', '"x 2"'), "C M")
    assert named in game.task(game.said("asked")[0])
