"""`lw show --decision` and `--why`: the record as people and programs read it, of whichever procedure, at any time."""

from __future__ import annotations

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest
from judged_neighbours import drawn, written
from places import ROOT
from ruamel.yaml import YAML
from typed import lw

from legalworld.model.decision import Amount, Decision, Relief

PLAYED = {
    "civil": ("civil", "jiedai"),
    "criminal": ("criminal", "dianlan"),
    "labour": ("labour-arbitration", "fenjian"),
    "administrative": ("administrative", "chachao"),
    "small claims": ("smallclaims", "smallclaims-worktop"),
    "enforcement": ("enforcement-objection", "chaobiaodi"),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("decided")
    for name, (spec, case) in PLAYED.items():
        assert lw("run", spec, "--case", ROOT / "cases" / f"{case}.yaml", "--out", folder / name).code == 0
    return {name: folder / name for name in PLAYED}


def rows(*words: str | Path) -> list[dict[str, object]]:
    ran = lw("show", *words, "--json")
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", PLAYED)
def test_the_table_tells_all_of_the_record(
    runs: dict[str, Path], name: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every order, verdict, finding, fee and gap has a row, and no key stands where words should."""
    monkeypatch.setenv("LW_LANG", language)
    ran = lw("show", runs[name], "--decision")
    assert ran.code == 0 and not re.search(r"\{[a-z]+\}|\b[a-z]+_[a-z]+\b(?!\))", _own_words(ran.out, runs[name]))
    told = [line for line in ran.out.splitlines() if line.startswith("  ")]
    expected = 0
    for row in rows(runs[name], "--decision"):
        record = Decision.model_validate(row["record"])
        parts = (record.reliefs, record.verdicts, record.sentences, record.fates, record.findings, record.costs)
        expected += sum(map(len, parts)) + len(record.thin)
    assert expected and len(told) == expected + _claims(runs[name])


def _own_words(shown: str, run: Path) -> str:
    """What is shown without the names of documents, decisions and parts, which are keys of the spec."""
    keys = {str(row.get(key)) for row in rows(run, "--decision") for key in ("name", "document")}
    parts = {str(gap["part"]) for row in rows(run, "--decision") for gap in row["record"].get("thin", ())}  # type: ignore[attr-defined]
    for word in sorted(keys | parts, key=len, reverse=True):
        shown = shown.replace(word, "")
    return shown


def paths(run: Path) -> list[str]:
    """What can be asked about, as the message says that tells a part that is none."""
    listed = lw("show", run, "--why", "nothing").err.splitlines()[0]
    return re.findall(r"(?:claims|verdicts)/[^\s,、）)]+|costs", listed)


def _claims(run: Path) -> int:
    """How many claims there are, once for each decision that has them."""
    return sum(len(rows(run, "--why", path)) for path in paths(run) if path.startswith("claims/"))


def test_sums_and_places_are_those_of_the_document(runs: dict[str, Path]) -> None:
    """The words that a part was read in are those of the document at that place."""
    for run in runs.values():
        assert paths(run)
        for path in paths(run):
            for row in rows(run, "--why", path):
                text = (run / "documents" / f"{row['document']}.md").read_text(encoding="utf-8")
                for place in row["words"]:  # type: ignore[attr-defined]
                    assert place["text"] == text[place["start"] : place["end"]]


def test_what_a_claim_rests_on(runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", "en")
    first = rows(runs["civil"], "--why", "claims/1")[0]
    record = Decision.model_validate(first["record"])
    assert [one.claims for one in record.reliefs] == [("1",)] and record.reliefs[0].amount is not None
    assert {"原证1", "被证2"} <= {exhibit for one in record.findings for exhibit in one.by}
    assert {one.id: one.ruling for one in record.exhibits}["被证1"] == "rejected"
    text = lw("show", runs["civil"], "--why", "claims/1").out
    assert "937,569.91 CNY" in text and "shown by 原证1" in text and re.search(r"call \d+\s+outcome", text)


def test_a_part_that_is_none_names_those_that_there_are(runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", "en")
    ran = lw("show", runs["civil"], "--why", "claims/9")
    assert ran.code == 2 and "LW240" in ran.err and "claims/1" in ran.err and "costs" in ran.err


def test_before_the_document_the_parts_that_are_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that stopped between deciding and writing shows what was decided; one that has not come so far, nothing."""
    monkeypatch.setenv("LW_LANG", "en")
    assert lw("run", "civil", "--until", "FIT/judgment/award", "--out", tmp_path / "half").code in (0, 3)
    shown = lw("show", tmp_path / "half", "--decision").out
    assert "no document is written yet" in shown and "call " in shown
    assert lw("run", "civil", "--until", "FIT/debate", "--out", tmp_path / "early").code in (0, 3)
    assert "nothing has been decided" in lw("show", tmp_path / "early", "--decision").out
    assert lw("show", tmp_path / "early", "--why", "claims/1").code == 0


def test_a_document_put_in_its_place_is_what_is_shown(runs: dict[str, Path], tmp_path: Path) -> None:
    """What was decided before it holds no more."""
    text = (runs["civil"] / "documents" / "first_judgment.md").read_text(encoding="utf-8")
    other = tmp_path / "other.md"
    other.write_text(text.replace("937569.91元", "800000元"), encoding="utf-8")
    fork = tmp_path / "fork"
    ran = lw("fork", runs["civil"], "--at", "SIT", "--replace", f"first_judgment={other}", "--out", fork)
    assert ran.code == 0, ran.err
    first = rows(fork, "--decision")[0]
    sums = [one.amount.value for one in Decision.model_validate(first["record"]).reliefs if one.amount is not None]
    assert sums == [800000] and not first["decided"]


SEEDS = (1, 2, 3, 4, 5, 11, 17)


@pytest.mark.parametrize("seed", SEEDS)
def test_why_tells_norm_element_burden_and_reckoning(seed: int, tmp_path: Path) -> None:
    """Of neighbours of shipped cases: whatever was changed, each claim that a court by norms decided says by which
    norm, each element how it was shown or who had to show it, each sum the lines that come to it."""
    neighbour = drawn(seed)
    run = tmp_path / "run"
    assert lw("run", neighbour.spec, "--case", written(neighbour, tmp_path), "--out", run).code in (0, 3)
    told = 0
    for path in (one for one in paths(run) if one.startswith("claims/")):
        for row in rows(run, "--why", path):
            parts = {str(one["part"]): Decision.model_validate(one["filled"]) for one in row["decided"]}  # type: ignore[attr-defined]
            if "results" not in parts or "reckoned" not in row:
                continue
            told += 1
            reckoned = Decision.model_validate(row["reckoned"])
            assert _together(reckoned) == parts["results"].reliefs[0].result
            for relief in reckoned.reliefs:
                assert relief.norm or reckoned.thin, relief
                if relief.amount is not None:
                    assert _reckoned(relief) == relief.amount.value, relief
            for finding in reckoned.findings:
                known = finding.by or finding.against or finding.burden or finding.origin is not None
                assert known or finding.result == "open", finding
    assert told


def test_why_of_an_act_tells_each_ground_and_who_had_to_show_what(runs: dict[str, Path]) -> None:
    """The grounds on which an act is reviewed, found or answered; the agency has to show that it was lawful."""
    acts = [row["reckoned"] for row in rows(runs["administrative"], "--why", "claims/1") if "reckoned" in row]
    assert acts
    for one in map(Decision.model_validate, acts):
        assert one.act is not None and {ground.result for ground in one.act.grounds} <= {"found", "answered", "open"}
        assert {finding.burden for finding in one.findings} == {"defendant"}
    text = lw("show", runs["administrative"], "--why", "claims/1").out
    assert "Grounds of review" in text and "for 江澜市青塘区市场监督管理局 to prove" in text
    assert all(ground.ground in text for ground in one.act.grounds)


@pytest.mark.parametrize(("spec", "case"), [("administrative-appeal", "zhangyuan"), ("criminal-appeal", "jiuyi")])
def test_why_of_an_appeal_tells_what_was_ordered_below_and_each_ground(spec: str, case: str, tmp_path: Path) -> None:
    file = ROOT / "cases" / f"{case}.yaml"
    assert lw("run", spec, "--case", file, "--out", tmp_path / "run").code == 0
    grounds = YAML(typ="safe").load(file.read_text("utf-8"))["second"]["grounds"]
    path = next(one for one in paths(tmp_path / "run") if one != "costs")
    first, second = rows(tmp_path / "run", "--why", path)
    assert "attacked" not in first and "below" not in first
    assert second["below"] and second["record"]["fates"]  # type: ignore[index]
    attacked = second["attacked"]
    assert isinstance(attacked, list) and len(attacked) == len(grounds)
    for told, ground in zip(attacked, grounds, strict=True):
        assert ground["title"] in told["ground"] and told["said"] and told["turn"]
    text = lw("show", tmp_path / "run", "--why", path).out
    assert "Grounds of the appeal" in text and ("Ordered below" in text or "Sentenced below" in text)


def _together(reckoned: Decision) -> str:
    found = {one.result for one in reckoned.reliefs}
    if not found or found == {"granted"}:
        return "granted"
    if found & {"granted", "in_part"}:
        return "in_part"
    return "undecided" if "undecided" in found else "dismissed"


def _reckoned(relief: Relief) -> Decimal:
    value = Decimal(0)
    for line in relief.reckoning:
        step = line.value.value if isinstance(line.value, Amount) else line.value
        acts = {"plus": value + step, "minus": value - step, "times": value * step, "at_most": step}
        value = acts[line.operation] if line.operation in acts else value / step
    return max(value.quantize(Decimal("0.01"), ROUND_HALF_UP), Decimal(0))


def test_the_norm_is_told_by_its_title(runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    for language, words in (
        ("en", ("for 林启川 to prove", "payments beyond interest")),
        ("zh", ("林启川", "已付款抵充本金")),
    ):
        monkeypatch.setenv("LW_LANG", language)
        told = lw("show", runs["civil"], "--why", "claims/1").out
        assert all(one in told for one in (*words, "民间借贷的本金和利息", "47,430.09")), told


ACCUSED = ("dianlan", "kuaijian", "jiuyi", "bianlidian", "tingche")


@pytest.mark.parametrize("case", ACCUSED)
def test_why_tells_norm_range_and_circumstances_of_a_verdict(case: str, tmp_path: Path) -> None:
    """Of every verdict the norm, its tier and range, each circumstance with its article, why it is suspended or not."""
    assert lw("run", "criminal", "--case", ROOT / "cases" / f"{case}.yaml", "--out", tmp_path / "run").code == 0
    verdicts = [path for path in paths(tmp_path / "run") if path.startswith("verdicts/")]
    assert verdicts
    for path in verdicts:
        (row,) = rows(tmp_path / "run", "--why", path)
        reckoned = Decision.model_validate(row["reckoned"])
        assert reckoned.findings and reckoned.verdicts
        told = lw("show", tmp_path / "run", "--why", path).out
        for verdict in reckoned.verdicts:
            assert verdict.norm and verdict.cites and verdict.norm in told
            if verdict.result != "convicted":
                continue
            assert verdict.range is not None and verdict.punishment is not None and verdict.suspended
            term, most = verdict.punishment.term, verdict.range.most
            assert term is not None and term.name in verdict.range.main and term.name in told
            assert most is None or verdict.range.least <= (term.months or 0) <= most
            assert (verdict.punishment.probation is not None) is (verdict.suspended in ("must", "asked"))
            assert all(one.name in told and one.article in told for one in verdict.circumstances)
            fine = verdict.punishment.fine
            assert fine is None or f"{fine.value:,f}" in told
        for order in reckoned.reliefs:
            assert order.amount is None or f"{order.amount.value:,f}" in told
