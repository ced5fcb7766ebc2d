import type { SiteSummary } from "../../../src/contract/listing.js";
import { BITS_MAX } from "../../../src/store/segments/table.js";

const TERM = { slug: "weather", name: "Weather", group: "Sky", order: 1 };
export const TERMS = { categories: [TERM], tags: [TERM, { ...TERM, slug: "maps", order: 2 }] };
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
    capabilities: ["a", "b"].slice(row % 2),
    logoUrl: null,
    ogImageUrl: null,
    highlighted: row % 7 === 0,
  };
});

type Column = readonly [form: string, ...parts: Uint8Array[]];
type Text = string | Uint8Array;

const texts = (...all: Text[]) =>
  Buffer.concat(all.flatMap((text) => [Buffer.from(text), Buffer.of(0xff)]));
const words = (...numbers: number[]) => Buffer.from(Uint32Array.from(numbers).buffer);
const eachRow = <T>(value: (row: number) => T, rows = ROWS) =>
  Array.from({ length: rows }, (_, row) => value(row));
const hostOf = (row: number) => `${String(row).padStart(7, "0")}.example`;

function withHead(head: string, ...parts: Uint8Array[]): Uint8Array {
  const bytes = Buffer.from(head);
  return Buffer.concat([words(bytes.length), bytes, ...parts]);
}

/** A table that our writer would not write. @param columns instead of the good ones; undefined leaves one out */
function forged(columns: Readonly<Record<string, Column | undefined>>, rows = ROWS): Uint8Array {
  const hosts = texts(...eachRow(hostOf, rows));
  const good = { host: ["texts", hosts], url: ["texts", hosts], status: ["texts", hosts] } as const;
  const all = Object.entries({ ...good, linkRel: good.status, ...columns }).flatMap(
    ([name, column]) => (column === undefined ? [] : [[name, ...column] as const]),
  );
  const head = all.map(([name, form, ...parts]) => [name, form, ...parts.map((p) => p.length)]);
  return withHead(JSON.stringify(head), ...all.flatMap(([, , ...parts]) => parts));
}

const LONG = "x".repeat(1024 * 1024);

type Tables = Readonly<Record<string, [bytes: () => Uint8Array, refusal: RegExp, rows?: number]>>;

export const HOSTILE: Tables = {
  "more rows in the manifest than in the table": [
    () => forged({}),
    /wrong number of rows/,
    ROWS + 1,
  ],
  "more rows than bytes": [() => forged({}), /too short for its rows/, 2 ** 40],
  "a host twice": [
    () => forged({ host: ["texts", texts(...eachRow((row) => hostOf(row >> 1)))] }),
    /not sorted by host/,
  ],
  "no hosts": [() => forged({ host: undefined }), /rows without host/],
  "a list of hosts": [
    () => forged({ host: ["lists", texts("a"), Buffer.alloc(3, 0xff)] }),
    /column host is missing, or of the wrong kind/,
  ],
  "numbers in place of hosts": [
    () => forged({ host: ["numbers", Buffer.alloc(ROWS, 1)] }),
    /column host is missing, or of the wrong kind/,
  ],
  "a text in place of a list": [
    () => forged({ platforms: ["texts", texts(...eachRow(() => "a"))] }),
    /column platforms is missing, or of the wrong kind/,
  ],
  "scores beyond 100": [
    () => forged({ latestScore: ["numbers", Buffer.alloc(ROWS, 102)] }),
    /not from 0 to 100/,
  ],
  "an invalid date": [
    () => forged({ latestScannedAt: ["distinct", texts("soon"), Buffer.alloc(ROWS, 1)] }),
    /invalid date/,
  ],
  "a term that the manifest lacks": [
    () => forged({ category: ["distinct", texts("none"), Buffer.alloc(ROWS, 1)] }),
    /unknown category or tag: none/,
  ],
  "texts that are not UTF-8": [
    () => forged({ name: ["texts", texts(...eachRow((row) => Buffer.of(0xc3, row)))] }),
    /not UTF-8/,
  ],
  "a character that two texts share": [
    () => forged({ name: ["texts", texts(...eachRow((row) => Buffer.of(row % 2 ? 0xa9 : 0xc3)))] }),
    /not UTF-8/,
  ],
  "a text without an end": [
    () => forged({ name: ["texts", Buffer.from("a")] }),
    /one without an end/,
  ],
  "a value that is not there": [
    () => forged({ name: ["distinct", texts("a"), Buffer.alloc(ROWS, 2)] }),
    /names a value that it does not have/,
  ],
  "an index that is not there": [
    () => forged({ platforms: ["indexes", texts("a"), words(...eachRow(Number)), words(2)] }),
    /wrong number of rows/,
  ],
  "fewer scores than rows": [
    () => forged({ latestScore: ["numbers", Buffer.alloc(ROWS - 1, 2)] }),
    /wrong number of rows/,
  ],
  "more times than rows": [
    () => forged({ latestScannedAt: ["times", Buffer.alloc(6 * (ROWS + 1), 1), texts()] }),
    /wrong number of rows/,
  ],
  "lists whose lengths go round": [
    () => {
      const lengths = eachRow((row) => (row < 2 ? 2 ** 31 : 0));
      return forged({ platforms: ["indexes", texts(), words(...lengths), words()] });
    },
    /wrong number of rows/,
  ],
  "more bits than are allowed": [
    () => {
      const values = Math.ceil(BITS_MAX / 3) + 1;
      const bits = Buffer.alloc(3 * values);
      return forged({ platforms: ["lists", Buffer.alloc(values, 0xff), bits] });
    },
    /bits of a column/,
  ],
  "a long text hundreds of times in a list": [
    () => {
      const lists = words(...Array.from({ length: 500 }, () => 1));
      const lengths = words(...eachRow((row) => (row === 0 ? 500 : 0)));
      return forged({ platforms: ["indexes", texts(LONG), lengths, lists] });
    },
    /summary that is too long/,
  ],
  "a long text in each of many rows": [
    () => forged({ tagline: ["distinct", texts(LONG), Buffer.alloc(66, 1)] }, 66),
    /summary that is too long/,
    66,
  ],
  "a form that no object has of its own": [() => forged({ name: ["constructor"] }), /unknown form/],
  "a part of less than no bytes": [() => withHead('[["host","texts",-1]]'), /ends too early/, 1],
  "a part that goes on after the end": [() => withHead('[["host","texts",9]]'), /too early/, 1],
  "bytes after its parts": [
    () => Buffer.concat([forged({}), Buffer.of(0)]),
    /longer or shorter than its parts/,
  ],
  "a head that is not JSON": [() => withHead("[["), /head is malformed/, 1],
  "a head that is too large": [() => withHead("[".repeat(100_000)), /head is too large/, 1],
};
