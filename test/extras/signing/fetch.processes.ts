import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { signing } from "../../../src/extras/signing/edge.js";
import { keyFilesOf, signerOf } from "../../../src/extras/signing/sign.js";
import { httpStore } from "../../../src/fetch/index.js";
import { folderStore } from "../../../src/store/folder-source.js";
import { serveFolder } from "../../fetch/file-server.js";
import { sharedOrigin } from "../../fetch/generations.js";
import { TRICKS, type TrickName } from "../../fetch/hostile-origin.js";
import { healthOf } from "../../fetch/targets.js";
import { expectWithstood, following, GENERATIONS, OUTCOMES } from "../../fetch/tricks.js";
import { someOf } from "../../slow.js";

const { publicKey, secretText } = keyFilesOf(
  generateKeyPairSync("ed25519").privateKey,
  new Uint8Array(8).fill(7),
);
const origin = sharedOrigin(GENERATIONS, signerOf(secretText));
const publicKeys = [publicKey];

beforeEach(() => origin.rewind(GENERATIONS));

/** What a handler with a public key serves after a trick, or why nothing, where it differs. */
const SIGNED_OUTCOMES: typeof OUTCOMES = {
  ...OUTCOMES,
  "an endless signature": /minisig has more than 4096 bytes.*is not signed/,
  "an endless 404": /is not signed/,
};

describe("a fetch handler with a public key, and a hostile origin", () => {
  it.each(someOf(Object.keys(TRICKS) as TrickName[], 5))("that plays %s", (trick) =>
    expectWithstood(origin, trick, SIGNED_OUTCOMES[trick], [signing({ publicKeys })]),
  );
});

describe("a fetch handler with a public key", () => {
  it("answers nothing from an origin whose signature is missing, or made with another key", async () => {
    const other = keyFilesOf(generateKeyPairSync("ed25519").privateKey, new Uint8Array(8).fill(7));
    const files = folderStore(origin.folder);
    const unsigned = await following({
      store: async (path, ...rest) => {
        if (!path.endsWith(".minisig")) return files(path, ...rest);
        throw Object.assign(new Error("no such file"), { code: "ENOENT" });
      },
      extras: [signing({ publicKeys })],
    });
    expect(await healthOf(unsigned.handler)).toMatchObject({
      ready: false,
      trouble: expect.stringContaining("is not signed"),
    });
    const wrong = await following({
      store: files,
      extras: [signing({ publicKeys: [other.publicKey] })],
    });
    expect(await healthOf(wrong.handler)).toMatchObject({
      ready: false,
      trouble: expect.stringContaining("does not match its manifest"),
    });
  });

  it("demands what each of two checks demands", async () => {
    const other = keyFilesOf(generateKeyPairSync("ed25519").privateKey, new Uint8Array(8).fill(8));
    const both = [signing({ publicKeys }), signing({ publicKeys: [other.publicKey] })];
    for (const extras of [both, both.toReversed()]) {
      const { handler } = await following({ store: folderStore(origin.folder), extras });
      expect(await healthOf(handler)).toMatchObject({ ready: false });
    }
  });

  it("refuses an older state of the origin", async () => {
    const files = await serveFolder(origin.folder, () => {});
    onTestFinished(files.close);
    const { handler } = await following({
      store: httpStore(files.url),
      extras: [signing({ publicKeys })],
    });
    expect(await healthOf(handler)).toMatchObject({ generation: GENERATIONS });
    await origin.rewind(2);
    await expect
      .poll(() => healthOf(handler), { timeout: 20_000 })
      .toMatchObject({
        generation: GENERATIONS,
        trouble: expect.stringContaining("older"),
      });
  });
});

describe("the option leastGeneration", () => {
  it("refuses an older signed snapshot that was put back, even in a handler that has just started", async () => {
    const store = folderStore(origin.folder);
    await origin.rewind(2);
    const without = await following({ store, extras: [signing({ publicKeys })] });
    expect(await healthOf(without.handler)).toMatchObject({ ready: true, generation: 2 });
    const { handler } = await following({
      store,
      extras: [signing({ publicKeys, leastGeneration: 3 })],
    });
    expect(await healthOf(handler)).toMatchObject({
      ready: false,
      trouble: expect.stringMatching(/older than generation 3/),
    });
    await origin.rewind(GENERATIONS);
    const at = await following({
      store,
      extras: [signing({ publicKeys, leastGeneration: GENERATIONS })],
    });
    expect(await healthOf(at.handler)).toMatchObject({ ready: true, generation: GENERATIONS });
  });

  it("is 0 or greater", () => {
    for (const leastGeneration of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => signing({ publicKeys, leastGeneration })).toThrow(TypeError);
    }
  });
});

describe("the option publicKeys of an edge", () => {
  it("names one or two keys", () => {
    for (const keys of [[], ["x"], [publicKey, publicKey, publicKey], publicKey, undefined]) {
      expect(() => signing({ publicKeys: keys as string[] })).toThrow(TypeError);
    }
  });

  it("is no option of the handler itself, which says so instead of checking nothing", async () => {
    const options = { store: folderStore(origin.folder), publicKeys };
    await expect(following(options)).rejects.toThrow('there is no option "publicKeys"');
  });
});
