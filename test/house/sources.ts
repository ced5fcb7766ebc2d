import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** One source file, parsed; paths are below the project's root, with slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  /** Files of the project that it imports, types included. */
  readonly imports: readonly string[];
  /** Packages and `node:` modules that it imports. */
  readonly packages: readonly string[];
}

/** The files that were parsed already, as several tests look at the same ones. */
const parsed = new Map<string, Source>();

/**
 * All TypeScript files of the given folders, packages that are installed there left out, in the order of their paths.
 */
export function sourcesOf(...folders: string[]): Source[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
        .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
        .filter(isOurs),
    )
    .sort()
    .map((path) => {
      const source = parsed.get(path) ?? read(path);
      parsed.set(path, source);
      return source;
    });
}

/** Whether a path is neither inside an installed package nor inside what builds an extra. */
export function isOurs(path: string): boolean {
  const [, ...below] = path.split("/");
  return !path.split("/").includes("node_modules") && !below.includes(".build");
}

/** The nodes of each tree, which is walked once for all rules. */
const walked = new WeakMap<ts.SourceFile, ts.Node[]>();

/** Every node of a tree that `match` accepts. */
export function nodesOf<T extends ts.Node>(
  tree: ts.SourceFile,
  match: (node: ts.Node) => node is T,
): T[] {
  let nodes = walked.get(tree);
  if (nodes === undefined) {
    const all: ts.Node[] = [];
    const visit = (node: ts.Node): void => {
      all.push(node);
      ts.forEachChild(node, visit);
    };
    visit(tree);
    walked.set(tree, all);
    nodes = all;
  }
  return nodes.filter(match);
}

/** The line of a node, counted from 1. */
export function lineOf(tree: ts.SourceFile, position: number): number {
  return tree.getLineAndCharacterOfPosition(position).line + 1;
}

/** The source of a module. `npm run build` makes the modules of scripts, which have only declarations. */
function sourceOf(module: string, importer: string): string {
  if (module.startsWith("#extras/")) return `src/${module.slice(1)}.d.ts`;
  const [, list] = /^\.\/(extra-\w+)\.js$/.exec(module) ?? [];
  if (list !== undefined) return `src/browser/${list}.d.ts`;
  if (module.startsWith("#")) return `src/pages/kit/${module.slice(1)}.d.ts`;
  return normalize(join(dirname(importer), module)).replace(/\.js$/, ".ts");
}

function read(path: string): Source {
  const text = readFileSync(join(ROOT, path), "utf8");
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const specifiers = [
    ...nodesOf(tree, ts.isImportDeclaration).map((node) => node.moduleSpecifier),
    ...nodesOf(tree, ts.isExportDeclaration).flatMap((node) => node.moduleSpecifier ?? []),
    ...nodesOf(tree, ts.isCallExpression)
      .filter((node) => node.expression.kind === ts.SyntaxKind.ImportKeyword)
      .flatMap((node) => node.arguments[0] ?? []),
  ]
    .filter(ts.isStringLiteral)
    .map((node) => node.text);
  const isOwn = (name: string) => /^(?:\.|#)/.test(name);
  return {
    path,
    text,
    tree,
    imports: specifiers.filter(isOwn).map((name) => sourceOf(name, path)),
    packages: specifiers.filter((name) => !isOwn(name)),
  };
}

/** Each literal regular expression of some files, and where it stands. */
export function expressionsOf(files: readonly Source[]): { place: string; regExp: RegExp }[] {
  return files.flatMap(({ path, tree }) =>
    nodesOf(tree, ts.isRegularExpressionLiteral).map((node) => {
      const end = node.text.lastIndexOf("/");
      return {
        place: `${path}:${lineOf(tree, node.getStart())}`,
        regExp: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)),
      };
    }),
  );
}

/** The modules that a file imports when it runs. It does not import those from which it takes only types. */
export function importedBy({ tree }: Source): string[] {
  const isTypes = (clause: ts.ImportClause | undefined) => {
    const named = clause?.namedBindings;
    return (
      clause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
      (clause?.name === undefined &&
        named !== undefined &&
        ts.isNamedImports(named) &&
        named.elements.every(({ isTypeOnly }) => isTypeOnly))
    );
  };
  const addresses = [
    ...nodesOf(tree, ts.isImportDeclaration).map(({ importClause, moduleSpecifier }) =>
      isTypes(importClause) ? undefined : moduleSpecifier,
    ),
    ...nodesOf(tree, ts.isExportDeclaration).map(({ isTypeOnly, moduleSpecifier }) =>
      isTypeOnly ? undefined : moduleSpecifier,
    ),
    ...nodesOf(tree, ts.isCallExpression).map(({ expression, arguments: [address] }) =>
      expression.kind === ts.SyntaxKind.ImportKeyword ? address : undefined,
    ),
  ];
  return addresses.flatMap((address) =>
    address !== undefined && ts.isStringLiteral(address) ? [address.text] : [],
  );
}

/** The files of extras that may do what a rule forbids: each extra names its own, with why, in `house.json`. */
export function extraFiles(rule: "clock" | "json" | "worker" | "zlib"): string[] {
  return readdirSync(join(ROOT, "test/extras")).flatMap((name) => {
    const file = join(ROOT, "test/extras", name, "house.json");
    const rules: HouseExceptions = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
    return Object.keys(rules[rule] ?? {}).map((path) => `src/extras/${name}/${path}`);
  });
}
type HouseExceptions = { readonly [rule: string]: Readonly<Record<string, string>> };
