import * as z from "zod";
import { field, nullableText, textField } from "../../contract/field.js";
import { SiteSummary } from "../../contract/listing.js";
import type { Report } from "../../contract/report.js";
import { AccessPolicy } from "../../contract/report-parts.js";
import { searchText } from "../../contract/values.js";
import type { SnapshotView } from "../answer/content.js";
import { type AskedHost, askedHosts } from "../extensions/hosts.js";
import { drawnReport } from "./report-tools.js";
import { CALL_HOSTS_MAX, HOST_TEXT, invalid, toolOf } from "./tool.js";

const State = AccessPolicy.shape.rows.element.shape.findings.element.shape.state;
const { latestScore, latestBand, latestScoreVersion, latestScannedAt } = SiteSummary.shape;
const { capabilities } = SiteSummary.shape;

const Site = z.strictObject({
  host: textField("The host that was meant.", "example.org"),
  asked: field(
    z.string().optional(),
    "The text of the call, where it differs from the host.",
    "https://www.example.org/about",
  ),
  known: field(
    z.enum(["listed", "withheld", "unknown"]),
    "`listed` is in search. `withheld`: the directory knows the host and shows no results of it. `unknown`: no report.",
    "listed",
  ),
  mayRead: field(
    z.enum(["yes", "no", "partly", "unstated"]),
    "What robots.txt lets crawlers read, as the scan found it: `partly` if some findings allow and others refuse, `unstated` if none says either.",
    "partly",
  ),
  robotsVerdict: nullableText(
    "What robots.txt says to AI crawlers, in a word of the publisher's.",
    "training-refused",
  ),
  access: field(
    z.array(
      z.strictObject({
        title: textField("What the access is for.", "Training of models"),
        states: field(z.array(State), "What was found for it."),
      }),
    ),
    "The access policy by purpose; with `crawler`, as far as it is about that crawler.",
  ),
  movedTo: nullableText("The host that the homepage redirects to.", "example.net"),
  ...{ latestScore, latestBand, latestScoreVersion, latestScannedAt },
  offers: field(
    capabilities,
    "Ids of the checks that the site passes: what a reader can ask it for.",
    ["llms-txt"],
  ),
  lacks: field(
    z.array(z.string()),
    "Ids of the checks that apply to the site and that it does not pass.",
    ["structured-data"],
  ),
});

/** Says of many hosts whether, how well and how a crawler can read them. */
export const preflight = toolOf(
  {
    name: "preflight",
    title: "Check hosts before reading them",
    description:
      "Up to 100 hosts at once, before you read them: whether robots.txt lets crawlers read each, how well the site reads (score and band), and what to ask it for (the checks that it passes). It reports the latest scan; the site itself has the last word.",
    parameters: {
      hosts: {
        kind: HOST_TEXT,
        max: CALL_HOSTS_MAX,
        isRequired: true,
        description: "Hosts, or web addresses whose hosts are meant.",
        example: ["birchclinic.example", "https://www.nowhere.example/about"],
      },
      crawler: {
        kind: searchText(1, 100),
        description: "A crawler's name in robots.txt. Default: all that the scan looked at.",
        example: "GPTBot",
      },
    },
    output: z.strictObject({
      data: field(z.array(Site), "A host each, in the order of the call."),
    }),
  },
  async ({ hosts: texts, crawler }, snapshot) => {
    const { hosts, issues } = askedHosts("hosts", texts);
    if (issues.length > 0) return invalid(issues);
    const data: z.output<typeof Site>[] = [];
    for (const one of hosts) data.push(await preflightOf(one, crawler, snapshot));
    return { content: { data } };
  },
);

const decoder = new TextDecoder();

async function preflightOf(
  { asked, host }: AskedHost,
  crawler: string | undefined,
  snapshot: SnapshotView,
): Promise<z.output<typeof Site>> {
  const json = await snapshot.summaryOf(host);
  const summary: SiteSummary | null = json === undefined ? null : JSON.parse(decoder.decode(json));
  const report = await drawnReport(host, undefined, snapshot);
  const isKnown = !("error" in report);
  const { access, mayRead } = accessFor(isKnown ? report.accessPolicy : null, crawler);
  const passed = summary?.capabilities ?? [];
  return {
    host,
    ...(asked !== host && { asked }),
    known: summary === null ? (isKnown ? "withheld" : "unknown") : "listed",
    mayRead,
    robotsVerdict: isKnown ? report.scan.robotsVerdict : null,
    access,
    movedTo: isKnown ? (report.scan.redirect?.host ?? null) : null,
    latestScore: summary?.latestScore ?? null,
    latestBand: summary?.latestBand ?? null,
    latestScoreVersion: summary?.latestScoreVersion ?? null,
    latestScannedAt: summary?.latestScannedAt ?? null,
    offers: passed,
    lacks: isKnown ? failedChecks(report) : [],
  };
}

function failedChecks({ checks }: Report): string[] {
  return checks.flatMap(({ checkId, kind, status }) =>
    kind === "achievement" && status !== "pass" && status !== "na" ? [checkId] : [],
  );
}

/** What an access policy says of one crawler, or of all that it names. */
function accessFor(policy: AccessPolicy | null, crawler: string | undefined) {
  const wanted = crawler?.toLowerCase();
  const access = (policy?.rows ?? []).flatMap(({ title, findings }) => {
    const states = findings
      .filter(
        ({ subjects }) =>
          wanted === undefined || subjects.some((one) => one.toLowerCase() === wanted),
      )
      .map(({ state }) => state);
    return states.length === 0 ? [] : [{ title, states: [...new Set(states)] }];
  });
  const all = new Set(access.flatMap(({ states }) => states));
  return { access, mayRead: verdictOf(all) } as const;
}

function verdictOf(states: ReadonlySet<z.output<typeof State>>) {
  const [isAllowed, isRefused] = [states.has("allowed"), states.has("disallowed")];
  if (states.has("mixed") || (isAllowed && isRefused)) return "partly";
  if (isAllowed) return "yes";
  return isRefused ? "no" : "unstated";
}
