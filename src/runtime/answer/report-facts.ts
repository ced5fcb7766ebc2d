import { canonicalHostOf } from "../../contract/host.js";
import type { SiteSummary } from "../../contract/listing.js";
import type { Report } from "../../contract/report.js";
import { andThen, type Soon } from "../../engine/soon.js";
import type { Surroundings } from "../../pages/report/surroundings.js";
import type { SnapshotView } from "./content.js";

/* What pages of a report show besides the report itself. */

/**
 * The part of a listing's scan that a badge shows, from the summary. A report whose listing is not in search is withheld,
 * so its badge shows no score.
 */
export function badgeScanOf(
  host: string,
  snapshot: SnapshotView,
): Soon<Pick<Report["scan"], "score" | "band" | "scoreVersion">> {
  return andThen(readSummary(host, snapshot), (summary) => ({
    score: summary?.latestScore ?? null,
    band: summary?.latestBand ?? null,
    scoreVersion: summary?.latestScoreVersion ?? null,
  }));
}

/** A listing's summary; null if the listing is not in search. */
function readSummary(host: string, snapshot: SnapshotView): Soon<SiteSummary | null> {
  return andThen(snapshot.summaryOf(host), (json) =>
    json === undefined ? null : JSON.parse(decoder.decode(json)),
  );
}

/** What a report's page shows of the directory around it. */
export function surroundingsOf({ site, scan }: Report, snapshot: SnapshotView): Soon<Surroundings> {
  const target = canonicalHostOf(scan.redirect?.host ?? "");
  return andThen(readSummary(site.host, snapshot), (listing) =>
    andThen(target === null ? null : readSummary(target, snapshot), (found) =>
      andThen(snapshot.figures, (figures) => ({
        listing,
        figures,
        hasTarget: found !== null,
        isBadgeFile: false,
      })),
    ),
  );
}

const decoder = new TextDecoder();
