import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROUTES, type Route } from "../../src/contract/routes.js";
import { installedExtras, readsOf } from "../../src/extra.js";
import { build } from "../../src/publish/build.js";
import { writePurgeList } from "../../src/publish/purge.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { temporaryFolder } from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { asked } from "../server/asked.js";
import { repeated } from "../slow.js";
import { answersIn } from "./answers.js";
import { EditedDirectory } from "./edits.js";

/** Random sequences of snapshots; other ones with SEED. */
const SEED = Number(process.env.SEED ?? 20_261_121);
const SEQUENCES = Number(process.env.SEQUENCES ?? 1);
const SNAPSHOTS = repeated(3, 5);
const BASE = "https://api.directory.example";
const PAGES = "https://directory.example";
const MAPS = ["/sitemap.xml", "/sitemaps/0.xml"];
const COMPUTED = [
  ...MAPS,
  "/",
  "/?q=name&minScore=40",
  "/standards",
  "/api",
  "/figures.json",
  "/api/sites",
  "/api/sites?limit=100&sort=host",
  "/api/sites?q=name&minScore=40",
  "/api/sites?q=sitee",
  "/api/sites/suggestions?q=site",
  "/api/sites/facets",
  "/api/sites/facets?minScore=50",
  ...[
    "/search-feed.xml",
    "/search-feed.json?q=e",
    "/changes/index.json",
    "/api/changes?limit=5",
    "/api/dump/hosts.txt",
    "/api/trends?category=news",
  ].filter(isOfExtra),
];

/** Whether an extra answers an address. */
function isOfExtra(target: string): boolean {
  const [path = ""] = target.split("?");
  return Object.values(readsOf(installedExtras())).some((read) =>
    new RegExp(`^${read.path.replace(/\{\w+\}/, "[^/]+")}$`).test(path),
  );
}

/** What the runtime answers 200 of a snapshot, by target. */
async function answersOf(store: string, id: string): Promise<Map<string, string>> {
  const documents = Object.values<Route>(ROUTES).filter(({ document }) => document !== undefined);
  const targets = [...COMPUTED, ...documents.map(({ path }) => path)];
  for (const [host, { publishedScan, historical }] of Object.entries(await answersIn(store, id))) {
    const at = `/api/sites/${host}`;
    const scans = [publishedScan, ...historical.map(([scan]) => scan)];
    targets.push(`${at}/report`, `${at}/enrichment`);
    targets.push(...scans.map((scan) => `${at}/report?scan=${scan}`));
    const page = `/sites/${host}`;
    targets.push(...[page, `${page}/report.md`].flatMap((one) => [one, `${one}?scan=${scans[0]}`]));
  }
  const { snapshot, close } = await loadSnapshot(store, id);
  const answers = new Map<string, string>();
  for (const target of targets) {
    const { status, bytes } = await asked(snapshot, target, target === "/api");
    expect([target, status]).toEqual([target, 200]);
    answers.set(target, bytes.toString("utf8"));
  }
  close();
  return answers;
}

/** Whether a purge list has each address of a target, by itself or by a prefix. */
function listedIn(list: string): (target: string) => boolean {
  const lines = list.split("\n").slice(0, -1);
  const exact = new Set(lines);
  const prefixes = lines.filter((line) => line.endsWith("*")).map((line) => line.slice(0, -1));
  return (target) => {
    const isPage = !target.startsWith("/api/") && !target.startsWith("/.well-known/");
    // The sitemap names the dump under the pages' address.
    const own = target.startsWith("/api/dump/") ? [BASE, PAGES] : [isPage ? PAGES : BASE];
    return own
      .map((base) => base + target)
      .every((one) => exact.has(one) || prefixes.some((prefix) => one.startsWith(prefix)));
  };
}

/** Where the report of a page or of its Markdown is; of all else, itself. */
function reportOf(target: string): string {
  return target.replace(/^\/sites\/([^/?]+)(?:\/report\.md)?/, "/api/sites/$1/report");
}

/** Expects a list to have just what it must. @returns how many answers changed or went */
function expectListed(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  list: string,
): number {
  const isListed = listedIn(list);
  const areAll = list.includes(`${PAGES}/sites/*\n`);
  let changes = 0;
  for (const [target, body] of before) {
    const isChanged = after.get(target) !== body;
    if (isChanged) changes += 1;
    // What is computed is listed where it may have changed.
    if (!isChanged && COMPUTED.includes(target)) continue;
    // Where all pages may have changed, they are listed together.
    if (!isChanged && areAll && target.startsWith("/sites/")) continue;
    // A page is listed with its report, of which it need not show what changed.
    const report = reportOf(target);
    if (!isChanged && report !== target && after.get(report) !== before.get(report)) continue;
    expect([target, isListed(target)]).toEqual([target, isChanged]);
  }
  return changes;
}

describe(`the purge list of any two snapshots, SEED=${SEED}`, () => {
  it.each(Array.from({ length: SEQUENCES }, (_, n) => n))(
    "has each address whose answer changed or went, and of listings and documents no other: %i",
    async (sequence) => {
      const random = seeded(SEED + sequence);
      const pick = (count: number) => Math.floor(random() * count);
      const folder = await temporaryFolder();
      const directory = new EditedDirectory(
        join(folder, "published"),
        pick,
        pick(2) ? repeated(20, 254) : 12,
      );
      await directory.writeAll();
      const store = join(folder, "store");
      const list = join(folder, "purge.txt");
      const snapshots = new Map<string, Map<string, string>>();
      const add = async ({ id }: { id: string }) => {
        snapshots.set(id, await answersOf(store, id));
      };
      while (snapshots.size < SNAPSHOTS) {
        for (let edits = 1 + pick(5); edits > 0; edits -= 1) await directory.edit();
        await add(await build(directory.folder, { store, jobs: 1, maxUnbanded: "100%", keep: 99 }));
        if (snapshots.size > 1 && pick(2) === 0) await add(await rollback(store));
      }
      let changes = 0;
      for (const [from, before] of snapshots) {
        for (const [to, after] of snapshots) {
          await writePurgeList(list, store, from, to);
          changes += expectListed(before, after, await readFile(list, "utf8"));
        }
      }
      expect(changes).toBeGreaterThan(repeated(20, 100));
    },
  );
});
