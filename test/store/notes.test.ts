import { cp, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { build } from "../../src/build/build.js";
import { createFetchHandler } from "../../src/fetch/index.js";
import { pull } from "../../src/remote/pull.js";
import { folderStore } from "../../src/store/packs/folder-source.js";
import { serveFolder } from "../fetch/file-server.js";
import { aListing, aPublishedDirectory, aScan } from "../fixtures.js";
import { builtStore, treeOf } from "./trees.js";

const GONE = "gone.example";

/** A directory with a listing that was removed. */
function withRemoved(name = "Example") {
  return aPublishedDirectory({
    listings: [aListing({ name }), aListing({ host: GONE, visibility: "removed" })],
    scans: [aScan(), aScan({ host: GONE })],
  });
}

/** The files of a folder that name the removed listing. */
async function namesGone(folder: string): Promise<string[]> {
  const names = Object.keys(await treeOf(folder));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "latin1")));
  return names.filter((_, at) => texts[at]?.includes(GONE));
}

describe("the builder's notes", () => {
  it("are the only file that names a removed listing, and a copy without dot files has all that readers need", async () => {
    const { folder, store } = await builtStore(withRemoved());
    const copy = join(folder, "copy");
    for (const name of await readdir(store)) {
      // As `cp -r store/* copy` does.
      if (!name.startsWith(".")) await cp(join(store, name), join(copy, name), { recursive: true });
    }
    expect(await namesGone(store)).toEqual([".notes"]);
    expect(await namesGone(copy)).toEqual([]);
    const handler = await createFetchHandler({ store: folderStore(copy) });
    const reply = await handler(new Request("https://any.example/api/sites/example.com/report"));
    expect(reply.status).toBe(200);
    const server = await serveFolder(copy);
    onTestFinished(() => server.close());
    const replica = join(folder, "replica");
    expect(await pull(server.url, { store: replica })).toMatchObject({ changed: true });
    expect(await namesGone(replica)).toEqual([]);
    // Lost notes cost a full build.
    const published = join(folder, "published");
    expect(await build(published, { store: copy, jobs: 1 })).toMatchObject({ changed: false });
  });

  it("cannot be read by other users, such as that of a web server", async () => {
    const { store } = await builtStore(withRemoved());
    expect((await stat(join(store, ".notes"))).mode & 0o007).toBe(0);
    expect((await stat(join(store, "current.json"))).mode & 0o004).toBe(0o004);
  });
});
