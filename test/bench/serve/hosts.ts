import { Random } from "../../../src/sample/random.js";
import { currentId, StoredSnapshot } from "../../../src/store/reader.js";

/** The hosts that have a report, in an order that the seed draws. @throws where the store has none */
export async function drawnHosts(store: string, seed: number): Promise<string[]> {
  const id = await currentId(store);
  if (id === null) throw new Error(`${store} has no snapshot`);
  const snapshot = await StoredSnapshot.openManifest(store, id);
  const hosts: string[] = [];
  for (const bucket of snapshot.manifest.buckets.keys()) {
    for (const { host } of await snapshot.readShard(bucket)) hosts.push(host);
  }
  snapshot.close();
  const random = new Random(seed, 1);
  for (let at = hosts.length - 1; at > 0; at -= 1) {
    const other = random.between(0, at);
    [hosts[at], hosts[other]] = [hosts[other]!, hosts[at]!];
  }
  return hosts;
}

/** `count` draws by Zipf's law with exponent 1: the nth host is drawn 1/n times as often as the first. */
export function zipfDraws(hosts: readonly string[], seed: number, count: number): string[] {
  const random = new Random(seed, 2);
  const sums = new Float64Array(hosts.length);
  let sum = 0;
  for (let at = 0; at < hosts.length; at += 1) {
    sum += 1 / (at + 1);
    sums[at] = sum;
  }
  return Array.from({ length: count }, () => {
    const drawn = (random.between(0, 2 ** 30 - 1) / 2 ** 30) * sum;
    let [low, high] = [0, hosts.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! > drawn) high = middle;
      else low = middle + 1;
    }
    return hosts[low]!;
  });
}
