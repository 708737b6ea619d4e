"""The parsers of `legalworld.law.text` on real records, held against the records' own fields.

python -m bench text          the figures, one table
python -m bench.text          and every miss

The records are not in the project. Where they are absent (../shared/data), what was to be measured is named with the
reason, and only the speed is measured, on text of our own. Fields are read here by plain patterns, not by the parsers.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

from legalworld.law.text import law_names
from legalworld.law.text.amounts import amounts
from legalworld.law.text.citations import citations
from legalworld.law.text.punishments import Defendant
from legalworld.law.text.verdicts import verdict

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
WITHOUT = "the records (../shared/data) are not on this machine; nothing of them is in the project"
NOTHING = frozenset({"", "无"})
LENGTH = 15_000  # characters of the text whose reading is timed
LINE = (
    "依照《中华人民共和国民法典》第五百七十七条、第五百八十五条第二款，判决如下：被告人某甲犯盗窃罪，判处有期徒刑六个月，"
    "缓刑一年，并处罚金人民币二千元；被告应于2024年5月1日前支付货款12万元及利息。\n"
)

ARTICLE = re.compile(
    r"《(?P<law>.+)》(?:第(?P<article>[^条]+)条(?:之(?P<sub>[一二三四五六七八九十]+))?"
    r"(?:第(?P<paragraph>[^款]+)款)?(?:第（?(?P<item>[^项）]+)）?项)?)?"
)
REFERENCE = re.compile(r"第[一二三四五六七八九十百千零〇0-9０-９]+条")
TERM = re.compile(r"(?:有期徒刑|拘役|管制)(?:(?P<years>[^年月]+)年)?(?:零?(?P<months>[^年月]+?)个?月)?(?=[，。（]|$)")
SUSPENDED = re.compile(r"缓刑(?:(?P<years>[^年月]+)年)?(?:零?(?P<months>[^年月]+?)个?月)?(?=[，。（]|$)")
FINE = re.compile(r"罚金(?:人民币)?(?P<sum>[^元]+)元")
SUM = re.compile(r"(?:[0-9][0-9,，.]*[万亿]?|[一二三四五六七八九十百千万亿零壹贰叁肆伍陆柒捌玖拾佰仟]+)\s?元")
DAY = re.compile(r"[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日")

Row = tuple[str, str, str, bool | None]


@dataclass(slots=True)
class Measure:
    """What was found of what is there. `found` counts what the parser gave, `right` those that agree with the field."""

    what: str
    there: int = 0
    found: int = 0
    right: int = 0
    misses: list[str] = field(default_factory=list)

    def add(self, expected: Iterable[object], got: Iterable[object], where: str) -> None:
        """Two lists that ought to be alike; what only one of them holds is a miss."""
        expected, got = list(expected), list(got)
        rest = list(got)
        lost = []
        for one in expected:
            if one in rest:
                rest.remove(one)
            else:
                lost.append(one)
        self.there += len(expected)
        self.found += len(got)
        self.right += len(expected) - len(lost)
        if lost or rest:
            self.misses.append(f"{where}: expected {lost}, got {rest}")

    @property
    def recall(self) -> float:
        return self.right / self.there if self.there else 1.0

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0


# ---- records ---------------------------------------------------------------------------------------------------------


@cache
def simucourt() -> tuple[dict[str, str], ...]:
    """Records of both instances; values that are no text are left out."""
    files = sorted((DATA / "simucourt").glob("*.json"))
    records = (record for file in files for record in json.loads(file.read_text("utf-8")))
    return tuple({key: value for key, value in record.items() if isinstance(value, str)} for record in records)


@cache
def simcourt() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Name of the file -> record."""
    return tuple(
        (file.stem, json.loads(file.read_text("utf-8"))) for file in sorted((DATA / "simcourt").glob("*.json"))
    )


def cited(record: dict[str, str]) -> list[str]:
    """The fields that name an article each."""
    return [value for key, value in record.items() if key.startswith("引用法律条文") and value not in NOTHING]


def texts() -> Iterator[tuple[str, str]]:
    """(where, text) of all that is running text."""
    for record in simucourt():
        for key, value in record.items():
            if not key.startswith("引用法律条文"):
                yield f"{record['案号']} {key}", value
    for name, record in simcourt():
        for key in ("prosecution_statement", "result", "fact"):
            yield f"{name} {key}", str(record.get(key) or "")


# ---- citations -------------------------------------------------------------------------------------------------------

Path4 = tuple[str, str | None, int | None, int | None]


def number(text: str) -> int:
    from cn2an import cn2an

    return int(cn2an(text.translate(str.maketrans("０１２３４５６７８９〇", "0123456789零")), "smart"))


def expected(text: str) -> Path4 | None:
    """Law, article, paragraph and item of a field; None where it has another form."""
    found = ARTICLE.fullmatch(text.strip())
    if found is None:
        return None
    article = str(number(found["article"])) if found["article"] else None
    if article and found["sub"]:
        article += f"-{number(found['sub'])}"
    parts = (number(found[name]) if found[name] else None for name in ("paragraph", "item"))
    return (law_names.lookup(found["law"]).short, article, *parts)  # type: ignore[return-value]


def got(text: str) -> list[Path4]:
    return [(one.law or "", one.article, one.paragraph, one.item) for one in citations(text)]  # type: ignore[misc]


def sentence(fields: list[str]) -> str:
    """The articles as judges write them: a law once, its articles behind it."""
    parts, last = [], ""
    for text in fields:
        law, _, rest = text.partition("》")
        parts.append(("、" if parts else "") + (rest if law == last and rest else text))
        last = law
    return f"依照{''.join(parts)}之规定，判决如下："


def fields_alone() -> Measure:
    """Each article field by itself."""
    measure = Measure("articles, each field alone")
    for record in simucourt():
        for text in cited(record):
            one = expected(text)
            measure.add([one] if one else [], got(text), f"{record['案号']} {text}")
    return measure


def fields_together() -> Measure:
    """The article fields of a record as one sentence of a judgment."""
    measure = Measure("articles, as a judgment's sentence")
    for record in simucourt():
        known = [text for text in cited(record) if expected(text) is not None]
        if known:
            text = sentence(known)
            measure.add(filter(None, map(expected, known)), got(text), f"{record['案号']} {text}")
    return measure


def references() -> Measure:
    """Every "article N" of running text: `right` are those inside a citation that says its law."""
    measure = Measure("articles named in running text")
    for where, text in texts():
        found = citations(text)
        ends = [(one.start, one.end) for one in found if one.resolved and one.article]
        for match in REFERENCE.finditer(text):
            measure.there += 1
            if any(start < match.end() and match.start() < end for start, end in ends):
                measure.right += 1
            else:
                measure.misses.append(f"{where}: {text[max(0, match.start() - 16) : match.end() + 8]!r}")
    measure.found = measure.right
    return measure


# ---- verdicts --------------------------------------------------------------------------------------------------------


def months(found: re.Match[str] | None) -> int:
    if found is None or not (found["years"] or found["months"]):
        return 0
    return sum(number(found[name]) * times for name, times in (("years", 12), ("months", 1)) if found[name])


def yuan(text: str) -> int:
    found = FINE.search(text)
    return number(found["sum"]) if found is not None else 0


def _only(text: str) -> Defendant | None:
    people = verdict(text).defendants
    return people[0] if len(people) == 1 else None


def terms() -> Iterator[Measure]:
    """SimCourt: months, probation, fine and charges of `result` against `term`, `reprieve`, `fine` and `charge`."""
    names = {"term": "months", "reprieve": "probation_months", "fine": "fine"}
    measures = {name: Measure(f"SimCourt {name}") for name in (*names, "charge")}
    for where, record in simcourt():
        one = _only(record["result"])
        for name, attribute in names.items():
            value = getattr(one.final, attribute) if one is not None else None
            measures[name].add([int(float(record[name]))], [int(value or 0)], where)
        charges = [count.charge for count in one.counts] if one is not None else []
        measures["charge"].add(record["charge"], charges, where)
    yield from measures.values()


def criminal_fields() -> Iterator[Measure]:
    """SimuCourt's criminal fields, and the operative parts that say the same, each by itself."""
    term, probation, fine, charge = (
        Measure(f"SimuCourt {name}") for name in ("刑期", "刑期 (probation)", "罚金", "罪名")
    )
    for record in simucourt():
        parts = [record.get(f"刑事_{name}", "") for name in ("罪名", "刑期", "罚金")]
        known = "，".join(text for text in parts if text not in NOTHING)
        results = [record.get(f"刑事_结果{n}", "") for n in (1, 2, 3)] + [record.get("一审法院审判结果", "")]
        for text in filter(None, [known, *(text for text in results if "犯" in text)]):
            one, where = _only(text), record["案号"]
            final = one.final if one is not None else None
            term.add([months(TERM.search(text))], [final.months or 0] if final else [], f"{where} {text}")
            probation.add([months(SUSPENDED.search(text))], [final.probation_months or 0] if final else [], where)
            fine.add([yuan(text)], [int(final.fine or 0)] if final else [], where)
            named = re.search(r"犯([^，。]+罪)", text)
            found = [count.charge for count in one.counts] if one is not None else []
            charge.add([named[1]] if named else [], found, where)
    yield from (term, probation, fine, charge)


# ---- amounts ---------------------------------------------------------------------------------------------------------


def sums_and_days() -> Iterator[Measure]:
    """Every "N yuan" and every full date of running text: `right` are those that some value takes in."""
    for what, pattern in (("sums of money in running text", SUM), ("full dates in running text", DAY)):
        measure = Measure(what)
        for where, text in texts():
            ends = [(one.start, one.end) for one in amounts(text)]
            for match in pattern.finditer(text):
                measure.there += 1
                if any(start <= match.start() + 2 and match.end() <= end for start, end in ends):
                    measure.right += 1
                else:
                    measure.misses.append(f"{where}: {text[max(0, match.start() - 12) : match.end() + 6]!r}")
        measure.found = measure.right
        yield measure


# ---- all of it -------------------------------------------------------------------------------------------------------


def measures() -> Iterator[Measure]:
    yield fields_alone()
    yield fields_together()
    yield references()
    yield from terms()
    yield from criminal_fields()
    yield from sums_and_days()


def rows() -> Iterator[Row]:
    if DATA.is_dir():
        for one in measures():
            figure = f"{one.right}/{one.there}"
            yield f"{one.what}: recall {one.recall:.0%}, precision {one.precision:.0%}", figure, "", None
    else:
        yield "citations, terms, fines, charges, sums against the records' own fields", "skipped", "", None
        print(f"skipped: {WITHOUT}", file=sys.stderr)
    long = (LINE * (LENGTH // len(LINE) + 1))[:LENGTH]
    for name, parser in (("citations", citations), ("amounts", amounts), ("verdict", verdict)):
        parser(long)  # type: ignore[operator]
        begun = perf_counter()
        parser(long)  # type: ignore[operator]
        taken = (perf_counter() - begun) * 1000
        yield f"{name} of {LENGTH:,} characters, every line full of them", f"{taken:.1f} ms", "< 150 ms", taken < 150


def main() -> None:
    for what, figure, target, passed in rows():
        print(f"{what:<76}{figure:>12}{target:>12}{'' if passed is not False else '   MISSED'}")
    for one in measures() if DATA.is_dir() else ():
        print("".join(f"\n{one.what}: {miss}" for miss in one.misses), end="")
    print()


if __name__ == "__main__":
    main()
