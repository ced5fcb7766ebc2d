import { z } from "zod";
import { BODIES } from "../contract/bodies.js";
import { byCodeUnit, instantKey } from "../contract/order.js";
import type { Report } from "../contract/report.js";
import { jsonIn } from "../files/lines.js";
import type { AnswerLocation, ListingEntry, Segment } from "../store/format.js";

/** An answer that a directory names, and a test of its body beyond the checksum. */
export interface ExpectedAnswer {
  readonly location: AnswerLocation;
  /** Returns the problem of a body, or null if the body is right. */
  readonly check: (body: unknown) => AnswerProblem | null;
}

export interface AnswerProblem {
  /** Path relative to the store. */
  readonly file: string;
  /** A sentence that names the file. */
  readonly problem: string;
}

type SearchData = NonNullable<ListingEntry["search"]>;

// Schemas compiled to code check an answer in a fifth of the time.
const ReportAnswer = z.compile(BODIES.report);
const EnrichmentAnswer = z.compile(BODIES.enrichment);
const ExcerptAnswer = z.object({
  data: z.object({ site: z.object({ host: z.string() }), scan: z.object({ id: z.string() }) }),
  left: z.record(z.string(), z.object({ more: z.number() })),
});

/** The answers about a listing, and the excerpts of its reports. The host must be canonical. */
export function expectedAnswers(
  { host, search, report, enrichment, publishedScan, historical, excerpts = [] }: ListingEntry,
  { table, pack }: Segment,
): ExpectedAnswer[] {
  const foreign = ([offset]: AnswerLocation): AnswerProblem => ({
    file: pack.file,
    problem: `${pack.file} does not have the expected answer about ${host} at byte ${offset}`,
  });
  const reportIn = (body: unknown, id: string, isHistorical: boolean): Report | null => {
    const data = shaped(ReportAnswer, body)?.data;
    if (data === undefined) return null;
    const { site, scan } = data;
    const isIt = site.host === host && scan.id === id && scan.historical === isHistorical;
    return isIt ? data : null;
  };
  const checkPublished = (body: unknown): AnswerProblem | null => {
    const found = reportIn(body, publishedScan, false);
    if (found === null) return foreign(report);
    const field = search && differingField(search, found);
    if (field === null) return null;
    const problem = `${table.file} has a summary of ${host} whose ${field} differs from its report`;
    return { file: table.file, problem };
  };
  const checkEnrichment = (body: unknown): AnswerProblem | null => {
    const found = shaped(EnrichmentAnswer, body);
    const isIt = found !== undefined && (found.data?.scanId ?? publishedScan) === publishedScan;
    return isIt ? null : foreign(enrichment);
  };
  return [
    { location: report, check: checkPublished },
    { location: enrichment, check: checkEnrichment },
    ...historical.map((one) => ({
      location: one.report,
      check: (body: unknown) =>
        reportIn(body, one.scan, true) === null ? foreign(one.report) : null,
    })),
    ...excerpts.map((one) => ({
      location: one.report,
      check: (body: unknown) => {
        const { site, scan } = shaped(ExcerptAnswer, body)?.data ?? {};
        return site?.host === host && scan?.id === one.scan ? null : foreign(one.report);
      },
    })),
  ];
}

/** The first field of a listing's search data that differs from its report; null if none does. */
function differingField({ summary, recent }: SearchData, report: Report): string | null {
  const { site, scan, checks, access } = report;
  const passed = checks
    .filter(({ kind, status }) => kind !== "penalty" && status === "pass")
    .map(({ checkId }) => checkId)
    .sort(byCodeUnit);
  const expected = {
    host: site.host,
    url: site.url,
    name: site.name,
    status: site.status,
    latestScore: scan.score,
    latestBand: scan.band,
    latestScoreVersion: scan.scoreVersion,
    latestScannedAt: scan.finishedAt,
    capabilities: passed,
    highlighted: access.highlight,
    recent: scan.finishedAt === null ? "" : instantKey(scan.finishedAt),
  };
  const found: Readonly<Record<string, unknown>> = { ...summary, recent };
  const differing = Object.entries(expected).find(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(found[field]),
  );
  return differing?.[0] ?? null;
}

/** The value of JSON bytes if it has the given shape, else undefined. */
export function shapedJson<S extends z.ZodType>(shape: S, bytes: Buffer): z.output<S> | undefined {
  return shaped(shape, jsonIn(bytes.toString("utf8")));
}

/** The value if it has the given shape, else undefined. */
function shaped<S extends z.ZodType>(shape: S, value: unknown): z.output<S> | undefined {
  try {
    return shape.safeParse(value).data;
  } catch {
    // The value is nested more deeply than any answer, so that checking it overflows the stack.
    return undefined;
  }
}
