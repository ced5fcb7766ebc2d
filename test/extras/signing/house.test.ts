import ts from "typescript";
import { expect, it } from "vitest";
import { nodesOf, sourcesOf } from "../../house/sources.js";

/** What makes a check of signatures, and all that it needs. */
const CHECKED = ["src/extras/signing/verify.ts", "src/store/signature.ts"];
const NODE_GLOBALS = ["Buffer", "process", "global", "require", "setImmediate", "__dirname"];

it("the code that verifies signatures needs no other, so that it runs in a browser and at an edge", () => {
  const found = sourcesOf("src").filter(({ path }) => CHECKED.includes(path));
  expect(found).toHaveLength(CHECKED.length);
  const imported = found.flatMap(({ imports, packages }) => [...imports, ...packages]);
  expect(imported.filter((name) => !CHECKED.includes(name))).toEqual([]);
  const used = found.flatMap(({ tree }) =>
    nodesOf(tree, ts.isIdentifier).filter(({ text }) => NODE_GLOBALS.includes(text)),
  );
  expect(used).toEqual([]);
});
