import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calls } from "../../../src/files/calls.js";
import { build } from "../../../src/publish/build.js";
import { layout } from "../../../src/store/layout.js";
import { currentId } from "../../../src/store/reader.js";
import { rollback } from "../../../src/upkeep/rollback.js";
import { verify } from "../../../src/upkeep/verify.js";
import { withHook } from "../../crash/faults.js";
import { type PublishedFiles, temporaryFolder, writePublished } from "../../fixtures.js";
import { manifestOf } from "../../store/forge.js";
import { named } from "../../store/stores.js";
import { letPass, publishedTree, treeOf } from "../../store/trees.js";
import { aKeyPair } from "./keys.js";

/** A folder with a key pair, and functions that build into one store. */
async function aSigner() {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const keys = await aKeyPair(folder);
  let count = 0;
  const publish = async (files: PublishedFiles, signingKey?: string, keep = 9) => {
    count += 1;
    const published = await writePublished(join(folder, `published-${count}`), files);
    return build(published, { store, jobs: 1, keep, signingKey });
  };
  const publicKeys = [keys.publicKey];
  const verified = async (by = publicKeys) => {
    const { generation, bad } = await verify(store, { publicKeys: by });
    return bad[0]?.problem ?? generation;
  };
  return { folder, store, keys, key: keys.secretText, publish, verified, publicKeys };
}

describe("a build with a signing key", () => {
  it("publishes the id and the bytes of one without, and the signature", async () => {
    const one = await aSigner();
    const other = await aSigner();
    const signed = await one.publish(named("One"), one.key);
    const unsigned = await other.publish(named("One"));
    expect([signed.id, signed.generation]).toEqual([unsigned.id, 1]);
    expect(unsigned.generation).toBe(1);
    const { [`${signed.id}/manifest.json.minisig`]: signature, ...rest } = await publishedTree(
      one.store,
    );
    expect(signature).toBeDefined();
    expect(rest).toEqual(await publishedTree(other.store));
    expect(await one.verified()).toBe(1);
  });

  it(
    "signs each new snapshot with the number of its publication, and keeps the signature of one that " +
      "is current",
    async () => {
      const { store, key, publish, verified } = await aSigner();
      const generations = [];
      for (const name of ["One", "Two", "Two", "Three", "One"]) {
        generations.push((await publish(named(name), key)).generation);
        expect(await verified()).toBe(generations.at(-1));
      }
      expect(generations).toEqual([1, 2, 2, 3, 4]);
      const before = await treeOf(store);
      await publish(named("One"), key);
      expect((await treeOf(store))[`${await currentId(store)}/manifest.json.minisig`]).toBe(
        before[`${await currentId(store)}/manifest.json.minisig`],
      );
    },
  );

  it("counts on after snapshots that were not signed, and signs a current one that was not", async () => {
    const { key, publish, verified } = await aSigner();
    await publish(named("One"), key);
    await publish(named("Two"));
    expect(await verified()).toMatch(/is not signed, but a public key is configured/);
    expect((await publish(named("Two"), key)).generation).toBe(2);
    expect(await verified()).toBe(2);
  });

  it("signs the current snapshot again if its signature is damaged or of another key", async () => {
    const { folder, store, key, publish, verified, publicKeys } = await aSigner();
    await publish(named("One"), key);
    const { id } = await publish(named("Two"), key);
    const path = layout.signature(store, id);
    await writeFile(path, (await readFile(path, "utf8")).replace("generation:2", "generation:4"));
    expect(await verified()).toContain("has a trusted comment that was changed");
    expect((await publish(named("Two"), key)).generation).toBe(2);
    expect(await verified()).toBe(2);
    await rm(path);
    expect((await publish(named("Two"), key)).generation).toBe(2);
    const next = await aKeyPair(folder, "next");
    expect((await publish(named("Two"), next.secretText)).generation).toBe(2);
    expect(await verified()).toMatch(/is signed with the unknown key/);
    expect(await verified([...publicKeys, next.publicKey])).toBe(2);
  });

  it("deletes an unfinished signature, and a signature with its snapshot", async () => {
    const { store, key, publish } = await aSigner();
    const old = await publish(named("One"), key);
    const unfinished = `.new-${"a".repeat(32)}-manifest.json.minisig`;
    await writeFile(join(store, old.id, unfinished), "half");
    await publish(named("Two"), key);
    expect(await readdir(join(store, old.id))).not.toContain(unfinished);
    await letPass(store);
    await publish(named("Three"), key, 1);
    await letPass(store);
    await publish(named("Three"), key, 1);
    expect(await readdir(store)).not.toContain(old.id);
  });
});

describe("a rollback with a signing key", () => {
  it("signs the former snapshot again, newer than the one that it replaces", async () => {
    const { store, key, publish, verified } = await aSigner();
    const { id } = await publish(named("One"), key);
    await publish(named("Two"), key);
    const back = await rollback(store, { signingKey: key });
    expect([back.former, back.generation]).toEqual([id, 3]);
    expect(await verified()).toBe(3);
  });

  it("without the key is noticed by readers, who saw a newer generation", async () => {
    const { store, key, publish, verified } = await aSigner();
    await publish(named("One"), key);
    await publish(named("Two"), key);
    expect((await rollback(store)).generation).toBe(3);
    expect(await verified()).toMatch(/is not signed/);
  });
});

describe("verify with public keys", () => {
  it("takes a build that died between signing and current.json for the same, until the next build", async () => {
    const { folder, store, key, publish, verified } = await aSigner();
    await publish(named("One"), key);
    const published = await writePublished(join(folder, "next"), named("Two"));
    let died = false;
    await withHook(
      { calls } as Parameters<typeof withHook>[0],
      ({ name, args }, real) => {
        died ||= name === "rename" && String(args[1]).endsWith("/current.json");
        if (died) throw Object.assign(new Error("died"), { code: "EIO" });
        return real();
      },
      () => build(published, { store, jobs: 1, signingKey: key }),
    ).catch(() => {});
    const signatures = Object.keys(await treeOf(store)).filter((name) => name.endsWith("minisig"));
    expect(signatures).toHaveLength(2);
    expect(await verified()).toContain("older than generation 2, which was seen before");
    expect((await publish(named("Two"), key)).generation).toBe(2);
    expect(await verified()).toBe(2);
  });

  it("checks the content, too, and names no generation for a bad signature", async () => {
    const { store, key, publish, publicKeys } = await aSigner();
    const { id } = await publish(named("One"), key);
    const { file: pack } = (await manifestOf(store)).segments[0]!.pack;
    await writeFile(join(store, pack), "");
    const damaged = await verify(store, { publicKeys });
    expect(damaged.generation).toBe(1);
    expect(damaged.bad.map(({ file }) => file)).toEqual([pack]);
    await rm(layout.signature(store, id));
    const { generation, bad } = await verify(store, { publicKeys });
    expect(generation).toBeUndefined();
    expect(bad.map(({ file }) => file)).toEqual([`${id}/manifest.json.minisig`, pack]);
    expect((await verify(store)).generation).toBeUndefined();
  });

  it("rejects wrong arguments", async () => {
    const { publicKey } = await aKeyPair(await temporaryFolder());
    for (const publicKeys of [[], ["x"], [publicKey, publicKey, publicKey], publicKey]) {
      const options = { publicKeys: publicKeys as string[] };
      await expect(verify("nowhere", options)).rejects.toThrow(TypeError);
    }
  });
});
