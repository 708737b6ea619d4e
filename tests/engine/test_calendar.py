"""Days reckoned by hand, days as they are written, and that a date is seen by nobody who may not see its field."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest
from scripted import CONSTRUCTS, play, read_construct

from legalworld.engine.calendar import calendar_of
from legalworld.language.dates import bears, in_words, read_day, written
from legalworld.model.calendar import DateRule, Reckoned, is_working_day, moved, rolled
from legalworld.model.calendar import calendar_of as reckoned
from legalworld.model.events import Errand
from legalworld.model.source import Span

HERE = Span("", 1, 1)


@pytest.mark.parametrize(
    ("day", "count", "unit", "sign", "country", "wanted"),
    [
        ("2024-02-20", 15, "days", 1, "", "2024-03-06"),  # a leap year: 9 days to the 29th, 6 more
        ("2024-03-06", 15, "days", -1, "", "2024-02-20"),
        ("2024-01-31", 1, "months", 1, "", "2024-02-29"),  # no 31st: the last day of the month
        ("2023-03-31", 1, "months", -1, "", "2023-02-28"),
        ("2024-02-29", 1, "years", 1, "", "2025-02-28"),
        ("2024-11-30", 3, "months", 1, "", "2025-02-28"),
        ("2024-05-06", 2, "weeks", 1, "", "2024-05-20"),
        ("2024-05-10", 1, "working days", 1, "", "2024-05-13"),  # Friday; Saturday and Sunday do not count
        ("2024-05-10", 1, "working days", 1, "CN", "2024-05-11"),  # a Saturday on which China worked
        ("2024-04-30", 1, "working days", 1, "CN", "2024-05-06"),  # 1 to 5 May were holidays
        ("2024-05-06", 1, "working days", -1, "CN", "2024-04-30"),
        ("2024-03-28", 1, "working days", 1, "GB-ENG", "2024-04-02"),  # Good Friday, Easter Monday
        ("2024-03-28", 1, "working days", 1, "GB-SCT", "2024-04-01"),  # in Scotland Easter Monday is none
        ("2999-12-31", 1, "days", 1, "", None),
        ("2999-06-01", 5000, "years", 1, "", None),
        ("2024-05-06", 100_000, "working days", 1, "CN", None),
    ],
)
def test_so_much_after_a_day(day: str, count: int, unit: str, sign: int, country: str, wanted: str | None) -> None:
    found = moved(date.fromisoformat(day), count, unit, sign, country)
    assert (found.isoformat() if found else None) == wanted


def test_what_is_no_working_day_rolls_in_the_direction_of_the_reckoning() -> None:
    good_friday = date(2024, 3, 29)
    assert not is_working_day(good_friday, "GB-ENG")
    assert rolled(good_friday, 1, "GB-ENG") == date(2024, 4, 2)
    assert rolled(good_friday, -1, "GB-ENG") == date(2024, 3, 28)
    assert rolled(date(2024, 5, 11), 1, "CN") == date(2024, 5, 11)


def rule(name: str, base: str, field: str = "") -> DateRule:
    return DateRule(name, name, field, "", Reckoned(1, "days", 1, base) if base else None, False, HERE)


def test_dates_in_any_order_and_in_a_circle_are_bounded() -> None:
    rules = {
        one.name: one for one in (rule("c", "b"), rule("b", "a"), rule("a", "", "f"), rule("x", "y"), rule("y", "x"))
    }
    first = date(2024, 1, 1)
    days = reckoned(rules, {"a": first}, "")
    assert days == {"c": date(2024, 1, 3), "b": date(2024, 1, 2), "a": first, "x": None, "y": None}
    many = {f"d{n}": rule(f"d{n}", f"d{n + 1}") for n in range(3000)} | {"d3000": rule("d3000", "", "f")}
    assert reckoned(many, {"d3000": first}, "")["d0"] == date(2032, 3, 19)  # 3000 days later


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2024-05-06", date(2024, 5, 6)),
        (" 2024/5/6 09:30", date(2024, 5, 6)),
        ("2024.5.6", date(2024, 5, 6)),
        ("2024年5月6日上午9时", date(2024, 5, 6)),
        ("6 May 2024", date(2024, 5, 6)),
        ("6th May 2024, by post", date(2024, 5, 6)),
        ("May 6, 2024", date(2024, 5, 6)),
        ("2023-02-30", None),
        ("2024年5月", None),
        ("2024-05/06", None),
        ("2024-05-061", None),
        ("0024-05-06", None),
        ("in May", None),
        ("", None),
        ("9" * 100_000, None),
    ],
)
def test_days_that_are_read(text: str, wanted: date | None) -> None:
    assert read_day(text) == wanted


def test_days_that_are_written() -> None:
    day = date(2024, 5, 16)
    assert (written(day, "zh"), written(day, "en"), written(day, "en-US"), written(day, "de")) == (
        "2024年5月16日",
        "16 May 2024",
        "16 May 2024",
        "2024-05-16",
    )
    assert (in_words(day), in_words(date(2020, 10, 31))) == ("二〇二四年五月十六日", "二〇二〇年十月三十一日")
    assert bears("如上。\n二〇二四年五月十六日", day, "zh")
    assert bears("So ordered.\nDated 16 May 2024\n", day, "en")
    assert not bears("2024年5月16日立案。\n" + "理由。\n" * 20, day, "zh")  # told of long before the end


CANARY = "1987-06-05"
FORMS = (CANARY, "1987年6月5日", "5 June 1987", "1987-06-10", "1987年6月10日", "1987")


def test_no_date_is_shown_beside_the_matrix() -> None:
    """A case whose act is on a day of its own: nobody is sent it or what is reckoned from it, for no cell grants it."""
    construct = read_construct(CONSTRUCTS / "calendar_zh")
    procedure = construct.project.procedure
    assert procedure is not None
    secret = {
        "secret": rule("secret", "", "秘密"),
        "after": replace(rule("after", "secret"), reckoned=Reckoned(5, "days", 1, "secret")),
    }
    field = replace(procedure.fields["上诉"], name="秘密", path="$.secret")
    knowing = replace(procedure, dates={**procedure.dates, **secret}, fields={**procedure.fields, "秘密": field})
    case = replace(construct.case, fields={**construct.case.fields, "秘密": CANARY})
    assert calendar_of(knowing, case).days["after"] == date(1987, 6, 10)
    told = replace(construct, project=replace(construct.project, procedure=knowing), case=case)
    sent = [request for request, _ in play(told).calls]
    assert sent
    for request in sent:
        seen = json.dumps([message.content for message in request.messages], ensure_ascii=False) + repr(request.view)
        assert not [form for form in FORMS if form in seen]


def test_a_date_is_never_taken_from_what_is_for_evaluation_alone() -> None:
    """Even where no checker has refused it: sealed values are not among those that a calendar is made of."""
    construct = read_construct(CONSTRUCTS / "calendar_zh")
    procedure = construct.project.procedure
    assert procedure is not None
    sealed = replace(procedure, dates={"true_day": rule("true_day", "", "truth")})
    case = replace(construct.case, sealed={"truth": CANARY})
    assert calendar_of(sealed, case).days == {"true_day": None}


@pytest.mark.parametrize("folder", ["errands_on_a_day", "errands_on_a_day_zh"])
def test_an_errand_says_what_day_it_is(folder: str) -> None:
    errands = [request for request, _ in play(read_construct(CONSTRUCTS / folder)).calls if isinstance(request, Errand)]
    assert [errand.day for errand in errands] == ["", "2021-03-01"]
