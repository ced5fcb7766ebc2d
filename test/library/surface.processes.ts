import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { ROOT } from "../house/sources.js";

const FOLDER = join(ROOT, "dist/src/");
const ENTRY = join(FOLDER, "index.d.ts");

/** The declarations that the package ships, read as a user's compiler reads them. */
const program = ts.createProgram([ENTRY], {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  types: ["node"],
  strict: true,
});
const checker = program.getTypeChecker();

function exportsOf(file: string): Map<string, ts.Symbol> {
  const source = program.getSourceFile(file);
  const found = source && checker.getSymbolAtLocation(source);
  if (found === undefined) throw new Error(`${file} exports nothing`);
  return new Map(checker.getExportsOfModule(found).map((one) => [one.name, original(one)]));
}

function original(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The package's own symbols that a declaration names. */
function namedBy(symbol: ts.Symbol): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node) && !ts.isImportSpecifier(node.parent)) {
      const named = checker.getSymbolAtLocation(node);
      if (named !== undefined) found.push(original(named));
    }
    ts.forEachChild(node, visit);
  };
  for (const declaration of symbol.declarations ?? []) visit(declaration);
  return found.filter((one) => {
    const [declaration] = one.declarations ?? [];
    const isDeclared =
      declaration !== undefined &&
      (ts.isInterfaceDeclaration(declaration) ||
        ts.isTypeAliasDeclaration(declaration) ||
        ts.isClassDeclaration(declaration) ||
        ts.isVariableDeclaration(declaration));
    return isDeclared && declaration.getSourceFile().fileName.startsWith(FOLDER);
  });
}

/** A symbol and its members, by the name that a user writes. */
function membersOf(name: string, symbol: ts.Symbol): [string, ts.Symbol][] {
  const members = (symbol.declarations ?? []).flatMap((declaration) =>
    ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)
      ? declaration.members.flatMap((member) =>
          member.name === undefined || ts.isPrivateIdentifier(member.name)
            ? []
            : [checker.getSymbolAtLocation(member.name)],
        )
      : [],
  );
  return [
    [name, symbol],
    ...members.flatMap((one): [string, ts.Symbol][] =>
      one === undefined ? [] : [[`${name}.${one.name}`, one]],
    ),
  ];
}

const library = exportsOf(ENTRY);

describe("the library's surface", () => {
  it("has these functions, errors, constants and types, and no others", () => {
    expect([...library.keys()].sort()).toEqual(SURFACE);
  });

  it("exports every type that its declarations name", () => {
    const symbols = new Set(library.values());
    const generated = exportsOf(join(FOLDER, "input/records.d.ts"));
    const hidden = [...library].flatMap(([name, symbol]) =>
      (generated.has(name) ? [] : namedBy(symbol))
        .filter((one) => !symbols.has(one))
        .map((one) => `${name} names ${one.name}`),
    );
    expect([...new Set(hidden)]).toEqual([]);
  });

  it("has a description of everything in it", () => {
    const all = [...library].flatMap(([name, symbol]) => membersOf(name, symbol));
    const bare = all.filter(
      ([name, symbol]) =>
        symbol.getDocumentationComment(checker).length === 0 && !/Error\.name$/.test(name),
    );
    expect(all.length).toBeGreaterThan(100);
    expect(bare.map(([name]) => name)).toEqual([]);
  });

  it("functions take a target and options, if they have any", () => {
    const called = [...library].filter(([, symbol]) => symbol.flags & ts.SymbolFlags.Function);
    const parameters = called.map(([name, symbol]) => {
      const [declaration] = (symbol.declarations ?? []) as ts.FunctionDeclaration[];
      return [name, declaration?.parameters.map(({ name: own }) => own.getText()).slice(1)];
    });
    expect(Object.fromEntries(parameters)).toEqual({
      ...Object.fromEntries(
        [..."build diff explain exportSite rollback serve validate".split(" ")].map((name) => [
          name,
          ["options"],
        ]),
      ),
      folderStore: [],
      verify: ["options"],
      writeSample: ["options"],
      publishedSchema: [],
      initPublished: [],
      snapshots: [],
    });
  });
});

const SURFACE = [
  ...(
    "BadFile BadInputError BadPublishedError BadSnapshotError BuildChanges BuildOptions " +
    "BuildResult ByteRange ByteSource"
  ).split(" "),
  ..."Contents DiffOptions ExplainOptions Explanation ExportOptions ExportResult".split(" "),
  ..."ExtraBuildOptions ExtraExportOptions ExtraServeOptions ExtraSignOptions".split(" "),
  ..."ExtraVerifyOptions HostName JsonSchema KeptBack KeptBackListing".split(" "),
  ..."Log MaxRemoved NoSnapshotError NotInSearchCounts NotInSearchReason".split(" "),
  ..."OnProgress PROBLEM_CODES PUBLISHED_RECORDS Phase Problem ProblemCode".split(" "),
  ..."ProblemGroup Problems PublishedDirectory".split(" "),
  ..."PublishedFolderError PublishedListing PublishedRecord PublishedScan".split(" "),
  ..."PublishedStandards PublishedTaxonomy".split(" "),
  ..."RefusedInput".split(" "),
  ..."RollbackListings RollbackOptions RollbackResult".split(" "),
  ..."RunningServer SampleOptions SampleRefusedError SampleSize ServeOptions".split(" "),
  ...("SignatureError SiteRefusedError SnapshotCounts SnapshotDiff " + "StoreLockedError").split(
    " ",
  ),
  ...("StoreWriteError StoredSnapshotFacts TombstoneReason " + "TooManyRemovedError").split(" "),
  ..."ValidateOptions Validation Verification VerifyOptions WarningCode Warnings build diff explain".split(
    " ",
  ),
  ..."exportSite folderStore initPublished publishedSchema rollback".split(" "),
  ..."serve snapshots validate verify writeSample".split(" "),
];
