import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { disk } from "../../src/files/disk.js";
import { answer } from "../../src/runtime/answer/answer.js";
import { SERVER_PAGES } from "../../src/runtime/http/server-pages.js";
import { LoadedSnapshot } from "../../src/runtime/snapshot/snapshot.js";
import { readSearchFile } from "../../src/store/columns/search-file.js";
import { inflated } from "../../src/store/compression.js";
import { currentId } from "../../src/store/reader.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { aCheck, aFix, aListing, aScan, type PublishedFiles } from "../fixtures.js";
import { someOf } from "../slow.js";
import { settle } from "../store/edits.js";
import { aStore } from "../store/stores.js";
import { letPass, manyListings, snapshotOf, treeOf } from "../store/trees.js";

const HOST = "zyxhost.example";
const URL = "https://zyxurl.example/zyxurl";
/** Words of a withheld report: host, address, name, description and scan stay (decisions, Scans and history). */
const KNOWN: readonly string[] = ["zyxhost", "zyxurl", "zyxname", "zyxdescription", "zyxscan"];
/** What no answer and no byte may have any more once the listing is withheld. */
const SECRET = [
  ...["zyxtagline", "zyxlogo", "zyxhosting", "zyxsummary", "zyxfix", "zyxdraft", "zyxprofile"],
  ...["zyxcheck", "zyxpage", "zyxolder", "zyxrevision", "zyxverdict"],
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

/** Every byte of some of a store's files, as one text; those of columns as code units of two bytes, too. */
async function bytesOf(store: string, files: object): Promise<string> {
  const names = Object.keys(files);
  const texts = [];
  for (const file of names) {
    const text = await readFile(join(store, file), "latin1");
    texts.push(text);
    if (file.endsWith(".bin")) texts.push(text.replaceAll("\0", ""));
    if (file.startsWith("search/")) texts.push(...(await inflatedTexts(store, file, names)));
  }
  return texts.join("\n");
}

/** The content of a search file, and of the blocks of its buckets that are in the given details files. */
async function inflatedTexts(store: string, search: string, files: readonly string[]) {
  const inflate = (bytes: Uint8Array) => inflated(bytes, 2 ** 24) ?? new Uint8Array(0);
  const content = inflate(await readFile(join(store, search)));
  const texts = [content];
  for (const [bucket, { answers, summaries }] of readSearchFile(content).entries()) {
    const details = files.find((file) => new RegExp(`^index/${bucket}-.*details$`).test(file));
    if (details === undefined) continue;
    const bytes = await readFile(join(store, details));
    for (const { offset, length } of [answers, ...summaries]) {
      texts.push(inflate(bytes.subarray(offset, offset + length)));
    }
  }
  return texts.map((text) => Buffer.from(text).toString("latin1"));
}

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
  const snapshot = await LoadedSnapshot.load(store, (await currentId(store)) ?? "");
  try {
    const answers = [];
    for (const targets of groups) answers.push(await answersOf(snapshot, targets));
    return answers;
  } finally {
    snapshot.release();
  }
}

async function answersOf(snapshot: LoadedSnapshot, targets: readonly string[]): Promise<Answers> {
  const compress = () => Promise.reject(new Error("nothing asks for it"));
  const onDamage = (error: Error) => {
    throw error;
  };
  const statuses: number[] = [];
  let text = "";
  for (const target of targets) {
    const context = { snapshot, pages: SERVER_PAGES, compress, onDamage };
    const { status, headers, body } = await answer({ method: "GET", target }, context);
    statuses.push(status);
    text += `${JSON.stringify(headers)}\n${Buffer.from(body ?? "").toString("utf8")}\n`;
  }
  return { statuses, text };
}

/** Nothing that is current has anything of the listing; `known` is what a withheld one keeps. */
async function expectGone(store: string, known: readonly string[] = []): Promise<void> {
  const hidden = [...KNOWN, ...SECRET].filter((word) => !known.includes(word));
  const files = await snapshotOf(store);
  expect(wordsIn(await bytesOf(store, files), hidden)).toEqual([]);
  // Of a withheld listing, columns and details know the host and the scan, and nothing that is searched.
  const columns = Object.entries(files).filter(([file]) => /\.(?:bin|details)$/.test(file));
  const found = wordsIn(await bytesOf(store, Object.fromEntries(columns)), [...KNOWN, ...SECRET]);
  expect(found).toEqual(known.length === 0 ? [] : ["zyxhost", "zyxscan"]);
  const search = Object.entries(files).filter(([file]) => file.startsWith("search/"));
  expect(wordsIn(await bytesOf(store, Object.fromEntries(search)), [...KNOWN, ...SECRET])).toEqual(
    [],
  );
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
  expect(wordsIn(await bytesOf(store, files), words)).toEqual(words);
  const compressed = Object.entries(files).filter(([file]) => /^search|details$/.test(file));
  const found = wordsIn(await bytesOf(store, Object.fromEntries(compressed)), words);
  expect(found).toEqual(expect.arrayContaining(["zyxhost", "zyxname", "zyxtagline", "zyxscan"]));
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
      const { ".notes.json": _notes, ...tree } = await treeOf(store);
      return wordsIn(
        await bytesOf(store, tree),
        words.filter((word) => !known.includes(word)),
      );
    };
    await publish(files, 1);
    expect(await left()).not.toEqual([]);
    await letPass(store);
    await publish(files, 1);
    expect(await left()).toEqual([]);
    const notes = await bytesOf(store, { ".notes.json": "" });
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

  it.each(someOf([".notes.json", "current.json"], 1))(
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
      const { ".notes.json": _, ...tree } = await treeOf(store);
      expect(wordsIn(await bytesOf(store, tree), [...KNOWN, ...SECRET])).toEqual([]);
    },
  );

  it("a rollback obeys a removal that a dead build had read", async () => {
    const { store, publish } = await published();
    await dying("current.json", () => publish(GONE.removed));
    await rollback(store);
    await expectGone(store);
  });
});
