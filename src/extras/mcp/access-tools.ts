import * as z from "zod";
import { isFailure } from "../../answer/content.js";
import { Count, field } from "../../contract/field.js";
import { SiteSummary } from "../../contract/listing.js";
import { SearchQuery } from "../../contract/query.js";
import { HOST_TEXT, integer } from "../../contract/values.js";
import { storedJson } from "../../store/stored-json.js";
import { crawlerSites } from "../access/access.js";
import { CrawlerFigures, declared, PreflightBody, served } from "../access/bodies.js";
import { preflightSites } from "../access/preflight.js";
import { AccessQuery, CRAWLER } from "../access/reads.js";
import { CALL_HOSTS_MAX, toolOf } from "./tool.js";

/** Where an agent finds the names of crawlers. */
const ALL_CRAWLERS = 'list_terms has all of kind "crawler"';
const CRAWLER_NAME = { ...CRAWLER, message: `${CRAWLER.message}; ${ALL_CRAWLERS}` };

/** Tells for each of many hosts whether, how well and how a crawler can read it. */
export const preflight = toolOf(
  {
    name: "preflight",
    title: "Check hosts before reading them",
    description:
      "Up to 100 hosts at once, before you read them: whether robots.txt lets crawlers read each, how " +
      "well the site reads (score and band), and what to ask it for (the checks that it passes). It " +
      "reports the latest scan; the site itself has the last word.",
    parameters: {
      hosts: {
        kind: HOST_TEXT,
        max: CALL_HOSTS_MAX,
        isRequired: true,
        description: "Hosts, or web addresses whose hosts are meant.",
        example: ["birchclinic.example", "https://www.nowhere.example/about"],
      },
      crawler: {
        kind: CRAWLER_NAME,
        description:
          "A crawler's name, as in robots.txt. Default: all that the scan looked at. list_terms has " +
          "their names.",
        example: "GPTBot",
      },
    },
    output: PreflightBody,
  },
  async ({ hosts, crawler }, snapshot) => {
    const data = await preflightSites("hosts", hosts, crawler, snapshot, ALL_CRAWLERS);
    return isFailure(data) ? data : { content: { data } };
  },
);

const Site = SiteSummary.pick({
  host: true,
  name: true,
  latestScore: true,
  latestBand: true,
  latestScoreVersion: true,
});

/** Finds the sites that treat a crawler in a way, and counts them. */
export const crawlerAccess = toolOf(
  {
    name: "crawler_access",
    title: "How sites treat a crawler",
    description:
      "Which sites allow, disallow or refuse one crawler, and how many. `declared` is what a site's rules say " +
      "(robots.txt), `served` is what its server did with the crawler's requests: to find the sites that " +
      "refuse a crawler, ask once for `declared` disallowed and once for `served` refused.",
    parameters: {
      ...AccessQuery,
      crawler: {
        kind: CRAWLER_NAME,
        isRequired: true,
        description: "A crawler's name, as in robots.txt; list_terms has all.",
        example: "GPTBot",
      },
      page: SearchQuery.page,
      limit: {
        kind: integer(1, CALL_HOSTS_MAX),
        absent: 20,
        description: "Sites per page.",
        example: 20,
      },
    },
    output: z.strictObject({
      figures: field(
        CrawlerFigures,
        "The crawler's figures, whatever `declared` and `served` are.",
      ),
      sites: field(
        z.array(z.strictObject({ ...Site.shape, declared, served })),
        "A page of the sites that match, the best scores first.",
      ),
      total: field(Count, "The number of all sites that match.", 61),
    }),
  },
  async (query, snapshot) => {
    const found = await crawlerSites(query, snapshot, ALL_CRAWLERS);
    if (isFailure(found)) return found;
    const sites = found.sites.flatMap(({ treatment, summary }) =>
      summary === null ? [] : { ...Site.strip().parse(storedJson(summary)), ...treatment },
    );
    return { content: { figures: found.figures, sites, total: found.total } };
  },
);
