import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dataFiles } from "../../src/site/data-files.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { aPublishedDirectory } from "../fixtures.js";
import { builtStore } from "../store/trees.js";

it("a snapshot that a build deletes during an export is a bad one, so that the export takes the next", async () => {
  const { store, result } = await builtStore(aPublishedDirectory());
  const snapshot = await StoredSnapshot.openManifest(store, result.id);
  const manifest = dataFiles(snapshot, false).get(`data/${result.id}/manifest.json`);
  await rm(join(store, result.id), { recursive: true });
  await expect(manifest?.make()).rejects.toThrow(BadSnapshotError);
  snapshot.close();
});
