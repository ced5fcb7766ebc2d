import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { extraFiles, importedBy, lineOf, nodesOf, type Source, sourcesOf } from "./sources.js";

/** Data flows one way: a room may import from itself and from those before it. */
const FLOW = "contract columns files input compile store publish upkeep engine answer server".split(
  " ",
);
/** Rooms beside the flow, and what they may import. */
const BESIDE: Record<string, readonly string[]> = {
  lib: [],
  client: ["contract"],
  browser: ["contract", "client", "pages", "store", "fetch", "answer"],
  sample: ["contract", "files"],
  pages: ["contract"],
  fetch: ["contract", "files", "columns", "store", "engine", "answer", "pages", "extras"],
  /** Each extra is one folder, made of what the core offers. */
  extras: [
    ..."contract columns files input compile store publish upkeep engine answer".split(" "),
    ..."server pages browser sample".split(" "),
  ],
  export: [
    "contract",
    "files",
    "store",
    "publish",
    "engine",
    "answer",
    "server",
    "pages",
    "extras",
  ],
};
/** Rooms beside the flow that rooms of the flow import. */
const FEEDS: Record<string, readonly string[]> = {
  answer: ["pages"],
  server: ["pages", "extras"],
  compile: ["pages"],
  /** Its threads ask extras what they keep of reports. */
  publish: ["pages", "extras"],
};
/** What pages begin with: the one room that only browsers run (.build/tsconfig.browser.json). */
const PAGE_SCRIPTS = [
  "api",
  "explorer",
  "standards",
  "quote",
  "categories",
  "copy",
  "watch-enrichment",
  "register",
  "early-search",
  "missing-page",
].map((name) => `src/browser/${name}.ts`);
/** What browsers run beside pages, with the fetch handler and the pages of extras in it. */
const WORKERS = [
  ...["search-worker", "service-worker"].map((name) => `src/browser/${name}.ts`),
  ...sourcesOf("src/extras").flatMap(({ path }) => (path.endsWith("/worker.ts") ? path : [])),
];
/** What extras are at an edge, from a room of `src`. */
const EDGES = sourcesOf("src/extras").flatMap(({ path }) =>
  path.endsWith("/edge.ts") ? `../${path.slice("src/".length, -".ts".length)}` : [],
);
const NODE_GLOBALS = ["Buffer", "process", "global", "require", "setImmediate", "__dirname"];
const TOUCHES_FILES = [
  ..."files input store publish upkeep export sample server extras".split(" "),
];
/** Packages that use nothing of Node: they run in a browser and at an edge as well. */
const PURE_PACKAGES = ["zod", "minisearch"];

/** Files that `answer.ts` needs, with those that it needs only for their types. */
const ANSWER_REACHES_MAX = 60;

const sources = sourcesOf("src", "cli");
/** The scripts of the pages of extras. */
const EXTRA_SCRIPTS = sources
  .map(({ path }) => path)
  .filter((path) => /^src\/extras\/[^/]+\/browser\//.test(path));
const byPath = new Map(sources.map((source) => [source.path, source]));

function roomOf(path: string): string {
  // The columns have rules of their own: the engine reads them.
  if (path.startsWith("src/store/columns/")) return "columns";
  if (path === "src/extra.ts") return "extra";
  const [top, room = "", inner] = path.split("/");
  return top === "src" && inner !== undefined ? room : (top ?? "");
}

/** An extra's commands, and what they print. They are part of the command line, as files of `cli` are. */
const EXTRA_COMMANDS = /^src\/extras\/[\w-]+\/(?:command|results)\.ts$/;
/** What the package exports of an extra. */
const EXTRA_SURFACE = /^src\/extras\/[\w-]+\/(?:library|edge|search|worker)\.ts$/;

function mayImport(from: string, to: string): boolean {
  // What has nothing to do with the subject is for all rooms.
  if (from === to || from === "cli" || ["lib", "extra"].includes(to)) return true;
  // It names the types of all seams, so it says what any of them needs.
  if (from === "extra") return to !== "extras";
  if (from === "src") return to !== "cli";
  const allowed = BESIDE[from] ?? [...FLOW.slice(0, FLOW.indexOf(from)), ...(FEEDS[from] ?? [])];
  return allowed.includes(to);
}

/** The threads that a file starts. */
function threadsOf({ path, text }: Source): string[] {
  return Array.from(
    text.matchAll(/new URL\("\.\/([\w-]+)\.js", import\.meta\.url\)/g),
    ([, name]) => join(dirname(path), `${name}.ts`),
  );
}

/** All files that a file needs, itself included. */
function closureOf(start: readonly Source[]): Set<string> {
  const reached = new Set<string>();
  const open = start.map(({ path }) => path);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    open.push(...(byPath.get(path)?.imports ?? []));
  }
  return reached;
}

/** The files that a file needs when it runs, itself included. */
function valuesOf(start: readonly Source[]): Source[] {
  const met = new Set(start);
  for (const source of met) {
    for (const address of importedBy(source)) {
      const path = normalize(join(dirname(source.path), address)).replace(/\.js$/, ".ts");
      const imported = byPath.get(path);
      if (imported !== undefined) met.add(imported);
    }
  }
  return [...met];
}

describe("the house's import directions", () => {
  it("every file of src lies in a room of the house", () => {
    const rooms = new Set(sources.map(({ path }) => roomOf(path)));
    const known = new Set(["src", "cli", "extra", ...FLOW, ...Object.keys(BESIDE)]);
    expect([...rooms].filter((room) => !known.has(room))).toEqual([]);
    expect(sources.length).toBeGreaterThan(40);
  });

  it("data flows one way, and cli imports src, never the reverse", () => {
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter((to) => !mayImport(roomOf(path), roomOf(to)))
        .filter((to) => !(EXTRA_COMMANDS.test(path) && roomOf(to) === "cli"))
        .map((to) => `${path} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it("the rooms of pages share code through the kit alone, which imports none of them", () => {
    const pageRoom = (path: string) => /^src\/pages\/([^/]+)\//.exec(path)?.[1];
    const rooms = new Set(sources.flatMap(({ path }) => pageRoom(path) ?? []));
    const known = "api categories explorer feeds kit report standards";
    expect([...rooms].sort().join(" ")).toBe(known);
    const wrong = sources.flatMap(({ path, imports }) =>
      pageRoom(path) === undefined
        ? []
        : imports
            .filter((to) => ![undefined, "kit", pageRoom(path)].includes(pageRoom(to)))
            .map((to) => `${path} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it("neither answer nor engine reaches input or compile, even indirectly", () => {
    const start = sources.filter(({ path }) => ["answer", "engine"].includes(roomOf(path)));
    const reached = [...closureOf(start)].map(roomOf);
    expect(start.length).toBeGreaterThan(10);
    expect(reached).toContain("store");
    expect(reached).not.toContain("input");
    expect(reached).not.toContain("compile");
  });

  it("the engine, the columns and the contract import nothing of Node, even indirectly", () => {
    const start = sources.filter(({ path }) =>
      ["contract", "columns", "engine"].includes(roomOf(path)),
    );
    const wrong = [...closureOf(start)].flatMap((path) =>
      (byPath.get(path)?.packages ?? [])
        .filter((name) => !PURE_PACKAGES.includes(name.split("/")[0] ?? ""))
        .map((name) => `${path} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each<[name: string, files: string[], packages: string[]]>([
    ["the code that answers a request", ["answer", "pages", "list-pages", "drawings"], []],
    [
      "the fetch handler",
      ["../fetch/index", "../fetch/pages", ...EDGES],
      [
        "minisearch",
        "aws4fetch",
        "@resvg",
        "@modelcontextprotocol",
        "zod",
        "fflate",
        "hyparquet-writer",
      ],
    ],
    ["a browser's worker", WORKERS.map((path) => `../../${path.slice(0, -3)}`), ["minisearch"]],
  ])("%s runs without Node and without other packages", (_, files, packages) => {
    const start = files.map((file) => byPath.get(join("src/answer", `${file}.ts`))!);
    const run = valuesOf(start);
    expect(run.length).toBeGreaterThan(50);
    const imported = run.flatMap((source) =>
      importedBy(source)
        .filter((address) => !/^(?:\.|#)/.test(address))
        .filter((address) => !packages.includes(address.split("/")[0] ?? ""))
        .map((address) => `${source.path} imports ${address}`),
    );
    expect(imported).toEqual([]);
    const used = run.flatMap(({ path, tree }) =>
      nodesOf(tree, ts.isIdentifier)
        .filter(({ text }) => NODE_GLOBALS.includes(text))
        .map((node) => `${path}:${lineOf(tree, node.getStart())}`),
    );
    expect(used).toEqual([]);
  });

  it("code for browsers reaches nothing of Node, nor its globals, and only types of packages", () => {
    const scripts = [...PAGE_SCRIPTS, ...EXTRA_SCRIPTS];
    const start = sources.filter(({ path }) => scripts.includes(path));
    expect(start.length).toBe(scripts.length);
    const run = valuesOf(start);
    expect(run.length).toBeGreaterThan(10);
    const rooms = new Set(run.map(({ path }) => roomOf(path)));
    rooms.delete("extras");
    expect([...rooms].sort()).toEqual(["browser", "client", "contract", "pages"]);
    const wrong = run.flatMap(({ path, tree }) => [
      ...nodesOf(tree, ts.isImportDeclaration)
        .filter(({ importClause, moduleSpecifier }) =>
          importClause?.isTypeOnly ? false : !/^"\./.test(moduleSpecifier.getText()),
        )
        .map((node) => `${path}: ${node.getText()}`),
      ...nodesOf(tree, ts.isIdentifier)
        .filter(({ text }) => NODE_GLOBALS.includes(text))
        .map((node) => `${path}:${lineOf(tree, node.getStart())}`),
    ]);
    expect(wrong).toEqual([]);
  });

  it("code in a browser adds texts to a page as text nodes, and never makes markup of a string", () => {
    const room = sources.filter(
      ({ path }) => roomOf(path) === "browser" || EXTRA_SCRIPTS.includes(path),
    );
    expect(room.length).toBeGreaterThan(3);
    const makers =
      /^(?:innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|parseFromString|write|eval|createContextualFragment|srcdoc)$/;
    const used = room.flatMap(({ path, tree }) =>
      nodesOf(tree, ts.isIdentifier)
        .filter(
          ({ text, parent }) => makers.test(text) && !/\bclipboard\.write$/.test(parent.getText()),
        )
        .map((node) => `${path}:${lineOf(tree, node.getStart())}`),
    );
    expect(used).toEqual([]);
  });

  it("the client imports only types from outside its room", () => {
    const client = sources.filter(({ path }) => roomOf(path) === "client");
    const foreign = client.flatMap(({ path, tree }) =>
      [...nodesOf(tree, ts.isImportDeclaration), ...nodesOf(tree, ts.isExportDeclaration)]
        .filter((node) => node.moduleSpecifier?.getText().startsWith('"./') === false)
        .map((node) => ({ path, text: node.getText() })),
    );
    expect(foreign.length).toBeGreaterThan(5);
    expect(foreign.filter(({ text }) => !/^(?:import|export) type /.test(text))).toEqual([]);
  });

  it("only the rooms that read or write touch the file system", () => {
    const wrong = sources.filter(
      ({ path, packages }) =>
        packages.some((name) => /^(node:fs|fast-glob)/.test(name)) &&
        ![...TOUCHES_FILES, "cli"].includes(roomOf(path)),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it(
    "only server, cli and the preview know HTTP, or zlib for more than the sample, the " +
      "packs of a tree and the pages of tables",
    () => {
      const exceptions = [
        "src/sample/sample.ts",
        "src/export/data-files.ts",
        "src/export/preview.ts",
        "src/store/folder-source.ts",
        ...extraFiles("zlib"),
      ];
      const wrong = sources.filter(
        ({ path, packages }) =>
          !exceptions.includes(path) &&
          packages.some((name) => /^(node:http|node:https|node:zlib)/.test(name)) &&
          !["server", "cli"].includes(roomOf(path)),
      );
      expect(wrong.map(({ path }) => path)).toEqual([]);
    },
  );

  it("no file is dead: the command, npm start or the package's surface needs each", () => {
    const roots = ["cli/index.ts", "cli/start.ts", "src/index.ts", "src/client/index.ts"].concat(
      // The schemas of docs/json are made of it.
      "cli/json-parts.ts",
      [
        "src/fetch/index.ts",
        "src/fetch/pages.ts",
        ...EDGES.map((path) => `src/${path.slice(3)}.ts`),
      ],
      [...PAGE_SCRIPTS, ...EXTRA_SCRIPTS, ...WORKERS, ...sources.flatMap(threadsOf)],
      sources.map(({ path }) => path).filter((path) => EXTRA_SURFACE.test(path)),
    );
    const reached = closureOf(roots.flatMap((path) => byPath.get(path) ?? []));
    expect(sources.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });

  it("whoever follows a request from answer.ts reaches few files, types included", () => {
    const reached = closureOf([byPath.get("src/answer/answer.ts")!]);
    expect(reached.size).toBeLessThanOrEqual(ANSWER_REACHES_MAX);
  });

  it("no circle of imports holds more than types", () => {
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" > "));
      const source = byPath.get(path);
      if (source === undefined || done.has(path) || way.includes(path)) return;
      for (const address of importedBy(source)) {
        if (address.startsWith(".")) {
          visit(normalize(join(dirname(path), address)).replace(/\.js$/, ".ts"), [...way, path]);
        }
      }
      done.add(path);
    };
    for (const path of byPath.keys()) visit(path, []);
    expect(circles).toEqual([]);
  });
});
