import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { answer } from "../../../src/answer/answer.js";
import { exportSite } from "../../../src/export/export.js";
import { installedExtras, readsOf } from "../../../src/extra.js";
import { build } from "../../../src/publish/build.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { serverPages } from "../../../src/server/server-pages.js";
import { storedFiles } from "../../../src/store/format.js";
import { currentId } from "../../../src/store/reader.js";
import { verify } from "../../../src/upkeep/verify.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import { manifestOf } from "../../store/forge.js";
import { directoryOf, type Row, served } from "../../store/rows.js";
import { storedBytes } from "../../store/stored-bytes.js";
import { changesFrom } from "./mirror.js";

const FORGOTTEN = ["cormorant.example", "dunlin.example"];
type Rows = Readonly<Record<string, Row>>;
const STAYS: Row = [50, "++"];
const ALL: Rows = { avocet: STAYS, bittern: STAYS, cormorant: STAYS, dunlin: STAYS };
const LEFT: Rows = { avocet: [60, "++", {}, 2], bittern: STAYS };
const LAST: Rows = { avocet: [60, "++", {}, 2], bittern: [70, "++", {}, 3] };

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const noonOf = (day: number) => Date.UTC(2026, 0, day, 12);
const answeringOn = (day: number) => vi.spyOn(Date, "now").mockReturnValue(noonOf(day));

/** A store that has published three times, on the first three days: on the second, two sites were removed. */
async function aStoreWithRemovals() {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const purgeList = join(folder, "purge.txt");
  const publish = async (rows: Rows, day: number) => {
    vi.stubEnv("SOURCE_DATE_EPOCH", `${noonOf(day) / 1_000}`);
    const published = await writePublished(join(folder, "published"), directoryOf(rows));
    return build(published, { store, jobs: 1, maxRemoved: "100%", purgeList });
  };
  for (const [at, rows] of [ALL, LEFT, LAST].entries()) await publish(rows, at + 1);
  return { folder, store, publish, purgeList };
}

/** Everything that a server, an export and the store's own files say of changes. */
async function toldIn(folder: string, store: string) {
  const read = await served(store);
  const { files } = JSON.parse((await read("/changes/index.json")).text);
  const addresses = [
    "/api/changes?since=1",
    "/search-feed.json",
    "/search-feed.xml?minScore=50",
    "/changes",
    ...files.map(({ file }: { file: string }) => `/changes/${file}`),
  ];
  const answers = await Promise.all(addresses.map(async (one) => (await read(one)).text));
  const manifest = await manifestOf(store);
  const stored = await storedBytes(
    store,
    storedFiles("", { ...manifest, public: [] }).map(({ file }) => file),
  );
  const site = join(folder, "site");
  await exportSite(site, { store });
  const names = await readdir(site, { recursive: true, withFileTypes: true });
  const tree = await Promise.all(
    names.flatMap((one) => (one.isFile() ? readFile(join(one.parentPath, one.name)) : [])),
  );
  const has = (text: string) => FORGOTTEN.map((host) => text.includes(host));
  return {
    answers: has(answers.join()),
    stored: has(stored),
    tree: has(tree.map((bytes) => bytes.toString("latin1")).join()),
  };
}

const EVERYWHERE = { answers: [true, true], stored: [true, true], tree: [true, true] };
const NOWHERE = { answers: [false, false], stored: [false, false], tree: [false, false] };

/** What a reader of the first publication is told, one change at a time. */
async function changesOf(store: string, since = "1") {
  const { data } = await changesFrom(store, since, 1);
  return data.map(({ generation, host, change }) => `${generation} ${host} ${change}`);
}

it("a site that was removed is named for 30 days, and then nowhere, at the latest after the next build", async () => {
  const { folder, store, publish, purgeList } = await aStoreWithRemovals();
  answeringOn(31);
  const named = ["2 avocet.example changed", ...FORGOTTEN.map((host) => `2 ${host} removed`)];
  expect(await changesOf(store)).toEqual([...named, "3 bittern.example changed"]);
  expect(await toldIn(folder, store)).toEqual(EVERYWHERE);
  // A build on the same day changes nothing.
  expect((await publish(LAST, 31)).changed).toBe(false);

  // Servers do not wait for a build.
  answeringOn(32);
  const unnamed = ["2 avocet.example changed", "2 null removed", "3 bittern.example changed"];
  expect(await changesOf(store)).toEqual(unnamed);
  expect(await toldIn(folder, store)).toEqual({ ...EVERYWHERE, answers: [false, false] });
  const before = await manifestOf(store);

  const { changed } = await publish(LAST, 32);
  const after = await manifestOf(store);
  expect([changed, after.history?.generation, after.content]).toEqual([true, 3, before.content]);
  expect(await toldIn(folder, store)).toEqual(NOWHERE);
  expect(await changesOf(store)).toEqual(unnamed);
  expect((await verify(store)).bad).toEqual([]);
  expect(await readFile(purgeList, "utf8")).toContain("/api/changes*");
  // Nothing else goes with the names, and the next build has nothing to do.
  const { changed: isAgain } = await publish(LAST, 33);
  expect([isAgain, (await manifestOf(store)).history]).toEqual([false, after.history]);
});

it("a reader who follows is not lost when names go: whoever has read further misses nothing", async () => {
  const { store, publish } = await aStoreWithRemovals();
  const { origin } = (await manifestOf(store)).history!;
  for (const isBuilt of [false, true]) {
    answeringOn(32);
    if (isBuilt) await publish(LAST, 32);
    const from = (since: string) => changesOf(store, since);
    expect(await from(`2-${origin}`)).toEqual(["3 bittern.example changed"]);
    expect(await from(`2-${origin}~avocet.example`)).toEqual([
      "2 null removed",
      "3 bittern.example changed",
    ]);
    expect(await from(`3-${origin}`)).toEqual([]);
  }
});

it("caches are told of the feed of each site that was removed, changed, or came back", async () => {
  const { publish, purgeList } = await aStoreWithRemovals();
  const purgedFeeds = async () =>
    Array.from(
      (await readFile(purgeList, "utf8")).matchAll(/\/sites\/(\w+)\.example\/feed\.\*$/gm),
      ([, name]) => name,
    );
  expect(await purgedFeeds()).toEqual(["bittern"]);
  expect(await readFile(purgeList, "utf8")).toMatch(/\/watch\?\*\n/);
  expect(await readFile(purgeList, "utf8")).toMatch(/\/watch\.\*\n/);
  await publish({ ...LAST, cormorant: [40, "++", {}, 4] }, 4);
  expect(await purgedFeeds()).toEqual(["cormorant"]);
  await publish({ ...LAST, avocet: [61, "++", {}, 5] }, 5);
  expect(await purgedFeeds()).toEqual(["avocet", "cormorant"]);
});

it("feeds and pages with a removed site may be kept only until it is named no more", async () => {
  const { store } = await aStoreWithRemovals();
  answeringOn(31);
  const { snapshot, close } = await loadSnapshot(store, (await currentId(store)) ?? "");
  onTestFinished(close);
  const untilOf = async (target: string) => {
    const extensions = readsOf(installedExtras());
    const compress = async (bytes: Uint8Array) => bytes;
    const context = { snapshot, pages: serverPages(), extensions, compress, onDamage: () => {} };
    const { until } = await answer({ method: "GET", target, isForPerson: false }, context);
    return until;
  };
  const lists = ["watch.xml", "watch.json", "watch"].map(
    (path) => `/${path}?host=bittern.example&host=cormorant.example`,
  );
  lists.push("/changed/week-gone");
  for (const target of ["/sites/cormorant.example/feed.xml", "/search-feed.json", ...lists])
    expect([target, await untilOf(target)]).toEqual([target, noonOf(2 + 30)]);
  for (const target of ["/sites/bittern.example/feed.xml", "/watch?host=bittern.example"])
    expect([target, await untilOf(target)]).toEqual([target, undefined]);
});

it("a site that was removed and comes back is added, and erased again when it is removed again", async () => {
  const { store, publish } = await aStoreWithRemovals();
  await publish({ ...LAST, cormorant: [40, "++", {}, 4] }, 40);
  answeringOn(41);
  expect(await changesOf(store)).toEqual([
    "2 avocet.example changed",
    "2 null removed",
    "3 bittern.example changed",
    "4 cormorant.example added",
  ]);
  await publish(LAST, 42);
  expect((await changesOf(store)).slice(2)).toEqual([
    "3 bittern.example changed",
    "5 cormorant.example removed",
  ]);
  expect(await changesOf(store, "4")).toEqual(["5 cormorant.example removed"]);
  expect((await verify(store)).bad).toEqual([]);
});
