// Runs the built extension against a stand-in for the editor: one open document, and what it is told of that.
// node vscode_client.js EXTENSION FOLDER FILE COMMAND...: prints the problems that are shown, as JSON.

const fs = require("node:fs");
const Module = require("node:module");
const { pathToFileURL, fileURLToPath } = require("node:url");

const [extension, folder, file, ...command] = process.argv.slice(2);
const nothing = { dispose() {} };

class Place {
  constructor(...values) {
    this.values = values;
    [this.line, this.character] = values;
    [this.start, this.end] = values.length === 4 ? [new Place(values[0], values[1]), new Place(values[2], values[3])] : values;
  }
}
class Problem {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}
class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = "file";
    this.fsPath = fileURLToPath(text);
    this.path = this.fsPath;
  }
  toString() {
    return this.text;
  }
  static parse = (text) => new Uri(text);
  static file = (path) => new Uri(pathToFileURL(path).href);
}
const text = fs.readFileSync(file, "utf8").replace("client of target converse", "clinet of target converse");
const document = {
  uri: Uri.file(file),
  languageId: "yaml",
  version: 1,
  lineCount: text.split("\n").length,
  isClosed: false,
  getText: () => text,
};
const shown = (uri, problems) => {
  if (problems?.length) {
    process.stdout.write(JSON.stringify({ uri: uri.toString(), problems: problems.map((one) => [one.code?.value ?? one.code, one.message, one.range.start.line]) }));
    void module_.deactivate().then(() => process.exit(0));
  }
};

// Whatever else the library asks of the editor: events that never come, registrations of which nothing comes, classes.
const anything = (name) =>
  new Proxy(class {}, {
    get: (target, key) => {
      if (key in target || typeof key === "symbol") return target[key];
      if (/^on[A-Z]/.test(key)) return () => nothing;
      if (/^(register|create)[A-Z]/.test(key)) return () => ({ ...nothing, set: shown, delete() {}, clear() {}, appendLine() {}, append() {}, show() {}, onDidChange: () => nothing, onDidCreate: () => nothing, onDidDelete: () => nothing, event: () => nothing, info() {}, warn() {}, error(...words) { console.error(...words); } });
      return anything(`${name}.${key}`);
    },
  });
const settings = { command, language: "zh" };
const special = {
  version: "1.95.0",
  Uri,
  Position: Place,
  Range: Place,
  Diagnostic: Problem,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  Disposable: class { constructor(end) { this.end = end; } dispose() { this.end?.(); } static from() { return nothing; } },
  EventEmitter: class { event = () => nothing; fire() {} dispose() {} },
  CancellationTokenSource: class { token = { isCancellationRequested: false, onCancellationRequested: () => nothing }; cancel() {} dispose() {} },
  env: { language: "zh-cn", appName: "stand-in", logLevel: 2, onDidChangeLogLevel: () => nothing },
  languages: new Proxy({ match: () => 10, createDiagnosticCollection: () => ({ set: shown, delete() {}, clear() {}, dispose() {} }) }, { get: (target, key) => target[key] ?? anything("languages")[key] }),
  window: new Proxy({ visibleTextEditors: [], showErrorMessage: async (words) => console.error(words), tabGroups: { all: [], onDidChangeTabs: () => nothing, onDidChangeTabGroups: () => nothing } }, { get: (target, key) => (key in target ? target[key] : anything("window")[key]) }),
  workspace: new Proxy(
    {
      isTrusted: true,
      textDocuments: [document],
      notebookDocuments: [],
      workspaceFolders: [{ uri: Uri.file(folder), name: "project", index: 0 }],
      getConfiguration: () => ({ get: (key, otherwise) => settings[key] ?? otherwise, inspect: () => undefined }),
      getWorkspaceFolder: () => undefined,
    },
    { get: (target, key) => (key in target ? target[key] : anything("workspace")[key]) },
  ),
};
const vscode = new Proxy(special, { get: (target, key) => (key in target ? target[key] : anything(String(key))) });
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const module_ = require(extension);
module_.activate({ subscriptions: [] }).catch((error) => {
  console.error(error);
  process.exit(1);
});
setTimeout(() => process.exit(3), 120_000);
