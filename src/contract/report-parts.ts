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
