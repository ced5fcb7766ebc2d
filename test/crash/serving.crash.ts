import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { serve } from "../../src/server/serve.js";
import type { RunningServer } from "../../src/server/server.js";
import { aListing, aScan, writePublished } from "../fixtures.js";
import { send } from "../server/http.js";
import { manyListings } from "../store/trees.js";
import { ageSnapshots, aScenario, copyOf, productOf } from "./product.js";
import { repetitions } from "./repetitions.js";

const product = await productOf();
const CLIENTS = 4;
const HOST = "site-0.example";

/** Pages of search, answers from a pack that every build replaces, and documents that every build replaces. */
const TARGETS = [
  "/api/sites?limit=5",
  `/api/sites/${HOST}/report`,
  "/api/categories",
  "/api/sites/site-7.example/enrichment",
  "/api/tags",
  `/sites/${HOST}`,
];

/** How a request ends: with a status, or with the error of its connection. */
function endOf(server: RunningServer, target: string): Promise<number | string> {
  return send(server, target).then(
    ({ status }) => status,
    (error: Error) => error.message,
  );
}

function snapshotsIn(store: string): number {
  return readdirSync(store).filter((name) => /^[0-9a-f]{32}$/.test(name)).length;
}

describe("P13: cleaning up next to a running server", () => {
  it("fails no request, though each build keeps only one snapshot and the server caches no answers", async () => {
    const { folder, ...scenario } = await aScenario(product);
    const store = copyOf({ folder, ...scenario });
    const troubles: string[] = [];
    const log = (line: string, kind: string) => {
      if (kind === "trouble") troubles.push(line);
    };
    const server = await serve(store, { port: 0, host: "127.0.0.1", log, cacheMb: 0 });
    const until = performance.now() + repetitions("racedSeconds") * 1_000;
    const ends = new Map<number | string, number>();
    let published = 0;
    const publish = async () => {
      const files = manyListings(20);
      files.listings[0] = aListing({ host: HOST, name: `Round ${published}` });
      files.scans.push(aScan({ host: HOST }));
      const { taxonomy } = files;
      const renamed = <T extends object>([first, ...others]: readonly T[]) => [
        { ...first!, name: `Round ${published}` },
        ...others,
      ];
      files.taxonomy = {
        ...taxonomy,
        categories: renamed(taxonomy.categories ?? []),
        tags: renamed(taxonomy.tags ?? []),
      };
      const directory = await writePublished(`${folder}/round-${published}`, files);
      return product.build(directory, { store, jobs: 1, keep: 1 });
    };
    const publishing = async () => {
      for (; performance.now() < until; published += 1) {
        expect((await publish()).changed).toBe(true);
        await sleep(50);
      }
    };
    const reading = async (client: number) => {
      for (let i = client; performance.now() < until; i += 1) {
        const end = await endOf(server, TARGETS[i % TARGETS.length]!);
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
    };
    await Promise.all([publishing(), ...Array.from({ length: CLIENTS }, (_, i) => reading(i))]);
    await server.close();
    const requests = [...ends.values()].reduce((sum, count) => sum + count, 0);
    const failed = requests - (ends.get(200) ?? 0);
    process.stderr.write(
      `P13: ${failed} of ${requests} requests failed, ${published} publications, ${snapshotsIn(store)} snapshots\n`,
    );
    expect(Object.fromEntries(ends)).toEqual({ 200: requests });
    expect(troubles).toEqual([]);
    expect(published).toBeGreaterThanOrEqual(repetitions("racedSeconds") / 3);
    // Once the minute has passed, the next build leaves one snapshot alone.
    ageSnapshots(store);
    published -= 1;
    expect((await publish()).changed).toBe(false);
    expect(snapshotsIn(store)).toBe(1);
  });
});
