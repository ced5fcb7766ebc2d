import type { SnapshotView } from "../../answer/content.js";
import type { SiteSummary } from "../../contract/listing.js";
import { byCodeUnit, instantKey } from "../../contract/order.js";
import type { HistoryEntry } from "../../contract/report.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { memberIn, storedJson } from "../../store/stored-json.js";

/*
 * All published scans of all listings in search. A plan that includes history shows every scan, and the latest report
 * lists them; otherwise search shows the latest scan alone.
 */

/** A published scan, as a row of the files of the history. */
export interface ScanRow {
  readonly host: string;
  readonly scannedAt: string;
  readonly score: number | null;
  readonly band: string | null;
  readonly scoreVersion: string | null;
}

export interface HistoryColumn {
  readonly name: keyof ScanRow;
  readonly type: "text" | "integer";
  readonly isNullable: boolean;
  readonly description: string;
}

export const HISTORY_COLUMNS: readonly HistoryColumn[] = [
  { name: "host", type: "text", isNullable: false, description: "Canonical host of the site." },
  {
    name: "scannedAt",
    type: "text",
    isNullable: false,
    description: "When the scan finished, with its offset from UTC.",
  },
  {
    name: "score",
    type: "integer",
    isNullable: true,
    description: "Score from 0 to 100; null where there is none, which is not zero.",
  },
  { name: "band", type: "text", isNullable: true, description: "Id of the band of the score." },
  {
    name: "scoreVersion",
    type: "text",
    isNullable: true,
    description: "Version of the scoring methodology; scores of different versions do not compare.",
  },
];

/** A listing with its scans, newest first, as the thread that answers gives them to the one that writes the files. */
interface ListingHistory {
  readonly host: string;
  readonly history: readonly Omit<HistoryEntry, "id">[];
}

/** The scans of a listing, oldest first. @param line the JSON of a `ListingHistory` */
export function scansIn(line: string): ScanRow[] {
  const { host, history } = storedJson<ListingHistory>(line);
  const rows = history.map(({ finishedAt, score, band, scoreVersion }) => {
    return { host, scannedAt: finishedAt, score, band, scoreVersion };
  });
  return rows
    .reverse()
    .sort((a, b) => byCodeUnit(instantKey(a.scannedAt), instantKey(b.scannedAt)));
}

/** About how many scans a part has, and a row group of the Parquet file. */
const GROUP = 20_000;
/** Listings between two pauses: their reports are read and checked in two or three milliseconds. */
const AT_ONCE = 16;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Reads the scans of all listings in search, by host.
 * @returns parts with a line for each listing, which `scansIn` reads
 * @throws BadSnapshotError
 */
export async function* historyLines(snapshot: SnapshotView): AsyncGenerator<Uint8Array> {
  let lines: string[] = [];
  let scans = 0;
  let read = 0;
  const engine = await snapshot.engine;
  for await (const summaries of engine.allSummaries()) {
    for (const summary of summaries) {
      const { line, count } = await historyOf(decoder.decode(summary), snapshot);
      lines.push(`${line}\n`);
      scans += count;
      read += 1;
      if (read % AT_ONCE === 0) await snapshot.pause();
      if (scans < GROUP) continue;
      yield encoder.encode(lines.join(""));
      lines = [];
      scans = 0;
    }
  }
  if (lines.length > 0) yield encoder.encode(lines.join(""));
}

/** The line of a listing. @param summary its JSON in search */
async function historyOf(summary: string, snapshot: SnapshotView) {
  const member = (name: keyof SiteSummary) => memberIn(summary, name);
  const host = member("host");
  const listing = await snapshot.listing(storedJson<string>(host));
  const lineOf = (history: string, count: number) => {
    return { line: `{"host":${host},"history":${history}}`, count };
  };
  if (listing === undefined || listing.historical.length === 0) {
    const score = `"score":${member("latestScore")},"band":${member("latestBand")}`;
    const version = `"scoreVersion":${member("latestScoreVersion")}`;
    return lineOf(`[{"finishedAt":${member("latestScannedAt")},${score},${version}}]`, 1);
  }
  const report = decoder.decode(await snapshot.readAnswer(listing.report));
  return lineOf(historyIn(report), listing.historical.length + 1);
}

/**
 * The JSON of the history in the body of a report, which it ends: parsing all of the report would take ten times as
 * long. No text can contain the key, since JSON puts a backslash before each quote.
 */
function historyIn(report: string): string {
  const key = '"history":';
  const at = report.lastIndexOf(`${key}[`);
  if (at < 0)
    throw new BadSnapshotError("a report has no history, but older reports are published");
  return report.slice(at + key.length, -"}}".length);
}
