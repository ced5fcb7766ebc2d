import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { build } from "../../../src/publish/build.js";
import { serve } from "../../../src/server/serve.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import { NO_PICTURES } from "../../pictures.js";
import { manyListings } from "../../store/trees.js";
import { aKeyPair } from "./keys.js";

it("a server that checks signatures keeps its index only in a folder of its own: the index is not signed", async () => {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const { secretText, publicKey } = await aKeyPair(folder);
  const published = await writePublished(join(folder, "published"), manyListings(2_000));
  await build(published, { store, jobs: 2, signingKey: secretText });
  const started = async (options: object) => {
    const server = await serve(store, { port: 0, ...NO_PICTURES, ...options });
    await server.close();
  };
  await started({ publicKeys: [publicKey] });
  expect(await readdir(store)).not.toContain(".index");
  const cacheDir = join(folder, "cache");
  await started({ publicKeys: [publicKey], cacheDir });
  expect(await readdir(store)).not.toContain(".index");
  expect(await readdir(join(cacheDir, ".index"))).toHaveLength(1);
  // Without signatures it lies in the store.
  await started({});
  expect(await readdir(join(store, ".index"))).toHaveLength(1);
});
