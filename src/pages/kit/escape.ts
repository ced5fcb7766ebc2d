import { parsedUrl } from "../../contract/host.js";

/*
 * No text of a report is trusted. Each place that receives such a text has its own escaping function here. The escaped
 * text can neither break out of its place nor change the text direction around it.
 */

/** Characters that pages never show: controls, marks that change the text direction, noncharacters. */
const UNSHOWN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\p{Noncharacter_Code_Point}]+/gu;
const LINE_ENDS = /\r\n?|\u2028|\u2029/g;

/**
 * A character that may have to be removed or replaced. This includes all surrogates, so that the pattern needs no
 * Unicode mode, which is several times slower. Most texts have no such character.
 */
const UNUSUAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/;

/** Removes characters that pages never show and normalises line ends to `\n`. */
export function shown(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return text.replace(LINE_ENDS, "\n").replace(UNSHOWN, "").toWellFormed();
}

/** A visible character. Joiners and variation selectors do not count: alone, they show nothing. */
const SEEN = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Matches most texts on one line: printable ASCII with single spaces between words. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;

/** A text on one line, trimmed; "" if no character of it is visible. */
export function oneLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  const line = shown(text).replace(/\s+/g, " ").trim();
  return SEEN.test(line) ? line : "";
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const MARKUP = /[&<>"']/g;
/** Matches most texts: those that markup contains unchanged. One pattern costs less than two. */
const PLAIN_MARKUP = /^[\n !#-%(-;=?-~]*$/;

/** Escapes a text for an HTML, SVG or XML element, and for a quoted attribute. */
export function markupText(text: string): string {
  if (PLAIN_MARKUP.test(text)) return text;
  return shown(text).replace(MARKUP, (found) => ENTITIES[found] ?? "");
}

/** JSON for a `script` element, escaped so that no tag or comment can begin in it. */
export function scriptJson(value: unknown): string {
  const json = JSON.stringify(value);
  const shownJson =
    UNUSUAL.test(json) || ESCAPED.test(json)
      ? JSON.stringify(value, (_, part: unknown) => (typeof part === "string" ? shown(part) : part))
      : json;
  return shownJson.replace(
    /[<>&]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Escapes that JSON writes for characters that pages do not show, or change. */
const ESCAPED = /\\[bfru]/;

/** The maximum number of characters in a link's address, the same as for a publisher's URL. */
export const ADDRESS_MAX = 2_048;

/**
 * The start of every web address; the URL parser ignores controls and spaces before the scheme. Most texts fail this
 * test and so skip the parser, whose exception would take ten times as long as all other rendering of the text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the URL parser ignores them.
const MAY_BE_WEB = /^[\u0000- ]*h/i;

/**
 * The normalised address for a link, http or https. Null for other schemes, for an address with a user name or password
 * (which could pass for a host), and for more than ADDRESS_MAX characters (the text may be cut): these appear as text.
 */
export function linkTarget(address: string): string | null {
  if (address.length > ADDRESS_MAX || !MAY_BE_WEB.test(address)) return null;
  const url = parsedUrl(address);
  if (url === null) return null;
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return isWeb && url.username === "" && url.password === "" ? url.href : null;
}

/** Texts that Markdown needs no escape for: words, and punctuation that starts no markup. */
const PLAIN_MARKDOWN = /^[A-Za-z](?:[A-Za-z0-9,;:()'"%?!./-]| (?! |$))*$/;

/** Escapes inline Markdown: the text contains no markup, starts no block, ends no table cell and becomes no link. */
export function markdownText(text: string): string {
  if (PLAIN_MARKDOWN.test(text) && !/:\/\/|www\./i.test(text)) return text;
  return oneLine(text)
    .replace(/[\\`*_[\]<>&|~@$]/g, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/\bwww\./gi, (found) => `${found.slice(0, -1)}\\.`)
    .replace(/^(?:[#+=-]|\d+(?=[.)](?:\s|$)))/, (found) => leadingEscape(found));
}

/** For `1.` or `1)` the backslash goes after the number, because Markdown cannot escape a digit. */
function leadingEscape(found: string): string {
  return /\d/.test(found) ? `${found}\\` : `\\${found}`;
}

/** Inline code for a Markdown table cell. Tables are parsed before code, so a bar ends the cell even inside code. */
export function markdownCodeCell(text: string): string {
  const line = oneLine(text);
  // A backslash in the text itself would escape the one that must precede the bar.
  return line.includes("\\|") ? markdownText(line) : markdownCode(line.replace(/\|/g, "\\|"));
}

/** Inline code in Markdown, outside tables. */
export function markdownCode(text: string): string {
  const line = oneLine(text);
  if (line === "") return "—";
  const fence = "`".repeat(longestRun(line) + 1);
  const edge = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${edge}${line}${edge}${fence}`;
}

/** A code block in Markdown, with the text unescaped. */
export function markdownBlock(text: string, language = ""): string {
  const lines = shown(text).replace(/(?<!\n)\n+$/, "");
  const fence = "`".repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}${language}\n${lines}\n${fence}`;
}

/** A Markdown link, or only the text if the address is not a valid link target. */
export function markdownLink(text: string, address: string): string {
  const target = linkTarget(address);
  const label = markdownText(text);
  if (target === null || label === "") return label;
  // Inside an address, Markdown still decodes entities, and a bracket may end the address.
  const escaped = target
    .replace(/[()<>|\\`\s]/g, (found) => `%${found.charCodeAt(0).toString(16).padStart(2, "0")}`)
    .replace(/&(?=#?\w+;)/g, "&amp;");
  return `[${label}](${escaped})`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** A value of a table; null is an empty cell. */
type Cell = string | number | null;

/** Excel reads a CSV file as UTF-8 only if it begins with this mark. */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * A CSV file (RFC 4180) with a byte-order mark and a header.
 * @param columns the names of the columns
 */
export function csvText(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `${BYTE_ORDER_MARK}${csvRows([columns])}${csvRows(rows)}`;
}

/** Rows of a CSV file. A text that a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvRows(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(",")}\r\n`).join("");
}

function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = shown(cell);
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Whether the first visible character may begin a formula. Spreadsheets skip blanks before it, and some read wide and
 * small forms of a character, such as U+FF1D, as the character itself.
 */
function isFormula(text: string): boolean {
  const first = SEEN.exec(text)?.[0] ?? "";
  return /^[=+\-@]/.test(first.normalize("NFKC"));
}
