import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { lockStore } from "../../src/files/lock.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { startServing } from "./served.js";
import { COMMAND, crawldexProcess } from "./spawned.js";

type Built = { ok: boolean; id: string; changed: boolean; error?: string; problemCount?: number };

/** The real `crawldex build --watch --json` at work. It is killed when the test ends. */
async function watching(directory = aPublishedDirectory()) {
  const folder = await temporaryFolder();
  const published = await writePublished(join(folder, "published"), directory);
  const words = [COMMAND, "build", "published", "--watch", "--json"];
  const child = spawn(process.execPath, words, { cwd: folder });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let said = "";
  child.stderr.on("data", (data: Buffer) => {
    said += data.toString();
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  /** The object of the next build; it waits for it. */
  const next = async () => JSON.parse((await lines.next()).value as string) as Built;
  const publish = (name: string) =>
    writePublished(published, aPublishedDirectory({ listings: [aListing({ name })] }));
  return {
    folder,
    published,
    store: join(folder, "snapshots"),
    child,
    said: () => said,
    next,
    publish,
  };
}

/** Replaces a file as many editors save it. */
async function replace(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(`${path}~`, change(await readFile(path, "utf8")));
  await rename(`${path}~`, path);
}

const replacing = (from: string, to: string) => (text: string) => text.replace(from, to);

describe("crawldex build --watch", () => {
  it("builds again after each change, and a running server answers from it", async () => {
    const { store, next, publish } = await watching();
    const first = await next();
    expect(first).toMatchObject({ ok: true, changed: true });
    const { host, port } = await startServing(store, []);
    await publish("Edited");
    const second = await next();
    expect(second).toMatchObject({ ok: true, changed: true });
    expect(second.id).not.toBe(first.id);
    const nameServed = async () => {
      const answer = await fetch(`http://${host}:${port}/api/sites/example.com/report`);
      return ((await answer.json()) as { data: { site: { name: string } } }).data.site.name;
    };
    await expect.poll(nameServed, { timeout: 20_000 }).toBe("Edited");
  });

  it("sees every way in which files change", async () => {
    // A listing without a scan changes nothing that is published.
    const scans = [aScan(), aScan({ host: "new.example" })];
    const { folder, published, next } = await watching(aPublishedDirectory({ scans }));
    await next();
    const listings = join(published, "listings/all.ndjson");
    const changes: readonly (() => Promise<unknown>)[] = [
      () => replace(listings, replacing('"Example"', '"First"')),
      // Node's recursive fs.watch misses the second save.
      () => replace(listings, replacing('"First"', '"Second"')),
      async () => {
        await mkdir(join(published, "listings/new/deep"), { recursive: true });
        await writeFile(
          join(published, "listings/new/deep/a.json"),
          JSON.stringify(aListing({ host: "new.example" })),
        );
      },
      () => rm(join(published, "listings/new"), { recursive: true }),
      async () => {
        await cp(published, join(folder, "other"), { recursive: true });
        await replace(join(folder, "other/listings/all.ndjson"), replacing('"Second"', '"Third"'));
        await rename(published, join(folder, "old"));
        await rename(join(folder, "other"), published);
      },
      // After the folder itself was replaced by another.
      () => replace(listings, replacing('"Third"', '"Fourth"')),
      () => replace(join(published, "directory.json"), replacing("A directory", "Renamed")),
    ];
    for (const change of changes) {
      await change();
      expect(await next()).toMatchObject({ ok: true, changed: true });
    }
  });

  it("prints the errors of bad input, with --json as an object, and watches on", async () => {
    const { published, next, said, publish } = await watching();
    const { id } = await next();
    await writeFile(join(published, "listings/bad.json"), "{");
    expect(await next()).toMatchObject({ ok: false, problemCount: 1 });
    expect(said()).toContain("error: listings/bad.json:1:2");
    await rm(join(published, "listings/bad.json"));
    expect(await next()).toMatchObject({ ok: true, id, changed: false });
    await rm(published, { recursive: true });
    expect((await next()).error).toContain("does not exist");
    await publish("Back");
    expect(await next()).toMatchObject({ ok: true, changed: true });
  });

  it("waits for another build, and reports its lock once", async () => {
    const { store, next, publish } = await watching();
    await next();
    const lock = await lockStore(store);
    await publish("Edited");
    expect((await next()).error).toContain("another build is writing");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await lock.free();
    expect(await next()).toMatchObject({ ok: true, changed: true });
  });

  it.each(["SIGINT", "SIGTERM"] as const)("%s ends it with exit 0", async (signal) => {
    const { child, next, said } = await watching();
    await next();
    await expect.poll(said).toContain("watching published; press Ctrl-C to stop");
    const ended = once(child, "exit");
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(said()).not.toContain("error");
  });

  it("starts with bad input, but not with a folder that is no published directory", async () => {
    const scans = aPublishedDirectory().scans.map((scan) => ({ ...scan, score: 101 }));
    const { published, next, said } = await watching(aPublishedDirectory({ scans }));
    expect(await next()).toMatchObject({ ok: false, problemCount: 1 });
    await expect.poll(said).toContain("watching published");
    await replace(join(published, "scans/all.ndjson"), replacing('"score":101', '"score":100'));
    expect(await next()).toMatchObject({ ok: true, changed: true });
    const wrong = await crawldexProcess(["build", "none", "--watch"], await temporaryFolder());
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toContain("the published folder none does not exist");
  });

  it("ends when nobody reads its output any more", async () => {
    const { child, next, publish } = await watching();
    await next();
    child.stdout.destroy();
    const ended = once(child, "exit");
    await publish("Edited");
    expect(await ended).toEqual([0, null]);
  });
});
