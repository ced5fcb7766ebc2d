import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { currentId } from "../../src/store/reader.js";
import {
  aCheck,
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  theDirectory,
  theStandards,
} from "../fixtures.js";
import { asked } from "../server/asked.js";

const [FIRST, SECOND] = theStandards().checks.filter(({ kind }) => kind === "achievement");
export const PASSES = { first: FIRST!.id, second: SECOND!.id };

/** A site: its score, whether it passes two checks (`/`: does not apply), its listing, and the number of its scan. */
export type Row = readonly [score: number | null, checks: string, listing?: object, scan?: number];

const STATUS: Readonly<Record<string, "pass" | "na">> = { "+": "pass", "/": "na" };

export function directoryOf(rows: Readonly<Record<string, Row>>, directory = {}): PublishedFiles {
  const entries = Object.entries(rows);
  return aPublishedDirectory({
    directory: { ...theDirectory(), ...directory },
    listings: entries.map(([name, [, , listing]]) =>
      aListing({ host: `${name}.example`, category: null, ...listing }),
    ),
    scans: entries.map(([name, [score, checks, , number = 1]]) =>
      aScan({
        host: `${name}.example`,
        id: `${number}`,
        score,
        finishedAt: `2026-08-0${number}T00:00:00Z`,
        ...(score === null && { band: null }),
        checks: [FIRST, SECOND].map((check, index) =>
          aCheck({ checkId: check!.id, status: STATUS[checks[index] ?? ""] ?? "fail" }),
        ),
      }),
    ),
  });
}

/** Reads addresses of a store's current snapshot. */
export async function served(store: string) {
  const { snapshot, close } = await loadSnapshot(store, (await currentId(store)) ?? "");
  close();
  return async (target: string) => {
    const { status, headers, bytes } = await asked(snapshot, target);
    return { status, headers, text: bytes.toString("utf8") };
  };
}
