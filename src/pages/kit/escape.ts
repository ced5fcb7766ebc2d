import { parsedUrl } from "../../contract/url.js";

/*
 * Every text of a report is a stranger's. Each place that it is put into has its own function here; what
 * comes out cannot end the place it stands in, nor change the direction of what stands beside it.
 */

/** Characters that no page shows: controls, marks that turn the direction of text around, noncharacters. */
const UNSHOWN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\p{Noncharacter_Code_Point}]/gu;
const LINE_ENDS = /\r\n?|\u2028|\u2029/g;

/** Most texts: nothing of them is left out. */
const ALL_SHOWN = /^[ -~]*$/;

/** A text without what is not shown, its lines ended by `\n`. */
export function shown(text: string): string {
  if (ALL_SHOWN.test(text)) return text;
  return text.replace(LINE_ENDS, "\n").replace(UNSHOWN, "").toWellFormed();
}

/** A character that is seen: marks that join others, or choose how they look, are nothing by themselves. */
const SEEN = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** A text on one line, without space at its ends; "" where nothing of it is seen. */
export function oneLine(text: string): string {
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

/** For the text of an HTML, SVG or XML element, and for an attribute in quotes. */
export function markupText(text: string): string {
  return shown(text).replace(/[&<>"']/g, (found) => ENTITIES[found]!);
}

/** For JSON inside a `script` element: no tag and no comment can begin in it. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "string" ? shown(part) : part,
  ).replace(/[<>&]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Characters of an address that a link may lead to: as many as a publisher's URL may have. */
export const ADDRESS_MAX = 2_048;

/**
 * How all web addresses begin: the URL parser ignores controls and spaces before the scheme. Most texts do not, and for
 * those the parser's exception would cost ten times the rest of drawing them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the URL parser ignores them.
const MAY_BE_WEB = /^[\u0000- ]*h/i;

/**
 * The address that a link may lead to: http or https, normalised, without a name and password that would pass for a host.
 * Null for any other and for one of more than ADDRESS_MAX characters, which may be cut: they are shown as text.
 */
export function linkTarget(address: string): string | null {
  if (address.length > ADDRESS_MAX || !MAY_BE_WEB.test(address)) return null;
  const url = parsedUrl(address);
  if (url === null) return null;
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return isWeb && url.username === "" && url.password === "" ? url.href : null;
}

/** Texts that are the same in Markdown: words, and marks that begin nothing. */
const PLAIN_MARKDOWN = /^[A-Za-z](?:[A-Za-z0-9,;:()'"%?!./-]| (?! |$))*$/;

/** For Markdown within a line: nothing in it is markup, begins a block, ends a table's cell or is made a link. */
export function markdownText(text: string): string {
  if (PLAIN_MARKDOWN.test(text) && !/:\/\/|www\./i.test(text)) return text;
  return oneLine(text)
    .replace(/[\\`*_[\]<>&|~@$]/g, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/\bwww\./gi, (found) => `${found.slice(0, -1)}\\.`)
    .replace(/^(?:[#+=-]|\d+(?=[.)](?:\s|$)))/, (found) => leadingEscape(found));
}

/** Before a number's point the escape stands behind the number: a digit cannot be escaped. */
function leadingEscape(found: string): string {
  return /\d/.test(found) ? `${found}\\` : `\\${found}`;
}

/** Markdown's code in a table's cell, which is found before code is: a bar ends it wherever it stands. */
export function markdownCodeCell(text: string): string {
  const line = oneLine(text);
  // A backslash of the text's own would take in the one that has to stand before the bar.
  return line.includes("\\|") ? markdownText(line) : markdownCode(line.replace(/\|/g, "\\|"));
}

/** Markdown's code within a line that is no table's. */
export function markdownCode(text: string): string {
  const line = oneLine(text);
  if (line === "") return "—";
  const fence = "`".repeat(longestRun(line) + 1);
  const edge = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${edge}${line}${edge}${fence}`;
}

/** A block of code in Markdown, as it stands. */
export function markdownBlock(text: string, language = ""): string {
  const lines = shown(text).replace(/\n+$/, "");
  const fence = "`".repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}${language}\n${lines}\n${fence}`;
}

/** A link in Markdown; its text alone where the address is none to follow. */
export function markdownLink(text: string, address: string): string {
  const target = linkTarget(address);
  const label = markdownText(text);
  if (target === null || label === "") return label;
  // In an address, too, an entity is read and a bracket may end it.
  const escaped = target
    .replace(/[()<>|\\`\s]/g, (found) => `%${found.charCodeAt(0).toString(16).padStart(2, "0")}`)
    .replace(/&(?=#?\w+;)/g, "&amp;");
  return `[${label}](${escaped})`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}
