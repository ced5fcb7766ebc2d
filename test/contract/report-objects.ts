import {
  array,
  atLeast,
  between,
  boolean,
  dateTime,
  freeForm,
  nullable,
  number,
  object,
  oneOf,
  optional,
  string,
  versionOne,
} from "./shapes.js";

const score = between(0, 100);
const count = atLeast(0);
const text = nullable(string);

const EnrichmentState = {
  state: oneOf("queued", "generating", "delayed", "ready", "unavailable"),
  nextRetryAt: nullable(dateTime),
};

const Enrichment = {
  scanId: string,
  revision: string,
  copy: object(EnrichmentState),
  starterFiles: nullable(object(EnrichmentState)),
};

const AccessFinding = {
  subjects: array(string),
  state: oneOf(
    "allowed",
    "disallowed",
    "observed",
    "not-observed",
    "unknown",
    "unstated",
    "unresolved",
    "mixed",
  ),
  explanation: string,
  source: string,
  url: string,
  scope: string,
  raw: array(string),
  checkIds: array(string),
};

const AccessPolicy = {
  version: versionOne,
  url: string,
  summary: string,
  notes: array(string),
  identities: array(object({ token: string, operator: string, purpose: string })),
  rows: array(
    object({ id: string, title: string, summary: string, findings: array(object(AccessFinding)) }),
  ),
};

const Prerender = {
  version: versionOne,
  platform: oneOf("lovable"),
  markdownOnRequest: boolean,
  title: string,
  paragraphs: array(string),
  sources: array(object({ label: string, url: string })),
};

const ReportScan = {
  id: string,
  status: string,
  finishedAt: dateTime,
  historical: boolean,
  score: nullable(score),
  band: text,
  scoreVersion: text,
  block1: nullable(number),
  block2: nullable(number),
  penalties: nullable(number),
  cappedAt: nullable(count),
  robotsVerdict: text,
  summary: text,
  redirect: nullable(object({ host: text, status: nullable(count) })),
  stats: object({
    pagesScanned: nullable(count),
    requestCount: nullable(count),
    bytesFetched: nullable(count),
    durationMs: nullable(number),
  }),
};

const Check = {
  checkId: string,
  checkVersion: atLeast(1),
  title: string,
  label: string,
  kind: oneOf("achievement", "penalty", "capability"),
  block: nullable(between(1, 2)),
  status: oneOf("pass", "warn", "fail", "na"),
  points: number,
  maxPoints: number,
  lifecycle: nullable(oneOf("active", "experimental", "deprecated")),
  summary: text,
  details: freeForm,
};

const Observation = {
  key: string,
  url: string,
  finalUrl: text,
  status: nullable(count),
  contentType: text,
  durationMs: number,
  rung: string,
  redirects: count,
  byteLength: count,
};

const SampledPages = {
  version: atLeast(1),
  completeness: oneOf("full", "partial", "empty"),
  stopped: text,
  pages: array(
    object({
      url: string,
      kind: string,
      sources: array(oneOf("previous", "sitemap", "homepage")),
      reasons: array(string),
      outcome: string,
      status: nullable(count),
      finalUrl: text,
    }),
  ),
};

const Fix = {
  checkId: string,
  title: string,
  kind: string,
  status: string,
  summary: text,
  recoverablePoints: number,
  scoreAfter: nullable(score),
  prompt: text,
  promptStatus: oneOf("archived", "unavailable"),
};

/** Beyond the contract (docs/contract.md#62-scans-and-history). */
const HistoryEntry = {
  id: string,
  finishedAt: dateTime,
  score: nullable(score),
  band: text,
  scoreVersion: text,
};

const Report = {
  enrichment: nullable(object(Enrichment)),
  accessPolicy: nullable(object(AccessPolicy)),
  prerender: nullable(object(Prerender)),
  site: object({
    host: string,
    url: string,
    name: text,
    description: text,
    status: string,
    claimed: boolean,
  }),
  scan: object(ReportScan),
  profile: nullable(freeForm),
  checks: array(object(Check)),
  observations: array(object(Observation)),
  pages: nullable(object(SampledPages)),
  fixes: object({
    data: array(object(Fix)),
    total: count,
    limit: nullable(count),
    hidden: count,
  }),
  access: object({ history: boolean, highlight: boolean, starterFiles: boolean }),
  starterFiles: nullable(freeForm),
  starterFilesOffer: boolean,
  links: object({ canonical: string, markdown: string }),
  seo: object({ indexable: boolean }),
  history: optional(array(object(HistoryEntry))),
};

/** The objects of a report (docs/contract.md#2-objects), by the names of their components. */
export const REPORT_OBJECTS = {
  EnrichmentState,
  Enrichment,
  AccessFinding,
  AccessPolicy,
  Prerender,
  ReportScan,
  Check,
  Observation,
  SampledPages,
  Fix,
  HistoryEntry,
  Report,
};
