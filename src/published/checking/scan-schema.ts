import { z } from "zod";
import { DateTime, FreeForm, field, Host, ScanId, Score, Slug } from "../../contract/field.js";
import {
  AccessPolicy,
  Check,
  EnrichmentState,
  Fix,
  Observation,
  Prerender,
  Redirect,
  ReportScan,
  SampledPages,
  ScanStats,
} from "../../contract/report.js";
import { lenient, nullable, text } from "./published-values.js";

const EnrichmentRecord = z.strictObject({
  copy: field(lenient(EnrichmentState), "State of the generated texts."),
  starterFiles: field(
    nullable(lenient(EnrichmentState)),
    "State of the generated files. Served where the plan has them.",
  ),
  revision: field(
    text(),
    "Changes when the content or its status changes. If left out, the build derives it from both.",
    "r-178789",
  ),
});

const { shape: served } = ReportScan;

/** One archived scan of a listing. */
export const Scan = z.strictObject({
  host: field(Host, "Host of the listing that was scanned.", "example.org"),
  id: field(
    ScanId,
    "Id of the scan, unique for its host. `?scan=` in addresses names it.",
    "scn_2026_07",
  ),
  status: served.status,
  finishedAt: field(
    DateTime,
    "When the scan finished, with its offset from UTC. The newest scan is the published one, unless " +
      "the listing names another.",
  ),
  score: field(
    nullable(Score),
    "Score from 0 to 100; null if there is none, as where `status` is `moved`. Null never means zero.",
    86,
  ),
  band: field(
    nullable(Slug),
    "Id of the band that holds the score. Derived from the rubric if `scoreVersion` is the rubric's.",
    "exemplary",
  ),
  scoreVersion: field(text(), "Version of the scoring methodology that gave the score.", "2026.1"),
  robotsVerdict: served.robotsVerdict.default(null),
  summary: served.summary.default(null),
  block1: served.block1.default(null),
  block2: served.block2.default(null),
  penalties: served.penalties.default(null),
  cappedAt: served.cappedAt.default(null),
  redirect: field(
    nullable(lenient(Redirect)),
    "Where the homepage leads. Required where `status` is `moved`.",
  ),
  stats: field(lenient(ScanStats).prefault({}), "What the scan measured."),
  profile: field(
    nullable(FreeForm),
    "Observed login, API and commerce features and their evidence; served as given.",
    { login: { present: true, url: "https://example.org/login" } },
  ),
  checks: field(
    z.array(lenient(Check)).default([]),
    "The results of all checks, each `checkId` once. Answers keep their order.",
  ),
  observations: field(
    z.array(lenient(Observation)).default([]),
    "The requests that the scan sent. Answers keep their order.",
  ),
  pages: field(
    nullable(lenient(SampledPages)),
    "Content pages that the scan sampled besides the homepage.",
  ),
  fixes: field(
    z.array(lenient(Fix)).default([]),
    "What would raise the score, most important first: the plan decides how many are shown.",
  ),
  accessPolicy: field(
    nullable(lenient(AccessPolicy)),
    "What the site's robots.txt and other signals allow each crawler.",
  ),
  prerender: field(
    nullable(lenient(Prerender)),
    "Set when the homepage is a client-rendered app whose host serves full HTML only to crawlers it verifies.",
  ),
  starterFiles: field(
    nullable(FreeForm),
    "Generated file drafts and their readiness. Served where the plan has them.",
    { "llms.txt": { state: "ready", content: "# Example\n" } },
  ),
  enrichment: field(
    nullable(EnrichmentRecord),
    "State of generated texts and files, for clients that wait for them.",
  ),
});
export type Scan = z.infer<typeof Scan>;
