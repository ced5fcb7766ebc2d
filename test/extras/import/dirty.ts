import { gzipSync } from "node:zlib";
import {
  aListing,
  aPublishedDirectory,
  type PublishedFiles,
  theStandards,
} from "../../fixtures.js";
import { chance, pick, seeded, shuffled, whole } from "../../oracle/random.js";

/** What a cell looks like in CSV and in JSON, and what it means: `undefined` is empty, `null` is without limit. */
interface Cell {
  readonly text: string;
  readonly json?: unknown;
  readonly means?: unknown;
}
interface Column {
  /** Path of the field, `check.<id>`, or null if it is to be left out. */
  readonly field: string | null;
  header: string;
  readonly cells: Cell[];
}
export interface NewTerm {
  readonly list: string;
  readonly slug: string;
  readonly name: string;
  row: number;
}
/** A table as publishers have them, its meaning, and why it is refused if it has a defect. */
export interface DirtyTable {
  /** The directory that is there before; null if none is. */
  readonly before: PublishedFiles | null;
  readonly kind: "listings" | "scans";
  readonly name: string;
  readonly text: string;
  readonly bytes: Buffer;
  readonly options: readonly string[];
  /** A listing that lies in a file of its own before, if the table is an update. */
  readonly updated: PublishedFiles["listings"][number] | null;
  /** The meaning of each row, by path of the field; undefined is empty. */
  readonly rows: readonly ReadonlyMap<string, unknown>[];
  readonly terms: readonly NewTerm[];
  /** First and last line of each row; the header's is at the end. */
  readonly lines: readonly Span[];
  readonly refusal: Refusal | null;
}
/** The rows that the error names (the one after the last is the header), and texts that it has. */
interface Refusal {
  readonly defect: string;
  readonly rows: readonly number[];
  readonly says: readonly string[];
}
type Random = () => number;
type Span = readonly [first: number, last: number];

const HOSTS = [
  ["peas.example"],
  ["stars.example.org"],
  ["www2.a-b.example"],
  ["xn--bcher-kva.example", "bücher.example", "BÜCHER.example"],
  ["xn--strae-oqa.example", "straße.example"],
  ["xn--d1acpjx3f.xn--p1ai", "яндекс.рф", "ЯНДЕКС.рф"],
  ["x1.example.co.uk"],
  ["peas.example.net"],
] as const;

/** Slugs, as a reader would expect them, and spellings that are one name. */
const WORDS: readonly (readonly [slug: string, ...spellings: string[]])[] = [
  ["open-data", "Open Data", "open data", "OPEN_DATA", "open-data", "Ｏpen Data"],
  ["c", "C", "c"],
  ["c-plus-plus", "C++", "c++"],
  ["c-sharp", "C#", "c#"],
  ["f-sharp", "F#"],
  ["dot-net", ".NET", ".Net"],
  ["node-js", "Node.js", "NODE.JS"],
  ["bucher", "Bücher", "BÜCHER", "Bu\u0308cher"],
  ["lodz", "Łódź", "łódź"],
  ["ol", "Øl", "øl"],
  ["strasse", "Straße", "straße"],
  ["guides", "guides", "GUIDES"],
  ["house-and-garden", "House and garden", "house-and-garden"],
  ["q-a", "Q&A", "q&a"],
  ["100", "100%"],
  ["a-b-testing", "A/B testing", "A/B-Testing"],
  ["emigre", "Émigré"],
];
const TEXTS = [
  "Peas",
  "Bücher & mehr",
  'Say "hi"',
  "a, b; c | d",
  "007",
  "1e5",
  "true",
  "=1+1",
  "0",
  "Ünïted – “quoted”",
  "東京 🚀",
  "NULL",
  "N/A",
  "nan",
  "it's",
  "[draft]",
  "{a}",
  "tab\there",
  "back\\slash",
  '"',
  "''",
  "#1",
  "1,5",
  "<b>x</b>",
  "sep=;",
];

/** Draws what a table has, and keeps what is known of terms. */
class Draw {
  readonly terms: NewTerm[] = [];
  private readonly named = new Map<string, { slug: string; spellings: readonly string[] }>();
  readonly random: Random;
  readonly nullWord: string;
  readonly isUpdate: boolean;
  readonly empties: readonly Cell[];

  constructor(random: Random, before: PublishedFiles | null, nullWord: string, isUpdate: boolean) {
    this.random = random;
    this.nullWord = nullWord;
    const absent = isUpdate ? { text: "", json: null } : { text: "" };
    this.isUpdate = isUpdate;
    this.empties = [absent, { text: "\\N", json: null }, { text: nullWord, json: nullWord }];
    for (const list of ["categories", "tags", "platforms"] as const) {
      for (const { slug, name } of before?.taxonomy[list] ?? []) {
        const word = WORDS.find((each) => each[0] === slug || each[1] === name);
        const [, ...spellings] = word ?? [];
        const known = spellings.includes(name) ? [...spellings, slug] : [slug];
        if (word !== undefined) this.named.set(`${list} ${word[0]}`, { slug, spellings: known });
      }
    }
  }

  of<T>(values: readonly T[]): T {
    return pick(this.random, values);
  }

  text(texts: readonly string[] = TEXTS): Cell {
    const text = this.of(texts);
    return { text, json: text, means: text === this.nullWord ? undefined : text };
  }

  number(value: number): Cell {
    const text = value < 1e9 ? this.of([String(value), value.toFixed(3)]) : String(value);
    return { text, json: this.of([value, text]), means: value };
  }

  flag(words: readonly (readonly [unknown, string])[]): Cell {
    const [means, word] = this.of(words);
    const text = this.of([word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)]);
    const json = typeof means === "boolean" ? this.of([means, text]) : text;
    return { text, json, means: text === this.nullWord ? undefined : means };
  }

  time(day: number): Cell {
    const date = `2026-0${whole(this.random, 1, 9)}-${String(day + 1).padStart(2, "0")}`;
    const at = (text: string, iso: string) => ({ text, json: text, means: Date.parse(iso) });
    if (chance(this.random, 0.2)) return at(date, `${date}T00:00:00Z`);
    const clock = this.of(["10:00", "00:30:00", "23:59:59.5", "10:00:07"]);
    const offsets = "/Z Z/Z _UTC/Z _GMT/Z +02/+02:00 -05:30/-05:30 +0200/+02:00".split(" ");
    const [shown = "", offset] = this.of(offsets).replace("_", " ").split("/");
    return at(`${date}${this.of([" ", "T"])}${clock}${shown}`, `${date}T${clock}${offset}`);
  }

  /** A host in any spelling; it means the host and the address. */
  host(names: readonly string[]): Cell {
    const name = this.of([...names, names[0]!.toUpperCase()]);
    const text = this.of([
      name,
      name,
      `www.${name}`,
      `${name}.`,
      `https://${name}`,
      `https://www.${name}/a?b=c`,
      `http://${name}:8080/`,
      `${name}:8080`,
      `HTTPS://${name}./`,
      `${name}/start`,
    ]);
    const url = new URL(/^https?:/i.test(text) ? text : `https://${text}`).href;
    return { text, json: text, means: [names[0], url.replace(/\.(?=[:/]|$)/, "")] };
  }

  /** A list of terms in any form; a category is one term. */
  list(list: string, row: number): Cell {
    const most = list === "categories" ? 1 : 3;
    const words = shuffled(this.random, WORDS).slice(0, whole(this.random, most % 3, most));
    const spelled = words.map((word) => this.term(list, word, row));
    const names = spelled.map(([spelling]) => spelling);
    const forms = [JSON.stringify(names), `['${names.join("', '")}']`];
    if (names.length === 0) forms[1] = "[]";
    forms.push(`{${names.map((each) => (/^\w+$/.test(each) ? each : `"${each}"`)).join(",")}}`);
    for (const separator of [",", ", ", ";", "; ", "|", " | "]) forms.push(names.join(separator));
    const text = this.of(forms);
    const slugs = spelled.map(([, slug]) => slug);
    return { text, json: this.of([names, text]), means: most === 1 ? slugs[0] : slugs };
  }

  private term(list: string, [slug, ...spellings]: (typeof WORDS)[number], row: number) {
    const known = this.named.get(`${list} ${slug}`);
    const spelling = this.of(known?.spellings ?? spellings);
    if (known === undefined) {
      this.named.set(`${list} ${slug}`, { slug, spellings });
      this.terms.push({ list, slug, name: spelling, row });
    }
    return [spelling, known?.slug ?? slug] as const;
  }
}

const spelled = (means: unknown, words: string) =>
  words.split(" ").map((word) => [means, word] as const);
const BOOLEANS = [...spelled(true, "true t yes y 1"), ...spelled(false, "false f no n 0")];
const RESULTS = [
  ...spelled("pass", "pass true yes 1"),
  ...spelled("fail", "fail false no 0"),
  ...spelled("warn", "warn"),
  ...spelled("na", "na n/a skip skipped"),
];
type Field = (draw: Draw, row: number) => Cell;
const NEVER_EMPTY = new Set(["status", "id", "finishedAt", "scoreVersion"]);
/** Columns that get usual values if the table has none. */
const MAY_BE_FILLED = new Set(["status", "scoreVersion"]);

const FIELDS: Readonly<Record<"listings" | "scans", Readonly<Record<string, Field>>>> = {
  listings: {
    url: (draw) => draw.text(["https://a.example/b", "http://www.b.example/?c"]),
    name: (draw) => draw.text(),
    tagline: (draw) => draw.text(),
    description: (draw) => draw.text([...TEXTS, "two\nlines", 'a\r\n\r\n"b"']),
    status: (draw) => draw.text(["claimed", "unclaimed"]),
    visibility: (draw) => draw.text(["listed", "opted-out", "removed"]),
    category: (draw, row) => draw.list("categories", row),
    tags: (draw, row) => draw.list("tags", row),
    platforms: (draw, row) => draw.list("platforms", row),
    linkRel: (draw) => draw.text(["ugc", "nofollow"]),
    logoUrl: (draw) => draw.text(["https://img.example/a.png?x=1,2", "http://img.example/é"]),
    "entitlements.history": (draw) => draw.flag(BOOLEANS),
    "entitlements.fixPrompts": (draw) =>
      draw.of([draw.number(3), { ...draw.text(["all", "unlimited"]), means: null }]),
  },
  scans: {
    id: (draw, row) => draw.text([`scan-${row}`, `${row}`]),
    finishedAt: (draw, row) => draw.time(row),
    status: (draw) => draw.text(["complete"]),
    score: (draw) => draw.number(whole(draw.random, 0, 100)),
    scoreVersion: (draw) => draw.text(["2025", "1.10"]),
    summary: (draw) => draw.text(),
    block1: (draw) => draw.number(draw.of([0, 12.5, 60, 0.125])),
    penalties: (draw) => draw.number(draw.of([0, 5, 2.5])),
    "stats.pagesScanned": (draw) => draw.number(draw.of([1, 40, 9_007_199_254_740_991])),
    "check.https": (draw) => draw.flag(RESULTS),
    "check.sitemap": (draw) => draw.flag(RESULTS),
    "check.bot-wall": (draw) => draw.flag(RESULTS),
    "check.mcp": (draw) => draw.flag(RESULTS),
  },
};

/** The directory that is there before: it knows some of the words, by slug or by name. */
function directoryBefore(random: Random, isUpdate: boolean): PublishedFiles {
  const known = () =>
    shuffled(random, WORDS)
      .slice(0, 4)
      .map(([slug, name = ""], order) => {
        const entry = chance(random, 0.5)
          ? { slug, name: `Word ${order}` }
          : { slug: `x-${order}`, name };
        return { ...entry, group: "topic", order };
      });
  const standards = theStandards();
  standards.checks = standards.checks.map((check) =>
    check.kind === "penalty" || check.kind === "capability"
      ? { ...check, maxPoints: 0, weight: check.kind === "penalty" ? 5 : 0 }
      : check,
  );
  const platforms = known().map(({ slug, name }) => ({ slug, name }));
  const taxonomy = { categories: known(), tags: known(), platforms };
  taxonomy.tags.push({ slug: "taken", name: "Another name", group: "topic", order: 9 });
  const listings = [aListing({ host: "known.example" })];
  const entitlements = { history: true, fixPrompts: 7 };
  const rich = { name: "Old", tagline: "Old", tags: ["taken"], hosting: "Old", entitlements };
  if (isUpdate) listings.push(...HOSTS.slice(0, 3).map(([host]) => aListing({ host, ...rich })));
  return aPublishedDirectory({ standards, taxonomy, listings, scans: [] });
}

/** Each gives a cell of one field that is an error, and what the error says besides its line. */
const BAD_CELLS: Readonly<Record<string, readonly [string, readonly unknown[], ...string[]]>> = {
  "a mail address as host": ["host", ["info@mail.example", "mailto:info@mail.example"]],
  "a host with a password": ["host", ["https://user:secret@peas.example/"]],
  "no host": ["host", ["two words", "-", "", "https://"]],
  "a site that is there already": [
    "host",
    ["www.Known.example"],
    "listings/all.ndjson:1",
    "--update",
  ],
  "an inexact number": ["stats.pagesScanned", ["#9007199254740993#", "12345678901234567890"]],
  "an inexact number of prompts": ["entitlements.fixPrompts", ["#9007199254740993#"]],
  "a decimal comma": ["block1", ["3,5", "1.200,00"]],
  "a word as number": ["score", ["60 %", "sixty", "101", "NULL", "nan"]],
  "a bad time": [
    "finishedAt",
    ["01.09.2026 10:00", "2026-13-01", "2026-02-30", "2026-09-01 25:00", "now"],
  ],
  "a bracket in a tag": ["tags", ["[draft", "a]b", "x}", 'a "b" c', "{a", "['a', 'b'"]],
  "a bar in a category": ["category", ["a|b", "[x", '"News']],
  "two categories": ["category", ['["News","Maps"]', "{News,Maps}", "['News', 'Maps']"]],
  "a tag without a slug": ["tags", ["???", "!"]],
  "a slug of another tag": ["tags", ["Tàken"], "taken"],
  "a word as flag": ["entitlements.history", ["maybe", "2"]],
  "a word as result": ["check.https", ["maybe", "passed?"]],
  "an unknown visibility": ["visibility", ["hidden"]],
};
const ONE_SLUG = [
  "Käse/Kase",
  "R&D/R D",
  "D++/D plus plus",
  "Go./Go",
  ".ORG/dot org",
  "X#/X sharp",
];

const HOST_NAMES = ["host", "Host", "domain", "Domain", "hostname", "HOST"];

function headerOf(draw: Draw, field: string, options: string[]): string {
  if (chance(draw.random, 0.15)) {
    const foreign = `${draw.of(["Feld", "Größe", "a, b", "x=y", "Name of it"])} ${options.length}`;
    options.push("--map", `${foreign.replace(/[,=]/g, "\\$&")}=${field}`);
    return foreign;
  }
  if (field === "host") return draw.of(HOST_NAMES);
  if (field.startsWith("check.")) return field;
  const words = field.replace(/(?<=[a-z])(?=[A-Z])/g, " ").split(" ");
  const lower = words.join("_").toLowerCase();
  const isDeep = field.includes(".");
  return draw.of([field, lower, lower.toUpperCase(), isDeep ? lower : words.join(" ")]);
}

/** Columns in any order: the host, some fields, and some that fit none. */
function columnsOf(draw: Draw, kind: "listings" | "scans", needed: string, options: string[]) {
  const fields = Object.keys(FIELDS[kind]).filter(
    (field) => field === needed || NEVER_EMPTY.has(field) || chance(draw.random, 0.5),
  );
  const isUrl =
    kind === "listings" && !["host", "url"].includes(needed) && chance(draw.random, 0.3);
  const columns: Column[] = fields
    .filter((field) => !MAY_BE_FILLED.has(field) || chance(draw.random, 0.6))
    .filter((field) => !isUrl || field !== "url")
    .map((field) => ({
      field,
      header: field === needed ? field : headerOf(draw, field, options),
      cells: [],
    }));
  const addresses = ["url", "URL", "link", "website", "homepage", "address", "site"];
  const header = isUrl ? draw.of(addresses) : headerOf(draw, "host", options);
  columns.push({ field: "host", header, cells: [] });
  for (const extra of ["Remarks", "internal note", "zz1", ""]) {
    if (!chance(draw.random, 0.25)) continue;
    columns.push({ field: null, header: extra, cells: [] });
    if (extra !== "" && chance(draw.random, 0.5)) options.push("--map", `${extra}=`);
  }
  return shuffled(draw.random, columns);
}

function fill(draw: Draw, kind: "listings" | "scans", columns: readonly Column[], count: number) {
  const hosts = shuffled(draw.random, HOSTS);
  for (let row = 0; row < count; row += 1) {
    for (const { field, cells } of columns) {
      const host = hosts[kind === "scans" ? row >> 1 : row]!;
      const make = FIELDS[kind][field ?? ""] ?? (() => draw.text());
      // A listing cannot lose its address.
      const isKept = NEVER_EMPTY.has(field ?? "") || (draw.isUpdate && field === "url");
      const isEmpty = !isKept && chance(draw.random, 0.2);
      if (field === "host") cells.push(draw.host(host));
      else cells.push(isEmpty ? draw.of(draw.empties) : make(draw, row));
    }
  }
}

function meaningOf(columns: readonly Column[], row: number): Map<string, unknown> {
  const meaning = new Map<string, unknown>();
  for (const { field, header, cells } of columns) {
    const { means } = cells[row]!;
    if (field === "host") {
      const [host, url] = means as [string, string];
      meaning.set("host", host);
      meaning.set(HOST_NAMES.includes(header) || header.includes(" ") ? "url of host" : "url", url);
    } else if (field !== null && (field !== "url" || means !== undefined)) {
      meaning.set(field, means);
    }
  }
  return meaning;
}

/** Puts the defect into the table. */
function spoil(draw: Draw, defect: string, columns: Column[], count: number): Refusal {
  const row = whole(draw.random, 0, count - 1);
  const cellsOf = (field: string) => columns.find((each) => each.field === field)!.cells;
  const [field, texts, ...says] = BAD_CELLS[defect] ?? [];
  if (field !== undefined && texts !== undefined) {
    const text = String(draw.of(texts));
    cellsOf(field)[row] = { text: text.replaceAll("#", ""), json: text };
    return { defect, rows: [row], says };
  }
  if (defect === "two spellings of one site") {
    for (const { cells } of columns) cells.push(cells[row]!);
    cellsOf("host").push(draw.host([String((cellsOf("host").pop()!.means as string[])[0])]));
    return { defect, rows: [row, count], says: [] };
  }
  if (defect === "two tags with one slug") {
    const names = shuffled(draw.random, draw.of(ONE_SLUG).split("/"));
    const rows = [row, (row + 1) % count].sort((a, b) => a - b);
    for (const [i, each] of rows.entries()) {
      cellsOf("tags")[each] = { text: names[i]!, json: names[i] };
    }
    return { defect, rows, says: names };
  }
  if (defect === "two columns of one field") {
    columns.push({ field: null, header: "NAME", cells: [...cellsOf("name")] });
    return { defect, rows: [count], says: ["name", "NAME"] };
  }
  if (defect === "a check that standards.json lacks") {
    columns.push({ field: null, header: "check.htps", cells: cellsOf("check.https") });
    return { defect, rows: [count], says: ["htps", "https"] };
  }
  if (defect === "a quote that is not closed") {
    columns.at(-1)!.cells[count - 1] = { text: "\uE001Peas" };
    return { defect, rows: [count - 1], says: [] };
  }
  const { cells } = columns.findLast(({ header }) => header !== "")!;
  cells[row] = { text: "B\uE000cher", json: "B\uE000cher" };
  return { defect, rows: [row], says: ["--encoding"] };
}

interface Form {
  readonly json: "array" | "pretty" | "lines" | "wrapped" | null;
  readonly delimiter: string;
  readonly eol: string;
  readonly isQuoted: boolean;
  readonly encoding: string;
}

function formOf(random: Random, defect: string): Form {
  const isRaw = defect === "a quote that is not closed";
  const isBytes = defect === "a byte that is not UTF-8";
  const isCsv = isRaw || chance(random, 0.65);
  const json = isCsv ? null : pick(random, ["array", "pretty", "lines", "wrapped"] as const);
  const encodings = ["utf-8", "utf-8", "utf-8 bom", "utf-16le", "utf-16be"];
  if (json === null) encodings.push("windows-1252", "windows-1252");
  return {
    json,
    delimiter: pick(random, [",", ",", ";", "\t", "|"]),
    eol: pick(random, isBytes ? ["\n", "\r\n"] : ["\n", "\r\n", "\r"]),
    isQuoted: !isRaw && chance(random, 0.3),
    encoding: isBytes ? "utf-8" : pick(random, encodings),
  };
}

/** A text that knows its lines. */
class Written {
  text = "";
  private line = 1;

  add(piece: string): Span {
    const first = this.line;
    this.text += piece;
    this.line += piece.match(/\r\n|\r|\n/g)?.length ?? 0;
    return [first, this.line];
  }
}

function writeCsv(random: Random, columns: readonly Column[], count: number, form: Form) {
  const { delimiter, eol, isQuoted } = form;
  const quoted = (text: string) =>
    isQuoted || text.includes(delimiter) || /["\r\n]|^sep=/.test(text)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const written = new Written();
  if (chance(random, 0.2)) written.add(`sep=${delimiter}${eol}`);
  const header = written.add(columns.map((column) => quoted(column.header)).join(delimiter));
  const lines: Span[] = [];
  for (let row = 0; row < count; row += 1) {
    if (chance(random, 0.15))
      written.add(eol + delimiter.repeat(chance(random, 0.5) ? columns.length - 1 : 0));
    written.add(eol);
    lines.push(written.add(columns.map(({ cells }) => quoted(cells[row]!.text)).join(delimiter)));
  }
  written.add(pick(random, ["", eol, eol + eol]));
  return { text: written.text, lines: [...lines, [1, header[1]] as const] };
}

function jsonOf(columns: readonly Column[], row: number) {
  const record: Record<string, unknown> = {};
  for (const { header, cells } of columns) {
    const { json } = cells[row]!;
    // A record may lack what is empty, as long as another one has it.
    if (header !== "") record[header] = json === undefined && row === 0 ? null : json;
  }
  return record;
}

function writeJson(_: Random, columns: readonly Column[], count: number, { json, eol }: Form) {
  const written = new Written();
  const [start, between, end] =
    json === "lines" ? ["", eol === "\r" ? "\n" : eol, "\n"] : ["[", ",", "]"];
  written.add(json === "wrapped" ? `{"count":${count},"next":null,"entries":${start}` : start);
  const lines: Span[] = [];
  for (let row = 0; row < count; row += 1) {
    const text = JSON.stringify(jsonOf(columns, row), null, json === "pretty" ? 2 : 0);
    if (row > 0) written.add(between);
    lines.push(written.add(text.replace(/"#(\d+)#"/g, "$1")));
  }
  written.add(json === "wrapped" ? `${end}}` : end);
  return { text: written.text, lines: [...lines, [1, count * 99] as const] };
}

const WINDOWS_1252 = { "€": 0x80, "“": 0x93, "”": 0x94, "–": 0x96 } as Record<string, number>;

function bytesOf(text: string, encoding: string, options: string[]): Buffer {
  if (encoding.startsWith("utf-16")) {
    const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
    return encoding === "utf-16be" ? bytes.swap16() : bytes;
  }
  const codes = [...text].map((letter) => WINDOWS_1252[letter] ?? letter.charCodeAt(0));
  if (encoding === "windows-1252" && codes.every((code) => code < 256)) {
    options.push("--encoding", "windows-1252");
    return Buffer.from(codes);
  }
  const bytes = Buffer.from(encoding === "utf-8 bom" ? `\uFEFF${text}` : text);
  return Buffer.from(bytes.toString("latin1").replaceAll("\xEE\x80\x80", "\xFC"), "latin1");
}

/** Defects of more than a cell, and the field that they need. */
const OTHER_DEFECTS: Readonly<Record<string, string | undefined>> = {
  "two spellings of one site": "host",
  "two tags with one slug": "tags",
  "two columns of one field": "name",
  "a check that standards.json lacks": "check.https",
  "a quote that is not closed": undefined,
  "a byte that is not UTF-8": undefined,
};
const DEFECTS = [...Object.keys(BAD_CELLS), ...Object.keys(OTHER_DEFECTS)];

/** Chooses what the table is about: half of the directories, or more, are there before. */
function subjectOf(random: Random) {
  const defect = chance(random, 0.4) ? pick(random, DEFECTS) : "";
  const spoiled = BAD_CELLS[defect]?.[0] ?? OTHER_DEFECTS[defect];
  const kinds = (["listings", "scans"] as const).filter(
    (each) => spoiled === undefined || spoiled === "host" || spoiled in FIELDS[each],
  );
  const mustExist = /there already|another tag|lacks/.test(defect);
  const kind = defect.includes("already") ? "listings" : pick(random, kinds);
  const needed = spoiled ?? pick(random, Object.keys(FIELDS[kind]));
  return { defect, kind, needed, mustExist };
}

/** The table of a seed: two of five have a defect. */
export function aDirtyTable(seed: number): DirtyTable {
  const random = seeded(seed);
  const { defect, kind, needed, mustExist } = subjectOf(random);
  const isUpdate = defect === "" && kind === "listings" && chance(random, 0.3);
  const mustBe = isUpdate || mustExist;
  const before = mustBe || chance(random, 0.6) ? directoryBefore(random, isUpdate) : null;
  const updated = (isUpdate && before?.listings.pop()) || null;
  const nullWord = defect === "" ? pick(random, ["", "", "", "NULL", "N/A", "-"]) : "";
  const options = nullWord === "" ? [] : ["--null", nullWord];
  if (isUpdate) options.push("--update");
  const draw = new Draw(random, before, nullWord, isUpdate);
  const columns = columnsOf(draw, kind, needed, options);
  const count = whole(random, 2, 6);
  fill(draw, kind, columns, count);
  const rows = Array.from({ length: count }, (_, row) => meaningOf(columns, row));
  const refusal = defect === "" ? null : spoil(draw, defect, columns, count);
  const form = formOf(random, defect);
  const write = form.json === null ? writeCsv : writeJson;
  const { text, lines } = write(random, columns, columns[0]!.cells.length, form);
  if (chance(random, 0.3)) options.push("--as", kind);
  const written = bytesOf(text.replaceAll("\uE001", '"'), form.encoding, options);
  const isZipped = chance(random, 0.15);
  return {
    before,
    updated,
    kind,
    options,
    rows,
    refusal,
    terms: draw.terms,
    lines,
    text,
    name: `table.${endingOf(form)}${isZipped ? ".gz" : ""}`,
    bytes: isZipped ? gzipSync(written) : written,
  };
}

function endingOf({ json, delimiter }: Form): string {
  if (json !== null) return json === "lines" ? "ndjson" : "json";
  return delimiter === "\t" ? "tsv" : "csv";
}
