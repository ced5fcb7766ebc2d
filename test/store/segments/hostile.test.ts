import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it, vi } from "vitest";
import type { SiteSummary } from "../../../src/contract/listing.js";
import { inflatePage as inflateInBrowser } from "../../../src/fetch/bytes.js";
import { StoreWriteError } from "../../../src/files/disk.js";
import { BadColumnsError } from "../../../src/store/columns/file.js";
import { NO_SCORE } from "../../../src/store/columns/listings.js";
import { summaryJson } from "../../../src/store/columns/summaries.js";
import { inflatePage } from "../../../src/store/segments/set.js";
import { openTable, openTableLater } from "../../../src/store/segments/table.js";
import { BadTableError } from "../../../src/store/segments/thrift.js";
import { writeTable } from "../../../src/store/segments/write-table.js";
import { chance } from "../../crash/repetitions.js";
import { byteMutants } from "../../crash/store-mutants.js";
import { repeated, slowIt } from "../../slow.js";

/** Level 0 leaves pages as they are, so that a mutant of any byte of the file can be read. */
const LEVEL = vi.hoisted(() => ({ level: 6 as 0 | 6 }));
vi.mock("fflate", async (original) => {
  const fflate = await original<typeof import("fflate")>();
  return {
    ...fflate,
    gzipSync: (page: Uint8Array) => fflate.gzipSync(page, { mtime: 0, ...LEVEL }),
  };
});

const TERM = { slug: "weather", name: "Weather", group: "Sky", order: 1 };
const TERMS = { categories: [TERM], tags: [TERM, { ...TERM, slug: "maps", name: "Maps" }] };
const ROWS = 24;

const SUMMARIES = Array.from({ length: ROWS }, (_, row): SiteSummary => {
  const host = `${String.fromCharCode(97 + row)}.example`;
  return {
    host,
    url: `https://${host}/`,
    name: row % 3 === 0 ? null : `Näme ${row % 4}`,
    tagline: null,
    status: "listed",
    latestScore: row % 5 === 0 ? null : row,
    latestBand: null,
    latestScoreVersion: "1",
    latestScannedAt: row % 2 === 0 ? null : `2026-01-01T00:00:0${row % 3}Z`,
    platforms: ["web", "ios"].slice(row % 3),
    hosting: null,
    linkRel: "ugc",
    category: row % 2 === 0 ? TERM : null,
    tags: TERMS.tags.slice(row % 3),
    capabilities: [],
    logoUrl: null,
    ogImageUrl: null,
    highlighted: row % 7 === 0,
  };
});

/** Reads all rows of a table, as a server or a browser does. */
function read(bytes: Uint8Array, rows: number, inflate: typeof inflatePage) {
  const table = openTable(bytes, { rows }, TERMS, inflate);
  return { hosts: table.hosts, ...table.rows(Uint32Array.from(table.hosts.keys())) };
}

/** What is found in a table: its rows, whose columns fit together, or why it is refused. */
function outcomeOf(bytes: Uint8Array, rows = ROWS): string {
  try {
    return contentOf(read(bytes, rows, inflatePage));
  } catch (error) {
    if (!(error instanceof BadTableError)) throw error;
    return error.message;
  }
}

function contentOf({
  hosts,
  size,
  summaries,
  scores,
  filters,
  units,
  fields,
}: ReturnType<typeof read>) {
  const rows = Array.from({ length: size }, (_, row) => JSON.parse(summaryJson(summaries, row)));
  expect(rows.map(({ host }) => host)).toEqual(hosts);
  expect(hosts).toEqual([...new Set(hosts)].sort());
  expect(scores.every((score) => score <= 100 || score === NO_SCORE)).toBe(true);
  for (const { values, starts, places } of Object.values(filters)) {
    expect([starts.length, starts.at(-1)]).toEqual([size + 1, places.length]);
    expect(places.every((place) => place < values.length)).toBe(true);
  }
  expect([fields.length, fields.at(-1)]).toEqual([3 * size + 1, units.length]);
  return JSON.stringify(rows);
}

/** Milliseconds of this process's processor time: other processes may slow the clock. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs an action, which may take so much time and so many MiB more than the process had at its most. */
function bounded<T>(what: string, milliseconds: number, mebibytes: number, action: () => T): T {
  const [peak, start] = [process.resourceUsage().maxRSS, processorTime()];
  const result = action();
  expect.soft(processorTime() - start, `${what}: milliseconds`).toBeLessThan(milliseconds);
  const grown = (process.resourceUsage().maxRSS - peak) / 1024;
  expect.soft(grown, `${what}: MiB`).toBeLessThan(mebibytes);
  return result;
}

describe.each([0, 6] as const)("a table at level %s of gzip, with any byte changed", (level) => {
  it("is refused, or has rows whose columns fit together, in bounded time and memory", () => {
    LEVEL.level = level;
    const good = writeTable(SUMMARIES);
    LEVEL.level = 6;
    expect(JSON.parse(outcomeOf(good))).toEqual(SUMMARIES);
    const found = { refused: 0, read: 0 };
    const step = repeated(level === 0 ? 20 : 50, 1);
    for (const { name, bytes } of byteMutants(good, step, chance(`tables ${level}`))) {
      const mutant = bytes();
      const outcome = bounded(name, 1_000, 128, () => outcomeOf(mutant));
      found[outcome.startsWith("[") ? "read" : "refused"] += 1;
    }
    expect(Math.min(found.refused, found.read)).toBeGreaterThan(50);
  });
});

type Columns = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["columnData"]>;
type Schema = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["schema"]>;
const LISTS = ["platforms", "tags", "capabilities"];

interface Forgery {
  readonly rows?: number;
  /** By column, the value of each row. Undefined leaves the column out. */
  readonly columns?: Readonly<Record<string, ((row: number) => unknown) | undefined>>;
  readonly gzip?: (page: Uint8Array) => Uint8Array;
  readonly type?: "INT64";
}

/** A table that our writer would not write. */
function forged({
  rows = ROWS,
  columns = {},
  gzip = (page) => gzipSync(page, { level: 1 }),
  type,
}: Forgery): Uint8Array {
  const good: Required<Forgery>["columns"] = Object.fromEntries(
    ["host", "url", "status", "linkRel"].map((name) => [name, (row: number) => hostOf(row)]),
  );
  const all = Object.entries({ ...good, ...columns }).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [{ name, data: Array.from({ length: rows }, (_, row) => value(row)) }],
  );
  const bytes = { type: "BYTE_ARRAY", repetition_type: "REQUIRED" } as const;
  const schema: Schema = all.flatMap(({ name }): Schema => {
    if (name === "latestScore")
      return [{ name, type: type ?? "INT32", repetition_type: "OPTIONAL" }];
    if (!LISTS.includes(name)) return [{ ...bytes, name }];
    return [
      { name, repetition_type: "REQUIRED", converted_type: "LIST", num_children: 1 },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      { name: "element", ...bytes },
    ];
  });
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: all as Columns,
      schema: [{ name: "listings", num_children: all.length }, ...schema],
      codec: "GZIP",
      compressors: { GZIP: gzip },
      statistics: false,
      pageSize: 2 ** 31,
      rowGroupSize: 2 ** 31,
    }),
  );
}

const text = (value: string) => Buffer.from(value);
const hostOf = (row: number) => text(`${String(row).padStart(7, "0")}.example`);

/** A good table with another footer. */
function withFooter(footer: Uint8Array): Uint8Array {
  const end = Buffer.from("0000PAR1");
  end.writeUInt32LE(footer.length);
  return Buffer.concat([forged({}), footer, end]);
}

/** Thrift: a field that is a list of a list and so on, of empty structs. */
const nested = (depth: number, length: number) =>
  Buffer.concat([
    Buffer.of(0x49),
    ...Array.from({ length: depth }, () => Buffer.of(0xf9, 0xff, 0xff, 0x03)),
    Buffer.of(0xfc, 0xff, 0xff, 0x03),
    Buffer.alloc(length),
  ]);

const LONG = text("x".repeat(1024 * 1024));
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));

const HOSTILE: Readonly<Record<string, [bytes: () => Uint8Array, refusal: RegExp, rows?: number]>> =
  {
    "more rows in the manifest than in the table": [
      () => forged({}),
      /rows as its manifest/,
      ROWS + 1,
    ],
    "more rows in the manifest than bytes": [() => forged({}), /so many rows/, 2 ** 32],
    "a host twice": [
      () => forged({ columns: { host: (row) => hostOf(row >> 1) } }),
      /not sorted by host/,
    ],
    "hosts that are not sorted": [
      () => forged({ columns: { host: (row) => hostOf(ROWS - row) } }),
      /not sorted by host/,
    ],
    "no hosts": [() => forged({ columns: { host: undefined } }), /no host in some rows/],
    "no addresses": [() => forged({ columns: { url: undefined } }), /no url in some rows/],
    "scores beyond 100": [() => forged({ columns: { latestScore: () => 101 } }), /wrong score/],
    "scores below 0": [() => forged({ columns: { latestScore: () => -1 } }), /wrong score/],
    "scores of 64 bits": [
      () => forged({ columns: { latestScore: () => 7n }, type: "INT64" }),
      /no right column latestScore/,
    ],
    "a date that is none": [
      () => forged({ columns: { latestScannedAt: () => text("soon") } }),
      /date that is none/,
    ],
    "a term that the manifest lacks": [
      () => forged({ columns: { tags: () => [text("none")] } }),
      /unknown term: none/,
    ],
    "texts that are not UTF-8": [
      () => forged({ columns: { name: (row) => Buffer.of(0xff, row) } }),
      /not UTF-8/,
    ],
    "a character in two texts": [
      () => forged({ columns: { name: (row) => Buffer.of(row % 2 === 0 ? 0xc3 : 0xa4) } }),
      /not UTF-8/,
    ],
    "a list in place of a text": [
      () => forged({ columns: { platforms: undefined, capabilities: () => [text("a")] } }),
      /^\[/,
    ],
    "too many values in a list": [
      () =>
        forged({
          columns: { platforms: (row) => Array(row === 0 ? 1_048_576 : 1).fill(text("a")) },
        }),
      /a column is too large/,
    ],
    "a long text hundreds of times in a list": [
      () => forged({ columns: { platforms: () => Array(500).fill(LONG) } }),
      /summary that is too long/,
    ],
    "a long text in each of many rows": [
      () => forged({ rows: 100, columns: { tagline: () => LONG } }),
      /summary that is too long/,
      100,
    ],
    "a page that inflates to more than it says": [
      () => forged({ gzip: () => BOMB }),
      /cannot be inflated/,
    ],
    "a page that inflates to less than it says": [
      () => forged({ gzip: (page) => gzipSync(page.subarray(1)) }),
      /cannot be inflated/,
    ],
    "a page that says more than can come of it": [
      () =>
        forged({
          columns: { name: () => LONG },
          gzip: (page) => (page.length > 65_536 ? new Uint8Array(18) : gzipSync(page)),
        }),
      /cannot become so long/,
    ],
    "pages that inflate to too much": [
      () => forged({ rows: 2, columns: { name: (row) => Buffer.alloc(80 * 1024 * 1024, row) } }),
      /too large/,
      2,
    ],
    "lists in lists in its footer": [() => withFooter(nested(40, 100)), /footer is malformed/],
    "long lists in lists in its footer": [
      () => withFooter(nested(6, 65_500)),
      /footer is malformed/,
    ],
    "a footer that is too large": [
      () => withFooter(nested(1, 8 * 1024 * 1024)),
      /footer is too large/,
    ],
  };

describe("a hostile table", () => {
  it.each(Object.entries(HOSTILE))(
    "with %s is refused in bounded time and memory",
    (what, hostile) => {
      const [make, refusal, rows = ROWS] = hostile;
      const bytes = make();
      expect(bounded(what, 10_000, 640, () => outcomeOf(bytes, rows))).toMatch(refusal);
    },
  );
});

it("what inflates pages later reads the same, and refuses the same", async () => {
  const bytes = writeTable(SUMMARIES);
  const later = async (table: Uint8Array) => {
    const found = await openTableLater(table, { rows: ROWS }, TERMS, inflateInBrowser);
    return contentOf({ hosts: found.hosts, ...found.rows(Uint32Array.from(found.hosts.keys())) });
  };
  expect(await later(bytes)).toBe(outcomeOf(bytes));
  const damaged = bytes.slice();
  const at = Buffer.from(bytes).indexOf(Buffer.from([0x1f, 0x8b]));
  damaged.fill(0xff, at + 12, at + 20);
  expect(outcomeOf(damaged)).toMatch(/cannot be inflated/);
  await expect(later(damaged)).rejects.toThrow(BadColumnsError);
});

describe("the writer of tables", () => {
  const changed = (changes: object) => SUMMARIES.map((one) => ({ ...one, ...changes }));
  it.each<[string, SiteSummary[], RegExp]>([
    [
      "hosts that are not sorted",
      SUMMARIES.toReversed(),
      /from x\.example to a\.example .* sorted/,
    ],
    ["a host twice", [SUMMARIES[0]!, SUMMARIES[0]!], /not sorted by host/],
    ["a score beyond 100", changed({ latestScore: 101 }), /wrong score/],
    [
      "a summary that is too long",
      changed({ capabilities: Array(900).fill("x".repeat(2e4)) }).slice(0, 1),
      /too long/,
    ],
  ])("refuses %s", (_, summaries, message) => {
    expect(() => writeTable(summaries)).toThrow(StoreWriteError);
    expect(() => writeTable(summaries)).toThrow(message);
  });

  slowIt("refuses too many values in a list", () => {
    const platforms = Array(50_000).fill("a");
    expect(() => writeTable(changed({ platforms }))).toThrow(/column is too large/);
  });

  it("writes a table without rows", () => {
    expect(outcomeOf(writeTable([]), 0)).toBe("[]");
  });
});
