import * as z from "zod";
import { drawnContent, isFailure, type SnapshotView } from "../../answer/content.js";
import type { Issue } from "../../contract/error.js";
import { field, textField } from "../../contract/field.js";
import { Check, Fix, Report } from "../../contract/report.js";
import { askedHost, askedHosts, HOST_TEXT, SCAN_ID } from "../../contract/values.js";
import { COMPARED_MAX, comparedChecks, comparedSite } from "../../pages/report/comparison.js";
import { readDrawn } from "../../pages/report/excerpt.js";
import { invalid, NO_SITE, toolOf } from "./tool.js";

/** A report without its evidence, which may take megabytes, and without texts that instruct an agent. */
const ReportDigest = z.strictObject({
  ...Report.pick({
    site: true,
    scan: true,
    accessPolicy: true,
    prerender: true,
    access: true,
    links: true,
    seo: true,
  }).shape,
  checks: field(z.array(Check.omit({ details: true })), "The results of all checks."),
  fixes: field(
    z.array(Fix.omit({ prompt: true, promptStatus: true })),
    "What would raise the score, as far as the listing's plan shows it.",
  ),
  fixesHidden: Report.shape.fixes.shape.hidden,
  history: Report.shape.history,
});

const WITHOUT_SCAN =
  "leave it out for the latest report, whose `history` has the ids of older scans";
const NO_SCAN: Issue = { path: "scan", message: `cannot be read; ${WITHOUT_SCAN}` };

export const getReport = toolOf(
  {
    name: "get_report",
    title: "Read a site's report",
    description:
      "How well crawlers and agents can read one site: its score, the results of all checks and why, what " +
      "its robots.txt lets each crawler do, what to fix for how many points, and older scans. A score of " +
      "null never means zero. The linked Markdown has the evidence.",
    parameters: {
      host: {
        kind: HOST_TEXT,
        isRequired: true,
        description: "A host, or a web address whose host is meant.",
        example: "birchclinic.example",
      },
      scan: {
        kind: { ...SCAN_ID, message: `${SCAN_ID.message}; ${WITHOUT_SCAN}` },
        description:
          "Id of an older scan, from `history` of the latest report. Default: the latest.",
        example: "scn_001_e10ka",
      },
    },
    output: z.strictObject({ data: field(ReportDigest, "The report.") }),
  },
  async ({ host, scan }, snapshot) => {
    const report = await drawnReport(askedHost(host).host, scan, snapshot);
    if ("error" in report) {
      return { error: report.error, issues: [scan === undefined ? NO_SITE : NO_SCAN] };
    }
    const { site, accessPolicy, prerender, access, links, seo, history } = report;
    const data = {
      site,
      scan: report.scan,
      accessPolicy,
      prerender,
      access,
      links,
      seo,
      checks: report.checks.map(({ details: _, ...check }) => check),
      fixes: report.fixes.data.map(({ prompt: _, promptStatus: __, ...fix }) => fix),
      fixesHidden: report.fixes.hidden,
      ...(history !== undefined && { history }),
    };
    const name = `The report of ${site.host} with its evidence`;
    return {
      content: { data },
      links: scan === undefined ? [{ uri: links.markdown, name }] : [],
    };
  },
);

/** Reads a report as pages draw it: an excerpt if it is too large. */
async function drawnReport(host: string, scan: string | undefined, snapshot: SnapshotView) {
  const stored = await drawnContent(snapshot, host, scan);
  return isFailure(stored) ? stored : readDrawn(await stored.read()).report;
}

const Compared = Report.shape.checks.element.pick({ status: true, points: true, maxPoints: true });
const { host, name } = Report.shape.site.shape;
const { score, band, scoreVersion, finishedAt } = Report.shape.scan.shape;

export const compareSites = toolOf(
  {
    name: "compare_sites",
    title: "Compare sites",
    description:
      "Two to twenty sites side by side: their scores, and the result of each check, with the greatest " +
      "differences first. Scores of different score versions do not compare.",
    parameters: {
      hosts: {
        kind: HOST_TEXT,
        max: COMPARED_MAX,
        isRequired: true,
        description: "Hosts, or web addresses whose hosts are meant.",
        example: ["birchclinic.example", "evergreen-nursery.example"],
      },
    },
    output: z.strictObject({
      sites: field(
        z.array(z.strictObject({ host, name, score, band, scoreVersion, finishedAt })),
        "The sites that have a report, in the order of the call.",
      ),
      unknown: field(z.array(z.string()), "Hosts of the call that have no report.", [
        "nowhere.example",
      ]),
      checks: field(
        z.array(
          z.strictObject({
            id: textField("Id of the check.", "https"),
            label: textField("Its name.", "HTTPS"),
            results: field(
              z.array(Compared.nullable()),
              "A result for each site, in the order of `sites`. Null: its report lacks the check.",
            ),
          }),
        ),
        "The results, with the greatest differences first.",
      ),
    }),
  },
  async ({ hosts: texts }, snapshot) => {
    const { hosts, issues } = askedHosts("hosts", texts);
    if (issues.length > 0) return invalid(issues);
    const unknown: string[] = [];
    const reports: Report[] = [];
    for (const { host: one } of hosts) {
      const report = await drawnReport(one, undefined, snapshot);
      if ("error" in report) unknown.push(one);
      else reports.push(report);
    }
    const compared = comparedChecks(reports.map(comparedSite), snapshot.directory.checkIds);
    return {
      content: {
        sites: reports.map(({ site, scan }) => ({
          host: site.host,
          name: site.name,
          score: scan.score,
          band: scan.band,
          scoreVersion: scan.scoreVersion,
          finishedAt: scan.finishedAt,
        })),
        unknown,
        checks: compared.map(({ id, label, results }) => ({
          id,
          label,
          results: results.map(
            (one) => one && { status: one.status, points: one.points, maxPoints: one.maxPoints },
          ),
        })),
      },
    };
  },
);
