import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exportSite } from "../../src/export/export.js";
import { build } from "../../src/publish/build.js";
import { folderStore } from "../../src/store/folder-source.js";
import type { ListingEntry } from "../../src/store/format.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { answerRef } from "../../src/store/segments/directory.js";
import { expectedAnswers } from "../../src/upkeep/expected-answers.js";
import { verify } from "../../src/upkeep/verify.js";
import { wholeHandler } from "../fetch/whole.js";
import { aListing, aPublishedDirectory, aScan, writePublished } from "../fixtures.js";
import { builtStore } from "../store/trees.js";

const profile = Object.fromEntries(
  Array.from({ length: 3_000 }, (_, index) => [`f${index}`, { observed: true, note: "A form." }]),
);
const filesWith = (name: string) =>
  aPublishedDirectory({
    listings: [
      aListing({ host: "large.example", entitlements: { history: true } }),
      aListing({ host: "small.example", name }),
    ],
    scans: [
      aScan({ host: "large.example", id: "new", profile }),
      aScan({ host: "large.example", id: "old", finishedAt: "2025-01-01T00:00:00Z", profile }),
      aScan({ host: "small.example", id: "one" }),
    ],
  });
const NOTE = /… and [\d,]+ more entries; the rest is in the /;

it("a build stores the excerpts of large reports alone, and copies those of unchanged listings", async () => {
  const { folder, store } = await builtStore(filesWith("Small"));
  const published = await writePublished(join(folder, "published"), filesWith("Another"));
  const copied = await build(published, { store, jobs: 1 });
  const fresh = join(folder, "fresh");
  const full = await build(published, { store: fresh, jobs: 1 });
  const snapshot = await StoredSnapshot.openManifest(store, copied.id);
  const again = await StoredSnapshot.openManifest(fresh, full.id);
  again.close();
  expect(snapshot.manifest.content).toBe(again.manifest.content);
  const entries: ListingEntry[] = [];
  for await (const entry of snapshot.listings.allEntries()) entries.push(entry);
  snapshot.close();
  const [large, small] = ["large", "small"].map((name) =>
    entries.find(({ host }) => host === `${name}.example`),
  );
  expect(large?.excerpts?.map(({ scan }) => scan)).toEqual(["new", "old"]);
  expect(small).toMatchObject({ host: "small.example" });
  expect(small).not.toHaveProperty("excerpts");
  expect(await verify(store)).toMatchObject({ answers: 7, bad: [] });
});

it("verify finds an excerpt that belongs to another scan or host", async () => {
  const { store, result } = await builtStore(filesWith("Small"));
  const snapshot = await StoredSnapshot.openManifest(store, result.id);
  const entry = (await snapshot.entryOf("large.example"))!;
  const [excerpt] = entry.excerpts ?? [];
  const bytes = await snapshot.readAnswer(answerRef(0, excerpt!.report));
  const body = JSON.parse(new TextDecoder().decode(bytes));
  const segment = snapshot.manifest.segments[0]!;
  snapshot.close();
  const { check } = expectedAnswers(entry, segment).find(
    ({ location }) => location === excerpt?.report,
  )!;
  expect(check(body)).toBeNull();
  const { site, scan } = body.data;
  for (const wrong of [
    { ...body, data: { ...body.data, site: { ...site, host: "small.example" } } },
    { ...body, data: { ...body.data, scan: { ...scan, id: "old" } } },
    { data: body.data },
    null,
  ]) {
    expect(check(wrong)?.file).toBe(segment.pack.file);
  }
});

it("the fetch handler and an exported tree draw the excerpts, of older scans as well", async () => {
  const { folder, store } = await builtStore(filesWith("Small"));
  const handler = await wholeHandler({ store: folderStore(store) });
  const tree = join(folder, "tree");
  await exportSite(tree, { store, for: "nginx" });
  for (const [address, file] of [
    ["report.md", "report.md"],
    ["report.md?scan=old", "scans/old.md"],
  ] as const) {
    const response = await handler(new Request(`http://a.example/sites/large.example/${address}`));
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.stringMatching(NOTE)]);
    // A tree has one file of each scan.
    const linked = text
      .replaceAll("report.md?scan=old", "scans/old.md")
      .replaceAll("report.md?scan=new", "report.md")
      .replace("sites/large.example?scan=old", "sites/large.example/scans/old");
    expect(await readFile(join(tree, "sites/large.example", file), "utf8")).toBe(linked);
  }
});
