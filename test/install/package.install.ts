import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../fixtures.js";
import { ROOT } from "../house/sources.js";
import { installedClone } from "./machine.js";

const run = promisify(execFile);

/** The project of a user who has installed the packed tarball. */
let project = "";
let tarball = "";
let installed = "";
/** The tarball's files. */
let files: string[] = [];
const cleanUps: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const folder = await temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  ({ tarball } = await installedClone());
  project = join(folder, "project");
  installed = join(project, "node_modules/crawldex");
  await mkdir(project);
  await run("npm", ["install", "--prefix", project, tarball]);
  files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
  return async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  };
});

const textOf = (path: string) => readFileSync(join(installed, path), "utf8");

/** Runs a module in a new empty folder of the project. @returns its output */
async function inProject(module: string, before: readonly string[][] = []): Promise<string> {
  const cwd = join(project, `run-${readdirSync(project).length}`);
  await mkdir(cwd);
  const command = join(installed, "dist/cli/index.js");
  for (const args of before) await run(process.execPath, [command, ...args], { cwd });
  await writeFile(join(cwd, "program.mjs"), module);
  const { stdout } = await run(process.execPath, ["program.mjs"], { cwd, timeout: 300_000 });
  return stdout;
}

describe("the packed tarball", () => {
  it("has each module once, without source maps and without types of the command", () => {
    const modules = files.filter((path) => path.endsWith(".js"));
    const paths = new Map<string, string[]>();
    for (const path of modules) {
      const text = textOf(path);
      // Modules of types alone.
      if (["", "export {};"].includes(text.trim())) continue;
      paths.set(text, [...(paths.get(text) ?? []), path]);
    }
    expect(modules.length).toBeGreaterThan(200);
    expect([...paths.values()].filter((same) => same.length > 1)).toEqual([]);
    expect(modules.filter((path) => textOf(path).includes("sourceMappingURL"))).toEqual([]);
    expect(files.filter((path) => /\.map$|\.tsbuildinfo$|cli\/.*\.d\.ts$/.test(path))).toEqual([]);
  });

  it("takes less than 5.5 MB, and less than 8 MB of blocks of 4 kB", () => {
    const sizes = files.map((path) => readFileSync(join(installed, path)).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const blocks = sizes.reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0);
    expect(total).toBeGreaterThan(1_000_000);
    expect(total).toBeLessThan(5_500_000);
    expect(blocks).toBeLessThan(8_000_000);
  });

  it("has documents whose links lead to files of the tarball, or are absolute", () => {
    const documents = files.filter((path) => path.endsWith(".md"));
    const broken = documents.flatMap((path) => {
      const targets = [...textOf(path).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, to = ""]) => to);
      return targets
        .filter((to) => !/^[a-z]+:/.test(to))
        .filter((to) => !existsSync(join(installed, normalize(join(dirname(path), to)))))
        .map((to) => `${path}: ${to}`);
    });
    expect(documents).toEqual(expect.arrayContaining(["README.md", "docs/library.md"]));
    expect(broken).toEqual([]);
  });

  it("passes publint, suggestions included", async () => {
    const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it("passes attw, as a package of ES modules", async () => {
    const attw = join(ROOT, "node_modules/@arethetypeswrong/cli/dist/index.js");
    const args = [attw, tarball, "--profile", "esm-only", "--format", "ascii", "--no-color"];
    const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
    const { exports } = JSON.parse(textOf("package.json"));
    // attw looks at no pattern; package.json has no types.
    const entries = Object.keys(exports).filter((name) => !/\*|\.json$/.test(name)).length;
    // attw ends with an error code if a resolution that the profile does not ignore has a problem.
    expect(stdout.match(/^node16 \(from ESM\): 🟢 \(ESM\)$/gm)).toHaveLength(entries);
    expect(stdout.match(/^bundler: 🟢 $/gm)).toHaveLength(entries);
  });

  it("has types that compile in a strict project, declarations of its dependencies included", async () => {
    const source = join(project, "program.mts");
    await writeFile(
      source,
      `import { build, type BuildOptions, type Log, serve } from "crawldex";
       import { createClient } from "crawldex/client";
       import { createFetchHandler, httpStore } from "crawldex/fetch";
       import { pages } from "crawldex/fetch/pages";
       import { cards } from "crawldex/extras/cards/edge";
       import { mcp } from "crawldex/extras/mcp/edge";
       const options: BuildOptions = { keep: 2 };
       const log: Log = (message, kind) => console.log(message, kind);
       export const done = [build("x", options), serve("y", { log }), createClient({ baseUrl: "http://a" })];
       export const handler = await createFetchHandler({ store: httpStore("http://a"), pages: pages(), extras: [mcp(), cards(new Uint8Array())] });
       void serve("y", { engine: "clickhouse://user@host/database", cards: false });
       // @ts-expect-error keep is a number
       void build("x", { keep: "3" });
       // @ts-expect-error there is no option out
       void build("x", { out: "y" });`,
    );
    const program = ts.createProgram([source], {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      // Node's types alone, and none of browsers.
      lib: ["lib.es2023.d.ts"],
      typeRoots: [join(ROOT, "node_modules/@types")],
      types: ["node"],
    });
    const found = ts.getPreEmitDiagnostics(program);
    expect(found.map((one) => ts.flattenDiagnosticMessageText(one.messageText, "\n"))).toEqual([]);
  });
});

/** The types that a project has beside those of the package. */
const SURROUNDINGS: Record<string, ts.CompilerOptions> = {
  "a page": { lib: ["lib.es2022.d.ts", "lib.dom.d.ts"], types: [] },
  "a worker": { lib: ["lib.es2022.d.ts", "lib.webworker.d.ts"], types: [] },
  Node: {
    lib: ["lib.es2022.d.ts"],
    typeRoots: [join(ROOT, "node_modules/@types")],
    types: ["node"],
  },
};

describe.each(Object.entries(SURROUNDINGS))("the types in a project for %s", (_, surroundings) => {
  it.each([
    ["client", 'import { createClient } from "crawldex/client"; createClient({ baseUrl: "" });'],
    ["fetch", 'import { httpStore } from "crawldex/fetch"; httpStore("http://a");'],
    ["batch", 'import { batch } from "crawldex/extras/batch/edge"; void batch();'],
    ["mcp", 'import { mcp } from "crawldex/extras/mcp/edge"; void mcp();'],
    ["cards", 'import { cards } from "crawldex/extras/cards/edge"; void cards(new Uint8Array());'],
  ])("compile with skipLibCheck off: %s", async (name, text) => {
    const source = join(project, `${name}.mts`);
    await writeFile(source, text);
    const program = ts.createProgram([source], {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      ...surroundings,
    });
    const found = ts.getPreEmitDiagnostics(program);
    expect(found.map((one) => ts.flattenDiagnosticMessageText(one.messageText, "\n"))).toEqual([]);
    const read = program.getSourceFiles().map(({ fileName }) => fileName);
    expect(read.some((path) => path.includes("/crawldex/dist/src/"))).toBe(true);
    // The client's types need those of no other package.
    if (name === "client") expect(read.filter((path) => path.includes("/zod/"))).toEqual([]);
  });
});

describe("the installed package, from plain JavaScript", () => {
  it("builds with the command's defaults: five builds leave three snapshots", async () => {
    const output = await inProject(`
      import { readdirSync, utimesSync } from "node:fs";
      import { build, writeSample } from "crawldex";
      const snapshots = () => readdirSync("snapshots").filter((name) => name.length === 32);
      for (const listings of [11, 12, 13, 14, 15]) {
        await writeSample("published-" + listings, { listings });
        await build("published-" + listings);
        // A build deletes no snapshot that was current within the last minute.
        for (const id of snapshots()) utimesSync("snapshots/" + id, 1e9, 1e9);
      }
      console.log(snapshots().length);`);
    expect(output).toBe("3\n");
  });

  it("serves, without a word, what is there: 503 without a store, else pages with their scripts", async () => {
    const output = await inProject(`
      import { build, serve, writeSample } from "crawldex";
      const empty = await serve("nothere", { port: 0 });
      console.log((await fetch(empty.url + "/api/sites")).status, empty.exampleHost(), empty.host);
      await empty.close();
      await writeSample("published", { listings: 12 });
      await build("published");
      const server = await serve(undefined, { port: 0 });
      const page = await (await fetch(server.url + "/")).text();
      const [, script] = /<script type="module" src="([^"]+)"/.exec(page);
      const answer = await fetch(new URL(script, server.url + "/"));
      console.log(answer.status, answer.headers.get("content-type"));
      await server.close();`);
    expect(output).toBe("503 null 127.0.0.1\n200 text/javascript; charset=utf-8\n");
  });

  it("runs the samples of docs/library.md, in their order, as one module", async () => {
    const document = textOf("docs/library.md");
    const samples = [...document.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    expect(samples.length).toBeGreaterThan(9);
    const output = await inProject(samples.join("\n"), [["sample", "published", "--quiet"]]);
    expect(output).toMatch(/^snapshot [0-9a-f]{32} has \d+ reports\n200 [a-z0-9.-]+\n/);
    expect(output).toMatch(/true 500 \d+\n500 listings and \d+ scans/);
    expect(output).toMatch(/ files checked, 0 bad\n/);
    expect(output).toMatch(/crawldex scan\n$/);
  });

  it("has a document that names every function and every error of the library", async () => {
    const library = await import("../../src/index.js");
    const document = textOf("docs/library.md");
    const missing = Object.keys(library).filter((name) => !document.includes(name));
    expect(missing).toEqual([]);
    expect(document.split("\n").length).toBeLessThanOrEqual(240);
  });
});
