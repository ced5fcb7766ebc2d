import { beforeAll, describe, expect, it } from "vitest";
import type { Scan } from "../../src/published/checking/scan-schema.js";
import type { Listing } from "../../src/published/checking/schemas.js";
import LIVES from "./generator/data/lives.json" with { type: "json" };
import { type Whole as Read, wholeOf } from "./records.js";

const CLOSED_CATEGORY = "blockchain";
const CLOSED_TAG = "amp-pages";

/** A listing with its scans, and the one that is published. */
interface Whole extends Read {
  readonly published: Scan | undefined;
}

const inListing = (match: (listing: Listing) => unknown) => (whole: Whole) => match(whole.listing);
const inWritten = (match: (keys: Whole["written"]) => unknown) => (whole: Whole) =>
  match(whole.written);
const inPublished = (match: (scan: Scan) => unknown) => (whole: Whole) =>
  whole.published !== undefined && match(whole.published);
const inPast = (match: (scan: Scan) => unknown) => (whole: Whole) =>
  whole.scans.filter((scan) => scan !== whole.published).some(match);
const textIs = (pattern: RegExp) =>
  inListing(({ name, tagline }) => pattern.test(name ?? "") || pattern.test(tagline ?? ""));
const finding = (state: string) =>
  inPublished(({ accessPolicy }) =>
    accessPolicy?.rows.some(({ findings }) => findings.some((one) => one.state === state)),
  );
const enrichment = (state: string) =>
  inPublished(({ enrichment: given }) => given?.copy.state === state);
const check = (match: (check: NonNullable<Scan["checks"]>[number]) => boolean) =>
  inPublished(({ checks }) => checks?.some(match));

/** What must occur, and at which share of the listings at least. */
const VARIETIES: Record<string, readonly [least: number, (whole: Whole) => unknown]> = {
  "visibility listed, left out": [0.3, inWritten((keys) => !("visibility" in keys))],
  "visibility listed": [0.3, inWritten(({ visibility }) => visibility === "listed")],
  "visibility blocked": [0.005, inListing(({ visibility }) => visibility === "blocked")],
  "visibility opted-out": [0.005, inListing(({ visibility }) => visibility === "opted-out")],
  "visibility redirected": [0.005, inListing(({ visibility }) => visibility === "redirected")],
  "visibility removed": [0.005, inListing(({ visibility }) => visibility === "removed")],
  "visibility deleted": [0.005, inListing(({ visibility }) => visibility === "deleted")],
  unclaimed: [0.4, inListing(({ status }) => status === "unclaimed")],
  claimed: [0.1, inListing(({ status }) => status === "claimed")],
  "no plan": [0.5, inWritten((keys) => !("entitlements" in keys))],
  "an empty plan": [0.01, inWritten(({ entitlements: plan }) => JSON.stringify(plan) === "{}")],
  "history alone": [
    0.03,
    inWritten(({ entitlements: plan }) => JSON.stringify(plan) === '{"history":true}'),
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
  "no name": [0.01, inWritten(({ name }) => name === null)],
  "the name left out": [0.005, inWritten((keys) => !("name" in keys))],
  "no tagline": [0.02, inWritten(({ tagline }) => tagline === null)],
  "no description": [0.02, inWritten(({ description }) => description === null)],
  "punycode host": [0.03, inListing(({ host }) => host.includes("xn--"))],
  "punycode domain ending": [0.005, inListing(({ host }) => /\.xn--[^.]+$/.test(host))],
  "a subdomain": [0.02, inListing(({ host }) => /^(docs|blog|shop|app|api|en|help)\./.test(host))],
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
  "no category": [0.005, inWritten(({ category }) => category === null)],
  "a closed category": [0.005, inListing(({ category }) => category === CLOSED_CATEGORY)],
  "a closed tag": [0.01, inListing(({ tags }) => tags?.includes(CLOSED_TAG))],
  "no hosting": [0.05, inWritten((keys) => !("hosting" in keys))],
  "two platforms": [0.01, inListing(({ platforms }) => platforms?.length === 2)],
  "another linkRel": [0.1, inWritten((keys) => "linkRel" in keys)],
  "a logo": [0.4, inListing(({ logoUrl }) => typeof logoUrl === "string")],
  "a moved scan, listed": [
    0.004,
    (whole) =>
      inPublished(({ status }) => status === "moved")(whole) &&
      whole.listing.visibility === "listed",
  ],
  "a scripted redirect": [0.002, inPublished(({ redirect }) => redirect?.status === null)],
  "a redirect to nowhere known": [0.002, inPublished(({ redirect }) => redirect?.host === null)],
  "a failed scan": [0.01, inPublished(({ status }) => status === "failed")],
  "a partial scan": [0.02, inPublished(({ status }) => status === "partial")],
  "an older version published": [0.015, inPublished((scan) => scan.scoreVersion === "2025.2")],
  "an older version in the past": [0.02, inPast((scan) => scan.scoreVersion === "2025.2")],
  "a band given": [0.2, inPublished(({ band }) => band !== null)],
  "a band left out": [0.2, inPublished(({ band, score }) => score !== null && band === null)],
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

describe("the default sample of 500 listings has", () => {
  const listings = 500;
  const wholes: Whole[] = [];
  beforeAll(() => {
    for (let index = 0; index < listings; index += 1) {
      const whole = wholeOf(1, index);
      const { listing, scans } = whole;
      const pinned = scans.find(({ id }) => id === listing.publishedScan);
      wholes.push({ ...whole, published: pinned ?? scans.at(-1) });
    }
  });

  it.each(Object.entries(VARIETIES))("%s", (_, [least, match]) => {
    const found = wholes.filter(match).length;
    expect(found).toBeGreaterThan(0);
    expect(found).toBeGreaterThanOrEqual(Math.floor(least * listings));
  });
});

describe("a sample of 20 listings shows every feature", () => {
  const { showcase } = LIVES;
  it.each(Object.entries(showcase))("%s", (name, expected) => {
    const { listing, scans } = wholeOf(7, Object.keys(showcase).indexOf(name));
    expect(listing.visibility).toBe(expected.visibility);
    expect(scans.length > 0).toBe(expected.scanned);
    if ("result" in expected) {
      const published = scans.find(({ id }) => id === listing.publishedScan) ?? scans.at(-1);
      expect(published?.status).toBe(expected.result);
    }
    if ("plan" in expected) {
      const entitlements: Record<string, object> = LIVES.entitlements;
      expect(listing.entitlements).toMatchObject(entitlements[expected.plan] ?? {});
    }
    if ("drafts" in expected) expect(scans.at(-1)?.starterFiles).not.toBeNull();
    if ("earlierScans" in expected) expect(scans.length).toBe(expected.earlierScans + 1);
  });

  it("and needs no more than 20", () => {
    expect(Object.keys(showcase).length).toBeLessThanOrEqual(20);
  });
});
