// Builds app.js, app.css and the notices of third parties, and writes the digests of what they were built from.
// `node build.mjs [FOLDER]`: the folder that they go to, that of the package where none is named.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "..", "legalworld", "studio", "static"));

const walk = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === "node_modules") return [];
    if (entry.isDirectory()) return walk(path);
    return [path];
  });
const named = (path) => relative(here, path).split(sep).join("/");
const digest = (data) => createHash("sha256").update(data).digest("hex");

// Names stay as they are written: whoever reads the built file, or a test that changes a place of it, finds them again.
const result = await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir: out,
  write: false,
  bundle: true,
  format: "iife",
  target: "es2020",
  charset: "utf8",
  minifyWhitespace: true,
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  metafile: true,
  logLevel: "warning",
});

const packages = [...new Set(
  Object.keys(result.metafile.inputs)
    .map((input) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1])
    .filter((name) => name !== undefined),
)].sort();
const notices = packages.map((name) => {
  const folder = join(here, "node_modules", name);
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (licence === undefined) throw new Error(`${name}: no licence file`);
  return `${about.name} ${about.version} (${about.license})\n\n${readFileSync(join(folder, licence), "utf8").trim()}\n`;
});

const files = new Map(result.outputFiles.map((file) => [relative(out, file.path), Buffer.from(file.contents)]));
files.set("NOTICES.txt", Buffer.from(notices.join(`\n${"-".repeat(72)}\n\n`)));
const sources = Object.fromEntries(walk(here).map((path) => [named(path), digest(readFileSync(path))]).sort());
const built = Object.fromEntries([...files].map(([name, data]) => [name, digest(data)]).sort());
files.set("manifest.json", Buffer.from(`${JSON.stringify({ sources, built }, null, 1)}\n`));

mkdirSync(out, { recursive: true });
for (const [name, data] of files) writeFileSync(join(out, name), data);
