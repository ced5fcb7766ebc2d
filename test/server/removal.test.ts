import { describe, expect, it, onTestFinished, vi } from "vitest";
import { answer } from "../../src/answer/answer.js";
import type { Snapshot } from "../../src/answer/snapshot.js";
import { disk } from "../../src/files/disk.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { serverPages } from "../../src/server/server-pages.js";
import { currentId } from "../../src/store/reader.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { aCheck, aFix, aListing, aScan, type PublishedFiles } from "../fixtures.js";
import { someOf } from "../slow.js";
import { settle } from "../store/edits.js";
import { storedBytes } from "../store/stored-bytes.js";
import { aStore } from "../store/stores.js";
import { letPass, manyListings, snapshotOf, treeOf } from "../store/trees.js";

const ALL_PAGES = serverPages();

const HOST = "zyxhost.example";
const URL = "https://zyxurl.example/zyxurl";
/**
 * Words of a withheld report: host, address, name, description and scan stay (docs/contract.md#63-withheld-reports).
 */
const KNOWN: readonly string[] = ["zyxhost", "zyxurl", "zyxname", "zyxdescription", "zyxscan"];
/** What no answer and no byte may have any more once the listing is withheld. */
const SECRET = [
  "zyxtagline",
  "zyxlogo",
  "zyxhosting",
  "zyxsummary",
  "zyxfix",
  "zyxdraft",
  "zyxprofile",
  "zyxcheck",
  "zyxpage",
  "zyxolder",
  "zyxrevision",
  "zyxverdict",
];

const listing = aListing({
  host: HOST,
  url: URL,
  name: "Zyxname zyxname",
  description: "zyxdescription",
  tagline: "zyxtagline",
  logoUrl: "https://zyxlogo.example/",
  hosting: "zyxhosting",
  entitlements: { history: true, fixPrompts: null, starterFiles: true, highlight: true },
});
const ready = { state: "ready", nextRetryAt: null } as const;
const scan = aScan({
  host: HOST,
  id: "zyxscan",
  summary: "zyxsummary",
  robotsVerdict: "zyxverdict",
  checks: [aCheck({ details: { zyxcheck: "zyxcheck" } })],
  fixes: [aFix({ prompt: "zyxfix" })],
  profile: { login: "zyxprofile" },
  starterFiles: { files: ["zyxdraft"] },
  enrichment: { copy: ready, starterFiles: ready, revision: "zyxrevision" },
  pages: { version: 1, completeness: "empty", stopped: "zyxpage", pages: [] },
});
const older = aScan({ host: HOST, id: "zyxolder", finishedAt: "2025-01-01T00:00:00Z" });
const others = manyListings(5);

/** The directory with the canary's listing, as it was or as something became of it. */
function directory(
  changes: Partial<typeof listing> | null = {},
  scans: PublishedFiles["scans"] = [scan, older],
): PublishedFiles {
  const kept = changes === null ? [] : [{ ...listing, ...changes }];
  return {
    ...others,
    listings: [...others.listings, ...kept],
    scans: [...others.scans, ...scans],
  };
}

const GONE = {
  removed: directory({ visibility: "removed" }),
  deleted: directory({ visibility: "deleted" }),
  "gone from the input": directory(null, []),
  "gone from the input, its scans left there": directory(null),
};
const WITHHELD = {
  blocked: directory({ visibility: "blocked" }),
  "opted out": directory({ visibility: "opted-out" }),
  redirected: directory({ visibility: "redirected" }),
};
const moved = { status: "moved", score: null, redirect: { host: null, status: 301 } };
/** What no visibility states: a rollback may show the former report until the next build. */
const UNSTATED = {
  "listed without its scans": [directory({}, []), []],
  "listed, and its scan moved": [directory({}, [{ ...scan, ...moved }, older]), KNOWN],
} as const;

const NONE: readonly string[] = [];

/** Words of a text, in any case. */
const wordsIn = (text: string, words: readonly string[]) =>
  words.filter((word) => text.toLowerCase().includes(word));

const READS = {
  search: [
    "/api/sites?limit=100",
    "/api/sites?q=zyx",
    "/api/sites?q=zyxnamf",
    "/api/sites?q=zyxhosd",
  ],
  suggestions: ["/api/sites/suggestions?q=zyx", "/api/sites/suggestions?q=zyxnamf"],
  facets: ["/api/sites/facets", "/api/sites/facets?q=zyxname", "/api/sites?platform=zyx"],
  documents: ["/api/standards", "/api/categories", "/api/tags", "/api/openapi.json"],
  catalog: ["/.well-known/api-catalog"],
};
const REPORTS = ["report", "report?scan=zyxscan", "report?scan=zyxolder", "enrichment"].map(
  (read) => `/api/sites/${HOST}/${read}`,
);

interface Answers {
  readonly statuses: number[];
  /** All headers and bodies. */
  readonly text: string;
}

/** What the runtime answers to each group of requests. The snapshot is loaded once for all of them. */
async function answersTo(store: string, ...groups: (readonly string[])[]): Promise<Answers[]> {
  const { snapshot, close } = await loadSnapshot(store, (await currentId(store)) ?? "");
  try {
    const answers = [];
    for (const targets of groups) answers.push(await answersOf(snapshot, targets));
    return answers;
  } finally {
    close();
  }
}

async function answersOf(snapshot: Snapshot, targets: readonly string[]): Promise<Answers> {
  const compress = () => Promise.reject(new Error("nothing asks for it"));
  const onDamage = (error: Error) => {
    throw error;
  };
  const statuses: number[] = [];
  let text = "";
  for (const target of targets) {
    const context = { snapshot, pages: ALL_PAGES, compress, onDamage };
    const { status, headers, body } = await answer({ method: "GET", target }, context);
    statuses.push(status);
    text += `${JSON.stringify(headers)}\n${Buffer.from(body ?? "").toString("utf8")}\n`;
  }
  return { statuses, text };
}

const STATED = ["category", "tag", "platform", "status"];

/**
 * The words in some of a store's files. Those with changes may say that the listing was removed, and what feeds need.
 */
async function wordsLeft(
  store: string,
  files: readonly string[],
  hidden: readonly string[],
): Promise<string[]> {
  const isTold = (file: string) => file.endsWith(".changes.gz");
  const told = await storedBytes(store, files.filter(isTold));
  const about = told.split("\n").filter((line) => wordsIn(line, hidden).length > 0);
  expect(about.length).toBeLessThanOrEqual(1);
  for (const line of about) {
    const { host, generation: _, publishedAt: __, change, left = {}, ...rest } = JSON.parse(line);
    expect([host, change]).toEqual([HOST, "removed"]);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
    // Feeds need what the publisher said that filters look at, and nothing of scans.
    expect(Object.keys(left).filter((name) => !STATED.includes(name))).toEqual([]);
    expect(wordsIn(JSON.stringify(left), hidden)).toEqual([]);
  }
  const others = await storedBytes(
    store,
    files.filter((file) => !isTold(file)),
  );
  return wordsIn(others, hidden);
}

/** Nothing that is current has anything of the listing; `known` is what a withheld one keeps. */
async function expectGone(store: string, known: readonly string[] = []): Promise<void> {
  const hidden = [...KNOWN, ...SECRET].filter((word) => !known.includes(word));
  const files = await snapshotOf(store);
  expect(await wordsLeft(store, Object.keys(files), hidden)).toEqual([]);
  // What is searched knows nothing, not even of a withheld listing.
  const tables = Object.keys(files).filter((file) => /\.brief$/.test(file));
  expect(wordsIn(await storedBytes(store, tables), [...KNOWN, ...SECRET])).toEqual([]);
  const [reads, reports] = await answersTo(store, Object.values(READS).flat(), REPORTS);
  expect(wordsIn(reads!.text, [...KNOWN, ...SECRET])).toEqual([]);
  expect(wordsIn(reports!.text, hidden)).toEqual([]);
  expect(reports!.statuses).toEqual(
    known.length === 0 ? [404, 404, 404, 404] : [200, 200, 404, 200],
  );
}

/** A store in which the listing was published twice. */
async function published() {
  const made = await aStore(directory(), directory({ tagline: "zyxtagline two" }));
  await settle(made.store);
  return made;
}

it("all the words are found while the listing is published, so their absence later is meaningful", async () => {
  const { store } = await published();
  const words = [...KNOWN, ...SECRET];
  const files = await snapshotOf(store);
  expect(wordsIn(await storedBytes(store, Object.keys(files)), words)).toEqual(words);
  const tables = Object.keys(files).filter((file) => /\.brief$/.test(file));
  const found = wordsIn(await storedBytes(store, tables), words);
  expect(found).toEqual(expect.arrayContaining(["zyxhost", "zyxname", "zyxtagline", "zyxlogo"]));
  const groups = [READS.search, READS.suggestions, REPORTS];
  const [search, suggestions, reports] = await answersTo(store, ...groups);
  expect(wordsIn(search!.text, ["zyxhost", "zyxname", "zyxtagline"])).toHaveLength(3);
  expect(search!.text).toContain('"didYouMean"');
  expect(wordsIn(suggestions!.text, ["zyxname"])).toHaveLength(1);
  expect(reports!.statuses).toEqual([200, 200, 200, 200]);
});

describe.each([
  ...someOf(Object.entries(GONE), 1).map(([what, files]) => [what, files, NONE] as const),
  ...someOf(Object.entries(WITHHELD), 1).map(([what, files]) => [what, files, KNOWN] as const),
])("a listing that is %s", (_, files, known) => {
  it("is in no byte and no answer after the build, a rollback, and the next build", async () => {
    const { store, publish, buildAgain } = await published();
    await publish(files);
    await expectGone(store, known);
    for (let back = 0; back < 2; back += 1) {
      await rollback(store);
      await expectGone(store, known);
    }
    await buildAgain();
    await expectGone(store, known);
    // The former snapshots go with the next build that keeps one alone, a minute after they were current.
    const words = [...KNOWN, ...SECRET];
    const left = async () => {
      const { ".notes": _notes, ...tree } = await treeOf(store);
      const hidden = words.filter((word) => !known.includes(word));
      return wordsIn(await storedBytes(store, Object.keys(tree)), hidden);
    };
    await publish(files, 1);
    expect(await left()).not.toEqual([]);
    await letPass(store);
    await publish(files, 1);
    const { ".notes": _notes, ...tree } = await treeOf(store);
    const hidden = words.filter((word) => !known.includes(word));
    expect(await wordsLeft(store, Object.keys(tree), hidden)).toEqual([]);
    const notes = await storedBytes(store, [".notes"]);
    expect(wordsIn(notes, words).filter((word) => word !== "zyxhost")).toEqual([]);
  });
});

describe.each(someOf(Object.entries(UNSTATED), 1))("a listing that is %s", (_, [files, known]) => {
  it("is in no byte and no answer after the build, and again after a rollback and the next build", async () => {
    const { store, publish, buildAgain } = await published();
    await publish(files);
    await expectGone(store, known);
    await rollback(store);
    expect((await answersTo(store, REPORTS))[0]?.statuses).toEqual([200, 200, 200, 200]);
    await buildAgain();
    await expectGone(store, known);
  });
});

describe("builds that die", () => {
  /** Has a build die when it would write a file. */
  async function dying(name: string, work: () => Promise<unknown>) {
    const real = disk.writeFile;
    const died = vi.spyOn(disk, "writeFile").mockImplementation(async (path, bytes) => {
      if (path.endsWith(name)) throw new Error("killed");
      await real(path, bytes);
    });
    onTestFinished(() => died.mockRestore());
    await expect(work()).rejects.toThrow("killed");
    died.mockRestore();
  }

  it.each(someOf([".notes", "current.json"], 1))(
    "before %s is written: the next build removes the listing",
    async (name) => {
      const { store, publish } = await published();
      await dying(name, () => publish(GONE.removed));
      expect((await answersTo(store, REPORTS))[0]?.statuses).toEqual([200, 200, 200, 200]);
      await publish(GONE.removed);
      await expectGone(store);
      await rollback(store);
      await expectGone(store);
      await dying(name, () => publish(GONE.removed, 1));
      await expectGone(store);
      await letPass(store);
      await publish(GONE.removed, 1);
      const { ".notes": _, ...tree } = await treeOf(store);
      const words = [...KNOWN, ...SECRET];
      expect(await wordsLeft(store, Object.keys(tree), words)).toEqual([]);
    },
  );

  it("a rollback obeys a removal that a dead build had read", async () => {
    const { store, publish } = await published();
    await dying("current.json", () => publish(GONE.removed));
    await rollback(store);
    await expectGone(store);
  });
});
