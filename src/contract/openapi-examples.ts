import type { z } from "zod";
import type { SiteSummary, TaxonomyEntry } from "./listing.js";
import { REPORT_EXAMPLE } from "./openapi-example-report.js";
import { STANDARDS_EXAMPLE } from "./openapi-example-standards.js";
import type { ListingFilters, ReportQuery, SearchQuery } from "./query.js";
import type { ROUTES } from "./routes.js";

/*
 * Examples of requests and answers. All are taken from the sample directory of seed 1, so that readers can repeat them;
 * a test compares them with the sample's answers, whose lists have more entries.
 */

/** An example value for each parameter, by the parameter's name. */
export const PARAMETER_EXAMPLES: Required<ListingFilters> &
  Required<SearchQuery> &
  Required<ReportQuery> & { host: string } = {
  host: "birchclinic.example",
  q: "clinic",
  category: ["health", "sports"],
  tag: ["public-api"],
  platform: ["jekyll"],
  capability: ["llms-txt"],
  band: ["readable", "exemplary"],
  status: "claimed",
  minScore: 50,
  maxScore: 100,
  sort: "recent",
  page: 2,
  limit: 50,
  scan: "scn_001_e10ka",
};

const HEALTH: TaxonomyEntry = { slug: "health", name: "Health", group: "knowledge", order: 20 };
const PUBLIC_API: TaxonomyEntry = {
  slug: "public-api",
  name: "Public API",
  group: "feature",
  order: 30,
};

const LISTING: SiteSummary = {
  host: "birchclinic.example",
  url: "https://birchclinic.example/",
  name: "Birch Clinic",
  tagline: "Appointments, made simple",
  status: "claimed",
  latestScore: 93,
  latestBand: "exemplary",
  latestScoreVersion: "2026.1",
  latestScannedAt: "2026-06-08T13:12:17.125Z",
  platforms: ["jekyll"],
  hosting: "Hetzner",
  linkRel: "nofollow",
  category: HEALTH,
  tags: [PUBLIC_API],
  capabilities: ["https", "llms-txt"],
  logoUrl: null,
  ogImageUrl: "https://birchclinic.example/og/home.png?v=9",
  highlighted: true,
};

type Routes = typeof ROUTES;
type AnswerExamples = { [Name in keyof Routes]: z.output<Routes[Name]["body"]> };

/** An example body for each read of a directory's content: the answer to the route's example request. */
export const ANSWER_EXAMPLES: Omit<AnswerExamples, "openapi" | "catalog"> = {
  search: { data: [LISTING], pagination: { page: 1, limit: 2, total: 6, totalPages: 3 } },
  suggestions: { data: [{ host: "birchclinic.example", name: "Birch Clinic", logoUrl: null }] },
  facets: {
    data: {
      total: 375,
      categories: {
        total: 375,
        items: [{ slug: "health", name: "Health", group: "knowledge", order: 20, count: 22 }],
      },
      signals: [
        {
          id: "llms-txt",
          label: "llms.txt",
          description:
            "A Markdown file at /llms.txt introduces the site and links its important pages.",
          kind: "achievement",
          count: 40,
        },
      ],
      platforms: [{ slug: "jekyll", name: "Jekyll", count: 9 }],
    },
  },
  report: { data: REPORT_EXAMPLE },
  enrichment: { data: REPORT_EXAMPLE.enrichment },
  standards: { data: STANDARDS_EXAMPLE },
  categories: { data: [HEALTH] },
  tags: { data: [PUBLIC_API] },
};
