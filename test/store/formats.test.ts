import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { readNotes } from "../../src/build/notes.js";
import { requireCurrent } from "../../src/build/snapshots.js";
import { SnapshotHolder } from "../../src/runtime/snapshot/holder.js";
import { LoadedSnapshot } from "../../src/runtime/snapshot/snapshot.js";
import { exportSite } from "../../src/site/export.js";
import { STORE_FORMAT } from "../../src/store/names.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { diff } from "../../src/upkeep/diff.js";
import { explain } from "../../src/upkeep/explain.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { verify } from "../../src/upkeep/verify.js";
import { asInContract } from "../facets.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { asked } from "../runtime/asked.js";
import { publishManifest } from "./forge.js";

const FORMATS = fileURLToPath(new URL("formats/", import.meta.url));

/** Whose the stores are. */
const DIRECTORY = {
  name: "AI-Readable Web (sample)",
  baseUrl: "https://api.readable.example",
  siteUrl: "https://readable.example",
};

/** The version of each format's columns, where it is not this program's. */
const OTHER_COLUMNS: Readonly<Record<number, number | undefined>> = { 1: 1, 2: 2, 3: 2, 4: 2 };

/** What the program that wrote the first store answered, by target. */
async function recordedAnswers(): Promise<Record<string, { status: number; body: string }>> {
  return JSON.parse(await readFile(join(FORMATS, "answers.json"), "utf8"));
}

/** A copy of a format's store, to be written to. */
async function storeOf(format: number) {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  await cp(join(FORMATS, `${format}/store`), store, { recursive: true });
  return { folder, store, id: await requireCurrent(store) };
}

async function manifestOf(store: string, id: string) {
  const snapshot = await StoredSnapshot.openManifest(store, id);
  snapshot.close();
  return snapshot.manifest;
}

/** The hosts that have a report. */
async function hostsIn(store: string, id: string): Promise<string[]> {
  const snapshot = await StoredSnapshot.openManifest(store, id);
  const entries = await Promise.all(
    snapshot.manifest.buckets.map((_, bucket) => snapshot.readShard(bucket)),
  );
  snapshot.close();
  return entries.flat().map(({ host }) => host);
}

describe.each([1, 2, 3, 4, STORE_FORMAT])("a store of format %i", (format) => {
  it("has figures if it is new; pages leave them out until the next build counts them", async () => {
    const { folder, store, id } = await storeOf(format);
    const before = await LoadedSnapshot.load(store, id);
    const isNew = format >= 4;
    expect(before.figures === null).toBe(!isNew);
    expect((await asked(before, "/figures.json")).status).toBe(isNew ? 200 : 404);
    const page = (await asked(before, "/standards")).bytes.toString("utf8");
    expect(page.includes("sites pass")).toBe(isNew);
    before.release();
    const published = await writePublished(join(folder, "published"), aPublishedDirectory());
    const after = await LoadedSnapshot.load(
      store,
      (await build(published, { store, jobs: 1, maxRemoved: "100%" })).id,
    );
    expect(after.figures).toMatchObject({ all: { listed: 1 } });
    after.release();
  });

  it("gives every answer that it gave when it was written, to the byte", async () => {
    const { store, id } = await storeOf(format);
    expect((await manifestOf(store, id)).format).toBe(format);
    const answers = Object.entries(await recordedAnswers());
    expect(answers.length).toBeGreaterThan(20);
    const snapshot = await LoadedSnapshot.load(store, id);
    for (const [target, expected] of answers) {
      const { status, bytes } = await asked(snapshot, target);
      const text = bytes.toString("utf8");
      const isFacets = status === 200 && target.startsWith("/api/sites/facets");
      const contents = isFacets ? asInContract(text) : text;
      // It was added since.
      const body = contents.replace(
        /<sitemap>[^<]*<loc>[^<]*\/categories\.xml<\/loc><\/sitemap>\n/,
        "",
      );
      expect({ target, status, body }).toEqual({ target, ...expected });
    }
    snapshot.release();
  });

  it("is good, and has the columns of this version or is said to have others", async () => {
    const { store, id } = await storeOf(format);
    const found = await verify(store);
    expect(found).toMatchObject({ id, answers: 52, bad: [] });
    expect(found.otherColumns).toBe(OTHER_COLUMNS[format]);
  });

  it("says when it is loaded that columns were rebuilt, if they were", async () => {
    const { store, id } = await storeOf(format);
    const log: string[] = [];
    const holder = new SnapshotHolder(store, 0, (line) => log.push(line));
    expect(await holder.adopt(id)).toMatchObject({ id, listings: 19 });
    holder.close();
    const version = OTHER_COLUMNS[format];
    const rebuilt = new RegExp(
      `^snapshot [0-9a-f]{32} has columns of version ${version}; rebuilt from its shards in [0-9.]+ s$`,
    );
    expect(log).toEqual(version === undefined ? [] : [expect.stringMatching(rebuilt)]);
  });

  it("is explained, and exported if it has files to search", async () => {
    const { folder, store } = await storeOf(format);
    const site = join(folder, "site");
    expect(await explain("quincecamping.in", { store })).toMatchObject({ why: "listed" });
    expect(await explain("paperradio.netlify.app", { store })).toMatchObject({ published: true });
    if (format < STORE_FORMAT) {
      await expect(exportSite(site, { store })).rejects.toThrow(
        /older version.*run crawldex build first$/,
      );
      return;
    }
    await exportSite(site, { store });
    const answers = await recordedAnswers();
    for (const [target, path] of [
      ["/robots.txt", "robots.txt"],
      ["/sitemaps/0.xml", "sitemaps/0.xml"],
      ["/api/sites/quincecamping.in/report", "api/sites/quincecamping.in/report.json"],
    ] as const) {
      expect(await readFile(join(site, path), "utf8")).toBe(answers[target]?.body);
    }
  });

  it("is built on and rolled back to, and what is published has the newest format", async () => {
    const { folder, store, id } = await storeOf(format);
    const hosts = await hostsIn(store, id);
    const files = aPublishedDirectory({
      listings: hosts.map((host) => aListing({ host })),
      scans: hosts.map((host) => aScan({ host })),
    });
    const published = await writePublished(join(folder, "published"), files);
    const next = await build(published, { store, jobs: 1, keep: 3 });
    expect(next).toMatchObject({ changed: true, kept: 0, counts: { reports: hosts.length } });
    expect((await readNotes(store)).publications).toEqual([id, next.id]);
    expect(await verify(store)).toMatchObject({ id: next.id, bad: [] });
    expect(await diff(id, { store })).toEqual({
      added: [],
      changed: [...hosts].sort(),
      removed: [],
    });
    const back = await rollback(store);
    expect(back.former).toBe(id);
    expect(await manifestOf(store, back.id)).toMatchObject({
      format: STORE_FORMAT,
      directory: DIRECTORY,
    });
    expect(await verify(store)).toMatchObject({ id: back.id, bad: [] });
    const snapshot = await LoadedSnapshot.load(store, back.id);
    const { bytes } = await asked(snapshot, "/robots.txt");
    expect(bytes.toString("utf8")).toBe((await recordedAnswers())["/robots.txt"]?.body);
    snapshot.release();
  });
});

describe("the manifest", () => {
  it("says whose directory it is and where: one without a report names its own site", async () => {
    const folder = await temporaryFolder();
    const [store, site] = [join(folder, "store"), join(folder, "site")];
    const files = aPublishedDirectory({ listings: [], scans: [] });
    const published = await writePublished(join(folder, "published"), files);
    const { id } = await build(published, { store, jobs: 1, keep: 1 });
    const { name, baseUrl, siteUrl } = files.directory as Record<string, unknown>;
    expect(siteUrl).not.toBe(baseUrl);
    expect(await manifestOf(store, id)).toMatchObject({ directory: { name, baseUrl, siteUrl } });
    await exportSite(site, { store });
    const snapshot = await LoadedSnapshot.load(store, id);
    for (const file of ["robots.txt", "sitemap.xml", "llms.txt"]) {
      const { bytes } = await asked(snapshot, `/${file}`);
      const text = bytes.toString("utf8");
      expect(text).toContain(file === "robots.txt" ? `${siteUrl}/sitemap.xml` : `${siteUrl}/`);
      expect(await readFile(join(site, file), "utf8")).toBe(text);
    }
    snapshot.release();
  });

  it("of a format that is not known is refused", async () => {
    const { store, id } = await storeOf(STORE_FORMAT);
    const other = await publishManifest(store, (manifest) =>
      Object.assign(manifest, { format: STORE_FORMAT + 1 }),
    );
    (await StoredSnapshot.openManifest(store, id)).close();
    const opening = StoredSnapshot.openManifest(store, other);
    await expect(opening).rejects.toThrow("does not match any format that this version reads");
  });
});
