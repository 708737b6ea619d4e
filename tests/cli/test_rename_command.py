"""`lw rename`: what it writes and moves, what it tells, and what it leaves as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from legalworld.cli.main import lw as program

SPEC = """lw: 1
procedure: shop
title: 买东西
locale: zh
kinds: {P: party}
roles:
  buyer: {title: 买家, kind: party}
  seller: {title: 店主, kind: party}
stages:
  - stage: deal
    steps:
      - seller asks buyer: 要哪一件？ # buyer
        id: which
      - end done: 成交
"""
FILES = {
    "specs/shop.yaml": SPEC.replace("\n", "\r\n"),
    "prompts/zh/shop/who/buyer.j2": "\ufeff你是买家。\n",
    "snapshots/shop/one/ways.yaml": "lw: 1\nsnapshots: shop\ncase: one\nways: {buyer: [usual]}\n",
    "snapshots/shop/one/buyer/deal/buyer.answer.which.txt": "text\n",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(text.encode())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    return tmp_path


def texts(root: Path) -> dict[str, str]:
    files = (file for file in root.rglob("*") if file.is_file())
    return {file.relative_to(root).as_posix(): file.read_bytes().decode() for file in files}


def lw(*words: str) -> Result:
    return CliRunner().invoke(program, ("rename", *words))


@pytest.mark.parametrize("word", ["buyer", "买家"])
def test_all_files_are_written_or_only_told(root: Path, word: str) -> None:
    looked = lw("shop", word, "顾客", "--check", "--json")
    assert texts(root) == FILES
    done = lw("shop", word, "顾客", "--json")
    assert (looked.exit_code, done.exit_code) == (0, 0)
    told = json.loads(done.stdout)
    assert {**json.loads(looked.stdout), "written": True} == told
    assert told["files"] == {"specs/shop.yaml": 2, "snapshots/shop/one/ways.yaml": 1}
    now = texts(root)
    changed = FILES["specs/shop.yaml"].replace("  buyer:", "  顾客:").replace("asks buyer", "asks 顾客")
    assert now["specs/shop.yaml"] == changed, "line ends stay, and so does a comment"
    assert now["prompts/zh/shop/who/顾客.j2"] == FILES["prompts/zh/shop/who/buyer.j2"]
    assert "snapshots/shop/one/顾客/deal/顾客.answer.which.txt" in now
    assert not (root / "snapshots/shop/one/buyer").exists()
    assert lw("shop", "顾客", "buyer").exit_code == 0
    assert texts(root) == FILES


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("shop", "byer", "x"), "LW581"),
        (("shop", "buyer", "seller"), "LW048"),
        (("shop", "buyer", "asks"), "LW733"),
        (("nosuch", "buyer", "x"), "LW"),
        (("bargain", "buyer", "customer"), "LW464"),
    ],
)
def test_what_cannot_be_done_leaves_all_as_it_is(root: Path, words: tuple[str, ...], code: str) -> None:
    refused = lw(*words)
    assert refused.exit_code == 2
    assert code in refused.stderr
    assert texts(root) == FILES


def test_another_encoding_is_left_as_it_is(root: Path) -> None:
    data = SPEC.encode("gbk")
    (root / "specs/shop.yaml").write_bytes(data)
    refused = lw("shop", "buyer", "customer")
    assert refused.exit_code == 2 and "LW" in refused.stderr
    assert (root / "specs/shop.yaml").read_bytes() == data
