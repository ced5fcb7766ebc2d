import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type RunningServer, serve } from "../../src/runtime/server.js";
import { aListing, aScan, writePublished } from "../fixtures.js";
import { send } from "../runtime/http.js";
import { manyListings } from "../store/trees.js";
import { aScenario, copyOf, productOf } from "./product.js";
import { repetitions } from "./repetitions.js";

const product = await productOf();
const CLIENTS = 4;
const HOST = "site-0.example";

/** A page of search, and a report by its host, of whatever snapshot is loaded. */
async function readOnce(server: RunningServer, i: number): Promise<number[]> {
  const targets = [
    "/api/sites?limit=5",
    `/api/sites/${i % 2 === 0 ? HOST : `site-${i % 20}.example`}/report`,
    "/api/standards",
  ];
  const replies = await Promise.all(targets.map((target) => send(server, target)));
  return replies.map(({ status }) => status);
}

describe("P13: cleaning up beside a runtime that serves", () => {
  it("no request fails, and at most 4 snapshots lie on the disk", async () => {
    const scenario = await aScenario(product);
    const store = copyOf(scenario);
    const troubles: string[] = [];
    const log = (line: string, kind: string) => {
      if (kind === "trouble") troubles.push(line);
    };
    const server = await serve({ store, port: 0, host: "127.0.0.1", log });
    const until = performance.now() + repetitions("racedSeconds") * 1_000;
    const statuses = new Map<number, number>();
    let most = 0;
    let published = 0;
    const publishing = async () => {
      while (performance.now() < until) {
        const next = performance.now() + 1_000;
        const files = manyListings(20);
        files.listings[0] = aListing({ host: HOST, name: `Round ${published}` });
        files.scans.push(
          aScan({ host: HOST, id: `round-${published}`, finishedAt: "2024-01-01T00:00:00Z" }),
        );
        const folder = await writePublished(`${scenario.folder}/round-${published}`, files);
        const { changed } = await product.build(folder, { out: store, keep: 3 });
        expect(changed).toBe(true);
        published += 1;
        await sleep(Math.max(0, next - performance.now()));
      }
    };
    const counting = async () => {
      while (performance.now() < until) {
        const found = readdirSync(store).filter((name) => /^[0-9a-f]{32}$/.test(name));
        most = Math.max(most, found.length);
        await sleep(20);
      }
    };
    const reading = async () => {
      for (let i = 0; performance.now() < until; i += 1) {
        for (const status of await readOnce(server, i)) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }
    };
    await Promise.all([publishing(), counting(), ...Array.from({ length: CLIENTS }, reading)]);
    await server.close();
    const requests = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    process.stderr.write(
      `P13: ${requests} requests, ${published} publications, ${most} snapshots\n`,
    );
    expect([...statuses.keys()]).toEqual([200]);
    expect(troubles).toEqual([]);
    expect(most).toBeLessThanOrEqual(4);
    expect(published).toBeGreaterThanOrEqual(repetitions("racedSeconds") / 3);
  });
});
