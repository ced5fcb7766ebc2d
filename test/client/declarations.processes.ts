import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { nodesOf, ROOT } from "../house/sources.js";
import { slowIt } from "../slow.js";

/** Types that the package declares by generated text, and where they come from. */
const MODULES = {
  "src/client/answers": [
    "AccessPolicy",
    "Enrichment",
    "Facets",
    "Issue",
    "Report",
    "SiteSummary",
    "Standards",
    "Suggestion",
    "TaxonomyEntry",
    "Answers",
    "Parameters",
  ],
  "src/input/records": [
    "PublishedDirectory",
    "PublishedStandards",
    "PublishedTaxonomy",
    "PublishedListing",
    "PublishedScan",
  ],
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "crawldex-test-"));
  for (const module of Object.keys(MODULES)) {
    mkdirSync(join(folder, module, ".."), { recursive: true });
  }
  execFileSync(join(ROOT, "node_modules/.bin/tsx"), [".build/declarations.ts", folder], {
    cwd: ROOT,
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

it("describes each property of the package's types and gives an example", () => {
  for (const module of Object.keys(MODULES)) {
    const text = readFileSync(join(folder, `${module}.d.ts`), "utf8");
    const tree = ts.createSourceFile("types.d.ts", text, ts.ScriptTarget.ESNext, true);
    const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true });
    expect(diagnostics).toEqual([]);
    const properties = nodesOf(tree, ts.isPropertySignature).filter(isOfSchema);
    expect(properties.length).toBeGreaterThan(50);
    const bare = properties.filter(
      (property) => !/@description .*@(?:example|constant)/s.test(property.getFullText()),
    );
    expect(bare.map(({ name }) => name.getText())).toEqual([]);
  }
});

slowIt("declares the types that the schemas have", () => {
  const checks = Object.entries(MODULES).flatMap(([module, names], i) => [
    `import type * as Declared${i} from ${JSON.stringify(join(folder, module))};`,
    `import type * as Inferred${i} from ${JSON.stringify(join(ROOT, `${module}.js`))};`,
    ...names.flatMap((name) => [
      `same<Declared${i}.${name}, Inferred${i}.${name}>();`,
      `same<Inferred${i}.${name}, Declared${i}.${name}>();`,
    ]),
  ]);
  const file = join(folder, "check.ts");
  writeFileSync(file, ["declare function same<A extends B, B>(): void;", ...checks].join("\n"));
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const program = ts.createProgram([file], { ...options, exactOptionalPropertyTypes: false });
  const messages = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  expect(messages).toEqual([]);
});

/** Whether a property is one of a record, not of the lists that the generator puts records into. */
function isOfSchema(property: ts.PropertySignature): boolean {
  let depth = 0;
  for (let node: ts.Node = property; !ts.isInterfaceDeclaration(node); node = node.parent) {
    if (ts.isPropertySignature(node)) depth += 1;
  }
  return depth > 2;
}
