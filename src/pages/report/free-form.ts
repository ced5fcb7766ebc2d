import type { Report } from "../../contract/report.js";
import {
  linkTarget,
  markdownBlock,
  markdownCode,
  markdownLink,
  markdownText,
  oneLine,
} from "../kit/escape.js";
import { type Html, html, outsideLink } from "../kit/html.js";
import type { Section } from "../kit/page-context.js";
import { NO_VALUE, numberOf, titleOf } from "../kit/words.js";

/** The features that the contract names, as people write them. */
const FEATURES = [
  ["login", "Login"],
  ["api", "API"],
  ["commerce", "Commerce"],
] as const;

/** Keys whose value says whether a feature is there. */
const ANSWERS = ["observed", "present"];

/** Features that the scan observed; null if its profile is missing or empty. */
export function profileSection({ profile }: Report): Section | null {
  if (profile === null || Object.keys(profile).length === 0) return null;
  const rest = new Map(Object.entries(profile));
  const rows = FEATURES.flatMap(([key, name]) => {
    const row = featureRow(name, rest.get(key));
    if (row === null) return [];
    rest.delete(key);
    return row;
  });
  const others = Object.fromEntries(rest);
  const body = html`${rows.length === 0 ? null : html`<dl class="features">${rows}</dl>`}${
    rest.size === 0 ? null : freeFormHtml(others)
  }`;
  return { id: "profile", title: "Observed features", body };
}

/** A feature as yes or no, with its evidence; null if its value does not say. */
function featureRow(name: string, value: unknown): Html | null {
  if (typeof value !== "object" || value === null) return null;
  const entries = Object.entries(value);
  const answer = entries.find(([key, said]) => ANSWERS.includes(key) && typeof said === "boolean");
  if (answer === undefined) return null;
  const [answerKey, hasAnswer] = answer;
  const evidence = entries.find(([key]) => key === "evidence")?.[1] ?? [];
  const more = entries.filter(
    ([key, said]) => key !== answerKey && key !== "evidence" && said !== null,
  );
  const isShown = !Array.isArray(evidence) || evidence.length > 0;
  return html`<div><dt>${name}</dt><dd>
    <span class="status status-${hasAnswer ? "pass" : "na"}">${hasAnswer ? "Yes" : "No"}</span>${
      isShown ? html`<div class="evidence">${freeFormValue(evidence)}</div>` : null
    }${more.length === 0 ? null : freeFormHtml(Object.fromEntries(more))}</dd></div>`;
}

/*
 * Renders objects whose keys the contract leaves open. Values below a maximum depth appear as JSON: nobody reads deeper
 * lists, and a hostile object may have 200 levels.
 */

const TREE_DEPTH_MAX = 4;
/** A text with more characters than this gets its own block. */
const TEXT_LINE_MAX = 160;

type FreeFormEntries = readonly (readonly [string, unknown])[];

/** A list of an object's keys and values as HTML. */
export function freeFormHtml(value: object, depth = 0): Html {
  const rows = Object.entries(value).map(
    ([key, part]) => html`<dt>${titleOf(key)}</dt><dd>${valueHtml(part, depth + 1)}</dd>`,
  );
  return html`<dl class="free">${rows}</dl>`;
}

/** A single value of such an object. */
function freeFormValue(value: unknown): Html | string {
  return valueHtml(value, 1);
}

function valueHtml(value: unknown, depth: number): Html | string {
  if (typeof value !== "object" || value === null) return scalarHtml(value);
  if (isEmptyValue(value)) return NO_VALUE;
  if (depth > TREE_DEPTH_MAX)
    return html`<pre tabindex="0">${JSON.stringify(value, null, 1)}</pre>`;
  if (!Array.isArray(value)) return freeFormHtml(value, depth);
  const parts: readonly unknown[] = value;
  const items = parts.map((part) => html`<li>${valueHtml(part, depth + 1)}</li>`);
  return html`<ul class="free-list">${items}</ul>`;
}

function scalarHtml(value: unknown): Html | string {
  if (typeof value !== "string") return scalarText(value);
  if (isLong(value)) return html`<pre tabindex="0">${value}</pre>`;
  const target = linkTarget(value);
  if (target !== null) return outsideLink(value, value, target);
  return oneLine(value) === "" ? NO_VALUE : html`<bdi>${value}</bdi>`;
}

/** A list of an object's keys and values as Markdown. */
export function freeFormMarkdown(value: object, indent = ""): string {
  return markdownEntries(Object.entries(value), indent, 0);
}

function markdownEntries(entries: FreeFormEntries, indent: string, depth: number): string {
  return entries
    .map(
      ([key, part]) =>
        `${indent}- ${markdownText(titleOf(key))}:${markdownValue(part, indent, depth + 1)}`,
    )
    .join("\n");
}

function markdownValue(value: unknown, indent: string, depth: number): string {
  if (typeof value === "string" && isLong(value)) return longMarkdown(value, `${indent}  `);
  if (typeof value !== "object" || value === null) return ` ${scalarMarkdown(value)}`;
  if (isEmptyValue(value)) return ` ${NO_VALUE}`;
  if (depth > TREE_DEPTH_MAX) return ` ${markdownCode(JSON.stringify(value))}`;
  const entries: FreeFormEntries = Array.isArray(value)
    ? value.map((part: unknown, index) => [String(index + 1), part] as const)
    : Object.entries(value);
  return `\n${markdownEntries(entries, `${indent}  `, depth)}`;
}

/** A code block under a list item, indented to the item's text. */
function longMarkdown(text: string, indent: string): string {
  const lines = markdownBlock(text, "text").split("\n");
  return `\n\n${lines.map((line) => `${indent}${line}`.trimEnd()).join("\n")}\n`;
}

function scalarMarkdown(value: unknown): string {
  if (typeof value !== "string") return scalarText(value);
  const link = markdownLink(value, value);
  return link === "" ? NO_VALUE : link;
}

function scalarText(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? numberOf(value) : NO_VALUE;
}

function isLong(text: string): boolean {
  return text.length > TEXT_LINE_MAX || /[\n\r]/.test(text.trim());
}

function isEmptyValue(value: object): boolean {
  return Object.keys(value).length === 0;
}
