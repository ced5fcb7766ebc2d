import { beforeAll, describe, expect, it } from "vitest";
import type { ListingRecord, ScanRecord } from "../../src/sample/records.js";
import { CLOSED_CATEGORY, CLOSED_TAG } from "../../src/sample/taxonomy.js";
import { recordsOf, sampleInMemory } from "./sinks.js";

/** A listing with its scans, oldest first, and the one that is published. */
interface Whole {
  readonly listing: ListingRecord;
  readonly scans: readonly ScanRecord[];
  readonly published: ScanRecord | undefined;
}

const inListing = (match: (listing: ListingRecord) => unknown) => (whole: Whole) =>
  match(whole.listing);
const inPublished = (match: (scan: ScanRecord) => unknown) => (whole: Whole) =>
  whole.published !== undefined && match(whole.published);
const inPast = (match: (scan: ScanRecord) => unknown) => (whole: Whole) =>
  whole.scans.filter((scan) => scan !== whole.published).some(match);
const textIs = (pattern: RegExp) =>
  inListing(({ name, tagline }) => pattern.test(name ?? "") || pattern.test(tagline ?? ""));
const finding = (state: string) =>
  inPublished(({ accessPolicy }) =>
    accessPolicy?.rows.some(({ findings }) => findings.some((one) => one.state === state)),
  );
const enrichment = (state: string) =>
  inPublished(({ enrichment: given }) => given?.copy.state === state);
const check = (match: (check: NonNullable<ScanRecord["checks"]>[number]) => boolean) =>
  inPublished(({ checks }) => checks?.some(match));

/** What must occur, and at which share of the listings at least. */
const VARIETIES: Record<string, readonly [least: number, (whole: Whole) => unknown]> = {
  "visibility listed, left out": [0.3, inListing(({ visibility }) => visibility === undefined)],
  "visibility listed": [0.3, inListing(({ visibility }) => visibility === "listed")],
  "visibility blocked": [0.005, inListing(({ visibility }) => visibility === "blocked")],
  "visibility opted-out": [0.005, inListing(({ visibility }) => visibility === "opted-out")],
  "visibility redirected": [0.005, inListing(({ visibility }) => visibility === "redirected")],
  "visibility removed": [0.005, inListing(({ visibility }) => visibility === "removed")],
  "visibility deleted": [0.005, inListing(({ visibility }) => visibility === "deleted")],
  unclaimed: [0.4, inListing(({ status }) => status === "unclaimed")],
  claimed: [0.1, inListing(({ status }) => status === "claimed")],
  "no plan": [0.5, inListing(({ entitlements }) => entitlements === undefined)],
  "an empty plan": [0.01, inListing(({ entitlements: plan }) => JSON.stringify(plan) === "{}")],
  "history alone": [
    0.03,
    inListing(({ entitlements: plan }) => JSON.stringify(plan) === '{"history":true}'),
  ],
  "a few fix prompts": [0.02, inListing(({ entitlements: plan }) => (plan?.fixPrompts ?? 0) > 0)],
  "everything, highlight too": [
    0.03,
    inListing(({ entitlements: plan }) => plan?.fixPrompts === null && plan.highlight),
  ],
  "never scanned": [0.02, ({ scans }) => scans.length === 0],
  "one scan": [0.4, ({ scans }) => scans.length === 1],
  "older scans": [0.25, ({ scans }) => scans.length > 1],
  "six older scans": [0.006, ({ scans }) => scans.length > 6],
  "two scans at one instant": [
    0.004,
    ({ scans }) => {
      const instants = scans.map(({ finishedAt }) => Date.parse(finishedAt));
      return new Set(instants).size < instants.length;
    },
  ],
  "a newer scan held back": [
    0.01,
    ({ published, scans }) => published !== undefined && published !== scans.at(-1),
  ],
  "a pin on the newest scan": [
    0.01,
    ({ listing, scans }) => scans.length > 0 && listing.publishedScan === scans.at(-1)?.id,
  ],
  "no name": [0.01, inListing(({ name }) => name === null)],
  "the name left out": [0.005, inListing(({ name }) => name === undefined)],
  "no tagline": [0.02, inListing(({ tagline }) => tagline === null)],
  "no description": [0.02, inListing(({ description }) => description === null)],
  "punycode host": [0.03, inListing(({ host }) => host.includes("xn--"))],
  "punycode domain ending": [0.005, inListing(({ host }) => /\.xn--[^.]+$/.test(host))],
  "a subdomain": [0.02, inListing(({ host }) => /^(docs|blog|shop|app|api|en|help)\./.test(host))],
  "a host that ends in .md": [0.002, inListing(({ host }) => host.endsWith(".md"))],
  Cyrillic: [0.003, textIs(/\p{Script=Cyrillic}/u)],
  Chinese: [0.003, textIs(/^\p{Script=Han}+$/u)],
  Japanese: [0.003, textIs(/\p{Script=Hiragana}/u)],
  Korean: [0.003, textIs(/\p{Script=Hangul}/u)],
  Arabic: [0.003, textIs(/\p{Script=Arabic}/u)],
  "Greek with a final sigma": [0.002, textIs(/ς( |$)/u)],
  "accented Latin": [0.01, textIs(/[éèêöüñłż]/u)],
  "a letter and its accent apart": [0.002, inListing(({ name }) => name !== name?.normalize())],
  "Turkish dotted capital I": [0.001, textIs(/İ/u)],
  emoji: [0.01, textIs(/\p{Extended_Pictographic}/u)],
  "signs that are wildcards elsewhere": [0.005, textIs(/[%_"]/)],
  "an http address": [0.01, inListing(({ url }) => url.startsWith("http://"))],
  "no category": [0.005, inListing(({ category }) => category === null)],
  "a closed category": [0.005, inListing(({ category }) => category === CLOSED_CATEGORY)],
  "a closed tag": [0.01, inListing(({ tags }) => tags?.includes(CLOSED_TAG))],
  "no hosting": [0.05, inListing(({ hosting }) => hosting === undefined)],
  "two platforms": [0.01, inListing(({ platforms }) => platforms?.length === 2)],
  "another linkRel": [0.1, inListing(({ linkRel }) => linkRel !== undefined)],
  "a logo": [0.4, inListing(({ logoUrl }) => typeof logoUrl === "string")],
  "a moved scan, listed": [
    0.004,
    (whole) =>
      inPublished(({ status }) => status === "moved")(whole) &&
      /listed/.test(whole.listing.visibility ?? "listed"),
  ],
  "a scripted redirect": [0.002, inPublished(({ redirect }) => redirect?.status === null)],
  "a redirect to nowhere known": [0.002, inPublished(({ redirect }) => redirect?.host === null)],
  "a failed scan": [0.01, inPublished(({ status }) => status === "failed")],
  "a failed scan with fixes": [
    0.005,
    inPublished(({ status, fixes }) => status === "failed" && fixes?.length),
  ],
  "a partial scan": [0.02, inPublished(({ status }) => status === "partial")],
  "an older version published": [0.015, inPublished((scan) => scan.scoreVersion === "2025.2")],
  "an older version in the past": [0.02, inPast((scan) => scan.scoreVersion === "2025.2")],
  "a band given": [0.2, inPublished(({ band }) => band !== undefined)],
  "a band left out": [0.2, inPublished(({ band, score }) => score !== null && band === undefined)],
  "a capped score": [0.03, inPublished(({ cappedAt }) => cappedAt === 25)],
  "points that are not whole": [0.3, inPublished(({ block2 }) => !Number.isInteger(block2 ?? 0))],
  "a check that does not apply": [0.5, check(({ status }) => status === "na")],
  "a warning": [0.5, check(({ status }) => status === "warn")],
  "an experimental check": [0.5, check(({ lifecycle }) => lifecycle === "experimental")],
  "a check without a lifecycle": [0.01, check(({ lifecycle }) => lifecycle === null)],
  "a deprecated check": [0.01, check(({ checkId }) => checkId === "ai-plugin")],
  "pages in full": [0.5, inPublished(({ pages }) => pages?.completeness === "full")],
  "pages in part": [0.01, inPublished(({ pages }) => pages?.completeness === "partial")],
  "empty pages": [0.01, inPublished(({ pages }) => pages?.completeness === "empty")],
  "no pages": [0.01, inPublished(({ pages }) => pages === null)],
  "a prompt that is unavailable": [
    0.02,
    inPublished(({ fixes }) => fixes?.some(({ promptStatus }) => promptStatus === "unavailable")),
  ],
  "no fixes": [0.005, inPublished(({ fixes, score }) => score !== null && fixes?.length === 0)],
  "no profile": [0.02, inPublished(({ profile }) => profile === null)],
  "a prerender note": [0.008, inPublished(({ prerender }) => prerender?.platform === "lovable")],
  "starter files": [0.3, inPublished(({ starterFiles }) => starterFiles?.ready === true)],
  "no starter files": [0.2, inPublished(({ starterFiles }) => starterFiles === null)],
  "a date-time with an offset": [
    0.05,
    inPublished(({ finishedAt }) => /\+02:00$/.test(finishedAt)),
  ],
  "a date-time without fractions": [
    0.05,
    inPublished(({ finishedAt }) => /:\d\dZ$/.test(finishedAt)),
  ],
  "no access policy": [0.02, inPublished(({ accessPolicy }) => accessPolicy === null)],
  "finding allowed": [0.3, finding("allowed")],
  "finding disallowed": [0.05, finding("disallowed")],
  "finding observed": [0.02, finding("observed")],
  "finding not-observed": [0.3, finding("not-observed")],
  "finding unknown": [0.01, finding("unknown")],
  "finding unstated": [0.04, finding("unstated")],
  "finding unresolved": [0.01, finding("unresolved")],
  "finding mixed": [0.01, finding("mixed")],
  "no enrichment": [0.04, inPublished((scan) => scan.enrichment === null)],
  "enrichment queued": [0.02, enrichment("queued")],
  "enrichment generating": [0.02, enrichment("generating")],
  "enrichment delayed": [0.02, enrichment("delayed")],
  "enrichment ready": [0.3, enrichment("ready")],
  "enrichment unavailable": [0.02, enrichment("unavailable")],
  "enrichment with a revision": [0.2, inPublished((scan) => scan.enrichment?.revision)],
  "enrichment without starter files": [
    0.2,
    inPublished((scan) => scan.enrichment?.starterFiles === null),
  ],
};

describe.each([500, 2_000])("a sample of %i listings has", (listings) => {
  const wholes: Whole[] = [];
  beforeAll(async () => {
    const files = await sampleInMemory({ listings, seed: 1 });
    const scans = new Map<string, ScanRecord[]>();
    for (const scan of recordsOf(files, "scans")) {
      scans.set(scan.host, [...(scans.get(scan.host) ?? []), scan]);
    }
    for (const listing of recordsOf(files, "listings")) {
      const own = scans.get(listing.host) ?? [];
      own.sort((a, b) => (a.id < b.id ? -1 : 1));
      const pinned = own.find(({ id }) => id === listing.publishedScan);
      wholes.push({ listing, scans: own, published: pinned ?? own.at(-1) });
    }
  });

  it.each(Object.entries(VARIETIES))("%s", (_, [least, match]) => {
    const found = wholes.filter(match).length;
    expect(found).toBeGreaterThan(0);
    expect(found).toBeGreaterThanOrEqual(Math.floor(least * listings));
  });
});
