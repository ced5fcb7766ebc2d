import { describe, expect, it } from "vitest";
import type { Listing } from "../../../src/input/checking/schemas.js";
import { erases as erasesFormer, fingerprintOf } from "../../../src/publish/erasure.js";
import { storedFiles } from "../../../src/store/format.js";
import { rollback } from "../../../src/upkeep/rollback.js";
import { aFix, aListing, aScan, type PublishedFiles } from "../../fixtures.js";
import { someOf } from "../../slow.js";
import { answersIn } from "../answers.js";
import { manifestOf } from "../forge.js";
import { storedBytes } from "../stored-bytes.js";
import { aStore, hosts, storeWith } from "../stores.js";
import { FOUR, manyListings } from "../trees.js";

const HOST = "canary-host.example";
/** A word of the former answers alone. */
const CANARY = "canary-word";
const PLAN = { history: true, fixPrompts: null, starterFiles: true, highlight: true };
const old = aScan({ host: HOST, id: "old", finishedAt: "2025-01-01T00:00:00Z" });
const scan = aScan({ host: HOST, id: "new" });
const target = { score: null, redirect: { host: null, status: 301 } };
const finishedAt = "2026-09-01T00:00:00Z";
const moved = aScan({ host: HOST, id: "moved", status: "moved", finishedAt, ...target });

/** Changes of a listing's record, or null where the input does not have it; and its scans. */
interface Input {
  readonly listing?: Partial<Listing> | null;
  readonly scans?: PublishedFiles["scans"];
  /** Of all other listings. */
  readonly status?: string;
}

/** What is published one after the other, the last but one with the canary in the files. Whether the last erases it. */
type Case = readonly [title: string, inputs: readonly Input[], erases: boolean];

const said = (listing: Partial<Listing>): Input => ({ listing });
const scans = (...all: PublishedFiles["scans"]): Input => ({ scans: all });
const plan = (changes: Partial<Listing["entitlements"]>) =>
  said({ entitlements: { ...PLAN, ...changes } });
const summary = (of: typeof scan) => ({ ...of, summary: CANARY });
/** The newer scan says the word. */
const TOLD = [summary(scan), old];
const GONE: Input = { listing: null, scans: TOLD };

/** The plan does not open any more what the scans have. */
function lost(entitlements: Partial<Listing["entitlements"]>, input: Input): Case {
  const [name] = Object.keys(entitlements);
  return [`less ${name}`, [input, { ...input, ...plan(entitlements) }], true];
}

/** For each field of a record, changes of it. */
const FIELDS: Readonly<Record<keyof Listing, readonly Case[]>> = {
  host: [["another host", [said({ url: `https://${CANARY}.example/` }), { listing: null }], true]],
  url: [["another address", [said({ url: `https://${HOST}/${CANARY}` }), {}], true]],
  name: [["another name", [said({ name: CANARY }), {}], true]],
  tagline: [["no tagline", [said({ tagline: CANARY }), {}], true]],
  description: [["no description", [said({ description: CANARY }), {}], true]],
  hosting: [["no hosting", [said({ hosting: CANARY }), {}], true]],
  logoUrl: [["no logo", [said({ logoUrl: `https://${CANARY}.example/` }), {}], true]],
  ogImageUrl: [["no image", [said({ ogImageUrl: `https://${CANARY}.example/` }), {}], true]],
  status: [["another status", [said({ status: CANARY }), {}], false]],
  linkRel: [["another rel", [said({ linkRel: CANARY }), {}], false]],
  category: [["no category", [said({ status: CANARY, category: "weather" }), {}], false]],
  tags: [["no tags", [said({ status: CANARY, tags: ["zeta"] }), {}], false]],
  platforms: [["no platforms", [said({ status: CANARY, platforms: ["astro"] }), {}], false]],
  visibility: (["blocked", "opted-out", "redirected", "removed", "deleted"] as const).map(
    (visibility) => [visibility, [{ scans: TOLD }, { ...said({ visibility }), scans: TOLD }], true],
  ),
  entitlements: [
    lost({ history: false }, scans(scan, summary(old))),
    lost({ fixPrompts: 0 }, scans({ ...scan, fixes: [aFix({ prompt: CANARY })] })),
    lost({ starterFiles: false }, scans({ ...scan, starterFiles: { a: CANARY } })),
    ["no highlight", [said({ status: CANARY }), plan({ highlight: false })], true],
    [
      "more of a plan",
      [
        { listing: { status: CANARY, entitlements: { ...PLAN, history: false, fixPrompts: 1 } } },
        {},
      ],
      false,
    ],
  ],
  publishedScan: [
    ["an older scan", [{ scans: TOLD }, { ...said({ publishedScan: "old" }), scans: TOLD }], true],
    ["a newer scan", [{ listing: { publishedScan: "old", status: CANARY } }, {}], false],
  ],
};

const SCANS: readonly Case[] = [
  ["a changed scan", [{ scans: TOLD }, {}], true],
  ["a changed older scan", [scans(scan, summary(old)), {}], true],
  ["a scan that is gone", [scans(scan, summary(old)), scans(scan)], true],
  ["all scans gone", [scans(summary(scan)), scans()], true],
  ["a target that moved", [{ scans: TOLD }, scans(...TOLD, moved)], true],
  ["a listing that is gone", [{ scans: TOLD }, GONE], true],
  ["one more scan", [{ listing: { status: CANARY }, scans: [old] }, {}], false],
];

/** After several builds; also of a row that an earlier change has left behind. */
const LATER: readonly Case[] = [
  ["gone", [said({ status: CANARY }), {}, { listing: null }], true],
  ["withheld", [said({ linkRel: CANARY }), {}, said({ visibility: "blocked" })], true],
  ["renamed", [said({ status: CANARY }), {}, said({ name: "Another" })], true],
  ["named as before", [{}, { ...said({ name: CANARY }), status: "x" }, { status: "x" }], true],
];

const others = manyListings(12);
const siteOf = (changes: Partial<Listing>) =>
  aListing({ host: HOST, name: "Site", entitlements: PLAN, ...changes });

function directoryOf({
  listing = {},
  scans: ofSite = [scan, old],
  status = "unclaimed",
}: Input): PublishedFiles {
  const site = listing && siteOf(listing);
  return {
    ...others,
    listings: [...others.listings.map((one) => ({ ...one, status })), ...(site ? [site] : [])],
    scans: [...others.scans, ...ofSite],
  };
}

/** Every byte of the files that the current manifest names. */
async function bytesOf(store: string): Promise<string> {
  const manifest = await manifestOf(store);
  const files = storedFiles("", { ...manifest, public: [] }).map(({ file }) => file);
  return storedBytes(store, files);
}

const CASES = [...Object.values(FIELDS).flat(), ...SCANS];

it.each(Object.values(FIELDS).flat())(
  "%s: is known by the listing's fingerprints",
  (_, inputs, erases) => {
    const fingerprints = inputs.map(({ listing = {} }) =>
      listing === null ? null : Uint32Array.from(fingerprintOf(siteOf(listing), 1, null)),
    );
    // What a listing's scans say, and the time of its published one, is not in its fingerprint.
    const isOfScan = inputs.some(({ listing }) => listing?.publishedScan !== undefined);
    if (!isOfScan) expect(erasesFormer(fingerprints[0]!, fingerprints[1]!)).toBe(erases);
  },
);

describe("a change of a listing, built upon the last build", () => {
  it.each([...someOf(CASES, 8), ...someOf(LATER, 2)])(
    "%s: erases what it must",
    async (_, inputs, erases) => {
      // Two segments, of which the first build puts the canary's listing among others.
      const { store, rebuild } = await storeWith(12, { ...FOUR, segmentSize: 8 });
      const publish = (input: Input, full = false) =>
        rebuild(directoryOf(input), { maxRemoved: "100%", full });
      expect((await publish(inputs[0]!, true)).segments).toBe(2);
      for (const input of inputs.slice(1, -1)) await publish(input);
      expect(await bytesOf(store)).toContain(CANARY);
      const before = await answersIn(store);
      const { kept } = await publish(inputs.at(-1)!);
      const { [HOST]: answers, ...after } = await answersIn(store);
      expect(JSON.stringify(answers ?? null)).not.toContain(CANARY);
      expect(answers).not.toEqual(before[HOST]);
      for (const host of hosts(12)) expect(after[host]).toEqual(before[host]);
      expect(kept).toBe(erases ? 1 : 2);
      if (erases) expect(await bytesOf(store)).not.toContain(CANARY);
    },
  );
});

describe("a rollback", () => {
  const entitlements = { ...PLAN, history: false };
  const shown = (...all: PublishedFiles["scans"]) => ({ listing: { entitlements }, scans: all });
  const TAKEN: readonly Case[] = [...FIELDS.visibility, ["gone", [{ scans: TOLD }, GONE], true]];
  const DEAD: Case = [
    "a scan that the former snapshot has in a row which it does not serve",
    [shown(summary(old)), shown(summary(old), scan), shown(scan)],
    true,
  ];
  it.each([...someOf(TAKEN, 3), DEAD])(
    "%s: has no byte of what was taken away since",
    async (_, inputs) => {
      const all = inputs.map(directoryOf);
      const { store } = await aStore(...all);
      await rollback(store);
      expect(await bytesOf(store)).not.toContain(CANARY);
    },
  );
});
