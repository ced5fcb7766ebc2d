import { currentId, StoredSnapshot } from "../../../src/store/reader.js";
import { seeded, shuffled } from "../../oracle/random.js";

/** The hosts that have a report, in an order that the seed draws. @throws where the store has none */
export async function drawnHosts(store: string, seed: number): Promise<string[]> {
  const id = await currentId(store);
  if (id === null) throw new Error(`${store} has no snapshot`);
  const snapshot = await StoredSnapshot.openManifest(store, id);
  const hosts = Array.from(snapshot.allEntries(), ({ host }) => host);
  snapshot.close();
  return shuffled(seeded(seed), hosts);
}

/** `count` draws by Zipf's law with exponent 1: the nth host is drawn 1/n times as often as the first. */
export function zipfDraws(hosts: readonly string[], seed: number, count: number): string[] {
  const random = seeded(seed + 1);
  const sums = new Float64Array(hosts.length);
  let sum = 0;
  for (let at = 0; at < hosts.length; at += 1) {
    sum += 1 / (at + 1);
    sums[at] = sum;
  }
  return Array.from({ length: count }, () => {
    const drawn = random() * sum;
    let [low, high] = [0, hosts.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! > drawn) high = middle;
      else low = middle + 1;
    }
    return hosts[low]!;
  });
}
