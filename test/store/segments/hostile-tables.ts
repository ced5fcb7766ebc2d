import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { SiteSummary } from "../../../src/contract/listing.js";

type Columns = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["columnData"]>;
type Schema = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["schema"]>;

const TERM = { slug: "weather", name: "Weather", group: "Sky", order: 1 };
export const TERMS = { categories: [TERM], tags: [TERM, { ...TERM, slug: "maps", name: "Maps" }] };
export const ROWS = 24;

export const SUMMARIES = Array.from({ length: ROWS }, (_, row): SiteSummary => {
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

type Tables = Readonly<Record<string, [bytes: () => Uint8Array, refusal: RegExp, rows?: number]>>;

export const HOSTILE: Tables = {
  "more rows in the manifest than in the table": [
    () => forged({}),
    /rows as its manifest/,
    ROWS + 1,
  ],
  "a host twice": [
    () => forged({ columns: { host: (row) => hostOf(row >> 1) } }),
    /not sorted by host/,
  ],
  "no hosts": [() => forged({ columns: { host: undefined } }), /no host in some rows/],
  "scores beyond 100": [() => forged({ columns: { latestScore: () => 101 } }), /wrong score/],
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
  "a page that inflates to more than it says": [
    () => forged({ gzip: () => BOMB }),
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
  "long lists in lists in its footer": [() => withFooter(nested(6, 65_500)), /footer is malformed/],
  "a footer that is too large": [
    () => withFooter(nested(1, 8 * 1024 * 1024)),
    /footer is too large/,
  ],
};

/** Tables that take seconds to make. */
export const DEAR: Tables = {
  "a long text in each of many rows": [
    () => forged({ rows: 66, columns: { tagline: () => LONG } }),
    /summary that is too long/,
    66,
  ],
  "pages that inflate to too much": [
    () => forged({ rows: 2, columns: { name: (row) => Buffer.alloc(80 * 1024 * 1024, row) } }),
    /too large/,
    2,
  ],
};
