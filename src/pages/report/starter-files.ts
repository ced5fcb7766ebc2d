import type { Report } from "../../contract/report.js";
import { own } from "../../contract/tables.js";
import { type Html, html } from "../kit/html.js";
import type { Section } from "../kit/page-context.js";
import { titleOf, visible } from "../kit/words.js";
import type { LeftOut } from "./excerpt.js";
import { freeFormHtml } from "./free-form.js";
import { STARTER_FILES_HIDDEN, starterFilesOf } from "./report-texts.js";

/** A draft of a file for the site. */
interface Draft {
  readonly name: string;
  readonly text: string;
  /** Its readiness as the publisher calls it; null if unknown. */
  readonly state: string | null;
}

/** File names by the keys that stand for them. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  llmsTxt: "llms.txt",
  llmsFullTxt: "llms-full.txt",
  robotsTxt: "robots.txt",
  sitemapXml: "sitemap.xml",
};

/** A key that is itself a file's name or path. */
const FILE_KEY = /^\/?[\w./-]+\.[a-z0-9]{1,8}$/i;

/**
 * Generated drafts of files, or a note that the plan hides them; null if there are none. The page's script
 * adds buttons that copy and save them.
 */
export function starterFilesSection(report: Report, left: LeftOut): Section | null {
  const starterFiles = starterFilesOf(report);
  const id = "starter-files";
  const title = "Starter files";
  if (starterFiles === null) {
    return report.starterFilesOffer
      ? { id, title, body: html`<p>${STARTER_FILES_HIDDEN}</p>` }
      : null;
  }
  const { drafts, isReady, rest } = draftsOf(starterFiles);
  // A shortened draft gets no buttons to copy or save it.
  const isWhole = left.starterFiles === undefined;
  const ready =
    isReady === null
      ? null
      : html`<p>${isReady ? "These drafts are ready to use." : "These drafts are not finished yet."}</p>`;
  const list =
    drafts.length === 0
      ? null
      : html`${drafts.map((draft, index) => draftPart(draft, index + 1, isWhole))}`;
  const others = Object.keys(rest).length === 0 ? null : freeFormHtml(rest);
  return { id, title, body: html`${ready}${list}${others}` };
}

function draftPart({ name, text, state }: Draft, number: number, isWhole: boolean): Html {
  const id = `draft-${number}`;
  const use = isWhole ? html` data-copy="Copy" data-file="${fileName(name)}"` : null;
  return html`<div class="draft"><h3 id="${id}"><bdi>${name}</bdi>
    </h3>${state === null ? null : html`<p class="quiet">${titleOf(state)}</p>`}
    <pre data-about="${id}"${use} dir="auto" tabindex="0">${text}</pre></div>`;
}

/** The last part of a path, in characters that every system allows. */
function fileName(name: string): string {
  return name.replace(/^.*\//, "").replace(/[^\w.-]+/g, "-") || "draft.txt";
}

/** Separates drafts in any of the usual forms from everything else. */
function draftsOf(starterFiles: object): {
  readonly drafts: readonly Draft[];
  readonly isReady: boolean | null;
  readonly rest: Record<string, unknown>;
} {
  const drafts: Draft[] = [];
  const rest: [string, unknown][] = [];
  let isReady: boolean | null = null;
  for (const [key, value] of Object.entries(starterFiles)) {
    const listed = key === "files" && Array.isArray(value) ? value.map(listedDraft) : [];
    const known = listed.filter((draft) => draft !== null);
    const own = keyedDraft(key, value);
    if (key === "ready" && typeof value === "boolean") isReady = value;
    else if (known.length > 0 && known.length === listed.length) drafts.push(...known);
    else if (own !== null) drafts.push(own);
    else rest.push([key, value]);
  }
  return { drafts, isReady, rest: Object.fromEntries(rest) };
}

/** An entry of a list of files: its `path` or `name` with its `text` or `content`. */
function listedDraft(value: unknown): Draft | null {
  const name = draftText(value, "path") ?? draftText(value, "name");
  return name === null ? null : draftOf(name, value);
}

/** A file under its own name, as an object or as its text alone. */
function keyedDraft(key: string, value: unknown): Draft | null {
  const named = own(FILE_NAMES, key);
  const name = named ?? (FILE_KEY.test(key) ? key : null);
  if (name === null) return null;
  return typeof value === "string" && visible(value) !== null
    ? { name, text: value, state: null }
    : draftOf(name, value);
}

function draftOf(name: string, value: unknown): Draft | null {
  const text = draftText(value, "text") ?? draftText(value, "content");
  return text === null ? null : { name, text, state: draftText(value, "state") };
}

/** A visible text of an object; null if it has none under this key. */
function draftText(value: unknown, key: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const found = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === "string" ? visible(found) : null;
}
