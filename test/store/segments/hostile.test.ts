import { describe, expect, it, vi } from "vitest";
import type { SiteSummary } from "../../../src/contract/listing.js";
import { inflatePage as inflateInBrowser } from "../../../src/fetch/bytes.js";
import { StoreWriteError } from "../../../src/files/disk.js";
import { BadColumnsError } from "../../../src/store/columns/file.js";
import { NO_SCORE } from "../../../src/store/columns/listings.js";
import { inflatePage } from "../../../src/store/compression.js";
import { openTable, openTableLater } from "../../../src/store/segments/table.js";
import { BadTableError } from "../../../src/store/segments/thrift.js";
import { writeTable } from "../../../src/store/segments/write-table.js";
import { chance } from "../../crash/repetitions.js";
import { byteMutants } from "../../crash/store-mutants.js";
import { repeated, slowIt, someOf } from "../../slow.js";

/** Level 0 leaves pages as they are, so that a mutant of any byte of the file can be read. */
const LEVEL = vi.hoisted(() => ({ level: 6 as 0 | 6 }));
vi.mock("fflate", async (original) => {
  const fflate = await original<typeof import("fflate")>();
  return {
    ...fflate,
    gzipSync: (page: Uint8Array) => fflate.gzipSync(page, { mtime: 0, ...LEVEL }),
  };
});

import { DEAR, HOSTILE, ROWS, SUMMARIES, TERMS } from "./hostile-tables.js";

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
    const step = repeated(level === 0 ? 50 : 100, 1);
    for (const { name, bytes } of byteMutants(good, step, chance(`tables ${level}`))) {
      const mutant = bytes();
      const outcome = bounded(name, 1_000, 128, () => outcomeOf(mutant));
      found[outcome.startsWith("[") ? "read" : "refused"] += 1;
    }
    expect(Math.min(found.refused, found.read)).toBeGreaterThan(20);
  });
});

describe("a hostile table", () => {
  it.each([...Object.entries(HOSTILE), ...someOf(Object.entries(DEAR), 1)])(
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
