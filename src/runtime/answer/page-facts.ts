import { canonicalHostOf, hostHash } from "../../contract/host.js";
import type { SiteSummary } from "../../contract/listing.js";
import type { Report } from "../../contract/report.js";
import type { Engine } from "../../engine/engine.js";
import { andThen, type Soon } from "../../engine/soon.js";
import { isExample } from "../../pages/api/example-host.js";
import type { Surroundings } from "../../pages/report/surroundings.js";
import type { SnapshotView } from "./content.js";

/* What pages show of the directory around their own content. */

const decoder = new TextDecoder();

/** The host of the API page's examples: the first in the order of the store; null if there is none. */
export function exampleHost(engine: Engine): string | null {
  let first: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let number = 0; number < engine.scored; number += 1) {
    const host = engine.hostOf(number);
    const hash = hostHash(host);
    if (hash > least || !isExample(host)) continue;
    if (hash < least || first === null || host < first) first = host;
    least = hash;
  }
  return first;
}

/**
 * The part of a listing's scan that a badge shows, from the summary. A report whose listing is not in search is withheld,
 * so its badge shows no score.
 */
export function scanOf(
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
function readSummary(host: string, { engine }: SnapshotView): Soon<SiteSummary | null> {
  const found = andThen(engine, (loaded) => loaded.summaryOf(host));
  return andThen(found, (json) => (json === undefined ? null : JSON.parse(decoder.decode(json))));
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
