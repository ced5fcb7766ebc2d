import { expect, it, onTestFinished } from "vitest";
import { installExtras, installedExtras } from "../../../src/extra.js";
import { build } from "../../../src/publish/build.js";
import { requireCurrent } from "../../../src/publish/snapshots.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { StoredSnapshot } from "../../../src/store/reader.js";
import { verify } from "../../../src/upkeep/verify.js";
import { aListing, aPublishedDirectory, temporaryFolder, writePublished } from "../../fixtures.js";
import { asked } from "../../server/asked.js";

it("a build without the extra drops the log, and a later one with it begins a new log", async () => {
  const all = installedExtras();
  onTestFinished(() => installExtras(all));
  const store = await temporaryFolder();
  const publish = async (name: string) => {
    const files = aPublishedDirectory({ listings: [aListing({ name })] });
    await build(await writePublished(await temporaryFolder(), files), { store });
    const { bad } = await verify(store);
    expect(bad).toEqual([]);
    const id = await requireCurrent(store);
    const { manifest } = await StoredSnapshot.openManifest(store, id);
    return { id, manifest };
  };
  const indexOf = async (id: string) => {
    const { snapshot, close } = await loadSnapshot(store, id);
    const { status, bytes } = await asked(snapshot, "/changes/index.json");
    close();
    return { status, body: status === 200 ? JSON.parse(bytes.toString()) : null };
  };
  await publish("One");
  const second = await publish("Two");
  expect((await indexOf(second.id)).body).toMatchObject({ generation: 2, since: 1 });

  installExtras(all.filter(({ name }) => name !== "changes"));
  const third = await publish("Three");
  expect(Object.keys(third.manifest.extras ?? {})).not.toContain("changes");
  expect(third.manifest.history?.generation).toBe(3);
  expect((await indexOf(third.id)).status).toBe(404);

  installExtras(all);
  const fourth = await publish("Four");
  expect((await indexOf(fourth.id)).body).toMatchObject({ generation: 4, since: 4, files: [] });
});
