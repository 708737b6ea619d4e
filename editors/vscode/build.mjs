// One file from the client and its library; `vscode` itself is the editor's.

import { build } from "esbuild";

await build({
  entryPoints: ["src/extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  legalComments: "linked",
});
