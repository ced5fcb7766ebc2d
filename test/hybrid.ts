import type { Listing, Scan } from "../src/published/schemas.js";

/** A listing with its scans. */
export interface Records {
  readonly listing: Listing;
  readonly scans: readonly Scan[];
}

/**
 * The former records of a listing on today's plan, as a rollback's rules have it: what a build of them answers
 * is what a rollback answers. Null where nothing is left of them. Today's listing is not withheld.
 */
export function hybrid(before: Records, after: Records): Records | null {
  const [a, b] = [before.listing, after.listing];
  const inOrder = ({ listing, scans }: Records) => {
    const sorted = scans.toSorted((x, y) =>
      x.finishedAt === y.finishedAt ? (x.id < y.id ? 1 : -1) : x.finishedAt < y.finishedAt ? 1 : -1,
    );
    return sorted.slice(
      sorted.findIndex(({ id }) => id === (listing.publishedScan ?? sorted[0]!.id)),
    );
  };
  const [former, today] = [inOrder(before), inOrder(after)];
  const isKnown = ({ id }: Scan) => today.some((one) => one.id === id);
  const latest = former[0]!;
  const older = a.visibility === "listed" ? former.slice(1) : [];
  const isNewer = today[0]!.finishedAt > latest.finishedAt;
  if (!isKnown(latest) && (older.some(isKnown) || !isNewer)) return null;
  const limits = [a, b].map(({ entitlements }) => entitlements.fixPrompts ?? Infinity);
  const limit = Math.min(...limits);
  return {
    listing: {
      ...a,
      status: b.status,
      publishedScan: latest.id,
      entitlements: {
        history: a.entitlements.history && b.entitlements.history,
        fixPrompts: limit === Infinity ? null : limit,
        starterFiles: a.entitlements.starterFiles && b.entitlements.starterFiles,
        highlight: b.entitlements.highlight,
      },
    },
    scans: [latest, ...older.filter(isKnown)],
  };
}
