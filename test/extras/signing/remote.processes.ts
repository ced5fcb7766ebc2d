import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { program } from "../../../cli/program.js";
import { build } from "../../../src/publish/build.js";
import { startServing } from "../../cli/served.js";
import { crawldex } from "../../cli/spawned.js";
import { serveFolder } from "../../fetch/file-server.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import { manyListings } from "../../store/trees.js";
import { aKeyPair } from "./keys.js";

/** Another extra, which may be deleted, brings stores at addresses. */
const HAS_ADDRESSES = program.commands.some((command) => command.name() === "pull");
if (!HAS_ADDRESSES) process.stderr.write("skipped: no extra opens stores at addresses\n");

const WAIT = { timeout: 30_000, interval: 50 };
/** How a server that reads a store at an address refuses it, for the reasons that it gives. */
const WAYS = [
  ["reads it from there", []],
  ["mirrors it", ["--mirror"]],
] as const;

/** A web server over a store with a snapshot that nobody signed, then two that a key has signed. */
async function anOrigin() {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const keys = await aKeyPair(folder, "own");
  const other = await aKeyPair(folder, "other");
  const pointers: string[] = [];
  const ids: string[] = [];
  for (const [count, signingKey] of [2, 3, 4].map(
    (many) => [many, many === 2 ? undefined : keys.secretText] as const,
  )) {
    const published = await writePublished(join(folder, `${count}`), manyListings(count));
    ids.push((await build(published, { store, jobs: 1, keep: 9, signingKey })).id);
    pointers.push(await readFile(join(store, "current.json"), "utf8"));
  }
  const served = join(folder, "served");
  await cp(store, served, { recursive: true });
  const offer = (count: number) =>
    writeFile(join(served, "current.json"), pointers[count - 1] ?? "");
  const { url, close } = await serveFolder(served);
  onTestFinished(close);
  return { folder, served, url, ids, keys, other, offer };
}

async function readyAt(url: string): Promise<unknown> {
  return (await fetch(`${url}/readyz`)).json();
}

describe.skipIf(!HAS_ADDRESSES)("crawldex pull --public-key", () => {
  it("takes what the key has signed, and nothing else", async () => {
    const { folder, url, ids, keys, other, offer } = await anOrigin();
    const store = join(folder, "copy");
    const pull = (key: string) =>
      crawldex(["pull", url, "--store", store, "--public-key", key, "--json"]);
    await offer(1);
    const unsigned = await pull(keys.publicKey);
    expect([unsigned.code, unsigned.stdout]).toEqual([4, expect.stringContaining("is not signed")]);
    await offer(2);
    const unknown = await pull(other.publicKey);
    expect([unknown.code, unknown.stdout]).toEqual([4, expect.stringContaining("unknown key")]);
    await offer(3);
    const pulled = await pull(keys.publicKeyFile);
    expect([pulled.code, JSON.parse(pulled.stdout)]).toMatchObject([
      0,
      { id: ids[2], generation: 3 },
    ]);
    await offer(2);
    const older = await pull(keys.publicKey);
    expect([older.code, older.stdout]).toEqual([
      6,
      expect.stringContaining("has had generation 3"),
    ]);
    const verified = await crawldex(["verify", store, "--public-key", keys.publicKey]);
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
    const refusing = await startServing(store, ["--public-key", other.publicKey]);
    const trouble = expect.stringContaining("is signed with the unknown key");
    expect(await readyAt(refusing.url)).toEqual({ ready: false, trouble });
    expect(refusing.said()).toContain(`snapshot refused: snapshot ${ids[2]} is signed with the`);
  });

  it("refuses a manifest whose signature belongs to another", async () => {
    const { folder, served, url, ids, keys } = await anOrigin();
    const signature = (id?: string) => join(served, id ?? "", "manifest.json.minisig");
    await cp(signature(ids[1]), signature(ids[2]));
    const { code, stderr } = await crawldex(
      ["pull", url, "--store", join(folder, "copy"), "--public-key", keys.publicKey],
      folder,
    );
    expect([code, stderr]).toEqual([4, expect.stringContaining("does not match its manifest")]);
  });
});

describe.skipIf(!HAS_ADDRESSES)("crawldex serve --public-key, of a store at an address", () => {
  it.each(WAYS)(
    "that %s, refuses what the key has not signed, and what is older",
    async (_, way) => {
      const { folder, url, ids, keys, offer } = await anOrigin();
      const args = [...way, "--cache-dir", join(folder, "cache"), "--refresh-seconds", "1"];
      await offer(1);
      const server = await startServing(url, [...args, "--public-key", keys.publicKeyFile]);
      await expect.poll(() => server.said(), WAIT).toContain("is not signed");
      expect(await readyAt(server.url)).toMatchObject({ ready: false });
      expect((await fetch(`${server.url}/api/sites`)).status).toBe(503);
      await offer(3);
      await expect.poll(() => readyAt(server.url), WAIT).toMatchObject({ snapshot: ids[2] });
      const before = server.said().length;
      await offer(2);
      await expect.poll(() => server.said().slice(before), WAIT).toMatch(/generation 2|older/);
      expect(await readyAt(server.url)).toMatchObject({ ready: true, snapshot: ids[2] });
    },
  );

  it.each(WAYS)("that %s, refuses what another key has signed", async (_, way) => {
    const { folder, url, other } = await anOrigin();
    const args = [...way, "--cache-dir", join(folder, "cache"), "--refresh-seconds", "1"];
    const server = await startServing(url, [...args, "--public-key", other.publicKey]);
    await expect.poll(() => server.said(), WAIT).toContain("unknown key");
    expect(await readyAt(server.url)).toMatchObject({ ready: false });
  });

  it("is wrong usage if the key is none", async () => {
    const args = ["http://127.0.0.1/", "--mirror", "--public-key", "none"];
    expect((await crawldex(["serve", ...args], await temporaryFolder())).code).toBe(2);
  });
});
