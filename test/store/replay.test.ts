import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import type { SiteSummary } from "../../src/contract/listing.js";
import { loadSnapshot } from "../../src/runtime/snapshot/load-snapshot.js";
import { currentId } from "../../src/store/reader.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { temporaryFolder, writePublished } from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { asked } from "../runtime/asked.js";
import { repeated } from "../slow.js";
import { Mirror, type Sites } from "./mirror.js";
import { History } from "./random-history.js";

const SEED = Number(process.env.SEED ?? 20_261_126);
const HISTORIES = repeated(3, 500);

/** The rows of a store's dump, and the number of its publication. */
async function dumpOf(store: string): Promise<{ sites: Sites; cursor: string }> {
  const { snapshot, close } = await loadSnapshot(store, (await currentId(store)) ?? "");
  const { headers, bytes } = await asked(snapshot, "/api/dump/listings.ndjson.gz");
  close();
  const lines = gunzipSync(bytes).toString("utf8").split("\n").slice(0, -1);
  const all = lines.map((line): SiteSummary => JSON.parse(line));
  return {
    sites: Object.fromEntries(all.map((site) => [site.host, site])),
    cursor: headers["X-Crawldex-Generation"]!,
  };
}

/** What all histories have had. */
const seen = { publications: 0, rollbacks: 0, removals: 0, returns: 0 };

/** Publishes a random history in a new store. @returns the store, and its dumps after each publication */
async function publishHistory(pick: (count: number) => number) {
  const history = new History(pick, 3 + pick(6));
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const options = {
    store,
    jobs: 1,
    segmentSize: 2,
    maxRemoved: "100%",
    maxUnscored: "100%",
  } as const;
  const dumps: Awaited<ReturnType<typeof dumpOf>>[] = [];
  const publish = async () => {
    const published = await writePublished(join(folder, "published"), history.files());
    await build(published, options);
  };
  const rollBack = () =>
    rollback(store, { restoreMissing: pick(2) === 0 }).then(
      () => (seen.rollbacks += 1),
      // There may be nothing to go back to.
      () => {},
    );
  await publish();
  dumps.push(await dumpOf(store));
  for (let left = 3 + pick(5); left > 0; left -= 1) {
    history.change();
    await (pick(4) === 0 ? rollBack() : publish());
    dumps.push(await dumpOf(store));
  }
  return { store, dumps };
}

/** Counts the sites that leave search and come back. */
function countMoves(dumps: readonly { readonly sites: Sites }[]): void {
  const gone = new Set<string>();
  seen.publications += dumps.length;
  for (const [at, { sites }] of dumps.entries()) {
    const left = Object.keys(dumps[at - 1]?.sites ?? {}).filter((host) => !(host in sites));
    seen.removals += left.length;
    seen.returns += Object.keys(sites).filter((host) => gone.delete(host)).length;
    for (const host of left) gone.add(host);
  }
}

it(`all changes after a dump make it today's dump, through ${HISTORIES} random histories, SEED=${SEED}`, async () => {
  for (let seed = SEED; seed < SEED + HISTORIES; seed += 1) {
    const random = seeded(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const { store, dumps } = await publishHistory(pick);
    countMoves(dumps);
    for (const { sites, cursor } of [dumps[0]!, dumps[pick(dumps.length)]!]) {
      const mirror = new Mirror(sites, cursor);
      await mirror.follow(store, 1 + pick(9));
      expect(mirror.sites, `SEED=${seed}`).toEqual(dumps.at(-1)!.sites);
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(HISTORIES / 3);
});
