import fs from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { originAt } from "../../src/remote/origin.js";
import { pull } from "../../src/remote/pull.js";
import { PATIENCE } from "../../src/remote/retrying.js";
import type { S3Bucket } from "../../src/remote/s3-bucket.js";
import { signManifest } from "../../src/signing/sign.js";
import { snapshotId } from "../../src/store/layout.js";
import { temporaryFolder } from "../fixtures.js";
import { aKeyPair } from "../signing/keys.js";
import { repeated, someOf } from "../slow.js";
import { builtStore, manyListings } from "../store/trees.js";
import {
  HUGE_GENERATION,
  hostileOrigin,
  INTERNAL_STATUS,
  SECRET,
  TRICKS,
  type TrickName,
} from "./hostile-origin.js";
import { type Files, filesIn } from "./hosts.js";
import { BUCKET } from "./imitation.js";

/** How a trick ends. The message of a failure says which bound was met. */
interface Outcome {
  /** Null if the pull succeeds, with generation 1. */
  readonly message: RegExp | null;
  /** The most requests, retries included. */
  readonly requests: number;
}

const TOO_SLOW =
  / is too slow: (finding its newest snapshot|downloading \d+ bytes) took \d+ seconds/;
const TOO_MANY_HOPS = /redirects more than 5 times, the limit/;
const ELSEWHERE =
  /redirects to 127\.0\.0\.1:\d+, another host: pull from there, or use --allow-red/;

const OUTCOMES: Record<TrickName, Outcome> = {
  "a generation for every number": {
    message: /more than 65536 generations above generation 1, the limit/,
    requests: 30,
  },
  "a hint of a huge generation": { message: null, requests: 60 },
  "a huge generation, with its file": { message: null, requests: 60 },
  "a manifest of empty entries": { message: /is not signed, but a public key/, requests: 4 },
  "an endless hint": { message: /current\.json has more than 1024 bytes/, requests: 1 },
  "an endless generation": { message: /\d\.json has more than 1024 bytes/, requests: 3 },
  "an endless manifest": { message: /json has more than 16777216 bytes/, requests: 4 },
  "an endless signature": { message: /minisig has more than 4096 bytes/, requests: 5 },
  "an endless file": { message: /does not match the manifest.*tried 3 times/, requests: 60 },
  "an endless 404": { message: /is not signed, but a public key/, requests: 15 },
  "an endless error": { message: /answered 500 \(tried 3 times\)/, requests: 3 },
  "a compressed endless manifest": { message: /json has more than 16777216 bytes/, requests: 4 },
  "a drip of a hint": { message: TOO_SLOW, requests: 1 },
  "a drip of a manifest": { message: TOO_SLOW, requests: 4 },
  "a drip of a file": { message: TOO_SLOW, requests: 60 },
  "a drip of a head": { message: TOO_SLOW, requests: 1 },
  "a drip of early hints": { message: TOO_SLOW, requests: 1 },
  "redirects for ever": { message: TOO_MANY_HOPS, requests: 6 },
  "a redirect to another path": { message: null, requests: 120 },
  "a redirect to another host": { message: ELSEWHERE, requests: 1 },
  "a redirect to an internal address": { message: ELSEWHERE, requests: 1 },
  "lists with ever new tokens": { message: null, requests: 60 },
};

/** What the system's buffers take of an endless body, beyond what is read of it. */
const BUFFERED = 16 * 1024 * 1024;
const MANIFEST_MAX = 16 * 1024 * 1024;

/** What an honest origin has: one snapshot, signed as generation 1. */
async function signedOrigin() {
  // It goes with the folder of all temporary files.
  const keep = () => {};
  const { store, result } = await builtStore(manyListings(12), {}, keep);
  const { signingKey, publicKey } = await aKeyPair(await temporaryFolder(keep));
  const { id } = result;
  const texts = new Map<string, string>();
  /** Signs the snapshot as a later generation, which becomes the newest. */
  const publishAgain = async (generation: number) => {
    const manifest = await readFile(join(store, id, "manifest.json"));
    const pointer = { format: 1, id, generation };
    texts.set(`${id}/manifest.json.minisig`, signManifest(manifest, id, generation, signingKey));
    texts.set(`generations/${generation}.json`, JSON.stringify(pointer));
    texts.set("current.json", JSON.stringify(pointer));
  };
  await publishAgain(1);
  const inStore = filesIn(store);
  const files: Files = async (path) => {
    const text = texts.get(path);
    return text === undefined ? inStore(path) : Buffer.from(text);
  };
  return { files, id, publicKeys: [publicKey], publishAgain };
}

let honest: ReturnType<typeof signedOrigin> | undefined;

/** @param isOwn whether the test changes what the origin has */
async function against(trick: TrickName | null, isOwn = false) {
  honest ??= signedOrigin();
  const { files, publicKeys, id, publishAgain } = await (isOwn ? signedOrigin() : honest);
  const origin = await hostileOrigin(files, trick);
  const store = join(await temporaryFolder(), "store");
  const before = { ...PATIENCE };
  onTestFinished(() => void Object.assign(PATIENCE, before));
  Object.assign(PATIENCE, { tries: 3, firstWaitMs: 1, longestWaitMs: 4 });
  const pointer = async () => JSON.parse(await readFile(join(store, "current.json"), "utf8"));
  return { origin, store, publicKeys: [...publicKeys], id, pointer, publishAgain };
}

describe("a pull from a hostile origin", () => {
  it.each(someOf(Object.keys(TRICKS) as TrickName[], 6))("is bounded: %s", async (trick) => {
    const { origin, store, publicKeys, pointer } = await against(trick);
    const { message, requests } = OUTCOMES[trick];
    if (message === TOO_SLOW) Object.assign(PATIENCE, { stepMs: 300, bytesASecond: 2 ** 30 });
    const pulling = pull(origin.url, { store, publicKeys });
    if (message !== null) await expect(pulling).rejects.toThrow(message);
    else {
      await pulling;
      expect(await pointer()).toMatchObject({ generation: 1 });
    }
    expect(origin.requested.length).toBeLessThanOrEqual(requests);
    expect(origin.receivedElsewhere).toEqual([]);
    expect(origin.bytesSent()).toBeLessThan(origin.requested.length * BUFFERED + MANIFEST_MAX);
  });
});

describe("a manifest that is not signed", () => {
  it("is refused at its first bad entry, if no signatures are required", async () => {
    const { origin, store } = await against("a manifest of empty entries");
    await expect(pull(origin.url, { store })).rejects.toThrow(/has a format that this version/);
  });
});

const SEGMENTS = repeated(600, 6_000);

it("other work goes on while a pull looks for the many files of a hostile manifest", async () => {
  const { files, id } = await signedOrigin();
  const manifest = JSON.parse(`${await files(`${id}/manifest.json`)}`);
  const [segment] = manifest.segments;
  manifest.segments = Array.from({ length: SEGMENTS }, () => segment);
  const bytes = Buffer.from(JSON.stringify(manifest));
  const pointer = Buffer.from(JSON.stringify({ format: 1, id: snapshotId(bytes) }));
  const hostile: Record<string, Buffer> = {
    "current.json": pointer,
    [`${snapshotId(bytes)}/manifest.json`]: bytes,
  };
  const origin = await hostileOrigin(async (path) => hostile[path] ?? null, null);
  let inTurn = 0;
  let most = 0;
  const lstat = fs.lstatSync;
  const lookedFor = vi.spyOn(fs, "lstatSync").mockImplementation(((...looked: [string]) => {
    inTurn += 1;
    most = Math.max(most, inTurn);
    return lstat(...looked);
  }) as typeof lstat);
  syncBuiltinESMExports();
  let turn = setImmediate(function next() {
    inTurn = 0;
    turn = setImmediate(next);
  });
  onTestFinished(() => {
    clearImmediate(turn);
    lookedFor.mockRestore();
    syncBuiltinESMExports();
  });
  const store = join(await temporaryFolder(), "store");
  await expect(pull(origin.url, { store })).rejects.toThrow("is missing");
  expect(lookedFor.mock.calls.length).toBeGreaterThan(2 * SEGMENTS);
  expect(most).toBeLessThanOrEqual(1_024);
});

describe("generations that are not signed", () => {
  it.each(["a hint of a huge generation", "a huge generation, with its file"] as const)(
    "leave no trace in a store that pulls with public keys: %s",
    async (trick) => {
      const { origin, store, publicKeys, id, pointer, publishAgain } = await against(trick, true);
      const pulled = async () => (await pull(origin.url, { store, publicKeys })).generation;
      expect(await pulled()).toBe(1);
      expect(await pointer()).toEqual({ format: 1, id, generation: 1 });
      await publishAgain(2);
      origin.play(null);
      expect(await pulled()).toBe(2);
      origin.play(trick);
      expect(await pulled()).toBe(2);
      expect(await pointer()).toEqual({ format: 1, id, generation: 2 });
    },
  );

  it("are replaced in a local pointer that has one", async () => {
    const { origin, store, publicKeys, id, pointer } = await against(null);
    await pull(origin.url, { store, publicKeys });
    const poisoned = JSON.stringify({ format: 1, id, generation: HUGE_GENERATION });
    await writeFile(join(store, "current.json"), poisoned);
    const healed = await pull(origin.url, { store, publicKeys });
    expect(healed).toMatchObject({ id, generation: 1, changed: false, setBackFrom: null });
    expect(await pointer()).toEqual({ format: 1, id, generation: 1 });
  });
});

describe("a redirect", () => {
  it("to another host is followed with allowRedirects, without a word of an internal answer", async () => {
    const { origin, store, publicKeys } = await against("a redirect to another host");
    const options = { store, publicKeys, allowRedirects: true };
    expect(await pull(origin.url, options)).toMatchObject({ generation: 1, changed: true });
    origin.play("a redirect to an internal address");
    const failure = String(await pull(origin.url, options).catch((error: unknown) => error));
    expect(failure).toMatch(/redirects to 127\.0\.0\.1:\d+, which does not send the file/);
    expect(failure).not.toContain(SECRET);
    expect(failure.replaceAll(/:\d+/g, "")).not.toContain(`${INTERNAL_STATUS}`);
  });

  it("is not followed with credentials, even with allowRedirects", async () => {
    const { origin, store } = await against("a redirect to another host");
    bucketAt(origin.url);
    const pulling = pull(BUCKET, { store, allowRedirects: true });
    await expect(pulling).rejects.toThrow(/answered 302/);
    expect(origin.receivedElsewhere).toEqual([]);
  });
});

it("a list with ever new tokens ends at the most pages that a list may have", async () => {
  const { origin } = await against("lists with ever new tokens");
  bucketAt(origin.url);
  Object.assign(PATIENCE, { listPages: 20 });
  const bucket = originAt(BUCKET, false) as S3Bucket;
  await expect(bucket.list()).rejects.toThrow("has a list of more than 20 pages, the limit");
  expect(origin.requested).toHaveLength(20);
});

/** Makes a server the store of the environment. */
function bucketAt(url: string): void {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "key");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.stubEnv("AWS_ENDPOINT_URL_S3", url);
  onTestFinished(() => void vi.unstubAllEnvs());
}
