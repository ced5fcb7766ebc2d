import { directoryContext } from "../../src/compile/directory.js";
import { compileListing } from "../../src/compile/listing.js";
import { checkLists } from "../../src/contract/figures.js";
import type { Report } from "../../src/contract/report.js";
import type { Listing, Scan } from "../../src/input/checking/schemas.js";
import type { PageContext } from "../../src/pages/kit/page-context.js";
import type { LeftOut } from "../../src/pages/report/excerpt.js";
import { reportPage } from "../../src/pages/report/report-page.js";
import type { Surroundings } from "../../src/pages/report/surroundings.js";
import {
  aCheck,
  aFix,
  aListing,
  aScan,
  type Given,
  published,
  theDirectory,
  theStandards,
  theTaxonomy,
} from "../fixtures.js";
import { all, attributeOf, parsedPage } from "./parsed.js";

/** The directory that the pages of these tests belong to. */
export const CONTEXT: PageContext = {
  name: "A directory",
  baseUrl: "https://api.directory.example",
  siteUrl: "https://directory.example",
  rubric: theStandards().rubric,
  ...checkLists(theStandards()),
};

/** The page of a report in that directory, as a browser reads it. */
export function pageOf(report: Report, left?: LeftOut, around?: Surroundings) {
  return parsedPage(reportPage(report, CONTEXT, left, around));
}

/** The linked data of a page (schema.org). */
export function linkedDataOf(page: ReturnType<typeof parsedPage>): Record<string, unknown> {
  const [data] = all(page, "script").filter(
    (one) => attributeOf(one, "type") === "application/ld+json",
  );
  const [text] = data!.childNodes as { value?: string }[];
  return JSON.parse(text?.value ?? "") as Record<string, unknown>;
}

/** The reports that the build makes of a listing and its scans: the latest, and the historical ones. */
export function reportsOf(
  listing: Partial<Given<typeof Listing>>,
  ...scans: Partial<Given<typeof Scan>>[]
): { readonly latest: Report; readonly historical: readonly Report[] } {
  const context = directoryContext(theDirectory(), theStandards(), theTaxonomy());
  const made = compileListing(
    aListing(listing),
    published(...scans.map((scan) => aScan(scan))),
    context,
  );
  if (made === null) throw new Error("the listing has no report");
  const parse = (body: string) => (JSON.parse(body) as { data: Report }).data;
  return {
    latest: parse(made.report),
    historical: [...made.historical].map(({ report }) => parse(report)),
  };
}

const A_TEXT = "A text";

/** A report that has all that a report can have, with a text of the caller's in each place for one. */
export function aFullReport(text = A_TEXT, changes: Partial<Report> = {}): Report {
  // What usually are ids and keys may be any text.
  const id = (usual: string) => (text === A_TEXT ? usual : text);
  const address = "https://example.com/page";
  const { latest } = reportsOf(
    {
      name: text,
      description: text,
      status: "claimed",
      entitlements: { history: true, fixPrompts: 2, starterFiles: true, highlight: true },
    },
    {
      id: "new",
      finishedAt: "2026-08-09T03:31:12Z",
      score: 63,
      block1: 45.5,
      block2: 27.5,
      penalties: 10,
      summary: text,
      robotsVerdict: id("open"),
      checks: [
        aCheck({ title: text, label: text, summary: text, details: { said: text } }),
        aCheck({ checkId: "sitemap", block: 2, status: "warn", points: 2.5, maxPoints: 40 }),
        aCheck({
          checkId: "bot-wall",
          kind: "penalty",
          block: null,
          status: "fail",
          points: -10,
          maxPoints: 0,
        }),
        aCheck({
          checkId: "mcp",
          kind: "capability",
          block: null,
          status: "na",
          points: 0,
          maxPoints: 0,
          lifecycle: "experimental",
        }),
      ],
      fixes: [
        aFix({ title: text, summary: text, prompt: text }),
        aFix({ checkId: "https", prompt: null, promptStatus: "unavailable", scoreAfter: null }),
        aFix({ checkId: "mcp" }),
      ],
      observations: [
        {
          key: id("home"),
          url: address,
          finalUrl: `${address}/`,
          status: 200,
          contentType: text,
          durationMs: 1234.5,
          rung: id("plain"),
          redirects: 1,
          byteLength: 54_809,
        },
      ],
      pages: {
        version: 1,
        completeness: "partial",
        stopped: text,
        pages: [
          {
            url: address,
            kind: id("article"),
            sources: ["sitemap", "homepage"],
            reasons: [text],
            outcome: id("read"),
            status: 200,
            finalUrl: null,
          },
        ],
      },
      profile: { login: { observed: true, evidence: [address] }, note: text },
      accessPolicy: {
        version: 1,
        url: "https://example.com/robots.txt",
        summary: text,
        notes: [text],
        identities: [{ token: id("GPTBot"), operator: text, purpose: id("training") }],
        rows: [
          {
            id: "training",
            title: text,
            summary: text,
            findings: [
              {
                subjects: [id("GPTBot"), "ClaudeBot"],
                state: "not-observed",
                explanation: text,
                source: text,
                url: address,
                scope: text,
                raw: [text, "Disallow: /"],
                checkIds: ["https"],
              },
            ],
          },
        ],
      },
      prerender: {
        version: 1,
        platform: "lovable",
        markdownOnRequest: true,
        title: text,
        paragraphs: [text],
        sources: [{ label: text, url: address }],
      },
      starterFiles: { ready: true, files: [{ path: "/llms.txt", text }] },
      enrichment: {
        copy: { state: "ready", nextRetryAt: null },
        starterFiles: { state: "delayed", nextRetryAt: "2026-08-09T04:00:00Z" },
        revision: "r1",
      },
    },
    { id: "old", finishedAt: "2026-06-01T00:00:00Z", score: 40 },
    { id: "failed", finishedAt: "2026-05-01T00:00:00Z", status: "failed", score: null },
    {
      id: "older",
      finishedAt: "2026-04-01T00:00:00Z",
      score: 0,
      scoreVersion: "2025.1",
      band: "poor",
    },
  );
  return { ...latest, ...changes };
}
