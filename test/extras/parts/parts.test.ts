import { existsSync } from "node:fs";
import { cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type JoinOptions, joinParts, PartsRefusedError } from "../../../src/extras/parts/join.js";
import { splitPublished } from "../../../src/extras/parts/split.js";
import { calls } from "../../../src/files/calls.js";
import { type BuildResult, build } from "../../../src/publish/build.js";
import { readNotes, writeNotes } from "../../../src/publish/notes.js";
import { TooManyRemovedError } from "../../../src/publish/removals.js";
import { rollback } from "../../../src/upkeep/rollback.js";
import { verify } from "../../../src/upkeep/verify.js";
import { aListing, aScan, temporaryFolder, writePublished } from "../../fixtures.js";
import { seeded } from "../../oracle/random.js";
import { withUnknownVersion } from "../../publish/losses.js";
import { repeated } from "../../slow.js";
import { servedBy } from "../../store/answers.js";
import { EditedDirectory, settle } from "../../store/edits.js";
import { manifestOf } from "../../store/forge.js";
import { aStore, storeWith } from "../../store/stores.js";
import { FOUR, manyListings, publishedTree } from "../../store/trees.js";
import { HOST, OPEN, opened, planned } from "../../upkeep/plans.js";

const SEED = Number(process.env.SEED ?? 20_261_126);
const SMALL = { jobs: 1, segmentSize: 16 } as const;

const WAYS = ["parts", "whole", "other parts", "rolled back, then parts"] as const;

/** Builds all parts, of folders that it splits or of the whole, into the store's `.parts`. */
async function buildParts(published: string, store: string, parts: number, isSplit: boolean) {
  const out = join(await temporaryFolder(), "parts");
  if (isSplit) await splitPublished(published, { parts, out });
  // In any order.
  for (let number = parts; number > 0; number -= 1) {
    const folder = isSplit ? join(out, `${number}-of-${parts}`) : published;
    await build(folder, { store, ...SMALL, part: `${number}/${parts}` });
  }
  return out;
}

/** Publishes a directory, of whose current state `inParts` builds all parts. */
async function publishBy(
  way: (typeof WAYS)[number],
  published: string,
  options: JoinOptions & { readonly store: string },
  inParts: () => Promise<unknown>,
) {
  const { store } = options;
  if (way === "whole") return build(published, { ...options, ...SMALL });
  if (way === "rolled back, then parts") await rollback(store).catch(() => {});
  if (way === "other parts") await rm(join(store, ".parts"), { recursive: true, force: true });
  await inParts();
  return joinParts(options);
}

/** Has the input been at rest for long when the notes of a store and of its parts were written. */
async function settleAll(store: string): Promise<void> {
  const parts = await readdir(join(store, ".parts")).catch(() => []);
  for (const folder of [store, ...parts.map((name) => join(store, ".parts", name))]) {
    if (existsSync(join(folder, ".notes"))) await settle(folder);
  }
}

/** Warnings of a build. One from nothing cannot know that a listing had scans before. */
const warningsOf = ({ warnings }: BuildResult) =>
  warnings.filter(({ message }) => !message.startsWith("has no scan any more"));

/** File systems without second names for a file. */
function refuseLinks() {
  const { link } = calls;
  calls.link = () => {
    throw Object.assign(new Error("EPERM: no links"), { code: "EPERM" });
  };
  onTestFinished(() => {
    Object.assign(calls, { link });
  });
}

describe(`joined parts serve what one build of the whole serves, SEED=${SEED}`, () => {
  it.each(Array.from({ length: repeated(1, 40) }, (_, n) => n))(
    "after every edit of random sequence %i, in turn with builds of the whole and rollbacks",
    async (sequence) => {
      const random = seeded(SEED + sequence);
      const pick = (count: number) => Math.floor(random() * count);
      const folder = await temporaryFolder();
      const directory = new EditedDirectory(join(folder, "published"), pick, 20 + pick(9));
      await directory.writeAll();
      const store = join(folder, "store");
      const fresh = join(folder, "fresh");
      const options = {
        store,
        keep: 2,
        maxRemoved: "100%",
        maxUnscored: "100%",
        maxUnbanded: "100%",
      } as const;
      if (pick(2) === 0) refuseLinks();
      let parts = 1 + pick(repeated(3, 5));
      for (let step = 0; step < repeated(6, 9); step += 1) {
        if (pick(3) > 0) await settleAll(store);
        const edits = [await directory.edit(), await directory.edit()];
        const way = WAYS[(step > 0 && sequence > 0 ? pick(4) : step) % WAYS.length]!;
        const what = `step ${step}: ${edits.join(", then ")}; ${way}, ${parts} parts`;
        if (way === "other parts") parts = 1 + pick(repeated(3, 5));
        const result = await publishBy(way, directory.folder, options, () =>
          buildParts(directory.folder, store, parts, pick(2) === 0),
        );
        await rm(fresh, { recursive: true, force: true });
        const full = await build(directory.folder, { ...SMALL, store: fresh });
        const facts = ({ counts, notInSearch }: typeof full) => ({ counts, notInSearch });
        expect(facts(result), what).toEqual(facts(full));
        if (way === "whole") expect(warningsOf(result), what).toEqual(warningsOf(full));
        expect(await servedBy(store), what).toEqual(await servedBy(fresh));
        expect((await verify(store)).bad, what).toEqual([]);
        const own = await readNotes(store);
        const its = await readNotes(fresh);
        expect(own.tombstones, what).toEqual(its.tombstones);
        expect([...own.built!.fingerprints].sort(), what).toEqual(
          [...its.built!.fingerprints].sort(),
        );
        expect(own.built!.rereads, what).toEqual(its.built!.rereads);
      }
    },
  );

  it.each(["second names", "copies"])(
    "with the same files, if their number is a power of two, as %s: later runs keep them all",
    async (ways) => {
      if (ways === "copies") refuseLinks();
      const folder = await temporaryFolder();
      const published = await writePublished(join(folder, "published"), manyListings());
      const one = join(folder, "one");
      const many = join(folder, "many");
      const { id, bytesWritten } = await build(published, { store: one, ...FOUR });
      await buildParts(published, many, 2, true);
      const joined = await joinParts({ store: many });
      expect(joined).toMatchObject({ id, kept: 0, segments: 4, bytesWritten });
      const { ".notes": _, ...tree } = await publishedTree(one);
      expect(await publishedTree(many)).toMatchObject(tree);
      expect(await joinParts({ store: many })).toMatchObject({ id, kept: 4, bytesWritten: 0 });
      expect(await build(published, { store: many, ...FOUR })).toMatchObject({ id, kept: 4 });
    },
  );

  it("and cost what has changed: the parts of an edited listing compile it alone", async () => {
    const folder = await temporaryFolder();
    const files = manyListings();
    const published = await writePublished(join(folder, "published"), files);
    const store = join(folder, "store");
    await buildParts(published, store, 2, false);
    await joinParts({ store });
    const listings = files.listings.with(5, aListing({ host: "site-5.example", name: "Changed" }));
    await writePublished(published, { ...files, listings });
    // A build of the whole would not read the scans again.
    await settle(join(store, ".parts/1-of-2"));
    await buildParts(published, store, 2, false);
    const { kept, segments, changes } = await joinParts({ store });
    expect(changes).toMatchObject({ added: 0, changed: 1, gone: 0 });
    expect(segments - kept).toBe(2);
    const { history } = await manifestOf(store);
    expect(history).toMatchObject({ generation: 2 });
  });
});

it("parts without a listing are joined, too, whatever changes in others", async () => {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  for (const name of ["One", "Two"]) {
    const listings = [aListing({ name })];
    const files = { ...manyListings(0), listings, scans: [aScan()] };
    const published = await writePublished(join(folder, "published"), files);
    await buildParts(published, store, 4, true);
    expect(await joinParts({ store })).toMatchObject({ changed: true, counts: { reports: 1 } });
  }
});

/** A folder with a directory, a store of its former state, and the parts of its present one. It is made once. */
let partsMade: Promise<string> | undefined;

async function makeFourParts(): Promise<string> {
  const folder = await temporaryFolder(() => {});
  const published = await writePublished(join(folder, "published"), manyListings(20));
  const store = join(folder, "store");
  await build(published, { store, ...SMALL });
  await writePublished(published, manyListings(24));
  await buildParts(published, store, 4, false);
  return folder;
}

/** A store with a snapshot, and the parts of its next one: a copy for each test. */
async function fourParts() {
  partsMade ??= makeFourParts();
  const folder = await temporaryFolder();
  await cp(await partsMade, folder, { recursive: true });
  const published = join(folder, "published");
  const store = join(folder, "store");
  const files = manyListings(24);
  const part = (number: number) => join(store, `.parts/${number}-of-4`);
  const again = (name: string, folder = published) =>
    build(folder, { store, ...SMALL, part: name });
  return { folder, published, files, store, part, again };
}
type FourParts = Awaited<ReturnType<typeof fourParts>>;

/** What may be wrong with parts, what the refusal says, and the remedy that it names. */
const WRONG: Record<
  string,
  [
    spoil: (parts: FourParts) => Promise<unknown>,
    message: RegExp,
    remedy?: (parts: FourParts) => Promise<unknown>,
  ]
> = {
  "none was built": [
    ({ store }) => rm(join(store, ".parts"), { recursive: true }),
    /there are no parts in .*\.parts; build each with crawldex build/,
    async ({ published, store }) => buildParts(published, store, 4, true),
  ],
  "one is missing": [
    ({ part }) => rm(part(2), { recursive: true }),
    /^part 2\/4 is missing; build/,
  ],
  "one was not built to its end": [
    ({ part }) => rm(join(part(2), "current.json")),
    /^\S+2-of-4 has no part that was built to its end; build it again/,
  ],
  "one was built to its end, but not in its last build": [
    async ({ part }) => {
      const current = await readFile(join(part(2), "current.json"), "utf8");
      const { id } = JSON.parse(current);
      const other = "0".repeat(32);
      await rename(join(part(2), id), join(part(2), other));
      await writeFile(join(part(2), "current.json"), current.replace(id, other));
    },
    /2-of-4 has no part that was built to its end/,
  ],
  "one is there twice": [
    ({ part }) => cp(part(2), `${part(2)}-copy`, { recursive: true }),
    /^2\/4 \(\S+2-of-4\), 2\/4 \(\S+2-of-4-copy\): is there twice; delete/,
    ({ part }) => rm(`${part(2)}-copy`, { recursive: true }),
  ],
  "one is of another division": [
    ({ again }) => again("2/8"),
    /^2\/8 \(\S+2-of-8\): is not one of 4 parts, as most are; delete its folder/,
    ({ store }) => rm(join(store, ".parts/2-of-8"), { recursive: true }),
  ],
  "one was built by another program": [
    async ({ part }) => {
      const notes = await readNotes(part(2));
      await writeNotes(part(2), { ...notes, built: { ...notes.built!, tool: "0".repeat(64) } });
    },
    /^2\/4 \(\S+\): was built with another version of the program, or of Node; build again/,
  ],
  "one was built with other documents": [
    async ({ folder, files, again }) => {
      const directory = { ...files.directory, name: "Another" };
      await again("2/4", await writePublished(join(folder, "other"), { ...files, directory }));
    },
    /^2\/4 \(\S+\): was built from other documents than most parts; build again/,
  ],
  "one was built from another state of the input, which differs in another part": [
    async ({ folder, files, again }) => {
      const scans = files.scans.map((one) =>
        one.host === "site-1.example" ? { ...one, summary: "Another" } : one,
      );
      await again("2/4", await writePublished(join(folder, "other"), { ...files, scans }));
    },
    /^2\/4 \(\S+\): was built from another input than most parts; build again/,
  ],
  "a pack is damaged": [
    async ({ part }) => {
      const { segments } = await manifestOf(part(2));
      const path = join(part(2), segments[0]!.pack.file);
      await writeFile(path, (await readFile(path)).fill(0x20, 100, 110));
    },
    /^\S+2-of-4 is damaged or incomplete; copy it again, or build it again/,
  ],
};

describe("a join publishes nothing, names the part and the remedy, and succeeds after it, if", () => {
  it.each(Object.entries(WRONG))("%s", async (_, [spoil, message, remedy]) => {
    const parts = await fourParts();
    const { store, again } = parts;
    await spoil(parts);
    const before = await publishedTree(store);
    const refused = await joinParts({ store }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PartsRefusedError);
    expect(refused).toMatchObject({
      message: expect.stringMatching(message),
      problems: [expect.any(String)],
    });
    expect(await publishedTree(store)).toEqual(before);
    await (remedy === undefined ? again("2/4") : remedy(parts));
    expect(await joinParts({ store })).toMatchObject({ changed: true, counts: { reports: 24 } });
    expect((await verify(store)).bad).toEqual([]);
  });

  it("too many listings of the whole would go, although no part says so", async () => {
    const { published, store } = await fourParts();
    await joinParts({ store });
    const { listings, scans, ...documents } = manyListings(24);
    const most = listings.slice(0, 12);
    await writePublished(published, { ...documents, listings: most, scans });
    await buildParts(published, store, 4, true);
    const before = await publishedTree(store);
    await expect(joinParts({ store })).rejects.toThrow(TooManyRemovedError);
    expect(await publishedTree(store)).toEqual(before);
    const joined = joinParts({ store, maxRemoved: "100%" });
    expect(await joined).toMatchObject({ changes: { gone: 12 } });
  });
});

describe("after a join of parts", () => {
  it("lost bands count, although no part refuses them", async () => {
    const { folder, store, files } = await storeWith(60, FOUR);
    const next = withUnknownVersion(files, 60);
    const published = await writePublished(join(folder, "published"), next);
    for (const part of ["1/2", "2/2"]) {
      const { warnings } = await build(published, { store, jobs: 1, part });
      expect(warnings[0]?.message).toMatch(/^(\d+) of \1 published scores have scoreVersion /);
    }
    await expect(joinParts({ store })).rejects.toMatchObject({ limit: "maxUnbanded" });
    expect(await joinParts({ store, maxUnbanded: "100%" })).toMatchObject({ changed: true });
  });

  it("a rollback remembers the plans that the parts state", async () => {
    const { folder, store } = await aStore(planned(OPEN));
    const published = await writePublished(join(folder, "parts"), planned({}));
    for (const part of ["1/2", "2/2"]) await build(published, { store, jobs: 1, part });
    await joinParts({ store, keep: 9, maxRemoved: "100%" });
    const { listings } = await rollback(store);
    expect(listings.withheld).toEqual([{ host: HOST, why: "plan" }]);
    expect(await opened(store)).toMatchObject({ historical: 0, prompts: 0, files: false });
  });
});
