import { existsSync } from "node:fs";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Extra, installExtras } from "../../src/extra.js";
import { EXTRAS } from "../../src/extras/index.js";
import { createFetchHandler } from "../../src/fetch/index.js";
import { build } from "../../src/publish/build.js";
import { serve } from "../../src/server/serve.js";
import { folderStore } from "../../src/store/folder-source.js";
import { layout } from "../../src/store/layout.js";
import { everyCheckOf, SignatureError, type VerifyManifest } from "../../src/store/signature.js";
import { signerFor, verifierFor } from "../../src/store/signers.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { verify } from "../../src/upkeep/verify.js";
import { temporaryFolder, writePublished } from "../fixtures.js";
import { named } from "./stores.js";

/** Has a test begin with these extras. */
function install(...extras: readonly Extra[]): void {
  installExtras(extras);
  onTestFinished(() => installExtras(EXTRAS));
}

/** A store with two snapshots that each have a signature of some kind. */
async function aSignedStore() {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const publish = async (name: string, keep = 9) => {
    const published = await writePublished(join(folder, name), named(name));
    const { id } = await build(published, { store, jobs: 1, keep });
    await writeFile(layout.signature(store, id), "a signature\n");
    return id;
  };
  return { store, publish, ids: [await publish("One"), await publish("Two")] };
}

async function readyOf(store: string): Promise<unknown> {
  const server = await serve(store, { port: 0 });
  onTestFinished(() => server.close());
  return (await fetch(`${server.url}/readyz`)).json();
}

const refusing: VerifyManifest = async ({ id }) => {
  throw new SignatureError(`snapshot ${id} is refused`);
};

describe("without an extra for signatures", () => {
  beforeEach(() => install());

  it("nobody signs, and nobody checks", async () => {
    expect(await signerFor({})).toBeUndefined();
    expect(await verifierFor({})).toBeUndefined();
  });

  it("a store that was signed is served, verified, rolled back and cleaned up", async () => {
    const { store, publish, ids } = await aSignedStore();
    expect(await readyOf(store)).toMatchObject({ ready: true, snapshot: ids[1] });
    expect(await verify(store)).toMatchObject({ id: ids[1], bad: [] });
    const { id } = await rollback(store);
    expect(existsSync(layout.signature(store, id))).toBe(false);
    expect(await readyOf(store)).toMatchObject({ ready: true, snapshot: id });
    // Servers read a snapshot for a minute after it was replaced.
    for (const old of ids) await utimes(layout.snapshot(store, old), new Date(0), new Date(0));
    await publish("Three", 1);
    expect(existsSync(layout.snapshot(store, ids[0] ?? ""))).toBe(false);
    expect((await verify(store)).bad).toEqual([]);
  });

  it("options about keys are refused, instead of being ignored", async () => {
    const { store } = await aSignedStore();
    const keys: object = { publicKeys: ["a key"], signingKey: "a key" };
    for (const given of [verify(store, keys), rollback(store, keys), serve(store, keys)]) {
      await expect(given).rejects.toThrow(/there is no option "(?:publicKeys|signingKey)"/);
    }
    const handler = createFetchHandler({ store: folderStore(store), ...keys });
    await expect(handler).rejects.toThrow('there is no option "publicKeys"');
  });
});

describe("with an extra that checks signatures", () => {
  it("no function accepts what it refuses", async () => {
    const { store, ids } = await aSignedStore();
    install({ name: "refusing", verifier: async () => refusing });
    const message = `snapshot ${ids[1]} is refused`;
    expect(await readyOf(store)).toEqual({ ready: false, trouble: message });
    const { bad } = await verify(store);
    expect(bad).toMatchObject([{ file: `${ids[1]}/manifest.json.minisig`, problem: message }]);
    const handler = await createFetchHandler({
      store: folderStore(store),
      extras: [{ name: "refusing", verifyManifest: refusing }],
    });
    expect((await handler(new Request("http://any.example/readyz"))).status).toBe(503);
  });

  it("what it signs is written beside the manifest, and its checks get it", async () => {
    const { store, publish } = await aSignedStore();
    const seen: unknown[] = [];
    install({
      name: "sealing",
      signer: async () => (_, id, generation) => `${id} ${generation}`,
      verifier: async () => async (signed) => {
        seen.push(signed.signature);
        return Number(signed.signature?.split(" ")[1]);
      },
    });
    const folder = await temporaryFolder();
    const published = await writePublished(folder, named("Three"));
    const { id } = await build(published, { store, jobs: 1 });
    expect(await verify(store)).toMatchObject({ id, generation: 3 });
    expect(seen).toContain(`${id} 3`);
    expect(await publish("Four")).not.toBe(id);
  });
});

describe("several checks of a signature", () => {
  const signed = { manifest: new Uint8Array(), id: "id", signature: null };
  const accepting: VerifyManifest = async () => 7;

  it("must all be passed", async () => {
    expect(await everyCheckOf([accepting, accepting])?.(signed)).toBe(7);
    for (const checks of [
      [accepting, refusing],
      [refusing, accepting],
    ]) {
      await expect(everyCheckOf(checks)?.(signed)).rejects.toThrow(SignatureError);
    }
    expect(everyCheckOf([])).toBeUndefined();
  });
});
