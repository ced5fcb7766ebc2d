import { hostHash } from "../../contract/host.js";
import { byCodeUnit } from "../../contract/order.js";
import { ROUTE_NAMES, ROUTES, type Route } from "../../contract/routes.js";
import { itemAt } from "../../contract/tables.js";
import type { Segment } from "../../store/format.js";

/* What a proof has to show, for those that make it and those that check it. */

const CONTRACT_ROUTES: readonly Route[] = ROUTE_NAMES.map((name) => ROUTES[name]);

/** The name of the document that answers at an address; undefined if none does. */
export function documentAt(address: string): string | undefined {
  return CONTRACT_ROUTES.find(({ path }) => path === address)?.document;
}

/** The host in the line of an answer; undefined if it is no such line. */
export function hostIn(line: string): string | undefined {
  return /^[0-9a-f]{64} \/api\/sites\/([^/]+)\/[a-z]+(?:\?scan=[\w-]+)?$/.exec(line)?.[1];
}

/** Whether an answer follows all answers of a host in a tree: their order is that of the hosts' hashes, then names. */
export function isAfter(line: string, host: string): boolean {
  return compare(hostIn(line) ?? "", host) > 0;
}

/** Whether an answer precedes all answers of a host in a tree. */
export function isBefore(line: string, host: string): boolean {
  return compare(hostIn(line) ?? "", host) < 0;
}

function compare(one: string, other: string): number {
  return hostHash(one) - hostHash(other) || byCodeUnit(one, other);
}

/**
 * The later segments that could replace the answers of a host: the last segment with a host counts. There are none if
 * all listings of the host's own segment count.
 */
export function laterWith(host: string, segment: number, segments: readonly Segment[]): number[] {
  const { live, listings } = itemAt(segments, segment);
  if (live === listings) return [];
  const hash = hostHash(host);
  return [...segments.keys()].filter((at) => {
    const { firstHash, lastHash } = itemAt(segments, at);
    return at > segment && firstHash <= hash && hash <= lastHash;
  });
}
