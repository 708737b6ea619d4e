"""Archives of runs: what is in them and what is not, who can verify them, and archives that mean harm."""

from __future__ import annotations

import json
import shutil
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from typed import lw

from legalworld.export import archive_reader


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("study")
    assert lw("run", "civil", "--case", "wuye", "--until", "FIT/judgment", "--out", root / "base" / "court").code == 0
    for seed in ("0", "1"):
        assert lw("run", "bargain", "--seed", seed, "--out", root / f"deal-{seed}").code == 0
    return root


@pytest.fixture(scope="module")
def archive(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of all runs; to be read only."""
    file = tmp_path_factory.mktemp("archive") / "study.zip"
    assert lw("archive", "pack", runs, "--out", file).code == 0
    return file


@pytest.fixture
def packed(archive: Path, tmp_path: Path) -> Path:
    """A copy of it, for one test."""
    return Path(shutil.copy(archive, tmp_path))


def contents(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_what_is_sealed_is_left_out_and_said(runs: Path, tmp_path: Path) -> None:
    assert lw("eval", runs / "base" / "court", "--rubric", "longjud").code == 0
    ran = lw("archive", "pack", runs, "--out", tmp_path / "a.zip", "--json")
    told = ran.object()
    assert ran.code == 0 and told["runs"] == ["base/court", "deal-0", "deal-1"]
    assert told["left_out"]["sealed.json"] == 3 and told["left_out"]["scores"] >= 1
    files = contents(tmp_path / "a.zip")
    assert json.loads(files["archive.json"])["left_out"] == told["left_out"]
    assert not [name for name in files if "sealed" in name or "scores" in name or name.endswith("/lock")]
    everything = b"".join(files.values()).decode("utf-8")
    plain = (runs / "base" / "court" / "case.json").read_text("utf-8")
    sealed = strings(json.loads((runs / "base" / "court" / "sealed.json").read_text("utf-8")))
    long = [text for text in sealed if len(text) > 25 and text not in plain]
    assert len(long) > 5 and not [text for text in long if text in everything]


def test_what_lies_beside_the_runs_of_a_study_is_left_out_and_said(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs, tmp_path / "study")
    (tmp_path / "study" / "figures").mkdir()
    for name in ("report.html", "figures/one.svg", "figures/two.svg", ".index"):
        (tmp_path / "study" / name).write_text("x", "utf-8")
    told = lw("archive", "pack", tmp_path / "study", "--out", tmp_path / "a.zip", "--json").object()
    assert (told["left_out"]["report.html"], told["left_out"]["figures"]) == (1, 2)
    assert ".index" not in told["left_out"] and json.loads(contents(tmp_path / "a.zip")["archive.json"])["left_out"]


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in strings(one)]


def test_the_same_runs_give_the_same_bytes(runs: Path, packed: Path, tmp_path: Path) -> None:
    shutil.copytree(runs, tmp_path / "copy")
    assert lw("archive", "pack", tmp_path / "copy", "--out", tmp_path / "other.zip").code == 0
    assert (tmp_path / "other.zip").read_bytes() == packed.read_bytes()
    copies = {name.split("/")[1] for name in contents(packed) if name.startswith("spec/")}
    assert len(copies) == 2  # of each spec once


def test_somebody_else_replays_what_was_published(runs: Path, packed: Path, tmp_path: Path) -> None:
    assert lw("archive", "check", packed).code == 0
    assert lw("archive", "unpack", packed, "--out", tmp_path / "theirs").code == 0
    for name in ("base/court", "deal-0", "deal-1"):
        assert not (tmp_path / "theirs" / name / "sealed.json").exists()
        mine, theirs = runs / name / "transcript.md", tmp_path / "theirs" / name / "transcript.md"
        (tmp_path / "theirs" / name / "transcript.md").unlink()
        assert lw("replay", tmp_path / "theirs" / name).code == 0
        assert mine.read_bytes() == theirs.read_bytes()
    again = lw("archive", "pack", tmp_path / "theirs", "--out", tmp_path / "again.zip")
    assert again.code == 0
    other, first = contents(tmp_path / "again.zip"), contents(packed)
    assert {name: other[name] for name in other if name != "archive.json"} == {
        name: first[name] for name in first if name != "archive.json"
    }


def test_a_run_that_holds_a_key_or_a_path_is_left_out(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_words(words: str) -> Path:
        folder = tmp_path / "some"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(runs / "deal-0", folder / "good")
        shutil.copytree(runs / "deal-0", folder / "bad")
        with open(folder / "bad" / "transcript.md", "a", encoding="utf-8") as file:
            file.write(words)
        return folder

    monkeypatch.setenv("SOME_API_KEY", "abcd-efgh-ijkl")
    for words in ("abcd-efgh-ijkl", "sk-" + "a1b2c3d4" * 4, f"{Path.cwd()}/private.yaml", f"{Path.home()}/x"):
        ran = lw("archive", "pack", with_words(words), "--out", tmp_path / "a.zip", "--json")
        assert ran.code == 2 and ran.object()["runs"] == ["good"] and ran.object()["problems"] == ["LW631"], words


def test_a_document_made_of_what_is_sealed_is_not_published(runs: Path, tmp_path: Path) -> None:
    court = runs / "base" / "court"
    sealed = strings(json.loads((court / "sealed.json").read_text("utf-8")))
    secret = next(text for text in sealed if len(text) > 60 and text not in (court / "case.json").read_text("utf-8"))
    (tmp_path / "other.md").write_text("民事起诉状\n" + secret, "utf-8")
    forked = lw(
        "fork", court, "--at", "FIT", "--replace", f"complaint={tmp_path / 'other.md'}", "--out", tmp_path / "f"
    )
    assert forked.code == 0, forked.err
    ran = lw("archive", "pack", tmp_path / "f", "--out", tmp_path / "a.zip", "--json")
    assert ran.code == 2 and ran.object()["problems"] == ["LW632"] and not (tmp_path / "a.zip").exists()


def test_what_was_changed_is_found(runs: Path, tmp_path: Path) -> None:
    """A file other than the list has it; and, with a list that was mended, other than the replay writes it."""
    assert lw("archive", "pack", runs / "deal-0", runs / "deal-1", "--out", tmp_path / "deals.zip").code == 0
    files = contents(tmp_path / "deals.zip")
    name = "runs/deal-0/transcript.md"
    changed = files | {name: files[name] + b"more"}
    assert refused(rewritten(changed, tmp_path / "a.zip"), tmp_path) == ["LW630"]
    manifest = json.loads(files["archive.json"])
    run = next(one for one in manifest["runs"] if one["name"] == "deal-0")
    run["files"]["transcript.md"] = sha256(changed[name]).hexdigest()
    mended = rewritten(changed | {"archive.json": json.dumps(manifest).encode()}, tmp_path / "b.zip")
    assert lw("archive", "check", mended, "--json").object()["differing"] == {"deal-0": ["LW633"]}
    spec = next(one for one in files if one.startswith("spec/") and one.endswith(".yaml"))
    other = rewritten(files | {spec: files[spec] + b"# more"}, tmp_path / "c.zip")
    assert lw("archive", "check", other).code == 2


ALIASES = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10) if n else 'x'}]\n" for n in range(12)).encode()
HARM = {
    "aliases": lambda data: ALIASES,
    "aliases behind": lambda data: data + b"\n" + ALIASES,
    "depth": lambda data: b"[" * 200_000,
    "zeros": lambda data: data[:40] + bytes(1 << 20),
    "half": lambda data: data[: len(data) // 2],
    "one line less": lambda data: data[: data.rstrip().rfind(b"\n") + 1],
    "nothing": lambda data: b"",
}


SHORTER = ("half", "one line less", "nothing")  # of a record, a run that stopped and can be gone on with
FILES = ("run.yaml", "case.json", "journal.jsonl")


@pytest.mark.parametrize(
    ("name", "harm"), [(name, harm) for name in FILES for harm in HARM if name != FILES[-1] or harm not in SHORTER]
)
def test_a_harmful_file_with_its_own_sum_is_refused_when_unpacked(
    name: str, harm: str, packed: Path, tmp_path: Path
) -> None:
    """Whoever made the archive wrote the sums too; what the reader of runs refuses is not written to a folder."""
    files = contents(packed)
    manifest = json.loads(files["archive.json"])
    for run in manifest["runs"]:
        place = f"runs/{run['name']}/{name}"
        files[place] = HARM[harm](files[place])
        run["files"][name] = sha256(files[place]).hexdigest()
    bad = rewritten(files | {"archive.json": json.dumps(manifest).encode()}, tmp_path / "b.zip")
    begun = time.monotonic()
    assert refused(bad, tmp_path) == ["LW630"]
    assert time.monotonic() - begun < 60


def rewritten(files: dict[str, bytes], to: Path) -> Path:
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return to


def refused(file: Path, folder: Path) -> list[str]:
    """The codes with which an archive is refused; nothing may have been written."""
    before = sorted(path.name for path in folder.iterdir())
    ran = lw("archive", "unpack", file, "--out", folder / "out", "--json")
    assert ran.code == 2 and sorted(path.name for path in folder.iterdir()) == before
    return [problem["code"] for problem in ran.object()["problems"]]


HOSTILE: dict[str, Callable[[zipfile.ZipFile], None]] = {
    "a path out of the folder": lambda archive: archive.writestr("../escaped", b"x"),
    "a path from the root": lambda archive: archive.writestr("/tmp/escaped", b"x"),
    "a run named to lead out": lambda archive: archive.writestr("runs/../../escaped", b"x"),
    "a file that is not listed": lambda archive: archive.writestr("runs/deal-0/more.sh", b"x"),
    "a bomb": lambda archive: archive.writestr("runs/deal-0/times.jsonl2", b"0" * (8 << 20), zipfile.ZIP_DEFLATED),
    "two names that are one": lambda archive: archive.writestr("RUNS/deal-0/run.yaml", b"x"),
    "a link": lambda archive: archive.writestr(link("runs/deal-0/link"), b"/etc/passwd"),
}


def link(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.create_system, entry.external_attr = 3, 0o120777 << 16
    return entry


@pytest.mark.parametrize("harm", HOSTILE)
def test_harm_is_refused_and_nothing_is_written(harm: str, packed: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(packed, "a") as archive:
        HOSTILE[harm](archive)
    assert refused(packed, tmp_path) == ["LW630"]


@pytest.mark.parametrize(
    "change",
    [
        {"name": "../out"},
        {"name": "/abs"},
        {"name": 7},
        {"files": {"../../x": "0"}},
        {"files": {"spec/../../x": "0"}},
        {"files": {"sealed.json": "0"}},
        {"files": {"documents/../../x.md": "0"}},
        {"files": []},
    ],
)
def test_a_list_that_means_harm_is_refused(change: dict[str, object], packed: Path, tmp_path: Path) -> None:
    files = contents(packed)
    manifest = json.loads(files["archive.json"])
    manifest["runs"][0] |= change
    file = rewritten(files | {"archive.json": json.dumps(manifest).encode()}, tmp_path / "bad.zip")
    assert refused(file, tmp_path) == ["LW630"]


def test_a_list_of_another_form_is_refused(packed: Path, tmp_path: Path) -> None:
    files = contents(packed)
    for text in ("[" * 100_000, "{}", '{"lw_archive": 2, "runs": []}', "\u0000"):
        assert refused(rewritten(files | {"archive.json": text.encode()}, tmp_path / "bad.zip"), tmp_path) == ["LW630"]
    rest = {name: data for name, data in files.items() if name != "archive.json"}
    assert refused(rewritten(rest, tmp_path / "bad.zip"), tmp_path) == ["LW630"]


def test_an_archive_that_breaks_off_is_refused(packed: Path, tmp_path: Path) -> None:
    data = packed.read_bytes()
    for part in (data[: len(data) // 2], data[:100], b""):
        (tmp_path / "cut.zip").write_bytes(part)
        assert refused(tmp_path / "cut.zip", tmp_path) == ["LW630"]
    broken = bytearray(data)
    broken[200:260] = bytes(60)
    (tmp_path / "cut.zip").write_bytes(broken)
    assert refused(tmp_path / "cut.zip", tmp_path) == ["LW630"]


def test_sizes_are_bounded(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = archive_reader.BOUNDS
    for name, most in (
        *(
            ("BOUNDS", replace(bounds, **{field: most}))
            for field, most in (("files", 3), ("together", 999), ("one", 99))
        ),
        ("MOST_OF_A_MANIFEST", 10),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(archive_reader, name, most)
            assert refused(packed, tmp_path) == ["LW630"], name


def test_a_folder_that_holds_something_is_left_alone(packed: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine").write_text("x", "utf-8")
    assert lw("archive", "unpack", packed, "--out", tmp_path / "there").code == 2
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["mine"]
