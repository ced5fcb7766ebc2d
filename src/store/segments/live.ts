/**
 * The rows of each segment that count: a host in several segments has them in the last one.
 * @param hosts by segment and row, oldest segment first
 */
export function liveRows(hosts: readonly (readonly string[])[]): Uint32Array[] {
  const seen = new Set<string>();
  const live: Uint32Array[] = hosts.map(() => new Uint32Array(0));
  for (let segment = hosts.length - 1; segment >= 0; segment -= 1) {
    live[segment] = rowsBelow(hosts[segment] ?? [], seen);
  }
  return live;
}

/** The rows of a segment that count. @param seen the hosts of all later segments, to which it adds its own */
export function rowsBelow(hosts: readonly string[], seen: Set<string>): Uint32Array {
  const rows: number[] = [];
  for (const [row, host] of hosts.entries()) {
    if (seen.has(host)) continue;
    seen.add(host);
    rows.push(row);
  }
  return Uint32Array.from(rows);
}
