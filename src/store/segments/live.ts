/**
 * The rows of each segment that count: a host in several segments has them in the last one.
 * @param hosts by segment and row, oldest segment first
 */
export function liveRows(hosts: readonly (readonly string[])[]): Uint32Array[] {
  const seen = new Set<string>();
  const live = hosts.map(() => new Uint32Array(0));
  for (let segment = hosts.length - 1; segment >= 0; segment -= 1) {
    const rows: number[] = [];
    for (const [row, host] of (hosts[segment] ?? []).entries()) {
      if (seen.has(host)) continue;
      seen.add(host);
      rows.push(row);
    }
    live[segment] = Uint32Array.from(rows);
  }
  return live;
}
