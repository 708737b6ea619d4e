"""The canary test: nobody sees in a run what the paper's table of visibility does not grant him there.

`canary/case.yaml` carries a marker in every value, `canary/oracle.yaml` says by hand who may see what. `watching` holds
the one against the other while whole cases are played. That it would notice: `test_canary_cells`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path

import pytest
from canary_marks import CASE, marks, stand_ins
from click.testing import CliRunner
from watching import (
    EXCHANGE,
    LETTERS,
    ROOT,
    ROWS,
    SIDES,
    SPEC,
    TARGETS,
    Watch,
    appealed,
    canary,
    civil,
    no_deal,
    outcome,
    play,
)

from legalworld.cli.main import lw as commands
from legalworld.model.case import Case, Record, Sided
from legalworld.model.events import Drafted, Event, Request, Spoke

APPEALS = {"plaintiff": ("plaintiff",), "defendant": ("defendant",), "nobody": (), "both": SIDES}
HIDDEN = re.compile(r"CANARY\[(?:real|references)")  # evaluation only; also where the end was cut off


# ---- whole runs ------------------------------------------------------------------------------------------------------
# Whatever two of these one takes, some run has both: who is tested, who appeals, when evidence is exchanged.
WAYS = [(target, by, EXCHANGE[(i + k) % 2]) for i, by in enumerate(APPEALS) for k, target in enumerate(TARGETS)]
BOTH_APPEAL = [way for way in WAYS if way[1] == "both"]


@lru_cache(maxsize=len(BOTH_APPEAL))
def watched(target: str, by: str, exchange: str) -> tuple[Watch, list[Event]]:
    return play(civil(), appealed(canary(), APPEALS[by]), target, evidence_exchange=exchange)


@pytest.mark.parametrize(("target", "by", "exchange"), WAYS)
def test_nobody_sees_what_is_not_his(target: str, by: str, exchange: str) -> None:
    watch, events = watched(target, by, exchange)
    assert list(map(str, watch.findings)) == []
    assert outcome(events) == ("final_judgment" if by != "nobody" else "first_judgment_effective")
    assert not any(HIDDEN.search(event.model_dump_json()) for event in events)
    for person, mark in watch.seen:  # what the oracle says of prompts, once more by itself: not even by hearsay
        if mark.startswith("goal."):
            assert watch.persons[person].side == mark.split(".")[1]


def test_everything_is_shown_to_somebody() -> None:
    """So that the runs above say something: each field is met in a prompt by everybody who may see it somewhere."""
    met = set()
    for way in BOTH_APPEAL:
        watch, _ = watched(*way)
        for person, mark in watch.seen:
            reader = watch.persons[person]
            name, _, rest = mark.partition(".")
            met.add((LETTERS[reader.kind], watch.whose(reader, rest.partition(".")[0]), name))
    wanted = {
        (letter, whose, name)
        for name, row in ROWS.items()
        for whose in ("own", "other", "all")
        for letter in row.get(whose, {})
        if name in civil().fields
    }
    held = {name for document in civil().documents.values() for name in document.holds}
    told = {(letter, "own", "positions") for letter in "CLJ"}  # data for who decides by norms, in no prompt
    filed = told | {
        ("J", "all", "first_ruling")
    }  # it is written into the judgment that is filed, by nobody who is asked
    assert wanted - met <= {("J", "own", name) for name in held} | filed  # he reads the document in its place


def test_one_of_several_parties_appeals() -> None:
    for target in TARGETS:
        watch, events = play(civil(), appealed(canary(), ("CANARY[parties.defendant.0.id]",)), target)
        assert list(map(str, watch.findings)) == []
        assert outcome(events) == "final_judgment"


@pytest.mark.parametrize("target", TARGETS)
def test_nor_when_replies_are_broken(target: str) -> None:
    watch, _ = play(civil(), appealed(canary(), SIDES), target, manner="noisy")
    assert list(map(str, watch.findings)) == []


# ---- mediation -------------------------------------------------------------------------------------------------------
def talk_of(events: list[Event], phase: str) -> frozenset[str]:
    """The markers of what was said aloud in a phase, those of the case left out."""
    said = [
        mark
        for event in events
        if isinstance(event, Spoke) and event.place.startswith(f"{phase}/")
        for mark in marks(event.text)
    ]
    return frozenset(mark for mark in said if mark.startswith("said."))


def met_by(watch: Watch, person: str, place: str = "", act: str = "") -> set[str]:
    """All markers in the prompts of a person below a place, what his thread held before included."""
    requests = [one for one in watch.requests.values() if one.person == person and one.id.startswith(place)]
    sent = (message for request in requests if act in ("", request.act) for message in request.messages)
    return {mark for message in sent for mark in marks(message.content)}


SHIELDED = ("yes", "no")


@lru_cache(maxsize=len(SHIELDED))
def unsettled(target: str, shielded: str) -> tuple[Watch, list[Event]]:
    case = appealed(canary(settle=True), SIDES)
    return play(civil(), case, target, script=no_deal, mediation_shielded=shielded)


def test_the_second_judge_knows_nothing_of_the_first() -> None:
    """Neither what was said before another court nor what its judge noted, but for the words of his judgment."""
    for shielded in SHIELDED:
        watch, events = unsettled(TARGETS[0], shielded)
        (judgment,) = [event for event in events if isinstance(event, Drafted) and event.document == "first_judgment"]
        earlier = {mark for mark in met_by(watch, "appeal_judge") if re.match(r"(?:said|listed)\.FIT/", mark)}
        assert earlier != set()
        assert earlier <= marks(judgment.text)
        assert not any(re.match(r"said\.FIT/(?:mediation|investigation/.*rule_evidence)", mark) for mark in earlier)


@pytest.mark.parametrize(("target", "shielded"), list(product(TARGETS, SHIELDED)))
def test_what_is_said_in_mediation(target: str, shielded: str) -> None:
    """The judge hears it, and has it no more when he notes what is in dispute and decides, but for the option."""
    watch, events = unsettled(target, shielded)
    assert list(map(str, watch.findings)) == []
    assert outcome(events) == "final_judgment"
    for stage, judge in (("FIT", "judge"), ("SIT", "appeal_judge")):
        talk = talk_of(events, f"{stage}/mediation")
        assert len(talk) > 10
        assert talk & met_by(watch, judge, f"{stage}/mediation/")
        after = met_by(watch, judge, f"{stage}/judgment/") | met_by(watch, judge, f"{stage}/mediation/", "note")
        assert met_by(watch, judge, f"{stage}/judgment/", "draft") <= after
        assert bool(talk & after) == (shielded == "no")


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_agreed_in_mediation(target: str) -> None:
    watch, events = play(civil(), canary(settle=True), target)
    assert list(map(str, watch.findings)) == []
    assert outcome(events) == "mediated"
    (record,) = [event for event in events if isinstance(event, Drafted) and event.document == "mediation_record"]
    assert marks(record.text) & talk_of(events, "FIT/mediation")


def test_what_was_noted_in_deliberation_reaches_nobody_but_through_the_judgment() -> None:
    """The judge leaves out of his judgment what he noted of facts and reasons: nobody after him is told of it."""
    secret = "合议庭有一种意见认为证人不可信"

    def script(request: Request, text: str) -> str:
        if request.person == "judge" and request.form.answer and request.form.answer.name in ("findings", "reasons"):
            return text.replace("】", f"，{secret}】")
        return text.replace(f"，{secret}", "") if request.person == "judge" else text

    watch, events = play(civil(), appealed(canary(), SIDES), script=script)
    assert outcome(events) == "final_judgment"
    told = [one for one in watch.requests.values() if any(secret in message.content for message in one.messages)]
    assert {one.person for one in told} == {"judge"}
    assert not [event for event in events if isinstance(event, Drafted) and secret in event.text]
    opinion = [one for one in watch.requests.values() if one.person == "defendant-1" and one.id.startswith("SIT")]
    assert "【第一审判决" in opinion[0].messages[0].content and "本院认为" in opinion[0].messages[0].content


# ---- files and outputs -----------------------------------------------------------------------------------------------
def lw(*words: str | Path, code: int = 0) -> str:
    """What a command says, on both streams."""
    done = CliRunner().invoke(commands, [str(word) for word in words], env={"LW_LANG": "zh"})
    assert done.exit_code == code, done.output
    return done.output


def evaluation_only() -> frozenset[str]:
    return frozenset(
        mark for mark in marks(CASE.read_text("utf-8")) if ROWS.get(mark.split(".")[0], {}).get("evaluation_only")
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A run on disk, and what the command said."""
    folder = tmp_path_factory.mktemp("canary") / "run"
    return folder, lw("run", ROOT / SPEC, "--case", CASE, "--out", folder, "--json")


def test_only_the_sealed_file_holds_what_is_for_evaluation_only(played: tuple[Path, str]) -> None:
    folder, said = played
    assert json.loads(said)["outcome"] == "final_judgment"
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert {"journal.jsonl", "run.yaml", "case.json", "transcript.md", "documents/final_judgment.md"} <= set(files)
    assert marks(files.pop("sealed.json").decode()) == evaluation_only()
    assert [name for name, data in files.items() if HIDDEN.search(data.decode("utf-8", "replace"))] == []
    assert marks(files["journal.jsonl"].decode()) & marks(files["case.json"].decode()) != set()


def test_no_output_holds_what_is_for_evaluation_only(played: tuple[Path, str]) -> None:
    folder, said = played
    calls = lw("show", folder)
    last = max(int(line.split()[0]) for line in calls.splitlines() if line.strip()[:1].isdigit())
    shown = [lw("show", folder, "--turn", str(n), "--prompt", "--view") for n in (1, last)]
    spec = (ROOT / SPEC, "--case", CASE)
    views = [lw("view", *spec, "--as", "appeal_judge", "--at", "SIT/judgment")]
    prompts = [lw("prompt", *spec, "--as", "judge", "--at", "FIT/judgment")]
    more = [lw("replay", folder, "--json"), lw("show", folder, "--tokens"), lw("show", folder, "--violations")]
    for output in (said, calls, *shown, *views, *prompts, *more):
        assert HIDDEN.search(output) is None
    assert all(marks(output) for output in (*shown, *views, *prompts))


def test_no_error_holds_what_is_for_evaluation_only(tmp_path: Path) -> None:
    text = CASE.read_text("utf-8")
    broken = {
        "a party without name": (re.sub(r"  defendant:\n(?=    - id: CANARY.parties)(?:    .*\n)+", "", text), 2),
        "an unknown key": (text.replace("    bottom_line:", "    bottomline:", 1), 0),
        "an unknown section": (text.replace("real:", "really:"), 0),
        "no list": (text.replace("    - question: CANARY", "    - ask: CANARY"), 0),
    }
    for name, (changed, code) in broken.items():
        assert changed != text, name
        file = tmp_path / "case.yaml"
        file.write_text(changed, "utf-8")
        said = lw("run", ROOT / SPEC, "--case", file, "--out", tmp_path / name, "--until", "CD", code=code)
        assert HIDDEN.search(said) is None, name
    for words in (
        ("--set", "real=x"),
        ("--set", "references.plaintiff=x"),
        ("--option", "real=x"),
        ("--target", "real"),
    ):
        assert HIDDEN.search(lw("run", ROOT / SPEC, "--case", CASE, "--out", tmp_path / "x", *words, code=2)) is None


# ---- the canary itself -----------------------------------------------------------------------------------------------
FORMS = {"type", "n", "claims", "settle", "persona", "account", "figures", "says", "asks", "rate", "from", "pleads"}
CHOSEN = {("claims", "kind")}
UNPRINTED = {
    "claims.0.until",
    "claims.1.until",
    "claims.0.amount",
    "claims.1.amount",
}  # parts of claims that no prompt prints by themselves


def leaves(case: Case) -> Iterator[tuple[str, str]]:
    """Where each value of a case stands, and the value: `evidence.plaintiff.0.name`."""
    for name, field in {**case.fields, **case.sealed}.items():
        for side, value in field.values.items() if isinstance(field, Sided) else (("", field),):
            place = f"{name}.{side}" if side else name
            for number, one in enumerate(value if isinstance(value, tuple) else (value,)):
                where = f"{place}.{number}" if isinstance(value, tuple) else place
                yield from (
                    ((f"{where}.{key}", str(one[key])) for key in one)
                    if isinstance(one, Record)
                    else ((where, str(one)),)
                )


def test_every_value_of_the_case_has_a_marker_of_its_own() -> None:
    """But for forms that templates branch on; every key of every field of the spec has one somewhere."""
    text = CASE.read_text("utf-8")
    assert len(re.findall(r"CANARY\[", text)) == len(marks(text))
    marked = set()
    for place, value in leaves(canary()):
        name, key = place.split(".")[0], place.rpartition(".")[2]
        if value and key not in FORMS and (name, key) not in CHOSEN and name not in ("appellants", "real"):
            assert place in marks(value)
            marked.add((name, key))
    for name, field in civil().fields.items():
        if "unplayed" not in ROWS[name]:
            assert {(name, key) for key in field.keys if key not in FORMS} - CHOSEN <= marked
    assert len(evaluation_only()) > 15


def test_a_typed_value_is_found_in_every_form_that_it_is_written_in() -> None:
    """Whatever stands around it, and none in a longer number."""
    assert len(stand_ins()) > 2 * len(set(stand_ins().values())) > 30
    for form, mark in stand_ins().items():
        for text in (form, f"共计{form}元", f"自{form}起", f"（{form}）", f"\n{form}；"):
            assert marks(text) == {mark}, text
        if form.isdecimal():
            assert not any(marks(text) for text in (f"8{form}", f"{form}8", f"1,{form}", f"0.{form}"))
    seen = {mark for way in BOTH_APPEAL for _, mark in watched(*way)[0].seen}
    assert set(stand_ins().values()) - seen == UNPRINTED


def test_the_oracle_speaks_of_everything() -> None:
    names = {*civil().fields, *civil().documents, *civil().answers}
    assert names | {"persona"} == set(ROWS)
