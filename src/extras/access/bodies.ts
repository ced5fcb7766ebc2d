import * as z from "zod";
import { Count, field, nullableText, textField } from "../../contract/field.js";
import { Pagination, SiteSummary } from "../../contract/listing.js";
import type { ExtensionDescription } from "../../contract/openapi.js";
import { AccessPolicy } from "../../contract/report.js";
import { DECLARED, SERVED } from "./crawlers.js";
import { ACCESS_READ, PREFLIGHT, PREFLIGHT_LIMITS } from "./reads.js";

/* What the API's description says of the reads of access: schemas of their bodies, and texts. */

const State = AccessPolicy.shape.rows.element.shape.findings.element.shape.state;
const { latestScore, latestBand, latestScoreVersion, latestScannedAt } = SiteSummary.shape;
const { capabilities } = SiteSummary.shape;

export const PreflightSite = z.strictObject({
  host: textField("The host that was meant.", "example.org"),
  asked: field(
    z.string().optional(),
    "The text of the request, where it differs from the host.",
    "https://www.example.org/about",
  ),
  known: field(
    z.enum(["listed", "withheld", "unknown"]),
    "`listed` is in search. `withheld`: the directory knows the host and shows no results of it. `unknown`: no report.",
    "listed",
  ),
  mayRead: field(
    z.enum(["yes", "no", "partly", "unstated"]),
    "What robots.txt lets crawlers read, as the scan found it: `partly` if some findings allow and " +
      "others refuse, `unstated` if none says either.",
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
  latestScore,
  latestBand,
  latestScoreVersion,
  latestScannedAt,
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
export type PreflightSite = z.output<typeof PreflightSite>;

export const PreflightBody = z.strictObject({
  data: field(z.array(PreflightSite), "One item for each host, in the order of the request."),
});

const PostedPreflight = z.strictObject({
  hosts: field(
    z.array(z.string()).min(1).max(PREFLIGHT_LIMITS.postMax),
    "Hosts, or web addresses whose hosts are meant.",
    ["birchclinic.example", "https://www.nowhere.example/about"],
  ),
  crawler: field(
    z.string().nullable().optional(),
    "A crawler's name, as in robots.txt. Default: all that the scan looked at.",
    "GPTBot",
  ),
});

export const declared = field(
  z.enum(DECLARED),
  "What the site declares to the crawler, as far as its rules go: `mixed` if some allow and others disallow, " +
    "`unstated` if none says either.",
  "allowed",
);
export const served = field(
  z.enum(SERVED),
  "What the server did with the crawler's requests: `refused` if it refused or challenged them, " +
    "`unknown` if the scan does not say.",
  "refused",
);

export const CrawlerFigures = z.strictObject({
  crawler: textField("The crawler's token in robots.txt, or its name if it has none.", "GPTBot"),
  n: field(Count, "The sites in search whose report says something about the crawler.", 412),
  allowedButRefused: field(
    Count,
    "Those of them that declare that the crawler is allowed, and refuse its requests.",
    9,
  ),
  disallowedButAnswered: field(
    Count,
    "Those of them that disallow the crawler, and answer its requests.",
    61,
  ),
  counts: field(
    z.array(z.strictObject({ declared, served, sites: field(Count, "The sites of both.", 9) })),
    "All sites by what they declare and by what their servers do. Pairs without a site are left out.",
  ),
});
export type CrawlerFigures = z.output<typeof CrawlerFigures>;

export const AccessBody = z.strictObject({
  data: field(
    z.strictObject({
      figures: field(
        z.array(CrawlerFigures),
        "The figures of the crawler; without `crawler`, of all that any report says something about.",
      ),
      sites: field(
        z
          .array(z.strictObject({ declared, served, site: field(SiteSummary, "The listing.") }))
          .optional(),
        "A page of the sites, sorted by score, then by host; left out without `crawler`.",
      ),
    }),
    "How sites treat crawlers.",
  ),
  pagination: field(Pagination.optional(), "The page; left out without `crawler`."),
});

export const ACCESS_DESCRIPTIONS: readonly ExtensionDescription[] = [
  {
    route: PREFLIGHT,
    body: PreflightBody,
    posted: PostedPreflight,
    texts: {
      summary: "Check hosts before reading them",
      description:
        "Whether robots.txt lets crawlers read each host, how well it reads, and what to ask it for, by " +
        "its latest report. An unknown crawler is an error that names near ones. A host must not be given twice.",
      post: {
        summary: "Check very many hosts before reading them",
        description: `The same for up to ${PREFLIGHT_LIMITS.postMax} hosts, which the body names.`,
      },
    },
  },
  {
    route: ACCESS_READ,
    body: AccessBody,
    texts: {
      summary: "Read how sites treat crawlers",
      description:
        "What sites declare to a crawler, against what their servers do: counts for each crawler, and with " +
        "`crawler` the sites, which `declared` and `served` choose.",
    },
  },
];
