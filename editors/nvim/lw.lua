-- Help while typing in specs and prompts, for Neovim 0.7 or later: copy this file to ~/.config/nvim/plugin/lw.lua.
-- The language server is `lw lsp`; vim.g.lw_command says how to call it where `lw` is not on the path.
local clients = {}

local function attach()
  local specs = vim.fn.finddir('specs', vim.fn.expand('%:p:h') .. ';')
  if specs == '' then return end
  local root = vim.fn.fnamemodify(specs, ':p:h:h')
  if not clients[root] or vim.lsp.client_is_stopped(clients[root]) then
    clients[root] = vim.lsp.start_client({ name = 'lw', cmd = vim.g.lw_command or { 'lw', 'lsp' }, root_dir = root })
  end
  if clients[root] then vim.lsp.buf_attach_client(0, clients[root]) end
  vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc'
end

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, { pattern = { '*.yaml', '*.yml', '*.j2' }, callback = attach })
