import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { lineOf, ROOT, type Source, sourcesOf } from "../house/sources.js";
import { anchorOf, PAGES } from "./pages.js";

const sources = sourcesOf("src", "cli", "test", ".build");

/** Everything that a file says in comments and texts, each with its line. */
function wordsOf({ path, tree, text }: Source): { place: string; words: string }[] {
  const found: { place: string; words: string }[] = [];
  const add = (from: number, to: number) => {
    const words = text.slice(from, to).replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, " ");
    found.push({ place: `${path}:${lineOf(tree, from)}`, words });
  };
  const scanner = ts.createScanner(
    ts.ScriptTarget.ES2023,
    false,
    ts.LanguageVariant.Standard,
    text,
  );
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const isText = kind === ts.SyntaxKind.StringLiteral || kind === ts.SyntaxKind.TemplateHead;
    const isPlain = kind === ts.SyntaxKind.NoSubstitutionTemplateLiteral;
    const isComment =
      kind === ts.SyntaxKind.SingleLineCommentTrivia ||
      kind === ts.SyntaxKind.MultiLineCommentTrivia;
    if (isText || isPlain || isComment) add(scanner.getTokenStart(), scanner.getTokenEnd());
  }
  return found;
}

const said = sources.flatMap(wordsOf);

it("a page of the documentation that a comment cites exists, and so does its heading", () => {
  const headings = new Map(
    PAGES.map(({ path, text }) => [
      path,
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading)),
    ]),
  );
  const cited = said.flatMap(({ place, words }) =>
    [...words.matchAll(/\bdocs\/([\w-]+\.md)(?:#([\w-]+))?/g)].map(([, file = "", anchor]) => ({
      place,
      path: `docs/${file}`,
      anchor,
    })),
  );
  const missing = cited.filter(({ path, anchor }) => {
    if (!existsSync(join(ROOT, path))) return !path.includes("none");
    return anchor !== undefined && !headings.get(path)?.includes(anchor);
  });
  expect(missing.map(({ place, path, anchor }) => `${place}: ${path}#${anchor}`)).toEqual([]);
  expect(cited.filter(({ anchor }) => anchor !== undefined).length).toBeGreaterThan(80);
});

it("no comment and no title cites a document that is not in the repository", () => {
  // The parts of an RFC are sections, and may be cited. The headings of our own pages are cited by their anchors.
  const foreign = [
    /(?<!RFC \d{4}[,:]?(?:'s)? |RFC \d{4}, [^.)]{0,40})\bsections? \d/,
    /\bcontract \d|\bdecisions[,.:)]|\bpublished format\b|\bR\d{1,2}(?:, R\d{1,2})?: /,
    /\b(?:house|style|decisions|reliability|scale|anywhere|read-api|published-format)\.md/,
  ];
  const wrong = said.filter(({ words }) => foreign.some((pattern) => pattern.test(words)));
  const others = wrong.filter(
    ({ place }) => !/^test\/docs\/(?:citations|pages)\.test\.ts/.test(place),
  );
  expect(others.map(({ place, words }) => `${place}: ${words.slice(0, 120)}`)).toEqual([]);
});
