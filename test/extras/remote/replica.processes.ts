import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pull } from "../../../src/extras/remote/pull.js";
import { build } from "../../../src/publish/build.js";
import { filesIn, plainHost } from "../../fetch/plain-host.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  writePublished,
} from "../../fixtures.js";
import { pick, seeded, whole } from "../../oracle/random.js";
import { repeated } from "../../slow.js";
import {
  atRenameTo,
  type DiesAt,
  dying,
  expectOnlyNamed,
  letTimePass,
} from "../../store/killed.js";
import { History } from "../../store/random-history.js";
import { builtStore, treeOf } from "../../store/trees.js";

const SEED = Number(process.env.SEED ?? 20_261_128);
const HISTORIES = repeated(2, 40);
const STEPS = 5;
const ALL = { maxRemoved: "100%", maxUnscored: "100%", maxUnbanded: "100%" } as const;

it.each(Array.from({ length: HISTORIES }, (_, n) => SEED + n))(
  "a pull leaves no file that no snapshot names, whichever pulls were killed before it, SEED=%i",
  async (seed) => {
    const random = seeded(seed);
    const upTo = (least: number, most: number) => whole(random, least, most);
    const history = new History((count) => upTo(0, count - 1), 12);
    const folder = await temporaryFolder();
    const [published, store, copy] = ["published", "store", "copy"].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    const { url } = await plainHost(filesIn(store));
    const pulling = () => pull(url, { store: copy, keep: 1 });
    let deaths = 0;
    for (let step = 0; step < STEPS; step += 1) {
      for (let changes = upTo(1, 3); changes > 0; changes -= 1) history.change();
      await writePublished(published, history.files());
      await build(published, { store, keep: 1, jobs: 1, segmentSize: 4, ...ALL });
      for (let tries = upTo(1, 2); tries > 0; tries -= 1) {
        const at = upTo(1, 60);
        const diesAt = pick<DiesAt>(random, [
          (number) => number === at,
          atRenameTo("current.json"),
          atRenameTo(".notes"),
        ]);
        if (await dying(diesAt, pulling)) deaths += 1;
        letTimePass(copy);
      }
      await pulling();
      await expectOnlyNamed(copy, 1, `step ${step}`);
      letTimePass(copy);
      letTimePass(store);
    }
    expect(deaths).toBeGreaterThan(0);
  },
);

it("a replica has nothing of a listing that was removed", async () => {
  const gone = "gone.example";
  const { folder, store } = await builtStore(
    aPublishedDirectory({
      listings: [aListing(), aListing({ host: gone, visibility: "removed" })],
      scans: [aScan(), aScan({ host: gone })],
    }),
  );
  const replica = join(folder, "replica");
  const { url } = await plainHost(filesIn(store));
  expect(await pull(url, { store: replica })).toMatchObject({ changed: true });
  for (const name of Object.keys(await treeOf(replica))) {
    expect(await readFile(join(replica, name), "latin1")).not.toContain(gone);
  }
});
