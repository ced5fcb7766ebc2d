import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { SiteSummary } from "../../../src/contract/listing.js";
import { inflate } from "../../../src/fetch/bytes.js";
import { StoreWriteError } from "../../../src/files/disk.js";
import { BadColumnsError } from "../../../src/store/columns/columns.js";
import { NO_SCORE } from "../../../src/store/columns/listings.js";
import { gunzip } from "../../../src/store/folder-source.js";
import { openTable, TABLE_BYTES_MAX } from "../../../src/store/segments/rows.js";
import { writeTable } from "../../../src/store/segments/write-table.js";
import { chance } from "../../crash/repetitions.js";
import { byteMutants } from "../../crash/store-mutants.js";
import { repeated, slowIt } from "../../slow.js";
import { HOSTILE, ROWS, SUMMARIES, TERMS } from "./hostile-tables.js";

/** Reads all rows of an inflated table. */
function read(bytes: Uint8Array, rows: number) {
  const table = openTable(bytes, { rows }, TERMS);
  return { hosts: table.hosts, ...table.rows(Uint32Array.from(table.hosts.keys())) };
}

/** What is found in a table: its rows, whose columns fit together, or why it is refused. */
function outcomeOf(bytes: Uint8Array, rows = ROWS): string {
  try {
    return contentOf(read(bytes, rows));
  } catch (error) {
    if (!(error instanceof BadColumnsError)) throw error;
    return error.message;
  }
}

function contentOf({
  hosts,
  size,
  summary,
  scores,
  filters,
  units,
  fields,
}: ReturnType<typeof read>) {
  const rows = Array.from({ length: size }, (_, row) =>
    JSON.parse(new TextDecoder().decode(summary(row))),
  );
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
  const peak = process.resourceUsage().maxRSS;
  const start = processorTime();
  const result = action();
  expect.soft(processorTime() - start, `${what}: milliseconds`).toBeLessThan(milliseconds);
  const grown = (process.resourceUsage().maxRSS - peak) / 1024;
  expect.soft(grown, `${what}: MiB`).toBeLessThan(mebibytes);
  return result;
}

const inflated = (table: Uint8Array) => gunzip(table, TABLE_BYTES_MAX);

it(
  "a table with any byte changed is refused, or has rows whose columns fit together, in bounded " +
    "time and memory",
  () => {
    const good = inflated(writeTable(SUMMARIES));
    expect(JSON.parse(outcomeOf(good))).toEqual(SUMMARIES);
    const found = { refused: 0, read: 0 };
    for (const { name, bytes } of byteMutants(good, repeated(20, 1), chance("tables"))) {
      const mutant = bytes();
      const outcome = bounded(name, 1_000, 128, () => outcomeOf(mutant));
      found[outcome.startsWith("[") ? "read" : "refused"] += 1;
    }
    expect(Math.min(found.refused, found.read)).toBeGreaterThan(20);
  },
);

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

it("a server and a browser refuse files that are damaged, or become too large", async () => {
  const table = writeTable(SUMMARIES);
  expect(Buffer.from(await inflate(table, TABLE_BYTES_MAX, "gzip"))).toEqual(inflated(table));
  const damaged = table.slice().fill(0xff, 12, 20);
  const bomb = gzipSync(Buffer.alloc(1_000_001));
  for (const bad of [damaged, bomb]) {
    expect(() => gunzip(bad, 1_000_000)).toThrow(BadColumnsError);
    await expect(inflate(bad, 1_000_000, "gzip")).rejects.toThrow(BadColumnsError);
  }
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
    ["a score beyond 100", changed({ latestScore: 101 }), /not from 0 to 100/],
    [
      "a summary that is too long",
      changed({ capabilities: Array(900).fill("x".repeat(2e4)) }).slice(0, 1),
      /too long/,
    ],
  ])("refuses %s", (_, summaries, message) => {
    expect(() => writeTable(summaries)).toThrow(StoreWriteError);
    expect(() => writeTable(summaries)).toThrow(message);
  });

  slowIt("writes lists of thousands of different values", () => {
    const sites = SUMMARIES.map((one, row) => ({
      ...one,
      capabilities: Array.from({ length: 20_000 }, (_, at) => `${row}-${at}`).sort(),
    }));
    expect(JSON.parse(outcomeOf(inflated(writeTable(sites))))).toEqual(sites);
  });

  it("writes a table without rows", () => {
    expect(outcomeOf(inflated(writeTable([])), 0)).toBe("[]");
  });
});
