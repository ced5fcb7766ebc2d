import * as z from "zod";
import { Count, DateTime, FreeForm, field, nullableText, Score, textField } from "./field.js";
import {
  AccessPolicy,
  Check,
  Enrichment,
  Fix,
  Observation,
  Prerender,
  SampledPages,
} from "./report-parts.js";

/** Where a `moved` scan found the homepage to lead. */
export const Redirect = z.strictObject({
  host: nullableText("The host that the homepage leads to.", "new.example.org"),
  status: field(
    Count.nullable(),
    "HTTP status of the redirect; null if a script in the page navigates.",
    301,
  ),
});

export const ScanStats = z.strictObject({
  pagesScanned: field(Count.nullable(), "Pages that the scan read.", 7),
  requestCount: field(Count.nullable(), "HTTP requests that the scan sent.", 20),
  bytesFetched: field(Count.nullable(), "Bytes of all answers that the scan received.", 1_537_033),
  durationMs: field(z.number().nullable(), "Milliseconds that the scan took.", 82_465),
});

/** The scan of a report (docs/contract.md#24-score-and-band-of-a-scan). */
export const ReportScan = z
  .strictObject({
    id: textField("Id of the scan, unique for its host.", "scn_2026_07"),
    status: textField(
      "State of the scan, such as `complete`. `moved`: the homepage redirects to another domain, and " +
        "the scan has no score.",
      "complete",
    ),
    finishedAt: field(DateTime, "When the scan finished, with its offset from UTC."),
    historical: field(
      z.boolean(),
      "Whether this is an older scan than the one that the latest report shows.",
      false,
    ),
    score: field(
      Score.nullable(),
      "Score from 0 to 100. Null where there is none, which never means zero.",
      86,
    ),
    band: nullableText(
      "Id of the band that holds the score (`rubric.bands` of the standards).",
      "exemplary",
    ),
    scoreVersion: nullableText(
      "Version of the scoring methodology. Older reports keep theirs.",
      "2026.1",
    ),
    block1: field(z.number().nullable(), "Points earned in the first block of checks.", 58.5),
    block2: field(z.number().nullable(), "Points earned in the second block of checks.", 27.5),
    penalties: field(z.number().nullable(), "Points taken off by penalty checks.", 0),
    cappedAt: field(
      Count.nullable(),
      "The score's ceiling where the homepage gave a crawler without a browser nothing to read; blocks " +
        "minus penalties then add up to more than the score. Null otherwise.",
      40,
    ),
    robotsVerdict: nullableText(
      "What robots.txt says to AI crawlers, in a word of the publisher's.",
      "training-refused",
    ),
    summary: nullableText(
      "The result in a sentence or two.",
      "Reads well without a browser. First to fix: structured data.",
    ),
    redirect: field(Redirect.nullable(), "Set where the status is `moved`; null otherwise."),
    stats: field(ScanStats, "What the scan measured."),
  })
  .meta({ id: "ReportScan" });

/** Beyond the contract (docs/contract.md#62-scans-and-history): one published scan in a report's history. */
export const HistoryEntry = z
  .strictObject({
    id: textField("Id of the scan; `?scan=` with it reads its report.", "scn_2026_05"),
    finishedAt: field(DateTime, "When the scan finished, with its offset from UTC."),
    score: field(Score.nullable(), "Score from 0 to 100; null where there is none.", 81),
    band: nullableText("Id of the band that holds the score.", "exemplary"),
    scoreVersion: nullableText(
      "Version of the scoring methodology; scores of different versions do not compare.",
      "2026.1",
    ),
  })
  .meta({ id: "HistoryEntry" });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

const Site = z.strictObject({
  host: textField("Canonical host of the site.", "example.org"),
  url: textField("Address of the site's homepage.", "https://example.org/"),
  name: nullableText("Name of the site.", "Example"),
  description: nullableText(
    "What the site offers, in the publisher's words.",
    "Guides to growing vegetables in small gardens.",
  ),
  status: textField(
    "Ownership of the listing: `unclaimed`, `claimed`, or another word of the publisher's.",
    "claimed",
  ),
  claimed: field(z.boolean(), "Whether `status` is `claimed`.", true),
});

const Fixes = z.strictObject({
  data: field(z.array(Fix), "The fixes that the listing's plan shows, in the publisher's order."),
  total: field(Count, "Number of all fixes of the scan.", 3),
  limit: field(
    Count.nullable(),
    "The most fixes that the listing's plan shows; null if it shows all.",
    1,
  ),
  hidden: field(Count, "Fixes that the plan leaves out: `total` minus the length of `data`.", 2),
});

const Access = z.strictObject({
  history: field(z.boolean(), "Whether reports of older scans can be read.", true),
  highlight: field(z.boolean(), "Whether pages may highlight the listing.", false),
  starterFiles: field(z.boolean(), "Whether generated file drafts are part of the report.", false),
});

const Links = z.strictObject({
  canonical: textField(
    "The report as a page for people.",
    "https://directory.example/sites/example.org",
  ),
  markdown: textField(
    "The report as Markdown.",
    "https://directory.example/sites/example.org/report.md",
  ),
});

const Seo = z.strictObject({
  indexable: field(
    z.boolean(),
    "Whether search engines may show the report: it is scored, not withheld, and the latest.",
    true,
  ),
});

/** A report (docs/contract.md#23-report); `history` is beyond the contract (docs/contract.md#62-scans-and-history). */
export const Report = z
  .strictObject({
    enrichment: field(
      Enrichment.nullable(),
      "State of generated texts and files. Null where there are none, and for unscored and older reports.",
    ),
    accessPolicy: field(
      AccessPolicy.nullable(),
      "What the site's robots.txt and other signals allow each crawler.",
    ),
    prerender: field(
      Prerender.nullable(),
      "Set when the homepage is a client-rendered app whose host serves full HTML only to crawlers it " +
        "verifies. Null otherwise, and for scans archived before this was looked at.",
    ),
    site: field(Site, "The listing."),
    scan: field(ReportScan, "The scan and its score."),
    profile: field(
      FreeForm.nullable(),
      "Observed login, API and commerce features and their evidence.",
      { login: { present: true, url: "https://example.org/login" } },
    ),
    checks: field(z.array(Check), "The results of all checks, in the publisher's order."),
    observations: field(z.array(Observation), "The requests that the scan sent."),
    pages: field(
      SampledPages.nullable(),
      "Content pages that the scan sampled besides the homepage. Null for scans archived before sampling.",
    ),
    fixes: field(Fixes, "What would raise the score, as far as the listing's plan shows it."),
    access: field(Access, "What the listing's plan opens, for every reader alike."),
    starterFiles: field(
      FreeForm.nullable(),
      "Generated file drafts and their readiness, where the plan has them.",
      { "llms.txt": { state: "ready", content: "# Example\n" } },
    ),
    starterFilesOffer: field(
      z.boolean(),
      "Whether file drafts exist that the listing's plan does not show.",
      false,
    ),
    links: field(Links, "The report for people, and the same in Markdown."),
    seo: field(Seo, "What search engines may do."),
    history: field(
      z.array(HistoryEntry).optional(),
      "All published scans, newest first; left out where the plan has no history.",
    ),
  })
  .meta({ id: "Report" });
export type Report = z.infer<typeof Report>;
