import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { FILTER_NAMES } from "../../src/contract/filters.js";
import { extraFiles, isOurs, lineOf, nodesOf, ROOT, type Source, sourcesOf } from "./sources.js";

const FUNCTION_LINES_MAX = 70;
const LINE_CHARACTERS_MAX = 120;

/**
 * The one file of the client that knows the clock and chance: they say when a request is sent, to which no answer
 * owes a byte. Without chance, all clients that a failure has met would come back at once.
 */
const CLIENT_ENVIRONMENT = "src/client/timing.ts";
/**
 * The one file of the build that knows the clock: a scan in the future is worth a warning. No byte of it gets into a
 * snapshot.
 */
const BUILD_TIME = "src/publish/options.ts";
/**
 * The one file of the store that knows chance: it names temporary files and locks, of which no byte gets into a
 * snapshot. Process numbers repeat in every container, so two builds on one volume would write to the same files.
 */
const RANDOM_NAMES = "src/files/random-name.ts";
/** The one file that makes secret keys. No byte of them gets into a snapshot; a signature lies beside it. */
const KEY_GENERATION = "src/extras/signing/sign.ts";

/** The one file that lists the filters, and how many of them any other literal may name. */
const FILTER_TABLE = "src/contract/filters.ts";
const FILTER_LISTED_MAX = 2;

/** Asserted types (`as`, without `as const`) and non-null assertions (`!`) that are left. Lower them when some go. */
const ASSERTED_MAX = 49;
const NON_NULL_MAX = 411;

/** The modules that the package exports. */
const SURFACE = ["src/index.ts", "src/client/index.ts", "src/fetch/index.ts", "src/fetch/pages.ts"];

/** What it exports of extras, and what the workers of trees take from them. */
const EXTRA_SURFACE = /^src\/extras\/[\w-]+\/(?:library|edge|search)\.ts$/;

/**
 * The files and rooms that may call JSON.parse, and what they read. What we have just written is passed on as a value.
 */
const JSON_READERS: Readonly<Record<string, string>> = {
  "cli/program.ts": "the package's own package.json",
  "src/browser/": "data in pages, and answers of the API",
  "src/client/request.ts": "answers of the API",
  "src/files/lines.ts": "lines of files, which may be no JSON",
  "src/pages/report/excerpt.ts": "stored reports, which pages know as bytes",
  "src/input/checking/json.ts": "records",
  "src/input/checking/rules.ts": "the templates that the package has",
  "src/answer/request-body.ts": "the body of a POST",
  "src/sample/sample.ts": "the sample",
  "src/server/packed-index.ts": "the head of an index file",
  "src/store/parse-manifest.ts": "JSON that may be hostile, token by token",
  "src/store/pointer.ts": "current.json, whose shape is checked",
  "src/store/stored-json.ts": "everything that a build has written",
};

const shipped = sourcesOf("src", "cli");
const tests = sourcesOf("test");
const all = [...shipped, ...tests, ...sourcesOf(".build")];

/** The text of each call and access in the code of the product's files, and where it stands. */
const expressions = new Map(
  shipped.map((source) => [
    source,
    nodesOf(source.tree, isUse).map((node) => ({
      text: node.getText(),
      place: `${source.path}:${lineOf(source.tree, node.getStart())}`,
    })),
  ]),
);

function isUse(node: ts.Node): node is ts.Node {
  return (
    ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isPropertyAccessExpression(node)
  );
}

type Listing =
  | ts.ObjectLiteralExpression
  | ts.ArrayLiteralExpression
  | ts.ObjectBindingPattern
  | ts.CaseBlock;

function isListing(node: ts.Node): node is Listing {
  return (
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isObjectBindingPattern(node) ||
    ts.isCaseBlock(node)
  );
}

/** The keys of an object, the texts of a list, the members taken from an object, or the cases of a switch. */
function namesListed(node: Listing): string[] {
  if (ts.isObjectLiteralExpression(node))
    return node.properties.flatMap(({ name }) => (name === undefined ? [] : textOf(name)));
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(textOf);
  if (ts.isCaseBlock(node))
    return node.clauses.flatMap((one) => (ts.isCaseClause(one) ? textOf(one.expression) : []));
  return node.elements.flatMap(({ propertyName, name }) => textOf(propertyName ?? name));
}

function textOf(node: ts.Node): string[] {
  return ts.isIdentifier(node) || ts.isStringLiteralLike(node) ? [node.text] : [];
}

/** Where a pattern stands in the code of the product's files, comments left out. */
function uses(files: readonly Source[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    (expressions.get(file) ?? [])
      .filter(({ text }) => pattern.test(text))
      .map(({ place }) => place),
  );
}

function outside(...rooms: string[]): Source[] {
  return shipped.filter(({ path }) => !rooms.some((room) => path.startsWith(room)));
}

describe("the house rules", () => {
  it(`no function of the product has more than ${FUNCTION_LINES_MAX} lines`, () => {
    const long = shipped.flatMap(({ path, tree }) =>
      nodesOf(tree, ts.isFunctionLike)
        .map((node) => ({ first: lineOf(tree, node.getStart()), last: lineOf(tree, node.end) }))
        .filter(({ first, last }) => last - first + 1 > FUNCTION_LINES_MAX)
        .map(({ first }) => `${path}:${first}`),
    );
    expect(long).toEqual([]);
  });

  it(`no line of code, comments and texts has more than ${LINE_CHARACTERS_MAX} characters`, () => {
    const long = all.flatMap(({ path, text, tree }) => {
      const data = path.startsWith("test/") ? nodesOf(tree, isData) : [];
      return text.split("\n").flatMap((line, i) => {
        if (line.length <= LINE_CHARACTERS_MAX) return [];
        const limit = ts.getPositionOfLineAndCharacter(tree, i, LINE_CHARACTERS_MAX);
        const isInData = data.some((node) => node.getStart() < limit && limit < node.end);
        return isInData ? [] : `${path}:${i + 1}`;
      });
    });
    expect(long).toEqual([]);
  });

  it("no literal is spread, and no array is made only to assign its elements, to save lines", () => {
    const isLiteral = (node: ts.Node | undefined) =>
      node !== undefined &&
      (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node));
    const isSpread = (node: ts.Node): node is ts.SpreadElement | ts.SpreadAssignment =>
      (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) && isLiteral(node.expression);
    const isPacked = (node: ts.Node): node is ts.VariableDeclaration =>
      ts.isVariableDeclaration(node) &&
      ts.isArrayBindingPattern(node.name) &&
      isLiteral(node.initializer);
    const found = all.flatMap(({ path, tree }) =>
      [...nodesOf(tree, isSpread), ...nodesOf(tree, isPacked)].map(
        (node) => `${path}:${lineOf(tree, node.getStart())}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it(`no literal outside ${FILTER_TABLE} names ${FILTER_LISTED_MAX + 1} filters or more`, () => {
    const filters: readonly string[] = FILTER_NAMES;
    const found = outside(FILTER_TABLE).flatMap(({ path, tree }) =>
      nodesOf(tree, isListing)
        .filter((node) => {
          const names = namesListed(node).filter((name) => filters.includes(name));
          return new Set(names).size > FILTER_LISTED_MAX;
        })
        .map((node) => `${path}:${lineOf(tree, node.getStart())}`),
    );
    expect(found).toEqual([]);
  });

  it("few types are asserted: the makers of values carry their types", () => {
    const asserted = shipped.flatMap(({ tree }) =>
      nodesOf(tree, ts.isAsExpression).filter(({ type }) => type.getText() !== "const"),
    );
    const nonNull = shipped.flatMap(({ tree }) => nodesOf(tree, ts.isNonNullExpression));
    expect(asserted.length).toBeLessThanOrEqual(ASSERTED_MAX);
    // Most of them are numbers at checked places of typed arrays, in loops over all listings.
    expect(nonNull.length).toBeLessThanOrEqual(NON_NULL_MAX);
  });

  it(
    "only server, the follower, the fetch handler, cli, a build's options, the client's environment and " +
      "what extras name know the clock",
    () => {
      const clock = /^(Date\.now|performance\.now|process\.hrtime|new Date\(\))/;
      expect(
        uses(
          outside(
            "src/server/",
            "src/answer/follower.ts",
            ...extraFiles("clock"),
            "src/fetch/handler.ts",
            "cli/",
            CLIENT_ENVIRONMENT,
            BUILD_TIME,
          ),
          clock,
        ),
      ).toEqual([]);
      expect(uses(shipped, clock)).not.toEqual([]);
    },
  );

  it(
    "only the client's waits, the names of temporary files and locks, and new keys are random, and " +
      "no order depends on a locale",
    () => {
      const random = /^Math\.random|randomUUID|randomBytes|getRandomValues|generateKey/;
      expect(uses(outside(CLIENT_ENVIRONMENT, RANDOM_NAMES, KEY_GENERATION), random)).toEqual([]);
      expect(uses(shipped, random)).not.toEqual([]);
      expect(uses(shipped, /\.localeCompare$|toLocale|^new Intl\./)).toEqual([]);
    },
  );

  it(
    "code that builds, reads or maintains a store changes files only through calls.ts, whose calls " +
      "tests make fail",
    () => {
      const writes =
        /\b(?:append|copy|cp|ch|create|link|mk|open|rename|rm|symlink|truncate|unlink|utimes|write)\w*/;
      const wrong = sourcesOf("src/publish", "src/store", "src/upkeep").filter(({ text }) =>
        [...text.matchAll(/import \{([^}]*)\} from "node:fs(?:\/promises)?"/g)].some(([, names]) =>
          writes.test(names!),
        ),
      );
      expect(wrong.map(({ path }) => path)).toEqual([]);
    },
  );

  it("no folder is created by Node's recursive mkdir, which never ends below /proc", () => {
    expect(uses(shipped, /^mkdir(?:Sync)?\(.*recursive/s)).toEqual([]);
  });

  it("one file writes time elements, since HTML takes fewer digits of a second than dates may have", () => {
    const writing = shipped.filter(({ text }) => text.includes("<time "));
    expect(writing.map(({ path }) => path)).toEqual(["src/pages/kit/html.ts"]);
  });

  it("no address is checked by URL.canParse, which gives wrong results in Node 20 once it is compiled", () => {
    expect(uses(shipped, /\bcanParse$/)).toEqual([]);
  });

  it(
    "every export is used by another file, belongs to the package's surface, or is a type of another " +
      "export of its file",
    () => {
      const surface = shipped
        .filter(({ path }) => SURFACE.includes(path) || EXTRA_SURFACE.test(path))
        .map(({ text }) => text)
        .join();
      const used = new Set(
        all.flatMap(({ tree }) => [
          ...nodesOf(tree, ts.isImportSpecifier).map(
            (node) => (node.propertyName ?? node.name).text,
          ),
          ...nodesOf(tree, ts.isNamespaceImport).map((node) => node.name.text),
          ...nodesOf(tree, isImportedLater).map((node) =>
            (node.propertyName ?? node.name).getText(),
          ),
          // `(await load()).name`, where `load` imports a module later.
          ...nodesOf(tree, ts.isPropertyAccessExpression)
            .filter(({ expression }) => expression.getText().startsWith("(await "))
            .map(({ name }) => name.text),
        ]),
      );
      // What only a deleted extra used is not unused: test/without deletes extras, and says where they are.
      const deleted = deletedSources();
      const unused = shipped.flatMap(({ path, tree }) =>
        exportedNames(tree)
          .filter((name) => !new RegExp(`\\b${name}\\b`).test(deleted))
          .filter((name) => !used.has(name) && !new RegExp(`\\b${name}\\b`).test(surface))
          .filter((name) => !typesAnExport(tree, name))
          .map((name) => `${path}: ${name}`),
      );
      expect(unused).toEqual([]);
    },
  );

  it("JSON is parsed only where it comes from a store or from outside, never right after we wrote it", () => {
    const readers = [...Object.keys(JSON_READERS), ...extraFiles("json")];
    const places = uses(outside(...readers), /^JSON\.parse$/);
    // The scripts of extras read data in pages, too, and answers of the API.
    expect(places.filter((place) => !/^src\/extras\/[^/]+\/browser\//.test(place))).toEqual([]);
    const parsing = uses(shipped, /^JSON\.parse$/);
    expect(readers.filter((name) => !parsing.some((place) => place.startsWith(name)))).toEqual([]);
  });

  it("no test is skipped without a printed reason, and none runs alone", () => {
    const found = tests.flatMap(({ path, tree }) =>
      nodesOf(tree, ts.isPropertyAccessExpression)
        .filter(({ name }) => ["only", "skip", "todo"].includes(name.text))
        .filter(({ expression }) => /^(it|test|describe)\b/.test(expression.getText()))
        .map((node) => `${path}:${lineOf(tree, node.getStart())}`),
    );
    expect(found).toEqual([]);
  });

  it("the project's files speak of the project alone", () => {
    const names = ["src", "cli", "test", ".ci"].flatMap(filesBelow);
    const documents = readdirSync(ROOT).filter((name) => /\.(md|json)$/.test(name));
    const forbidden = new RegExp(["/wo" + "rk/", "/ho" + "me/", "registry\\." + "npmjs"].join("|"));
    const found = [...names, ...documents].filter((name) =>
      forbidden.test(readFileSync(join(ROOT, name), "utf8")),
    );
    expect(found).toEqual([]);
  });
});

/** The texts of the extras that test/without has deleted from this copy of the project; "" in the project itself. */
function deletedSources(): string {
  const folder = process.env.DELETED_EXTRAS;
  if (folder === undefined) return "";
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

/** A pattern, or a text with characters of JSON, XML or a query: tests write and compare such data in one piece. */
function isData(node: ts.Node): node is ts.Expression {
  if (ts.isRegularExpressionLiteral(node)) return true;
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
  return isText && /[{}<>&]/.test(node.getText().replaceAll("${", ""));
}

/** A name in `const { name } = await import("./file.js")`. */
function isImportedLater(node: ts.Node): node is ts.BindingElement {
  const from = ts.isBindingElement(node) ? node.parent.parent : null;
  return (
    from !== null &&
    ts.isVariableDeclaration(from) &&
    /^await import\(/.test(from.initializer?.getText() ?? "")
  );
}

function exportedNames(tree: ts.SourceFile): string[] {
  return tree.statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    }
    const { name } = statement as ts.Statement & { readonly name?: ts.Identifier };
    return name === undefined ? [] : [name.text];
  });
}

/** Whether an interface or type alias is named elsewhere in its file: there it types something else. */
function typesAnExport(tree: ts.SourceFile, name: string): boolean {
  const declared = tree.statements.some(
    (node) =>
      (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) &&
      node.name.text === name,
  );
  const references = nodesOf(tree, ts.isTypeReferenceNode);
  return declared && references.some(({ typeName }) => typeName.getText() === name);
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .filter(isOurs);
}
