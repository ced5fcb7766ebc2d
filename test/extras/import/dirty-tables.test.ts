import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Standards } from "../../../src/contract/standards.js";
import { Listing, Scan } from "../../../src/input/checking/schemas.js";
import { crawldex } from "../../cli/spawned.js";
import { temporaryFolder, writeFiles, writePublished } from "../../fixtures.js";
import { someOf } from "../../slow.js";
import { aDirtyTable, type DirtyTable } from "./dirty.js";

/*
 * Tables are drawn with their meaning, written as publishers write them, and imported. The meaning of the directory
 * afterwards is derived here from the meaning of the table, and from nothing that the import has.
 */

const ALL = Array.from({ length: 1_000 }, (_, i) => i + 1);
const SEEDS = process.env.SEED === undefined ? someOf(ALL, 50) : [Number(process.env.SEED)];

it.each(SEEDS)("imports what a dirty table means, or refuses it whole: SEED=%i", async (seed) => {
  const table = aDirtyTable(seed);
  const folder = await temporaryFolder();
  const published = join(folder, "published");
  if (table.before !== null) await writePublished(published, table.before);
  const own = JSON.stringify(table.updated, null, 2);
  if (table.updated !== null) await writeFiles(published, { "listings/deep/own.json": own });
  await writeFiles(folder, { [table.name]: table.bytes });
  const before = await filesOf(published);
  const args = ["import", ...table.options, table.name, "published", "--json"];
  const { code, stdout, stderr } = await crawldex(args, folder);
  const after = await filesOf(published);
  const what = table.refusal?.defect ?? "no defect";
  const shown = `${what}: ${args.join(" ")}\n${stdout}${stderr}\n${table.text}\n`;
  expect(code, shown).toBe(table.refusal === null ? 0 : 3);
  if (table.refusal === null) {
    expectKept(table, before, after, shown);
    expectMeaning(table, before, after, shown);
    const validated = await crawldex(["validate", "published"], folder);
    expect(validated.code, shown + validated.stderr).toBe(0);
  } else {
    expect(after, shown).toEqual(before);
    expectReasons(table, table.refusal, stdout + stderr, shown);
  }
});

type Files = Map<string, Buffer>;
type Given = Record<string, unknown>;
type Span = DirtyTable["lines"][number];

async function filesOf(folder: string): Promise<Files> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = names
    .filter((name) => name.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const read = files
    .sort()
    .map(async (file) => [file.slice(folder.length + 1), await readFile(file)] as const);
  return new Map(await Promise.all(read));
}

function jsonOf(files: Files, path: string) {
  return JSON.parse(String(files.get(path)));
}

/** An import adds files; an update changes the records that the table names, and no byte of others. */
function expectKept(
  { options, rows }: DirtyTable,
  before: Files,
  after: Files,
  shown: string,
): void {
  const named = options.includes("--update") ? rows.map((row) => row.get("host")) : [];
  const isKept = (text: string) => !named.includes(/"host": ?"([^"]*)/.exec(text)?.[1]);
  for (const [path, bytes] of before) {
    const records = path.endsWith(".json") ? [String(bytes)] : String(bytes).split("\n");
    const left = path.endsWith(".json")
      ? [String(after.get(path))]
      : String(after.get(path)).split("\n");
    if (path !== "taxonomy.json")
      expect(left, shown).toEqual(expect.arrayContaining(records.filter(isKept)));
    if (path !== "taxonomy.json" && records.every(isKept))
      expect(after.get(path), shown).toEqual(bytes);
  }
}

/** The directory has the records and terms that it had, and those of the table. */
function expectMeaning(table: DirtyTable, before: Files, after: Files, shown: string): void {
  const { kind } = table;
  const named = (terms: readonly { slug: string; name: string }[]) =>
    terms.map(({ slug, name }) => [slug, name]);
  for (const list of ["categories", "tags", "platforms"] as const) {
    const added = table.terms.filter((term) => term.list === list);
    const expected = named([...(table.before?.taxonomy[list] ?? []), ...added]);
    expect(named(jsonOf(after, "taxonomy.json")[list]), shown).toEqual(expected);
  }
  const standards: Standards = jsonOf(after, "standards.json");
  if (table.before === null) expectDrafts(table, standards);
  const records = new Map(recordsOf(before, kind));
  for (const row of table.rows) {
    const key = keyOf(Object.fromEntries(row));
    records.set(key, recordOf(kind, row, standards, records.get(key)));
  }
  const meaning = (each: Iterable<[string, Given]>) =>
    Object.fromEntries([...each].map(([key, record]) => [key, comparable(record, kind)]));
  expect(meaning(recordsOf(after, kind)), shown).toEqual(meaning(records));
}

/** The error names each row at fault, and no other line of the table. */
function expectReasons(
  { lines }: DirtyTable,
  { rows, says }: NonNullable<DirtyTable["refusal"]>,
  output: string,
  shown: string,
): void {
  const spans = rows.map((row) => lines[row]!);
  const named = [...output.matchAll(/table\.[a-z.]+:(\d+)/g)].map(([, line]) => Number(line));
  const isIn = (line: number, [first, last]: Span) => first <= line && line <= last;
  const missed = spans.filter((span) => !named.some((line) => isIn(line, span)));
  const wrong = named.filter((line) => !spans.some((span) => isIn(line, span)));
  expect({ missed, wrong }, shown).toEqual({ missed: [], wrong: [] });
  for (const text of says) expect(output, shown).toContain(text);
}

/** Without a check in standards.json, the columns of checks become checks without points. */
function expectDrafts({ rows }: DirtyTable, { checks }: Standards): void {
  const fields = rows.flatMap((row) => [...row.keys()]).filter((path) => path.startsWith("check."));
  for (const field of fields) {
    const id = field.slice("check.".length);
    const drafted = { block: null, ...checks.find((check) => check.id === id) };
    expect(drafted).toMatchObject({ id, kind: "capability", block: null, maxPoints: 0 });
  }
}

function keyOf({ host, id }: Given): string {
  return `${host} ${id ?? ""}`;
}

function recordsOf(files: Files, kind: string): [string, Given][] {
  return [...files].flatMap(([path, bytes]) => {
    const texts = path.endsWith(".json") ? [String(bytes)] : String(bytes).split("\n");
    const records = texts
      .filter((text) => path.startsWith(kind) && text !== "")
      .map((text) => JSON.parse(text));
    return records.map((record): [string, Given] => [keyOf(record), record]);
  });
}

/** The record that a row means: a new one, or the former one with the fields of the row. */
function recordOf(
  kind: DirtyTable["kind"],
  row: ReadonlyMap<string, unknown>,
  standards: Standards,
  former?: Given,
): Given {
  const checks: Given[] = [];
  // Without a score, there is no methodology that gave it.
  const scoreVersion = row.get("score") === undefined ? null : standards.rubric.version;
  const filled =
    kind === "listings" ? { status: "unclaimed" } : { status: "complete", scoreVersion, checks };
  const record: Given = former === undefined ? filled : structuredClone(former);
  for (const [path, means] of row) {
    const [first = "", second] = path.split(".");
    if (first === "check") checks.push(...checkOf(standards, second, means));
    else if (second !== undefined)
      record[first] = Object.assign(record[first] ?? {}, { [second]: means });
    else if (path === "finishedAt") record[path] = new Date(Number(means)).toISOString();
    else if (path !== "url of host") record[path] = means;
    else if (kind === "listings") record.url ??= means;
  }
  return record;
}

function checkOf({ checks }: Standards, id: string | undefined, status: unknown): Given[] {
  const check = checks.find((each) => each.id === id);
  if (status === undefined || check === undefined) return [];
  const { version = 1, name: label, title = label, kind, block = null, maxPoints } = check;
  const lost = kind === "penalty" && status === "fail" ? -check.weight : 0;
  const points = status === "pass" ? maxPoints : lost;
  return [
    {
      checkId: id,
      checkVersion: version,
      title,
      label,
      kind,
      block,
      status,
      points,
      maxPoints,
      details: {},
    },
  ];
}

/** Equal for records that mean the same. */
function comparable(given: Given, kind: DirtyTable["kind"]): Given {
  if (kind === "listings") {
    const listing = Listing.parse(given);
    const url = new URL(listing.url);
    url.hostname = url.hostname.replace(/\.$/, "");
    return { ...listing, url: url.href };
  }
  const scan = Scan.parse(given);
  const checks = scan.checks.map((check) => ({ ...check, lifecycle: null }));
  checks.sort((a, b) => (a.checkId < b.checkId ? -1 : 1));
  return { ...scan, checks, finishedAt: Date.parse(scan.finishedAt) };
}
