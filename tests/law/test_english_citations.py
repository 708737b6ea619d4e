"""Citations of acts and cases in English: every form of a provision, an act and a report, and what is none."""

from __future__ import annotations

import itertools
from decimal import Decimal

import pytest

from legalworld.law.text.american_citations import american_citations, reads_american
from legalworld.law.text.amounts import amounts
from legalworld.law.text.english import in_figures
from legalworld.law.text.english_citations import EnglishCitation, english_citations
from legalworld.law.text.money import Money
from legalworld.law.text.rates import Rate, RateFormula

ACTS = (
    "Employment Rights Act 1996",
    "Sale of Goods Act 1979",
    "Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013",
    "Trade Union and Labour Relations (Consolidation) Act 1992",
    "Offices, Shops and Railway Premises Act 1963",
)
NUMBERS = {"98": ("98", ()), "98(4)": ("98", ("4",)), "12A(2)(a)": ("12A", ("2", "a")), "3.4(2)": ("3.4", ("2",))}
UNITS = {
    "section ": "section",
    "s ": "section",
    "s.": "section",
    "Section ": "section",
    "regulation ": "regulation",
    "reg ": "regulation",
}


def provisions(text: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    found = [one for one in english_citations(text) if one.kind == "provision"]
    return [(one.law, one.unit, one.number, one.below) for one in found]


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize(
    "form", ["{p} of the {a}", "{p} {a}", "{a}, {p}", "{a} {p}", "Under {p} of the {a} it fails.", "({p} of the {a})"]
)
def test_a_provision_of_an_act(act: str, form: str) -> None:
    for (written, unit), (number, (main, below)) in itertools.product(UNITS.items(), NUMBERS.items()):
        text = form.format(p=written + number, a=act)
        assert provisions(text) == [(act, unit, main, below)], text
        assert [one.kind for one in english_citations(text)] == ["provision"], text


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ("ss 1 and 2", ["1", "2"]),
        ("sections 1, 2 and 5", ["1", "2", "5"]),
        ("ss 1-3", ["1", "2", "3"]),
        ("sections 1 to 3 and 7", ["1", "2", "3", "7"]),
        ("ss. 1–2", ["1", "2"]),
    ],
)
def test_lists_and_ranges(numbers: str, expected: list[str]) -> None:
    assert [one[2] for one in provisions(f"{numbers} of the Employment Rights Act 1996")] == expected


def test_letters_behind_one_number() -> None:
    found = provisions("s 98(4)(b) and (c) of the Employment Rights Act 1996")
    assert [one[3] for one in found] == [("4", "b"), ("4", "c")]


def test_an_act_alone_and_what_points_back_to_it() -> None:
    text = "The Equality Act 2010 applies, with section 13 of that Act, s 14 of the 2010 Act and section 15 of the Act."
    assert [one.law for one in english_citations(text)] == ["Equality Act 2010"] * 4


@pytest.mark.parametrize("short", ['("ERA")', "(“the ERA”)", "(ERA)", "(hereafter “ERA”)"])
def test_a_short_name_that_the_text_defines(short: str) -> None:
    text = f"The Employment Rights Act 1996 {short} applies. Under section 111 ERA and s 94 of the ERA it fails."
    assert {one[0] for one in provisions(text)} == {"Employment Rights Act 1996"}


@pytest.mark.parametrize(
    "text", ["section 98 applies", "s 98(4)", "section 13 of the 2010 Act", "section 3 of this Act"]
)
def test_an_act_that_is_not_named_is_not_guessed(text: str) -> None:
    assert [one[0] for one in provisions(text)] == [""]
    assert [one[0] for one in provisions(f"The Equality Act 2010 and the Finance Act 2010. {text}")] == [""]


COURTS = {
    "UKSC 41": ("UKSC", "41", ()),
    "EWCA Civ 12": ("EWCA Civ", "12", ()),
    "EWHC 123 (Ch)": ("EWHC", "123", ("Ch",)),
}
REPORTS = {
    "AC 562": ("", "AC", "562"),
    "2 WLR 127": ("2", "WLR", "127"),
    "1 All ER (Comm) 5": ("1", "All ER (Comm)", "5"),
}
PARTIES = ("Donoghue v Stevenson", "R (Miller) v Prime Minister", "British Airways plc v Starmer", "Re Smith", "")


@pytest.mark.parametrize("name", PARTIES)
@pytest.mark.parametrize("before", ["", "See ", "as held in ", "(cf. "])
def test_cases(name: str, before: str) -> None:
    for written, (court, number, below) in COURTS.items():
        (one,) = english_citations(f"{before}{name} [2019] {written}, at [20].")
        assert (one.kind, one.court, one.number, one.below, one.year) == ("case", court, number, below, "2019")
        assert one.name in (name, f"See {name}")
    for (written, (volume, report, page)), brackets in itertools.product(REPORTS.items(), ("[]", "()")):
        (one,) = english_citations(f"{before}{name} {brackets[0]}1932{brackets[1]} {written}.")
        assert (one.volume, one.report, one.number) == (volume, report, page)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "In [2020] he paid.",
        "He paid (2019) 500 pounds.",
        "cross-section 5",
        "the Act",
        "Act 1996",
        "5 v 6",
        "(a) and (b)",
    ],
)
def test_what_is_no_citation(text: str) -> None:
    assert english_citations(text) == ()


@pytest.mark.parametrize("text", ["s 98(4) of the Employment Rights Act 1996", "Donoghue v Stevenson [1932] AC 562"])
def test_truncations_never_surprise(text: str) -> None:
    for end in range(len(text)):
        for one in english_citations(text[:end]):
            assert 0 <= one.start < one.end <= end
            assert isinstance(one, EnglishCitation)


@pytest.mark.parametrize("paragraph", ["paragraph 3", "para 3", "para. 3"])
@pytest.mark.parametrize("schedule", ["Schedule 2", "Sch 2", "Sch. 2"])
@pytest.mark.parametrize(
    "form", ["{p} of {s} to the {a}", "{s}, {p} to the {a}", "{s} {p}, {a}", "{a}, {s}, {p}", "{a} {s} {p}"]
)
def test_a_paragraph_of_a_schedule_is_one_provision(form: str, schedule: str, paragraph: str) -> None:
    text = form.format(p=paragraph, s=schedule, a=ACTS[1])
    found = [(one.law, one.unit, one.number, one.schedule) for one in english_citations(text)]
    assert found == [(ACTS[1], "paragraph", "3", "2")], text


@pytest.mark.parametrize("numbers", ["paragraphs 3 and 4", "paras 3-4", "paras 3, 4"])
def test_paragraphs_share_their_schedule(numbers: str) -> None:
    found = english_citations(f"{numbers} of Schedule 2 to the {ACTS[0]}")
    assert [(one.number, one.schedule) for one in found] == [("3", "2"), ("4", "2")]
    found = english_citations(f"Sch 2, {numbers} to the {ACTS[0]}")
    assert [(one.number, one.schedule) for one in found] == [("3", "2"), ("4", "2")]


@pytest.mark.parametrize(
    "text",
    [
        "[2017] UKSC 51, paras 66-68.",
        "[2017] UKSC 51 at paragraph 32",
        "[2017] UKSC 51, paragraphs 4, 5 and 9",
        "[2017] UKSC 51; see Chitty on Contracts (34th edn) para 24-041",
    ],
)
def test_a_place_in_a_judgment_or_a_book_is_no_provision(text: str) -> None:
    assert [(one.kind, one.number) for one in english_citations(text)] == [("case", "51")]


def test_paragraphs_that_nobody_is_said_to_have_made_are_none() -> None:
    assert english_citations("Paragraph 12 of the Particulars is denied; see paras 3 to 5 above.") == ()


@pytest.mark.parametrize("again", ["ibid", "Ibid", "ibid."])
@pytest.mark.parametrize(
    "before", ["[2016] UKSC 11 at [20]", "s 98(4) of the Employment Rights Act 1996", "[1932] AC 562"]
)
def test_what_points_back_is_what_it_points_to(before: str, again: str) -> None:
    first, second = english_citations(f"{before}; {again} at [41].")
    assert (second.kind, second.law, second.year, second.number) == (first.kind, first.law, first.year, first.number)
    assert english_citations(f"{again} at [41].") == ()


def test_a_provision_behind_ibid_is_of_the_same_act() -> None:
    assert [one[0] for one in provisions("s 98 of the Employment Rights Act 1996; ibid, s 111(2)")] == [ACTS[0]] * 2


@pytest.mark.parametrize("mark", ["-", "–", " to "])
def test_letters_between_two_letters(mark: str) -> None:
    found = provisions(f"s 98(2)(a){mark}(d) of the Employment Rights Act 1996")
    assert [one[3] for one in found] == [("2", letter) for letter in "abcd"]


@pytest.mark.parametrize("direction", ["PD 51Z", "PD 44"])
@pytest.mark.parametrize("form", ["{pd} para 4.2", "{pd}, paragraph 4.2", "paragraph 4.2 of {pd}"])
def test_practice_directions(direction: str, form: str) -> None:
    assert [(one[0], one[2]) for one in provisions(form.format(pd=direction))] == [(direction, "4.2")]


# ---- America ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not reads_american(), reason="the optional extra `us` (eyecite) is not installed")
def test_american_citations() -> None:
    text = "Bush v. Gore, 531 U.S. 98 (2000); 42 U.S.C. § 1983; 17 C.F.R. § 240.10b-5(a)."
    case, act, rule = american_citations(text)
    assert (case.volume, case.report, case.number, case.year, case.name) == (
        "531",
        "U.S.",
        "98",
        "2000",
        "Bush v. Gore",
    )
    assert (act.law, act.number) == ("42 U.S.C.", "1983")
    assert (rule.law, rule.number, rule.below) == ("17 C.F.R.", "240.10b-5", ("a",))


AMERICAN = pytest.mark.skipif(not reads_american(), reason="the optional extra `us` (eyecite) is not installed")


def americans(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.law or one.report, one.number, one.below) for one in american_citations(text)]


@AMERICAN
@pytest.mark.parametrize("last", [" and 1988(b)", ", and 1988(b)", " & 1988(b)", ", 1988(b)"])
def test_sections_share_a_sign(last: str) -> None:
    expected = [("42 U.S.C.", "1981", ()), ("42 U.S.C.", "1983", ()), ("42 U.S.C.", "1988", ("b",))]
    assert americans(f"42 U.S.C. §§ 1981, 1983{last} were pleaded") == expected


@AMERICAN
@pytest.mark.parametrize(
    "behind", [", 12 people came", " and 3 others", ", 550 U.S. 544 (2007)", " and 5 U.S.C. § 552"]
)
def test_one_sign_is_of_one_section(behind: str) -> None:
    assert ("42 U.S.C.", "1983", ()) in americans(f"42 U.S.C. § 1983{behind}")
    assert len([one for one in americans(f"42 U.S.C. § 1983{behind}") if one[0] == "42 U.S.C."]) == 1


@AMERICAN
@pytest.mark.parametrize("law", ["Fed. R. Civ. P.", "Fed. R. Evid.", "Fed. R. Crim. P.", "Tex. R. Civ. P.", "FRCP"])
def test_rules_of_procedure(law: str) -> None:
    assert americans(f"Under {law} 12(b)(6) it fails.") == [(law, "12", ("b", "6"))]


@AMERICAN
def test_short_forms_are_what_they_stand_for_or_nothing() -> None:
    whole = "Bell Atl. Corp. v. Twombly, 550 U.S. 544, 570 (2007)."
    assert americans(f"{whole} Id. at 556. Twombly, 550 U.S. at 555.") == [("U.S.", "544", ())] * 3
    assert americans("Twombly, 550 U.S. at 555. Id. at 556.") == []


# ---- sums and rates --------------------------------------------------------------------------------------------------

TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def spelled(number: int) -> str:
    """A number in English words."""
    teens = (
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    )
    for scale, word in ((1_000_000, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= scale:
            rest = number % scale
            joint = " and " if 0 < rest < 100 else " "
            return f"{spelled(number // scale)} {word}" + (joint + spelled(rest) if rest else "")
    if number < 20:
        return (("", *ONES)[number]) if number < 10 else teens[number - 10]
    return TENS[number // 10 - 2] + (f"-{ONES[number % 10 - 1]}" if number % 10 else "")


def test_numbers_in_words() -> None:
    for number in [*range(1, 1200), *range(1999, 1_200_000, 7919), 999_999, 1_000_001, 250_000_000]:
        assert in_figures(spelled(number)) == number, spelled(number)


@pytest.mark.parametrize(
    "words", ["two three", "twenty thirty", "hundred", "twenty ten", "five thousand six thousand", "thousand"]
)
def test_words_that_make_no_number(words: str) -> None:
    assert in_figures(words) is None
    assert not [one for one in amounts(f"pay {words} pounds") if isinstance(one, Money)]


@pytest.mark.parametrize("number", [5, 21, 100, 1500, 250_000, 1_234_567])
def test_sums_in_words(number: int) -> None:
    for text in (
        f"shall pay {spelled(number)} pounds",
        f"£{number:,} ({spelled(number)} pounds)",
        f"{spelled(number).upper()} POUNDS",
    ):
        (money,) = amounts(text)
        assert isinstance(money, Money) and (money.amount, money.currency) == (number, "GBP")
    (money,) = amounts(f"{spelled(number)} dollars and fifty cents")
    assert isinstance(money, Money) and money.amount == Decimal(number) + Decimal("0.5")


@pytest.mark.parametrize("sign", ["%", " %", " per cent", " percent", " per centum"])
@pytest.mark.parametrize(
    ("each", "per"),
    [(" per annum", "year"), (" a year", "year"), (" p.a.", "year"), (" per month", "month"), (" a day", "day")],
)
def test_rates(sign: str, each: str, per: str) -> None:
    (rate,) = amounts(f"interest at 8.5{sign}{each} from then")
    assert isinstance(rate, Rate) and (rate.rate_pct, rate.per) == (Decimal("8.5"), per)


@pytest.mark.parametrize("above", ["above", "over"])
def test_rates_above_a_published_one(above: str) -> None:
    (rate,) = amounts(f"interest at 4% {above} the Bank of England base rate")
    assert isinstance(rate, RateFormula) and rate.formula == "BOE_BASE+4%"
