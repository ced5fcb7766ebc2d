import { openSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RemoteError, RemoteSnapshotError } from "../../../src/extras/remote/failures.js";
import { pull } from "../../../src/extras/remote/pull.js";
import { calls } from "../../../src/files/calls.js";
import { lockStore, StoreLockedError } from "../../../src/files/lock.js";
import { currentId } from "../../../src/store/reader.js";
import { verify } from "../../../src/upkeep/verify.js";
import { plainHost } from "../../fetch/plain-host.js";
import { someOf } from "../../slow.js";
import { snapshotOf, treeOf } from "../../store/trees.js";
import { anImitation, BUCKET, type Fault, filesOf } from "./imitation.js";
import { aPusher, newStore, pointerOf, pulledFrom } from "./pusher.js";

/** A bucket with the first snapshot of a pusher. */
async function aPushed(others?: number) {
  const bucket = await anImitation();
  const { store, ids, push } = await aPusher(others);
  let pushed = 0;
  const publishNext = () => {
    pushed += 1;
    return push(pushed - 1);
  };
  await publishNext();
  return { bucket, store, builds: ids, publishNext };
}

/** The files of a store that a pull brings. */
async function snapshotFiles(store: string): Promise<Record<string, string>> {
  const tree = await treeOf(store);
  return Object.fromEntries(
    Object.entries(tree).filter(([path]) => !/^(\.notes|current\.json|\.lock)/.test(path)),
  );
}

async function expectGood(store: string, id: string): Promise<void> {
  expect(await verify(store)).toMatchObject({ id, bad: [] });
}

describe("a pull", () => {
  it("copies the newest snapshot byte for byte, notes its generation, and does nothing the second time", async () => {
    const { bucket, store, builds } = await aPushed();
    const copy = await newStore();
    const [id = ""] = builds;
    expect(await pull(BUCKET, { store: copy })).toMatchObject({ id, generation: 1, changed: true });
    await expectGood(copy, id);
    const { "current.json": _, ...snapshot } = await snapshotOf(store);
    expect(await snapshotFiles(copy)).toEqual(snapshot);
    expect(await pointerOf(copy)).toEqual(await pointerOf(store));
    const before = bucket.count();
    const again = await pull(BUCKET, { store: copy });
    expect(again).toMatchObject({ id, generation: 1, changed: false, files: 0, bytes: 0 });
    expect(bucket.count() - before).toBe(1);
  });

  it("downloads only what changed, and keeps as many snapshots as it is told", async () => {
    const { publishNext } = await aPushed(60);
    const copy = await newStore();
    const first = await pull(BUCKET, { store: copy });
    const { id, uploaded } = await publishNext();
    expect(await pull(BUCKET, { store: copy, keep: 1 })).toMatchObject({
      id,
      generation: 2,
      changed: true,
      files: uploaded - 1,
    });
    await expectGood(copy, id);
    expect(first.files).toBeGreaterThan(uploaded);
    // The former one was current until now, so that its readers may still need it.
    expect(await readdir(copy)).toContain(first.id);
  });

  it("replaces a local file that is damaged, and one of another size", async () => {
    const { publishNext } = await aPushed();
    const copy = await newStore();
    await pull(BUCKET, { store: copy });
    const { id } = await publishNext();
    const [first = "", second = ""] = await readdir(join(copy, "segments"));
    const path = join(copy, "segments", first);
    const bytes = await readFile(path);
    bytes[0] = 0;
    await writeFile(path, bytes);
    await writeFile(join(copy, "segments", second), "short");
    await pull(BUCKET, { store: copy });
    await expectGood(copy, id);
  });

  it("repairs a store whose pointer or manifest is damaged", async () => {
    const { builds } = await aPushed();
    const [id = ""] = builds;
    const copy = await newStore();
    for (const file of ["current.json", `${id}/manifest.json`]) {
      await pull(BUCKET, { store: copy });
      await writeFile(join(copy, file), "{}");
      expect(await pull(BUCKET, { store: copy })).toMatchObject({ id });
      await expectGood(copy, id);
    }
  });

  it("refuses while a build writes to the store", async () => {
    await aPushed();
    const copy = await newStore();
    const lock = await lockStore(copy);
    await lock.during(async () => {
      await expect(pull(BUCKET, { store: copy })).rejects.toThrow(StoreLockedError);
    });
  });

  it("resumes after one that was killed: files that have arrived stay", async () => {
    const { bucket } = await aPushed(60);
    const copy = await newStore();
    const isPack = (path: string | null) => path?.endsWith(".pack") === true;
    bucket.fault = ({ path }) => (isPack(path) ? { status: 403, code: "AllAccessDisabled" } : null);
    await expect(pull(BUCKET, { store: copy })).rejects.toThrow(RemoteError);
    const arrived = await readdir(join(copy, "segments"));
    expect(arrived.length).toBeGreaterThan(0);
    expect(await currentId(copy)).toBe(null);
    bucket.fault = () => null;
    const before = bucket.received.length;
    await pull(BUCKET, { store: copy });
    const again = bucket.received.slice(before).map(({ path }) => path);
    expect(arrived.filter((name) => again.includes(`segments/${name}`))).toEqual([]);
  });

  it("stops at once if its signal is aborted, and the current snapshot stays", async () => {
    const { bucket, publishNext, builds } = await aPushed();
    const copy = await newStore();
    await pull(BUCKET, { store: copy });
    await publishNext();
    const controller = new AbortController();
    bucket.fault = ({ path }) => {
      if (path?.endsWith(".pack")) controller.abort(new Error("enough"));
      return null;
    };
    const { signal } = controller;
    await expect(pull(BUCKET, { store: copy, signal })).rejects.toThrow("enough");
    expect(await currentId(copy)).toBe(builds[0]);
  });

  it("leaves nothing unfinished if the disk is full, but the files that have arrived", async () => {
    await aPushed();
    const copy = await newStore();
    const create = vi.spyOn(calls, "create").mockImplementation((path) => {
      if (!path.endsWith("-manifest.json")) return openSync(path, "wx");
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    });
    onTestFinished(() => create.mockRestore());
    await expect(pull(BUCKET, { store: copy })).rejects.toThrow("ENOSPC");
    const left = await readdir(copy, { recursive: true });
    expect(left.filter((name) => name.includes(".new-"))).toEqual([]);
    expect(left.filter((name) => name.endsWith(".pack"))).toHaveLength(1);
  });

  it("begins again with the newer snapshot if a file goes missing meanwhile", async () => {
    const { bucket, publishNext } = await aPushed();
    const copy = await newStore();
    let isReplaced = false;
    let newest = "";
    bucket.fault = async ({ method, path }) => {
      if (method !== "GET" || isReplaced || !path?.endsWith(".pack")) return null;
      isReplaced = true;
      newest = (await publishNext()).id;
      bucket.delete(path);
      return null;
    };
    expect(await pull(BUCKET, { store: copy })).toMatchObject({ id: newest, generation: 2 });
    await expectGood(copy, newest);
  });
});

describe("a body that is not right", () => {
  const faults: Fault[] = ["truncated", "short", "tampered"];
  const paths = [/\.pack$/, /\.brief$/, /manifest\.json$/, /public\/api/];

  it.each(someOf(faults, 1))("is fetched again: %s once", async (fault) => {
    const { bucket, builds } = await aPushed();
    const failed = new Set<RegExp>();
    bucket.fault = ({ method, path }) => {
      const pattern = paths.find((one) => one.test(path ?? ""));
      if (method !== "GET" || pattern === undefined || failed.has(pattern)) return null;
      failed.add(pattern);
      return fault;
    };
    expect(await pulledFrom()).toBe(builds[0]);
    expect(failed.size).toBe(paths.length);
  });

  it.each(someOf(faults, 2))(
    "is an error that names it, and gets no name in the store: %s always",
    async (fault) => {
      const { bucket, builds, publishNext } = await aPushed();
      const first = await newStore();
      await pull(BUCKET, { store: first });
      const before = await snapshotFiles(first);
      const { id } = await publishNext();
      for (const pattern of someOf(paths, 1)) {
        const copy = await newStore();
        await cp(first, copy, { recursive: true });
        bucket.fault = ({ path }) => (pattern.test(path ?? "") ? fault : null);
        const failure = await pull(BUCKET, { store: copy }).catch((error: unknown) => error);
        const expected = fault === "truncated" ? RemoteError : RemoteSnapshotError;
        expect(failure, `${pattern}`).toBeInstanceOf(expected);
        expect(String(failure)).toMatch(/s3:\/\/bucket\/some\/prefix\/.*tried 4 times/);
        expect(await currentId(copy)).toBe(builds[0]);
        const after = Object.keys(await snapshotFiles(copy));
        expect(after.filter((path) => pattern.test(path) && before[path] === undefined)).toEqual(
          [],
        );
        expect(after.filter((path) => path.includes(".new-"))).toEqual([]);
        bucket.fault = () => null;
        expect(await pull(BUCKET, { store: copy })).toMatchObject({ id });
      }
    },
  );

  it("is noticed by the manifest's digest, even if a manifest is exchanged for another good one", async () => {
    const { bucket, builds, publishNext } = await aPushed();
    const { id } = await publishNext();
    bucket.put(`${id}/manifest.json`, bucket.text(`${builds[0]}/manifest.json`) ?? "");
    await expect(pull(BUCKET, { store: await newStore() })).rejects.toThrow(
      /does not match its id/,
    );
  });
});

describe("any web server", () => {
  it("serves a copy of a bucket, without lists, ranges or credentials", async () => {
    const { bucket, builds } = await aPushed();
    const { url } = await plainHost(filesOf(bucket));
    const copy = await newStore();
    expect(await pull(url, { store: copy })).toMatchObject({ id: builds[0], generation: 1 });
    await expectGood(copy, builds[0] ?? "");
    expect(await pull(`${url}/`, { store: copy })).toMatchObject({ changed: false });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["403", (response) => response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>")],
    ["a long page", (response) => response.writeHead(200).end("<!doctype html>".repeat(100_000))],
  ])("may answer %s for files that it does not have", async (_name, missing) => {
    const { bucket, builds } = await aPushed();
    const { url } = await plainHost(filesOf(bucket), missing);
    const copy = await newStore();
    expect(await pull(url, { store: copy })).toMatchObject({ id: builds[0], generation: 1 });
    const empty = await plainHost(async () => null, missing);
    await expect(pull(empty.url, { store: copy })).rejects.toThrow(/nothing can be read at http:/);
  });

  it.each([429, 503])("is asked again after a %i", async (status) => {
    const { bucket, builds } = await aPushed();
    let missing = 0;
    const { url } = await plainHost(filesOf(bucket), (response) => {
      missing += 1;
      response.writeHead(missing === 1 ? status : 404).end();
    });
    expect(await pull(url, { store: await newStore() })).toMatchObject({ id: builds[0] });
  });

  it("has an address without a user or a query, and messages repeat neither", async () => {
    const store = await newStore();
    for (const url of ["https://me:hunter2@example.com/", "https://example.com/?token=hunter2"]) {
      const failure = await pull(url, { store }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(TypeError);
      expect(String(failure)).not.toContain("hunter2");
    }
  });
});
