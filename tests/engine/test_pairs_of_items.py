"""What is asked about each pair of two lists is kept for each, told with both items, and counted pair by pair.

Neighbours: how long the two lists are, which verb, a list of the procedure itself outside or inside, both locales, the
pairs gone through once more; conditions that read one pair, all of them, or too few.
"""

from __future__ import annotations

from itertools import count, product

import pytest
from neighbours import codes, played

from legalworld.model.events import Captured
from legalworld.model.votes import Voted

HEAD = """\
lw: 1
procedure: room
title: The room
locale: LOCALE
case:
  claims:  {title: Claims, path: "$.claims[*]", each: claim, keys: [id, text]}
  grounds: {title: Grounds, path: "$.grounds[*]", each: ground, keys: [id, text]}
lists:
  marks: [age, years of service]
kinds: {J: judge, C: clerk}
roles:
  clerk:  {title: Clerk, kind: clerk}
  judge:  {title: Judge, kind: judge}
  member: {title: Member, kind: judge, persons: 2}
"""
LATER = """
  - stage: later
    title: Later
    steps:
      - clerk announces: what was answered
        id: told
"""
SAYS = {
    "note": "judge notes: it\n  answer: figure is number",
    "state": "judge states: it\n  answer: figure is number",
    "asked": "clerk asks judge: it\n  answer: figure is number",
    "vote": "judge, member vote: it\n  answer: figure is number\n  carried by: median",
    "record": "record figure: 7",
}
LISTS = {"claims": ("claim", "c"), "grounds": ("ground", "g"), "marks": ("mark", "")}


def spec(*steps: str, sees: str = "C J", locale: str = "en") -> str:
    body = "".join(f"      {line}\n" for step in steps for line in step.split("\n"))
    rows = ("field | s | later", "---|---|---", f"claims | J C | {sees}", "grounds | J C | C J", "figure | C J | C J")
    table = "visibility: |\n" + "".join(f"  | {row} |\n" for row in rows)
    return f"{HEAD.replace('LOCALE', locale)}{table}stages:\n  - stage: s\n    title: S\n    steps:\n{body}{LATER}"


def case(claims: int, grounds: int) -> str:
    one = ", ".join(f"{{id: c{n}, text: the claim {n}}}" for n in range(1, claims + 1))
    two = ", ".join(f"{{id: g{n}, text: the ground {n}}}" for n in range(1, grounds + 1))
    return f"lw: 1\ncase: c\ntitle: t\nclaims: [{one}]\ngrounds: [{two}]\n"


def pairs(outer: str, inner: str, said: str, behind: str = "") -> str:
    lines = "\n".join(f"        {line}" for one in (said, behind) if one for line in ("- " + one).split("\n"))
    loops = [f"for each {LISTS[name][0]} in {name}" for name in (outer, inner)]
    return f"- {loops[0]}:\n    - {loops[1]}:\n{lines}"


def size(name: str, sizes: dict[str, int]) -> int:
    return sizes.get(name, 2)


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize(("claims", "grounds"), [(1, 2), (2, 1), (3, 2)])
@pytest.mark.parametrize("says", SAYS)
@pytest.mark.parametrize(
    ("outer", "inner"), [("claims", "grounds"), ("grounds", "claims"), ("claims", "marks"), ("marks", "claims")]
)
def test_each_pair_keeps_its_answer(outer: str, inner: str, says: str, claims: int, grounds: int, locale: str) -> None:
    """And whoever reads them later is told of each with both items."""
    sizes = {"claims": claims, "grounds": grounds}
    numbers = count(101)
    given: dict[str, int] = {}

    def reply(request: object) -> str:
        place = request.id.split("/")[1]  # type: ignore[attr-defined]  # voters of one pair say the same
        return f"word\n<<figure: {given.setdefault(place, next(numbers))}>>"

    game = played(spec(pairs(outer, inner, SAYS[says]), locale=locale), case(claims, grounds), reply)
    kept = [*game.of(Voted)] if says == "vote" else [*game.of(Captured)]
    expected = set(product(range(size(outer, sizes)), range(size(inner, sizes))))
    assert {(int(one.within[0].rpartition("/")[2]), int(one.about.rpartition("/")[2])) for one in kept} == expected
    text = "\n".join(message.content for message in game.said("told")[0].messages).partition(
        "[figure]" if locale == "en" else "【figure】"
    )[2]
    lines = [line for line in text.split("\n") if "figure" not in line and any(sign.isdigit() for sign in line)]
    names = {
        name: [f"{LISTS[name][1]}{n}" for n in range(1, size(name, sizes) + 1)]
        if name != "marks"
        else ["age", "years of service"]
        for name in (outer, inner)
    }
    for first, second in product(names[outer], names[inner]):
        assert sum(first in line and second in line for line in lines) == 1, (first, second, text)


@pytest.mark.parametrize("says", ["note", "vote", "record"])
def test_a_pair_that_comes_again_is_no_second_one(says: str) -> None:
    again = pairs("claims", "grounds", SAYS[says])
    game = played(spec(again, again), case(2, 3), lambda r: "word\n<<figure: 1>>")
    text = "\n".join(message.content for message in game.said("told")[0].messages)
    assert text.count("g3") == 1 + 2  # among the grounds, and with each of the claims


@pytest.mark.parametrize("says", ["note", "asked", "vote"])
@pytest.mark.parametrize(("claims", "grounds"), [(1, 1), (2, 3), (3, 2)])
def test_what_is_added_up_is_that_of_every_pair(says: str, claims: int, grounds: int) -> None:
    """Behind the loops each pair counts once: of a vote what came of it, whoever many voted."""
    total = 5 * claims * grounds
    for limit, comes in ((total, True), (total + 1, False)):
        told = f"- if sum of figure at least {limit}:\n    - clerk announces: enough\n      id: enough"
        game = played(
            spec(pairs("claims", "grounds", SAYS[says]), told), case(claims, grounds), lambda r: "word\n<<figure: 5>>"
        )
        assert bool(game.said("enough")) == comes


@pytest.mark.parametrize("claims", [1, 2, 3])
def test_votes_item_by_item_are_added_up(claims: int) -> None:
    vote = SAYS["vote"].replace("\n", "\n    ")
    for limit, comes in ((4 * claims, True), (4 * claims + 1, False)):
        told = f"- if sum of figure at least {limit}:\n    - clerk announces: enough\n      id: enough"
        game = played(
            spec(f"- for each claim in claims:\n    - {vote}", told), case(claims, 1), lambda r: "word\n<<figure: 4>>"
        )
        assert bool(game.said("enough")) == comes


YES = "judge notes: it\n  answer: figure is yes or no"


@pytest.mark.parametrize("pattern", ["yyyyyy", "nyyyyy", "yyyyyn", "nnnnnn", "ynynyn"])
@pytest.mark.parametrize(("quantifier", "holds"), [("all", all), ("any", any)])
def test_all_and_any_count_pairs(quantifier: str, holds: object, pattern: str) -> None:
    left = iter(pattern)
    told = f"- if {quantifier} figure:\n    - clerk announces: so\n      id: so"
    game = played(
        spec(pairs("claims", "grounds", YES), told),
        case(2, 3),
        lambda r: f"word\n<<figure: {'yes' if next(left) == 'y' else 'no'}>>" if r.act == "note" else "x",
    )
    assert bool(game.said("so")) == holds(sign == "y" for sign in pattern)  # type: ignore[operator]


@pytest.mark.parametrize("pattern", ["yyyyyy", "nyyyyy", "yyyyyn", "nnnnnn", "ynynyn"])
def test_of_an_item_means_the_pair_in_hand(pattern: str) -> None:
    """In loops through both lists; what was last said of an item with another is not taken for it."""
    left = iter(pattern)
    again = pairs("claims", "grounds", "clerk announces: it\n  id: so\n  when: figure of ground")
    game = played(
        spec(pairs("claims", "grounds", YES), again),
        case(2, 3),
        lambda r: f"word\n<<figure: {'yes' if next(left) == 'y' else 'no'}>>" if r.act == "note" else "x",
    )
    assert len(game.said("so")) == pattern.count("y")
    assert "LW449" not in codes(spec(pairs("claims", "grounds", YES), again))


@pytest.mark.parametrize("form", ["yes or no", "number"])
@pytest.mark.parametrize("by", ["judge notes: it", "judge, member vote: it"])
def test_a_loop_through_the_inner_list_alone_is_told_of(form: str, by: str) -> None:
    """There only what was said last of the item counts, with whatever other item."""
    asks = f"{by}\n  answer: figure is {form}" + ("\n  carried by: median" if form == "number" and "vote" in by else "")
    reads = "figure of ground" if form == "yes or no" else "figure of ground at least 3"
    inner = f"- for each ground in grounds:\n    - clerk announces: it\n      when: {reads}"
    both = pairs("claims", "grounds", f"clerk announces: it\n  when: {reads}")
    told, quiet = (set(codes(spec(pairs("claims", "grounds", asks), one))) for one in (inner, both))
    assert told & {"LW449", "LW773"} and not quiet & {"LW449", "LW773"}


@pytest.mark.parametrize("values", [("good", "bad"), ("yes", "no"), ("yes", "yes")])
@pytest.mark.parametrize("reads", ["figure is {}", "not figure is {}", "all figure is {}", "any figure is {}"])
def test_what_is_put_down_item_by_item_is_not_read_behind_the_loop_unawares(
    values: tuple[str, str], reads: str
) -> None:
    """Unless one value alone is put down there: whether it ever was is what is asked then."""
    either = f"- if claim.text is x:\n        - record figure: {values[0]}\n    - else:"
    either += f"\n        - record figure: {values[1]}"
    inside = f"- for each claim in claims:\n    {either}"
    read = f"- clerk announces: x\n  when: {reads.format(values[1])}"
    expected = len(set(values)) > 1 and not reads.startswith(("all", "any"))
    assert ("LW449" in codes(spec(inside, read))) == expected


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("says", ["note", "vote", "record"])
@pytest.mark.parametrize(("outer", "inner"), [("claims", "grounds"), ("grounds", "claims")])
def test_the_item_that_a_reader_may_not_see_is_told_by_its_number(
    outer: str, inner: str, says: str, locale: str
) -> None:
    """Whichever of the two loops it stands in: the clerk does not see the claims any more in the second stage."""
    numbers = count(101)
    steps = spec(pairs(outer, inner, SAYS[says]), sees="J", locale=locale)
    game = played(steps, case(2, 2), lambda r: f"word\n<<figure: {next(numbers)}>>")
    text = "\n".join(message.content for message in game.said("told")[0].messages)
    assert "the claim" not in text and "c1" not in text and "c2" not in text
    for number, ground in product((1, 2), ("g1", "g2")):
        assert any(f"Claims {number}" in line and ground in line for line in text.split("\n")), text
