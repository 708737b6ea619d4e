// How the language server is called: as the settings say, else `lw` of a virtual environment in a folder, else `lw`.

const path = require("node:path");

exports.serverOf = function serverOf(setting, folders, platform, exists) {
  if (Array.isArray(setting) && setting.length > 0 && setting.every((word) => typeof word === "string")) return setting;
  const { join } = platform === "win32" ? path.win32 : path.posix;
  const program = platform === "win32" ? ["Scripts", "lw.exe"] : ["bin", "lw"];
  const own = folders.map((folder) => join(folder, ".venv", ...program)).find((file) => exists(file));
  return [own ?? "lw", "lsp"];
};
