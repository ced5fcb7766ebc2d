import fs from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PATIENCE, RemoteRefusedError } from "../../../src/extras/remote/failures.js";
import { originAt } from "../../../src/extras/remote/origin.js";
import { pull } from "../../../src/extras/remote/pull.js";
import type { S3Bucket } from "../../../src/extras/remote/s3-bucket.js";
import { snapshotId } from "../../../src/store/layout.js";
import { pointerText } from "../../../src/store/pointer.js";
import { publicationsUpTo } from "../../../src/store/publications.js";
import {
  HUGE_GENERATION,
  hostileOrigin,
  INTERNAL_STATUS,
  SECRET,
  TRICKS,
  type TrickName,
} from "../../fetch/hostile-origin.js";
import { type Files, filesIn } from "../../fetch/plain-host.js";
import { temporaryFolder } from "../../fixtures.js";
import { repeated, someOf } from "../../slow.js";
import { BUCKET } from "./imitation.js";
import { aPusher } from "./pusher.js";
import { sealOf, withSeals } from "./sealing.js";

withSeals();

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
  "a pointer with a huge generation": {
    message: /has another generation than current.json or its signature states/,
    requests: 3,
  },
  "a manifest of empty entries": { message: /is not sealed/, requests: 4 },
  "an endless pointer": { message: /current\.json has more than 1024 bytes/, requests: 1 },
  "an endless manifest": { message: /json has more than 16777216 bytes/, requests: 4 },
  "an endless signature": { message: /minisig has more than 4096 bytes/, requests: 5 },
  "an endless file": { message: /does not match the manifest.*tried 3 times/, requests: 60 },
  "an endless 404": { message: /is not sealed/, requests: 15 },
  "an endless error": { message: /answered 500 \(tried 3 times\)/, requests: 3 },
  "a compressed endless manifest": { message: /json has more than 16777216 bytes/, requests: 4 },
  "a drip of a pointer": { message: TOO_SLOW, requests: 1 },
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

/** What pulls demand. */
const SEALED = { sealedWith: "owner" };

/** What an honest origin has: two signed snapshots, of which it offers one. */
async function signedOrigin() {
  // It goes with the folder of all temporary files.
  const keep = () => {};
  const { store, ids, texts } = await aPusher(undefined, undefined, keep);
  const signatures = new Map<string, string>();
  for (const [index, id] of ids.entries()) {
    const manifest = await readFile(join(store, id, "manifest.json"));
    const path = `${id}/manifest.json.minisig`;
    signatures.set(path, sealOf("owner")(manifest, id, index + 1));
  }
  let offered = 1;
  const offer = (generation: number) => {
    offered = generation;
  };
  const inStore = filesIn(store);
  const files: Files = async (path) => {
    const text = path === "current.json" ? texts[offered - 1] : signatures.get(path);
    return text === undefined ? inStore(path) : Buffer.from(text);
  };
  return { files, ids, offer };
}

let honest: ReturnType<typeof signedOrigin> | undefined;

/** @param isOwn whether the test changes what the origin has */
async function against(trick: TrickName | null, isOwn = false) {
  honest ??= signedOrigin();
  const { files, ids, offer } = await (isOwn ? signedOrigin() : honest);
  const origin = await hostileOrigin(files, trick);
  const store = join(await temporaryFolder(), "store");
  const before = { ...PATIENCE };
  onTestFinished(() => void Object.assign(PATIENCE, before));
  Object.assign(PATIENCE, { tries: 3, firstWaitMs: 1, longestWaitMs: 4 });
  const pointer = async () => JSON.parse(await readFile(join(store, "current.json"), "utf8"));
  return { origin, store, ids, pointer, offer };
}

describe("a pull from a hostile origin", () => {
  it.each(someOf(Object.keys(TRICKS) as TrickName[], 6))("is bounded: %s", async (trick) => {
    const { origin, store, pointer } = await against(trick);
    const { message, requests } = OUTCOMES[trick];
    if (message === TOO_SLOW) Object.assign(PATIENCE, { stepMs: 300, bytesASecond: 2 ** 30 });
    const pulling = pull(origin.url, { store, ...SEALED });
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
  const { files, ids } = await signedOrigin();
  const manifest = JSON.parse(`${await files(`${ids[0]}/manifest.json`)}`);
  const [segment] = manifest.segments;
  manifest.segments = Array.from({ length: SEGMENTS }, () => segment);
  const bytes = Buffer.from(JSON.stringify(manifest));
  const pointer = Buffer.from(
    pointerText({ id: snapshotId(bytes), ...publicationsUpTo(manifest) }),
  );
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

describe("a number that a pointer states", () => {
  it("leaves no trace if the signed manifest has another one", async () => {
    const { origin, store, ids, pointer, offer } = await against(null, true);
    const options = { store, ...SEALED };
    expect(await pull(origin.url, options)).toMatchObject({ id: ids[0], generation: 1 });
    offer(2);
    origin.play("a pointer with a huge generation");
    await expect(pull(origin.url, options)).rejects.toThrow(/has another generation than/);
    expect(await pointer()).toMatchObject({ id: ids[0], generation: 1 });
    origin.play(null);
    expect(await pull(origin.url, options)).toMatchObject({ id: ids[1], generation: 2 });
  });

  it.each(["without signatures", "with signatures", "with a damaged manifest"])(
    "is never followed back to an older publication: %s",
    async (how) => {
      const { origin, store, ids, pointer, offer } = await against(null, true);
      const options = { store, ...(how === "with signatures" && SEALED) };
      offer(2);
      await pull(origin.url, options);
      if (how === "with a damaged manifest") {
        await writeFile(join(store, `${ids[1]}`, "manifest.json"), "{}");
      }
      offer(1);
      await expect(pull(origin.url, options)).rejects.toThrow(RemoteRefusedError);
      await expect(pull(origin.url, options)).rejects.toThrow(
        /offers generation 1, but the local store has had generation 2/,
      );
      expect(await pointer()).toMatchObject({ id: ids[1], generation: 2 });
      offer(2);
      expect(await pull(origin.url, options)).toMatchObject({ id: ids[1], generation: 2 });
    },
  );

  it("is repaired in a local pointer", async () => {
    const { origin, store, ids, pointer } = await against(null);
    await pull(origin.url, { store, ...SEALED });
    const good = await pointer();
    const poisoned = JSON.stringify({ ...good, generation: HUGE_GENERATION });
    await writeFile(join(store, "current.json"), poisoned);
    const healed = await pull(origin.url, { store, ...SEALED });
    expect(healed).toMatchObject({ id: ids[0], generation: 1, changed: false });
    expect(await pointer()).toEqual(good);
  });
});

describe("a redirect", () => {
  it("to another host is followed with allowRedirects, without a word of an internal answer", async () => {
    const { origin, store } = await against("a redirect to another host");
    const options = { store, ...SEALED, allowRedirects: true };
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
