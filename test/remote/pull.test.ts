import { openSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { calls } from "../../src/files/calls.js";
import { lockStore, StoreLockedError } from "../../src/files/lock.js";
import { downloadFiles } from "../../src/remote/download-crew.js";
import { RemoteError, RemoteSnapshotError } from "../../src/remote/errors.js";
import { pull } from "../../src/remote/pull.js";
import { push } from "../../src/remote/push.js";
import { currentId, StoredSnapshot } from "../../src/store/reader.js";
import { verify } from "../../src/upkeep/verify.js";
import { temporaryFolder } from "../fixtures.js";
import { aStore, named } from "../store/stores.js";
import { treeOf } from "../store/trees.js";
import { filesIn, filesOf, plainHost } from "./hosts.js";
import { anImitation, BUCKET, type Fault } from "./imitation.js";

/** A folder for a store that does not exist yet. */
const newStore = async () => join(await temporaryFolder(), "copy");

/** A bucket with one snapshot, and the store that it came from. */
async function aPushed(others = 3) {
  const bucket = await anImitation();
  const source = await aStore(named("one", {}, others));
  await push(BUCKET, { store: source.store });
  const publishNext = async (name: string) => {
    await source.publish(named(name, {}, others));
    return push(BUCKET, { store: source.store });
  };
  return { bucket, publishNext, ...source };
}

/** The files of a store without the notes, locks and pointers that a pull does not copy. */
async function snapshotFiles(store: string): Promise<Record<string, string>> {
  const tree = await treeOf(store);
  return Object.fromEntries(
    Object.entries(tree).filter(([path]) => !/^(\.notes\.json|current\.json|\.lock)/.test(path)),
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
    expect(await snapshotFiles(copy)).toEqual(await snapshotFiles(store));
    const pointer = JSON.parse(await readFile(join(copy, "current.json"), "utf8"));
    expect(pointer).toEqual({ format: 1, id, generation: 1 });
    const before = bucket.count();
    const again = await pull(BUCKET, { store: copy });
    expect(again).toMatchObject({ id, generation: 1, changed: false, files: 0, bytes: 0 });
    expect(bucket.count() - before).toBe(3);
  });

  it("downloads only what changed, and keeps as many snapshots as it is told", async () => {
    const { publishNext } = await aPushed(600);
    const copy = await newStore();
    const first = await pull(BUCKET, { store: copy });
    const { id, uploaded } = await publishNext("two");
    expect(await pull(BUCKET, { store: copy, keep: 1 })).toMatchObject({
      ...{ id, generation: 2, changed: true },
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
    const { id } = await publishNext("two");
    const [first = "", second = ""] = await readdir(join(copy, "reports"));
    const path = join(copy, "reports", first);
    const bytes = await readFile(path);
    bytes[0] = 0;
    await writeFile(path, bytes);
    if (second !== "") await writeFile(join(copy, "reports", second), "short");
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

  it("resumes after one that was killed: files that have arrived stay", async () => {
    const { bucket } = await aPushed(600);
    const copy = await newStore();
    const isPack = (path: string | null) => path?.startsWith("reports/") === true;
    bucket.fault = ({ path }) => (isPack(path) ? { status: 403, code: "AllAccessDisabled" } : null);
    await expect(pull(BUCKET, { store: copy })).rejects.toThrow(RemoteError);
    const arrived = await readdir(join(copy, "index"));
    expect(arrived.length).toBeGreaterThan(0);
    expect(await currentId(copy)).toBe(null);
    bucket.fault = () => null;
    const before = bucket.received.length;
    await pull(BUCKET, { store: copy });
    const again = bucket.received.slice(before).map(({ path }) => path);
    expect(arrived.filter((name) => again.includes(`index/${name}`))).toEqual([]);
  });

  it("stops at once if its signal is aborted, and the current snapshot stays", async () => {
    const { bucket, publishNext, builds } = await aPushed();
    const copy = await newStore();
    await pull(BUCKET, { store: copy });
    await publishNext("two");
    const controller = new AbortController();
    bucket.fault = ({ path }) => {
      if (path?.startsWith("reports/")) controller.abort(new Error("enough"));
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
    expect(left.filter((name) => name.startsWith("reports/"))).toHaveLength(1);
  });

  it("refuses while a build writes to the store", async () => {
    await aPushed();
    const copy = await newStore();
    const lock = await lockStore(copy);
    await lock.during(async () => {
      await expect(pull(BUCKET, { store: copy })).rejects.toThrow(StoreLockedError);
    });
  });

  it("begins again with the newer snapshot if a file goes missing meanwhile", async () => {
    const { bucket, publishNext } = await aPushed();
    const copy = await newStore();
    let isReplaced = false;
    let newest = "";
    bucket.fault = async ({ method, path }) => {
      if (method !== "GET" || isReplaced || !path?.startsWith("reports/")) return null;
      isReplaced = true;
      newest = (await publishNext("two")).id;
      bucket.delete(path);
      return null;
    };
    expect(await pull(BUCKET, { store: copy })).toMatchObject({ id: newest, generation: 2 });
    await expectGood(copy, newest);
  });
});

describe("a body that is not right", () => {
  const faults: Fault[] = ["truncated", "short", "tampered"];
  const paths = [/^reports\//, /^index\//, /manifest\.json$/, /public\/api/];

  it.each(faults)("is fetched again: %s once", async (fault) => {
    const { bucket, builds } = await aPushed();
    const [id = ""] = builds;
    for (const pattern of paths) {
      const copy = await newStore();
      let failed = 0;
      bucket.fault = ({ method, path }) => {
        if (method !== "GET" || failed > 0 || !pattern.test(path ?? "")) return null;
        failed += 1;
        return fault;
      };
      expect(await pull(BUCKET, { store: copy })).toMatchObject({ id });
      expect(failed).toBe(1);
      await expectGood(copy, id);
    }
  });

  it.each(faults)(
    "is an error that names it, and gets no name in the store: %s always",
    async (fault) => {
      const { bucket, builds, publishNext } = await aPushed();
      const first = await newStore();
      await pull(BUCKET, { store: first });
      const before = await snapshotFiles(first);
      const { id } = await publishNext("two");
      for (const pattern of paths) {
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
        await expectGood(copy, id);
      }
    },
  );

  it("is noticed by the manifest's digest, even if a manifest is exchanged for another good one", async () => {
    const { bucket, builds, publishNext } = await aPushed();
    const { id } = await publishNext("two");
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
    ["a page", (response) => response.writeHead(200).end("<!doctype html><title>Home</title>")],
    ["a long page", (response) => response.writeHead(200).end("<!doctype html>".repeat(100_000))],
  ])("may answer %s for files that it does not have", async (_name, missing) => {
    const { bucket, builds } = await aPushed();
    const { url } = await plainHost(filesOf(bucket), missing);
    const copy = await newStore();
    expect(await pull(url, { store: copy })).toMatchObject({ id: builds[0], generation: 1 });
    const empty = await plainHost(async () => null, missing);
    await expect(pull(empty.url, { store: copy })).rejects.toThrow(/nothing can be read at http:/);
  });

  it("may serve a copy of a local store, which has no generations", async () => {
    const { store, builds, publish } = await aStore(named("one"));
    const { url } = await plainHost(filesIn(store));
    const copy = await newStore();
    expect(await pull(url, { store: copy })).toMatchObject({ id: builds[0], generation: null });
    const id = await publish(named("two"));
    expect(await pull(url, { store: copy })).toMatchObject({ id, generation: null, changed: true });
    await expectGood(copy, id);
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

describe("a download in several threads", () => {
  it("brings the same files as one in the calling thread", async () => {
    const { store } = await aPushed(600);
    const { url } = await plainHost(filesIn(store));
    const snapshot = await StoredSnapshot.openManifest(store, (await currentId(store)) ?? "");
    onTestFinished(() => snapshot.close());
    const files = snapshot.manifest.buckets.map(({ pack }) => pack);
    const copy = await temporaryFolder();
    await mkdir(join(copy, "reports"));
    const done: string[] = [];
    const source = { address: url, allowRedirects: false };
    await downloadFiles(source, copy, files, undefined, (path) => done.push(path), 1);
    expect(done.sort()).toEqual(files.map(({ file }) => file).sort());
    for (const { file } of files) {
      expect(await readFile(join(copy, file))).toEqual(await readFile(join(store, file)));
    }
    const missing = files.map((file) => ({ ...file, file: `${file.file}.gone` }));
    const gone = downloadFiles(source, copy, missing, undefined, () => {}, 1);
    await expect(gone).rejects.toThrow(RemoteSnapshotError);
  });
});
