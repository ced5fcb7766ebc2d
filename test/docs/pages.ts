import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../house/sources.js";

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** The line of the page on which it begins, counted from 1. */
  readonly line: number;
}

/** A page of the documentation. */
export interface Page {
  /** Path below the project's folder. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** The README, what lies beside it for operators, and all pages of docs/. */
export const PAGES: readonly Page[] = [
  "README.md",
  "SECURITY.md",
  "SKILL.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
].map((path) => {
  const text = readFileSync(join(ROOT, path), "utf8");
  return { path, text, blocks: blocksOf(text) };
});

/** The anchor that a heading gets. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language = "", 2: text = "", index }) => ({
      language,
      text,
      line: page.slice(0, index).split("\n").length,
    }),
  );
}

/** The dump and the script of the page about databases, with the names that it gives them. */
export function databaseFiles(): [name: string, text: string][] {
  const page = PAGES.find(({ path }) => path === "docs/from-a-database.md");
  const names = { sql: "dump.sql", python: "export.py" };
  return Object.entries(names).map(([language, name]) => {
    const blocks = page?.blocks.filter((block) => block.language === language) ?? [];
    const [{ text } = { text: "" }, ...more] = blocks;
    if (text === "" || more.length > 0)
      throw new Error(`the page has no single block of ${language}`);
    return [name, text];
  });
}
