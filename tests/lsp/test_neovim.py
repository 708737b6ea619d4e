"""Neovim opens civil against `lw lsp`, with the file that is there for it: problems and completion are seen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from places import HANG, ROOT

NEOVIM = shutil.which("nvim")
PLUGIN = ROOT / "editors" / "nvim" / "lw.lua"
SCRIPT = """
vim.g.lw_command = vim.json.decode(os.getenv('LW_TEST_COMMAND'))
vim.cmd('luafile ' .. os.getenv('LW_TEST_PLUGIN'))
vim.cmd('edit specs/civil.yaml')
local seen = {}
local function within(what, wanted)
  seen[what] = vim.wait(tonumber(os.getenv('LW_TEST_WAIT')) * 1000, wanted, 50)
end
within('attached', function() return #vim.lsp.buf_get_clients(0) == 1 end)
vim.fn.search('^      - client of target and target converse')
local line = vim.fn.line('.')
vim.fn.setline(line, '      - clinet of target and target converse: 交谈😀')
within('told', function() return #vim.diagnostic.get(0) == 1 end)
seen.problem = vim.diagnostic.get(0)[1]
seen.line = line - 1
vim.fn.setline(line, '      - client of target and target converse:')
within('mended', function() return #vim.diagnostic.get(0) == 0 end)
vim.fn.setline(line, '      - 审判长 询')
vim.api.nvim_win_set_cursor(0, { line, #'      - 审判长 询' })
local position = vim.lsp.util.make_position_params()
position.position.character = 13
local answers = vim.lsp.buf_request_sync(0, 'textDocument/completion', position, 60000)
seen.offered = {}
for _, answer in pairs(answers or {}) do
  for _, item in ipairs(answer.result.items) do table.insert(seen.offered, item.label) end
end
"""


def asked(folder: Path, script: str) -> dict[str, object]:
    (folder / "script.lua").write_text(script + "\nio.stdout:write(vim.json.encode(seen))\nvim.cmd('qa!')\n", "utf-8")
    environment = {
        **os.environ,
        "LW_TEST_COMMAND": json.dumps([sys.executable, "-m", "legalworld", "lsp"]),
        "LW_TEST_PLUGIN": str(PLUGIN),
        "LW_TEST_WAIT": str(HANG // 4),
        "XDG_STATE_HOME": str(folder),
        "XDG_CACHE_HOME": str(folder),
    }
    command = [str(NEOVIM), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {folder / 'script.lua'}"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=HANG)
    assert done.stdout.startswith("{"), done.stdout + done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")
def test_neovim_is_told_and_completes(tmp_path: Path) -> None:
    seen = asked(tmp_path, SCRIPT)
    assert seen["attached"] and seen["told"] and seen["mended"]
    problem = seen["problem"]
    assert isinstance(problem, dict)
    assert (problem["lnum"], problem["col"], problem["code"]) == (seen["line"], 8, "LW061")
    assert seen["offered"] == ["询问"]
