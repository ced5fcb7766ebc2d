import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { loadSnapshot } from "../../src/runtime/snapshot/load-snapshot.js";
import { exportSite } from "../../src/site/export.js";
import { STORE_FORMAT } from "../../src/store/names.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { verify } from "../../src/upkeep/verify.js";
import { aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { asked } from "../runtime/asked.js";
import { publishManifest } from "./forge.js";
import { builtStore, manyListings } from "./trees.js";

async function manifestOf(store: string, id: string) {
  const snapshot = await StoredSnapshot.openManifest(store, id);
  snapshot.close();
  return snapshot.manifest;
}

describe("the manifest", () => {
  it("says whose directory it is and where: one without a report names its own site", async () => {
    const folder = await temporaryFolder();
    const [store, site] = [join(folder, "store"), join(folder, "site")];
    const files = aPublishedDirectory({ listings: [], scans: [] });
    const published = await writePublished(join(folder, "published"), files);
    const { id } = await build(published, { store, jobs: 1, keep: 1 });
    const { name, baseUrl, siteUrl } = files.directory as Record<string, unknown>;
    expect(siteUrl).not.toBe(baseUrl);
    expect(await manifestOf(store, id)).toMatchObject({ directory: { name, baseUrl, siteUrl } });
    await exportSite(site, { store, for: "nginx" });
    const { snapshot, close } = await loadSnapshot(store, id);
    for (const file of ["robots.txt", "sitemap.xml", "llms.txt"]) {
      const { bytes } = await asked(snapshot, `/${file}`);
      const text = bytes.toString("utf8");
      expect(text).toContain(file === "robots.txt" ? `${siteUrl}/sitemap.xml` : `${siteUrl}/`);
      expect(await readFile(join(site, file), "utf8")).toBe(text);
    }
    close();
  });

  it("of another format is refused in a line that says to build again, and a build replaces it", async () => {
    const { store, result, folder } = await builtStore(manyListings(3));
    const other = await publishManifest(store, (manifest) =>
      Object.assign(manifest, { format: STORE_FORMAT - 1 }),
    );
    (await StoredSnapshot.openManifest(store, result.id)).close();
    const opening = StoredSnapshot.openManifest(store, other);
    await expect(opening).rejects.toThrow(
      `${other}/manifest.json has format ${STORE_FORMAT - 1}, but this version of crawldex reads format ${STORE_FORMAT}: run crawldex build again`,
    );
    const { content } = await manifestOf(store, result.id);
    const rebuilt = await build(join(folder, "published"), { store, jobs: 1 });
    const now = await manifestOf(store, rebuilt.id);
    // The snapshot of another format counts as a publication.
    expect(now).toMatchObject({ content, history: { generation: 3, since: 3, changes: [] } });
    expect(await verify(store)).toMatchObject({ id: rebuilt.id, bad: [] });
  });
});
