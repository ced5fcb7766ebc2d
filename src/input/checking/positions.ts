import { type JSONVisitor, printParseErrorCode, visit } from "jsonc-parser";
import { itemAt } from "../../contract/tables.js";
import { excerpt, type Finding, formatPath, type Path, type Problem } from "./problem.js";

/**
 * Finds positions in a record's text. Only records with errors or warnings come here: these functions are an
 * order of magnitude slower than `JSON.parse`. They also recurse, so the text's depth must be checked first.
 */

const STRICT = { disallowComments: true, allowTrailingComma: false };

/** The message for each syntax error of jsonc-parser, by the error's name. */
const SYNTAX: Readonly<Record<string, (found: string) => string>> = {
  InvalidSymbol: (found) => `found ${found}, expected a quoted text, a number, true, false or null`,
  PropertyNameExpected: (found) => `found ${found}, expected a key in double quotes`,
  ValueExpected: (found) => `found ${found}, expected a value`,
  ColonExpected: (found) => `found ${found}, expected \`:\``,
  CommaExpected: (found) => `found ${found}, expected \`,\``,
  CloseBraceExpected: (found) => `found ${found}, expected \`}\``,
  CloseBracketExpected: (found) => `found ${found}, expected \`]\``,
  EndOfFileExpected: (found) => `found ${found} after the end of the record`,
  InvalidCommentToken: () => "found a comment",
  UnexpectedEndOfComment: () => "found a comment",
  UnexpectedEndOfString: () => "found a text without its closing quote on the same line",
  UnexpectedEndOfNumber: (found) => `found ${found}, which lacks digits at its end`,
  InvalidUnicode: (found) => `found ${found}, expected four hexadecimal digits after \`\\u\``,
  InvalidEscapeCharacter: (found) => `found ${found}, which is not an escape in JSON`,
  InvalidCharacter: (found) => `found ${found} in a text, expected its escape sequence`,
};

/** The first error of a text that `JSON.parse` rejects. */
export function syntaxFinding(text: string): Finding {
  // Trailing blanks are cut off, so that a missing token is reported right after the last token.
  const content = text.slice(0, endOfText(text));
  if (content === "") return syntaxAt(0, "is empty, expected an object");
  let first: Finding | null = null;
  const onError: NonNullable<JSONVisitor["onError"]> = (error, offset, length) => {
    if (first !== null) return;
    const name = printParseErrorCode(error);
    const token = text.slice(offset, offset + length);
    const bad = /^Invalid(?:Unicode|EscapeCharacter|Character)$/.test(name)
      ? badCharacter(token)
      : { at: 0, found: token };
    const found = bad.found === "" ? "the end" : `\`${excerpt(bad.found)}\``;
    const sentence = SYNTAX[name]?.(found) ?? `found ${found}`;
    first = syntaxAt(offset + bad.at, `is not JSON: ${sentence}`);
  };
  visit(content, { onError }, STRICT);
  return first ?? syntaxAt(0, "is not JSON");
}

function syntaxAt(at: number, message: string): Finding {
  return { code: "json-wrong", path: [], at, message };
}

function endOfText(text: string): number {
  let end = text.length;
  while (end > 0 && " \t\r\n".includes(text.charAt(end - 1))) end -= 1;
  return end;
}

/** Finds the first character or escape that a JSON string must not contain. `token` includes the quotes. */
function badCharacter(token: string): { at: number; found: string } {
  const escapes =
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the ones to find.
    /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\u[^"]{0,4}|\\[^u]|[\u0000-\u001f]/g;
  for (const { 0: found, index: at } of token.matchAll(escapes)) {
    if (!/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})$/.test(found)) return { at, found };
  }
  return { at: 0, found: token };
}

/** Offsets of the key and the value at a path, and the marks to find below it. */
interface Mark {
  key: number;
  value: number;
  readonly below: Map<string | number, Mark>;
}

const newMark = (): Mark => ({ key: 0, value: 0, below: new Map() });

/**
 * Turns a record's findings into problems.
 * @param line the line in the file on which `text` begins, counted from 1
 */
export function locatedProblems(
  file: string,
  line: number,
  text: string,
  findings: readonly Finding[],
): Problem[] {
  const offsets = offsetsOf(text, findings);
  const ordered = findings
    .map((finding, index) => ({ finding, offset: itemAt(offsets, index) }))
    .sort((a, b) => a.offset - b.offset);
  let lineNumber = line;
  let lineStart = 0;
  let lineEnd = text.indexOf("\n");
  return ordered.map(({ finding: { code, path, message }, offset }) => {
    while (lineEnd >= 0 && lineEnd < offset) {
      lineNumber += 1;
      lineStart = lineEnd + 1;
      lineEnd = text.indexOf("\n", lineStart);
    }
    const column = offset - lineStart + 1;
    return { code, file, line: lineNumber, column, path: formatPath(path), message };
  });
}

function offsetsOf(text: string, findings: readonly Finding[]): number[] {
  const root = newMark();
  root.value = text.search(/\S/);
  const marks = findings.map(({ path, at }) => {
    if (typeof at === "number") return null;
    return markAt(root, at === "object" ? path.slice(0, -1) : path);
  });
  if (root.below.size > 0) visit(text, markingVisitor(root), STRICT);
  return findings.map(({ at }, index) => {
    if (typeof at === "number") return at;
    const mark = marks[index] ?? root;
    return Math.max(0, at === "key" ? mark.key : mark.value);
  });
}

function markAt(root: Mark, path: Path): Mark {
  let mark = root;
  for (const step of path) {
    const below = mark.below.get(step) ?? newMark();
    mark.below.set(step, below);
    mark = below;
  }
  return mark;
}

/**
 * Fills in the marks. Stores only the wanted offsets rather than a tree of the text, because the tree of a
 * large text would not fit into memory. Of equal keys the last wins, as in `JSON.parse`.
 */
function markingVisitor(root: Mark): JSONVisitor {
  const containers: { mark: Mark | undefined; index: number }[] = [];
  let next: Mark | undefined = root;
  const onValue = (offset: number): Mark | undefined => {
    const container = containers.at(-1);
    if (container !== undefined && container.index >= 0) {
      next = container.mark?.below.get(container.index);
      container.index += 1;
    }
    if (next !== undefined) next.value = offset;
    return next;
  };
  const onBegin = (offset: number, index: number): boolean => {
    const mark = onValue(offset);
    containers.push({ mark, index });
    return mark !== undefined && mark.below.size > 0;
  };
  const onEnd = () => {
    containers.pop();
  };
  return {
    onObjectBegin: (offset) => onBegin(offset, -1),
    onArrayBegin: (offset) => onBegin(offset, 0),
    onObjectProperty(key, offset) {
      next = containers.at(-1)?.mark?.below.get(key);
      if (next !== undefined) next.key = offset;
    },
    onObjectEnd: onEnd,
    onArrayEnd: onEnd,
    onLiteralValue: (_value, offset) => {
      onValue(offset);
    },
  };
}
