import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { nodesOf, ROOT, sourcesOf } from "../house/sources.js";

const folder = join(ROOT, "dist/src/client");
/** Without the module that has types alone, which nothing loads. */
const sources = sourcesOf("src/client").filter(({ path }) => !path.endsWith("/answers.ts"));
/** The files that a browser loads. */
const compiled = readdirSync(folder)
  .filter((name) => name.endsWith(".js"))
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }))
  .filter(({ name }) =>
    sources.some(({ path }) => path.endsWith(`/${name.replace(".js", ".ts")}`)),
  );

describe("the compiled client", () => {
  it("is written in ES2022 or older", () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8")) as {
      compilerOptions: { target: string };
    };
    // ES2023 brought functions, and of syntax the first line of a script alone.
    expect(compilerOptions.target).toBe("ES2023");
    const later =
      /^#!|toSorted|toReversed|toSpliced|findLast|withResolvers|AbortSignal\.any|groupBy/;
    expect(compiled.filter(({ text }) => later.test(text)).map(({ name }) => name)).toEqual([]);
  });

  it("takes in a bundle what the documentation says", async () => {
    const { outputFiles } = await build({
      entryPoints: [join(folder, "index.js")],
      bundle: true,
      minify: true,
      write: false,
      format: "esm",
      platform: "browser",
    });
    const bundle = outputFiles[0]?.contents ?? new Uint8Array();
    const page = readFileSync(join(ROOT, "docs/client.md"), "utf8");
    const [, packed, plain] =
      /takes ([\d.]+) kB, compressed with gzip \(([\d.]+) kB without\)/.exec(page) ?? [];
    const kB = (bytes: number) => (bytes / 1000).toFixed(1);
    // Versions of zlib differ by a few bytes.
    expect(Math.abs(gzipSync(bundle).length / 1000 - Number(packed))).toBeLessThan(0.1);
    expect(kB(bundle.length)).toBe(plain);
  });

  it("has a comment with an example for each read", () => {
    const declared = [...sources.map(({ tree }) => tree)].flatMap((tree) =>
      nodesOf(tree, ts.isInterfaceDeclaration).filter(({ name }) =>
        ["Client", "Reads"].includes(name.text),
      ),
    );
    const members = declared.flatMap(({ members }) => members.filter(ts.isMethodSignature));
    expect(members.length).toBe(18);
    const bare = members.filter(
      (one) =>
        !/\*\/\s*\w/.test(one.getFullText()) ||
        !one.getFullText().includes(`@example `) ||
        !one.getFullText().includes(`client.${one.name.getText()}(`),
    );
    expect(bare.map(({ name }) => name.getText())).toEqual([]);
  });
});
