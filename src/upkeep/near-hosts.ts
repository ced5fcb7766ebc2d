import { editDistance } from "../contract/near.js";
import { byCodeUnit } from "../contract/order.js";

/** How many hosts are proposed. */
const NEAR_MAX = 3;
/** The most characters in which a mistyped host differs. More would propose hosts that only have the same ending. */
const EDITS_MAX = 2;

/**
 * The hosts that may have been meant, the nearest first, then by code unit: the same site with or without a subdomain,
 * the same name with another ending, and hosts that differ by a mistyped character or two.
 */
export function nearHosts(host: string, hosts: Iterable<string>): string[] {
  const found: { readonly host: string; readonly distance: number }[] = [];
  for (const other of hosts) {
    const distance = distanceOf(host, other);
    if (distance < Infinity) found.push({ host: other, distance });
  }
  found.sort((a, b) => a.distance - b.distance || byCodeUnit(a.host, b.host));
  return found.slice(0, NEAR_MAX).map((near) => near.host);
}

/** Infinity if they are not near each other. */
function distanceOf(a: string, b: string): number {
  if (a.endsWith(`.${b}`) || b.endsWith(`.${a}`)) return 0;
  const name = withoutEnding(a);
  const other = withoutEnding(b);
  if (name !== "" && name === other) return 1;
  // Any two short names are near each other.
  const bound = Math.min(EDITS_MAX, Math.floor(name.length / 3));
  const distance = editDistance(a, b, bound);
  return distance > bound ? Infinity : distance;
}

/** A host without its last label. */
function withoutEnding(host: string): string {
  return host.slice(0, Math.max(0, host.lastIndexOf(".")));
}
