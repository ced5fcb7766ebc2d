import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { productOf } from "../../crash/product.js";
import { chance, repetitions, SEED } from "../../crash/repetitions.js";
import { run, start } from "../../crash/tools.js";
import { aListing, temporaryFolder, writePublished } from "../../fixtures.js";
import { manifestOf } from "../../store/forge.js";
import { manyListings } from "../../store/trees.js";
import { joinOf } from "./product.js";

const product = await productOf();
const joinParts = await joinOf(product);

it(
  "a part that is killed at a random time is joined as a whole or refused by name, and joined " +
    "after its next build",
  async () => {
    const folder = await temporaryFolder();
    const files = manyListings(300);
    const published = await writePublished(join(folder, "published"), files);
    const second = (store: string) => [
      "build",
      published,
      "--store",
      store,
      "--part",
      "2/4",
      "--jobs",
      "2",
    ];
    const joined = (store: string) => run(["build", "--join", "--store", store]);
    const built = async (store: string, numbers: readonly number[]) => {
      for (const number of numbers) {
        await product.build(published, { store, part: `${number}/4`, jobs: 1 });
      }
    };
    const first = join(folder, "first");
    const next = join(folder, "next");
    await built(first, [1, 3, 4]);
    await built(next, [1, 2, 3, 4]);
    await joinParts({ store: next });
    files.listings[0] = aListing({ host: "site-0.example", name: "Changed" });
    files.directory = { ...files.directory, name: "Renamed" };
    await writePublished(published, files);
    await built(first, [1, 3, 4]);
    await built(next, [1, 3, 4]);
    await product.build(published, { store: join(folder, "whole") });
    const { content } = await manifestOf(join(folder, "whole"));
    const usual = (await run(second(join(folder, "usual")))).milliseconds;
    const random = chance("parts");
    const ended = { refused: 0, joined: 0 };
    for (let kill = 0; kill < repetitions("partKills"); kill += 1) {
      const store = join(folder, `try-${kill}`);
      cpSync(kill % 2 === 0 ? first : next, store, { recursive: true });
      const pointer = join(store, "current.json");
      const current = () => (existsSync(pointer) ? readFileSync(pointer, "utf8") : null);
      const before = current();
      const delay = usual * 1.1 * random();
      const building = start(second(store));
      await sleep(delay);
      building.kill("SIGKILL");
      await building.ended;
      const { code, output } = await joined(store);
      const what = `SEED=${SEED}, ${delay} ms: ${output}`;
      if (code === 0) {
        ended.joined += 1;
      } else {
        ended.refused += 1;
        expect(code, what).toBe(6);
        expect(output, what).toMatch(/\b2[/]4|2-of-4/);
        expect(current(), what).toBe(before);
        await built(store, [2]);
        await joinParts({ store });
      }
      expect((await manifestOf(store)).content, what).toBe(content);
      expect((await product.verify(store)).bad, what).toEqual([]);
      rmSync(store, { recursive: true });
    }
    process.stderr.write(`parts: ${ended.refused} refused, ${ended.joined} joined\n`);
  },
);
