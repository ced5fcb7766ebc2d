import anyAscii from "any-ascii";
import { LIMITS } from "../../contract/limits.js";
import { parseJsonText } from "../../input/checking/json.js";
import { quote } from "../../input/checking/problem.js";
import type { TermList } from "../../input/checking/schemas.js";
import { NULL_LIKE } from "./cells.js";

/** A line of a table's file. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** A term that taxonomy.json lacked. */
export interface NewTerm extends Place {
  readonly list: TermList;
  readonly slug: string;
  readonly name: string;
}

/** A spelling that was taken for the name of a term, which is spelt otherwise. */
export interface JoinedSpelling extends NewTerm {
  readonly spelling: string;
}

/** Names are equal if these are. */
function keyOf(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .trim();
}

/** `Open Data` becomes `open-data`, `C++` becomes `c-plus-plus`. Empty if nothing is left. */
function slugOf(name: string): string {
  const signs = name
    .trim()
    .replaceAll("+", " plus ")
    .replaceAll("#", " sharp ")
    .replace(/^\./, "dot ");
  const words =
    anyAscii(signs.normalize("NFKC"))
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, LIMITS.slugMax).replace(/-$/, "");
}

/** A term of taxonomy.json, as its publisher wrote it. */
interface KnownTerm {
  readonly slug: string;
  readonly name: string;
  readonly formerly?: readonly string[];
}

/** The terms of a list of taxonomy.json, and those that tables add to it. */
export class Terms {
  readonly list: TermList;
  readonly added: NewTerm[] = [];
  readonly joined: JoinedSpelling[] = [];
  /** The names of terms, and where each was found, by slug. */
  readonly #terms = new Map<string, { readonly name: string; readonly at: string }>();
  readonly #slugs = new Map<string, string>();
  readonly #seen = new Set<string>();

  constructor(list: TermList, known: readonly KnownTerm[]) {
    this.list = list;
    for (const { slug, name } of known) this.#terms.set(slug, { name, at: "taxonomy.json" });
    const names = [
      ...known.map(({ slug, name }) => [name, slug] as const),
      ...known.map(({ slug }) => [slug, slug] as const),
      ...known.flatMap(({ slug, formerly = [] }) => formerly.map((name) => [name, slug] as const)),
    ];
    // The first term that has a name keeps it.
    for (const [name, slug] of names.reverse()) this.#slugs.set(keyOf(name), slug);
  }

  /**
   * The slugs of the terms in a cell.
   * @param say receives what is wrong with them
   */
  slugsIn(cell: unknown, place: Place, say: (message: string) => void): string[] {
    const names = namesIn(cell, this.list === "categories");
    if (names === null) {
      say("is no list of terms");
      return [];
    }
    const slugs = names.map((name) => {
      // In a list, such a word stands for nothing. A cell that has no other text is warned of where cells are read.
      if (NULL_LIKE.includes(name) && cell !== name) {
        say(`found ${quote(name)} in a list of terms; leave it out`);
        return "";
      }
      if (!LEFT_OVER.test(name)) return this.#slug(name, place, say);
      say(`found ${quote(name)}, which has marks of a list; write terms with commas between them`);
      return "";
    });
    if (this.list === "categories" && slugs.length > 1) {
      say(`found ${slugs.length} categories, expected one at most`);
    }
    return [...new Set(slugs)].filter((slug) => slug !== "");
  }

  #slug(name: string, place: Place, say: (message: string) => void): string {
    const { list } = this;
    const known = this.#terms.has(name) ? name : this.#slugs.get(keyOf(name));
    if (known !== undefined) {
      const { name: first } = this.#terms.get(known) ?? { name: known };
      if (name === known || name === first || this.#seen.has(name)) return known;
      this.#seen.add(name);
      this.joined.push({ list, slug: known, name: first, spelling: name, ...place });
      return known;
    }
    const slug = slugOf(name);
    const other = this.#terms.get(slug);
    const remedy = `give it a slug of its own in a table of terms (import --as ${list})`;
    if (slug === "") {
      say(`found ${quote(name)}, of which no slug can be made; ${remedy}`);
    } else if (other !== undefined) {
      const taken = `as that of ${quote(other.name)} in ${other.at}`;
      say(`found ${quote(name)}, whose slug would be ${quote(slug)}, ${taken}; ${remedy}`);
    } else {
      this.#terms.set(slug, { name, at: `${place.file}:${place.line}` });
      this.#slugs.set(keyOf(name), slug);
      this.added.push({ list, slug, name, ...place });
    }
    return slug;
  }
}

/** What no name of a term has: brackets and bars, or quotes at both ends. */
const LEFT_OVER = /[[\]{}|"]|^'.*'$/;
/** An item of a list in brackets: in quotes, with escapes, or without; and what ends it. */
const ITEM = /\s*(?:"((?:[^"\\]|\\.|"")*)"\s*|'((?:[^'\\]|\\.|'')*)'\s*|([^"',\s][^,]*))(?:,|$)/gsy;

/**
 * The terms in a cell, as people and programs write them: with commas, semicolons or bars between them, or as a list in
 * JSON, Python or Postgres; null if the cell is nothing of that.
 * @param isOne whether a text without brackets is one term
 */
function namesIn(cell: unknown, isOne: boolean): string[] | null {
  const parts = Array.isArray(cell)
    ? cell
    : typeof cell === "string"
      ? textNames(cell, isOne)
      : null;
  if (parts === null || !parts.every((part) => typeof part === "string")) return null;
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function textNames(cell: string, isOne: boolean): unknown[] {
  const text = cell.trim();
  const [, inside] = /^\[(.*)\]$/s.exec(text) ?? /^\{(.*)\}$/s.exec(text) ?? [];
  if (inside !== undefined) {
    const json = parseJsonText(text);
    return "value" in json && Array.isArray(json.value) ? json.value : (itemsIn(inside) ?? [text]);
  }
  return isOne ? [text] : text.split(/[,;|]/);
}

/** The items of a list without its brackets; null if it is none. */
function itemsIn(inside: string): string[] | null {
  const items: string[] = [];
  let end = 0;
  for (const [match, double, single, bare] of inside.matchAll(ITEM)) {
    end += match.length;
    const quoted = double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'");
    items.push(quoted?.replace(/\\(.)/gs, "$1") ?? bare ?? "");
  }
  return end === inside.length || inside.trim() === "" ? items : null;
}
