// Reads {grammar, texts} as JSON from standard input, and writes for each text the scopes of its characters.
import fs from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(process.argv[2] + "/");
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");
const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer;
await oniguruma.loadWASM(wasm);
const { grammar, texts } = JSON.parse(fs.readFileSync(0, "utf-8"));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(grammar, "grid.json"),
});
const loaded = await registry.loadGrammar("source.grid");
const answer = texts.map((text) => {
  let state = textmate.INITIAL;
  return text.split("\n").map((line) => {
    const found = loaded.tokenizeLine(line, state);
    state = found.ruleStack;
    return found.tokens.map((token) => [token.startIndex, token.endIndex, token.scopes[token.scopes.length - 1]]);
  });
});
process.stdout.write(JSON.stringify(answer));
