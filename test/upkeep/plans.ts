import type { Report } from "../../src/contract/report.js";
import { aFix, aListing, aScan, type PublishedFiles } from "../fixtures.js";
import { answersIn } from "../store/answers.js";
import { manyListings } from "../store/trees.js";

export const HOST = "example.com";
export const OPEN = { history: true, fixPrompts: null, starterFiles: true, highlight: true };
type Changes = Parameters<typeof aListing>[0];

/** A directory in which one listing has this plan, and two scans, of which the older one is public with history. */
export function planned(entitlements: object, changes: Changes = {}, scans = 2): PublishedFiles {
  const others = manyListings(3);
  const fixes = [aFix({ prompt: "First." }), aFix({ prompt: "Second." })];
  const starterFiles = { robots: "User-agent: *" };
  return {
    ...others,
    listings: [...others.listings, aListing({ entitlements, ...changes })],
    scans: [
      ...others.scans,
      ...["older", "newer"].slice(0, scans).map((id, at) =>
        aScan({
          id,
          fixes,
          starterFiles,
          finishedAt: `2026-05-0${at + 1}T00:00:00Z`,
        }),
      ),
    ],
  };
}

/** What a store shows of the listing that a plan opens; null if it has no report. */
export async function opened(store: string) {
  const answers = (await answersIn(store))[HOST];
  if (answers === undefined) return null;
  const { fixes, starterFiles, access }: Report = JSON.parse(answers.report).data;
  return {
    ...access,
    historical: answers.historical.length,
    prompts: fixes.data.length,
    files: starterFiles !== null,
    highlighted: answers.search?.summary.highlighted,
  };
}
