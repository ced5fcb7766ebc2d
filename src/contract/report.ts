import * as z from "zod";
import {
  Count,
  DateTime,
  FreeForm,
  field,
  nullableText,
  Ordinal,
  Score,
  textField,
} from "./field.js";
import { CheckBlock, CheckKind, CheckLifecycle, SourceLink } from "./standards.js";

const checkId = textField(
  "Id of the check; the standards describe it under the same id.",
  "structured-data",
);

/** The result of a check. `points` and `maxPoints` are points of the score. */
export const Check = z
  .strictObject({
    checkId,
    checkVersion: field(Ordinal, "Version of the check, counted from 1.", 2),
    title: textField("What the check looks for.", "Has structured data"),
    label: textField("A short name of the check.", "Structured data"),
    kind: field(
      CheckKind,
      "`achievement` earns points, `penalty` takes points off, `capability` changes no score.",
      "achievement",
    ),
    block: field(CheckBlock, "The block of the score that the check counts in; null if none.", 2),
    status: field(
      z.enum(["pass", "warn", "fail", "na"]),
      "`pass`, `warn` (passed in part), `fail`, or `na` (does not apply to this site).",
      "fail",
    ),
    points: field(z.number(), "Points of the score that the site got for it.", 0),
    maxPoints: field(z.number(), "The most points of the score that it can bring.", 6),
    lifecycle: field(
      CheckLifecycle.nullable(),
      "Whether the check was active, experimental or deprecated; null if unknown.",
      "active",
    ),
    summary: nullableText(
      "What the check saw, in a sentence.",
      "The homepage has no structured data.",
    ),
    details: field(FreeForm, "What the check saw; the keys vary by check and version.", {
      formats: [],
    }),
  })
  .meta({ id: "Check" });
export type Check = z.infer<typeof Check>;

const status = field(Count.nullable(), "HTTP status of the answer; null if there was none.", 200);
const finalUrl = nullableText(
  "The address that answered after all redirects; null if none did.",
  "https://example.org/",
);

/** One request of the scan. */
export const Observation = z
  .strictObject({
    key: textField("What the request was for, as the scanner names it.", "homepage"),
    url: textField("The address that was requested.", "https://example.org/"),
    finalUrl,
    status,
    contentType: nullableText(
      "The `Content-Type` of the answer; null if it had none.",
      "text/html; charset=utf-8",
    ),
    durationMs: field(z.number(), "Milliseconds that the request took.", 184),
    rung: textField("How the scanner made the request, such as `plain`.", "plain"),
    redirects: field(Count, "Redirects that were followed.", 0),
    byteLength: field(Count, "Bytes of the answer's body.", 48_211),
  })
  .meta({ id: "Observation" });

const SampledPage = z.strictObject({
  url: textField("Address of the page.", "https://example.org/guides/peas"),
  kind: textField("What kind of page it is, as the scanner names it.", "article"),
  sources: field(
    z.array(z.enum(["previous", "sitemap", "homepage"])),
    "Where the scanner found the address: in the `previous` scan, in the `sitemap`, or on the `homepage`.",
    ["sitemap"],
  ),
  reasons: field(z.array(z.string()), "Why the scanner chose the page.", ["linked-often"]),
  outcome: textField("What came of reading it, as the scanner names it.", "read"),
  status,
  finalUrl,
});

/** The content pages that the scan sampled besides the homepage. */
export const SampledPages = z
  .strictObject({
    version: field(Ordinal, "Version of this part of the report, counted from 1.", 1),
    completeness: field(
      z.enum(["full", "partial", "empty"]),
      "Whether all, some or none of the chosen pages could be read.",
      "full",
    ),
    stopped: nullableText("Why sampling stopped early; null if it did not.", "time-limit"),
    pages: field(z.array(SampledPage), "The pages, in the order in which they were chosen."),
  })
  .meta({ id: "SampledPages" });

/** A fix (docs/contract.md#25-fixes). `scoreAfter` is the site's score once the fix is applied. */
export const Fix = z
  .strictObject({
    checkId,
    title: textField("What to do.", "Add structured data"),
    kind: textField("Kind of the check that it mends.", "achievement"),
    status: textField("Result of the check that it mends.", "fail"),
    summary: nullableText("What is wrong, in a sentence.", "The homepage has no structured data."),
    recoverablePoints: field(z.number(), "Points of the score that the fix brings.", 6),
    scoreAfter: field(
      Score.nullable(),
      "The site's score once the fix is applied; null for unscored reports.",
      92,
    ),
    prompt: nullableText(
      "Instructions for a person or a coding agent; null if there are none.",
      "Add a JSON-LD block of type WebSite to the homepage.",
    ),
    promptStatus: field(
      z.enum(["archived", "unavailable"]),
      "`archived` if the prompt is stored, `unavailable` if not.",
      "archived",
    ),
  })
  .meta({ id: "Fix" });
export type Fix = z.infer<typeof Fix>;

/** What a host serves to verified crawlers only, if its homepage is a client-rendered app. */
export const Prerender = z
  .strictObject({
    version: field(z.literal(1), "Version of this part of the report.", 1),
    platform: field(z.enum(["lovable"]), "The platform that hosts the app.", "lovable"),
    markdownOnRequest: field(
      z.boolean(),
      "Whether the host answers in Markdown if a client asks for it.",
      false,
    ),
    title: textField("Heading of the explanation.", "Full HTML for verified crawlers only"),
    paragraphs: field(z.array(z.string()), "The explanation, paragraph by paragraph.", [
      "The score grades what every other reader receives.",
    ]),
    sources: field(z.array(SourceLink), "Where this is documented."),
  })
  .meta({
    id: "Prerender",
    description:
      "Set when the homepage is a client-rendered app whose host serves full HTML only to crawlers it " +
      "verifies; the score grades what every other reader receives.",
  });

/**
 * The state of generated texts or files (docs/contract.md#27-enrichment). `nextRetryAt` is the earliest retry, not an
 * estimate of completion.
 */
export const EnrichmentState = z
  .strictObject({
    state: field(
      z.enum(["queued", "generating", "delayed", "ready", "unavailable"]),
      "Poll only while it is `queued`, `generating` or `delayed`.",
      "ready",
    ),
    nextRetryAt: field(
      DateTime.nullable(),
      "Earliest retry of delayed work; no estimate of when it is done. Null otherwise.",
    ),
  })
  .meta({ id: "EnrichmentState" });
export type EnrichmentState = z.infer<typeof EnrichmentState>;

/** The states of everything that is generated (docs/contract.md#27-enrichment). */
export const Enrichment = z
  .strictObject({
    scanId: textField("The scan that the generated texts and files belong to.", "scn_2026_07"),
    revision: textField("Opaque; changes when the content or its status changes.", "r-178789"),
    copy: field(EnrichmentState, "State of the generated texts."),
    starterFiles: field(
      EnrichmentState.nullable(),
      "State of the generated files; null without entitlement.",
    ),
  })
  .meta({ id: "Enrichment" });
export type Enrichment = z.infer<typeof Enrichment>;

const Finding = z
  .strictObject({
    subjects: field(z.array(z.string()), "The crawlers that it is about, by robots.txt token.", [
      "GPTBot",
    ]),
    state: field(
      z.enum([
        "allowed",
        "disallowed",
        "observed",
        "not-observed",
        "unknown",
        "unstated",
        "unresolved",
        "mixed",
      ]),
      "What was found.",
      "disallowed",
    ),
    explanation: textField("The finding in a sentence.", "robots.txt refuses GPTBot."),
    source: textField("What states it.", "robots.txt"),
    url: textField("Where it is stated.", "https://example.org/robots.txt"),
    scope: textField("What part of the site it applies to.", "/"),
    raw: field(z.array(z.string()), "The lines that state it, as found.", [
      "User-agent: GPTBot",
      "Disallow: /",
    ]),
    checkIds: field(z.array(z.string()), "Ids of the checks that use it.", ["crawler-access"]),
  })
  .meta({ id: "AccessFinding" });

const Identity = z.strictObject({
  token: textField("The crawler's name in robots.txt.", "GPTBot"),
  operator: textField("Who operates it.", "OpenAI"),
  purpose: textField("What it reads pages for.", "training"),
});

const Row = z.strictObject({
  id: textField("Id of the row.", "training"),
  title: textField("Heading of the row.", "Training"),
  summary: textField("The row in a sentence.", "Crawlers for training are refused."),
  findings: field(z.array(Finding), "What the row rests on."),
});

/** What the site's signals allow each crawler. */
export const AccessPolicy = z
  .strictObject({
    version: field(z.literal(1), "Version of this part of the report.", 1),
    url: textField("The address that it is about.", "https://example.org/"),
    summary: textField("The policy in a sentence.", "Open to search, closed to training."),
    notes: field(z.array(z.string()), "Remarks.", ["robots.txt has no rule for other crawlers."]),
    identities: field(z.array(Identity), "The crawlers that were looked at."),
    rows: field(z.array(Row), "The policy by purpose."),
  })
  .meta({ id: "AccessPolicy" });
export type AccessPolicy = z.infer<typeof AccessPolicy>;

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
