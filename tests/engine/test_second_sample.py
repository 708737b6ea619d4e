"""What a second sample of mutants left unnoticed: each line that one of them changed is held to what it is for."""

from __future__ import annotations

import pytest
from neighbours import codes, played

from legalworld.binding.paths import Every, Indices, Keys, Leaf, meet
from legalworld.engine.nearest import nearly_said
from legalworld.model.case import Typed
from legalworld.model.events import Spoke
from legalworld.model.source import MemorySources
from legalworld.templates.template_set import TemplateSet

HOME = "prompts/en/act/x.j2"


# ---- binding/paths ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("other", [Keys(("a",)), Every(), Indices((0,)), Leaf()])
def test_what_ends_at_a_leaf_chooses_no_key(other: object) -> None:
    assert not meet((Leaf(),), (other,)) and not meet((other,), (Leaf(),))  # type: ignore[arg-type]
    assert meet((Keys(("a",)),), (Every(),)) and not meet((Keys(("a",)),), (Indices((0,)),))


# ---- engine/nearest --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("said", "meant"),
    [("结束本次辩论", "结束法庭辩论"), ("结束法院辩论", "结束法庭辩论"), ("结果法庭辩论", ""), ("结束法庭讨论", "")],
)
def test_a_marker_may_have_one_word_changed_in_its_middle(said: str, meant: str) -> None:
    assert nearly_said(said, ["结束法庭辩论", "反对"]) == meant


# ---- engine/steps/moderate -------------------------------------------------------------------------------------------
MODERATED = """\
lw: 1
procedure: room
title: The room
locale: {locale}
kinds: {{P: party}}
roles:
  first:  {{title: First, kind: party}}
  second: {{title: Second, kind: party}}
  third:  {{title: Third, kind: party}}
  chair:  {{title: Chair, assigned: yes}}
events:
  change:
    title: Change
    raised by: third
    token: <<change>>
    steps:
      - assign chair: second
stages:
  - stage: s
    title: S
    steps:
      - assign chair: first
      - chair moderates second, third: it
        call: <<to {{role}}>>
        close: <<closed>>
        at most: 8 turns
"""


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_who_comes_to_the_chair_is_no_longer_called_by_himself(locale: str) -> None:
    def reply(request: object) -> str:
        person = request.person  # type: ignore[attr-defined]
        words = {
            "first": "<<to Third>> you",
            "third": "mine <<change>>",
            "second": "go on",
        }  # calls nobody: the next in order is called
        return words[person]

    text = MODERATED.format(locale=locale)
    game = played(text, "lw: 1\ncase: c\ntitle: t\n", reply)
    after = [one for one in game.of(Spoke) if one.person == "second"]
    assert after and all("second" not in one.to for one in after)


# ---- checking/rules/decisions ----------------------------------------------------------------------------------------
DECIDED = """\
lw: 1
procedure: room
title: The room
locale: en
case:
  people: {title: People, path: "$.people.{side}[*]", per: side, each: one, keys: [name]}
kinds: {J: judge, P: party}
roles:
  judge: {title: Judge, kind: judge}
  suing: {title: Suing, kind: party, side: left, each: people}
documents:
  paper: {title: Paper}
  letter: {title: Letter}
answers:
  ordered: {title: orders}
  finals:  {title: last orders}
decisions:
  ruling: {title: Ruling, documents: paper, orders: ordered}
  second: {title: Second, documents: letter, orders: finals}
visibility: |
  | field | s | t |
  |-------|---|---|
  | finals | - | J |
stages:
  - stage: s
    title: S
    steps:
      - judge decides ordered in ruling: it
      - judge drafts paper: it
      - judge drafts paper: once more
  - stage: t
    title: T
    steps:
      - judge decides finals in second: it
      - judge drafts paper: again
      - judge drafts letter: it
"""


def test_a_part_that_its_writer_does_not_see_is_told_once_and_of_its_own_document_alone() -> None:
    assert codes(DECIDED).count("LW876") == 1
    assert "LW876" not in codes(
        DECIDED.replace("  | finals | - | J |\n", "  | finals | - | J |\n  | ordered | J | J |\n")
    )


# ---- templates -------------------------------------------------------------------------------------------------------
def templates(text: str, locale: str = "en") -> TemplateSet:
    return TemplateSet(MemorySources({HOME: text}), locale=locale)


@pytest.mark.parametrize(
    ("sign", "unit", "shown"), [("£", "GBP", "£1,200"), ("£", "EUR", "EUR 1,200"), ("", "GBP", "1,200")]
)
def test_a_sum_is_written_with_the_sign_that_is_its_own(sign: str, unit: str, shown: str) -> None:
    named = f'("{sign}")' if sign else ""
    said = templates(f"{{{{ known.a | money{named} }}}}").render(HOME, {"known": {"a": Typed("1200", "1200", unit)}})
    assert shown.replace("EUR ", "") in said and ("£" in said) == (shown[0] == "£")


@pytest.mark.parametrize(
    ("filters", "sign"), [('money("£")', "£"), ("money", ""), ("money(known.b)", ""), ('money(currency="£")', "")]
)
def test_it_is_known_by_which_sign_a_template_writes_a_sum(filters: str, sign: str) -> None:
    reads = templates(f"{{{{ known.a | {filters} }}}}").reads(HOME)
    found = {one.path: one.written_in for one in reads if one.path[-1] == "a"}
    assert set(found.values()) <= {sign} and found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('{{ known.facts | selectattr("said", "contains", "word") | join }}', 1),
        ('{{ known.facts | selectattr("said") | join }}', 0),
        ('{{ known.facts | selectattr(other, "contains", "word") | join }}', 1),
    ],
)
def test_a_choice_by_words_is_found_whatever_it_looks_at(text: str, count: int) -> None:
    assert len(templates(text).word_tests(HOME)) == count
