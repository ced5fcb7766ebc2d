import { z } from "zod";
import { field } from "./field.js";
import { Count, FreeForm, Ordinal, Score } from "./scalars.js";
import { CheckBlock, CheckKind, CheckLifecycle, SourceLink } from "./standards.js";

const checkId = field(
  z.string(),
  "Id of the check; the standards describe it under the same id.",
  "structured-data",
);

/** Contract section 2, Check. `points` and `maxPoints` are points of the score. */
export const Check = z
  .strictObject({
    checkId,
    checkVersion: field(Ordinal, "Version of the check, counted from 1.", 2),
    title: field(z.string(), "What the check looks for.", "Has structured data"),
    label: field(z.string(), "A short name of the check.", "Structured data"),
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
    summary: field(
      z.string().nullable(),
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
const finalUrl = field(
  z.string().nullable(),
  "The address that answered after all redirects; null if none did.",
  "https://example.org/",
);

/** Contract section 2, Observation: one request of the scan. */
export const Observation = z
  .strictObject({
    key: field(z.string(), "What the request was for, as the scanner names it.", "homepage"),
    url: field(z.string(), "The address that was requested.", "https://example.org/"),
    finalUrl,
    status,
    contentType: field(
      z.string().nullable(),
      "The `Content-Type` of the answer; null if it had none.",
      "text/html; charset=utf-8",
    ),
    durationMs: field(z.number(), "Milliseconds that the request took.", 184),
    rung: field(z.string(), "How the scanner made the request, such as `plain`.", "plain"),
    redirects: field(Count, "Redirects that were followed.", 0),
    byteLength: field(Count, "Bytes of the answer's body.", 48_211),
  })
  .meta({ id: "Observation" });

const SampledPage = z.strictObject({
  url: field(z.string(), "Address of the page.", "https://example.org/guides/peas"),
  kind: field(z.string(), "What kind of page it is, as the scanner names it.", "article"),
  sources: field(
    z.array(z.enum(["previous", "sitemap", "homepage"])),
    "Where the scanner found the address: in the `previous` scan, in the `sitemap`, or on the `homepage`.",
    ["sitemap"],
  ),
  reasons: field(z.array(z.string()), "Why the scanner chose the page.", ["linked-often"]),
  outcome: field(z.string(), "What came of reading it, as the scanner names it.", "read"),
  status,
  finalUrl,
});

/** Contract section 2, Report.pages: sampled content pages besides the homepage. */
export const SampledPages = z
  .strictObject({
    version: field(Ordinal, "Version of this part of the report, counted from 1.", 1),
    completeness: field(
      z.enum(["full", "partial", "empty"]),
      "Whether all, some or none of the chosen pages could be read.",
      "full",
    ),
    stopped: field(
      z.string().nullable(),
      "Why sampling stopped early; null if it did not.",
      "time-limit",
    ),
    pages: field(z.array(SampledPage), "The pages, in the order in which they were chosen."),
  })
  .meta({ id: "SampledPages" });

/** Contract section 2, Fix. `scoreAfter` is the site's score once the fix is applied. */
export const Fix = z
  .strictObject({
    checkId,
    title: field(z.string(), "What to do.", "Add structured data"),
    kind: field(z.string(), "Kind of the check that it mends.", "achievement"),
    status: field(z.string(), "Result of the check that it mends.", "fail"),
    summary: field(
      z.string().nullable(),
      "What is wrong, in a sentence.",
      "The homepage has no structured data.",
    ),
    recoverablePoints: field(z.number(), "Points of the score that the fix brings.", 6),
    scoreAfter: field(
      Score.nullable(),
      "The site's score once the fix is applied; null for unscored reports.",
      92,
    ),
    prompt: field(
      z.string().nullable(),
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

/** Contract section 2, Prerender. */
export const Prerender = z
  .strictObject({
    version: field(z.literal(1), "Version of this part of the report.", 1),
    platform: field(z.enum(["lovable"]), "The platform that hosts the app.", "lovable"),
    markdownOnRequest: field(
      z.boolean(),
      "Whether the host answers in Markdown if a client asks for it.",
      false,
    ),
    title: field(z.string(), "Heading of the explanation.", "Full HTML for verified crawlers only"),
    paragraphs: field(z.array(z.string()), "The explanation, paragraph by paragraph.", [
      "The score grades what every other reader receives.",
    ]),
    sources: field(z.array(SourceLink), "Where this is documented."),
  })
  .meta({
    id: "Prerender",
    description:
      "Set when the homepage is a client-rendered app whose host serves full HTML only to crawlers it verifies; the score grades what every other reader receives.",
  });
