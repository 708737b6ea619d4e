// The client: starts `lw lsp` for the folders that are open, and passes on what the editor is set to.

const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { serverOf } = require("./server");

let client;

function start() {
  const settings = vscode.workspace.getConfiguration("legalworld");
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const trusted = vscode.workspace.isTrusted;
  const [command, ...args] = serverOf(settings.get("command", []), trusted ? folders : [], process.platform, fs.existsSync);
  const files = vscode.workspace.createFileSystemWatcher("**/{specs,prompts,personas,skills,documents}/**/*.{yaml,yml,j2,md}");
  client = new LanguageClient(
    "legalworld",
    "LegalWorld",
    { command, args },
    {
      documentSelector: ["yaml", "jinja", "jinja-html", "plaintext"].map((language) => ({ scheme: "file", language })),
      initializationOptions: { language: settings.get("language") || vscode.env.language },
      synchronize: { fileEvents: files },
    },
  );
  return client.start().catch((error) => {
    void vscode.window.showErrorMessage(
      `${path.basename(command)}: ${error.message} - pip install 'legalworld[editor]' (legalworld.command)`,
    );
  });
}

exports.activate = async (context) => {
  const restart = vscode.commands.registerCommand("legalworld.restart", async () => {
    await client?.stop().catch(() => {});
    await start();
  });
  context.subscriptions.push(restart);
  await start();
};

exports.deactivate = () => client?.stop();
