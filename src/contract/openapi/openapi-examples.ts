import type { z } from "zod";
import type { BODIES } from "../bodies.js";
import { FACET_FILTERS, LIST_FILTERS } from "../filters.js";
import { Facets, type SiteSummary, type TaxonomyEntry } from "../listing.js";
import { REPORT_EXAMPLE } from "./openapi-example-report.js";
import { STANDARDS_EXAMPLE } from "./openapi-example-standards.js";

/*
 * Examples of answers. All are taken from the sample directory, so that readers can repeat them;
 * a test compares them with the sample's answers, whose lists have more entries.
 */

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

/** The first counts of the sample's facets. A facet that is not here is shown with the filter's own example. */
const COUNTS: Readonly<Record<string, readonly object[]>> = {
  categories: [{ slug: "health", name: "Health", group: "knowledge", order: 20, count: 22 }],
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
};
const COUNTED = 375;

function facetsExample(): Facets {
  const facets = FACET_FILTERS.map((name) => {
    const { facet, example } = LIST_FILTERS[name];
    const items = COUNTS[facet.member] ?? [{ slug: example[0], count: 1 }];
    return [facet.member, facet.hasTotal ? { total: COUNTED, items } : items];
  });
  return Facets.parse({ total: COUNTED, ...Object.fromEntries(facets) });
}

type Bodies = typeof BODIES;
type AnswerExamples = { [Name in keyof Bodies]: z.output<Bodies[Name]> };

/** An example body for each read of a directory's content: the answer to the route's example request. */
export const ANSWER_EXAMPLES: Omit<AnswerExamples, "openapi" | "catalog"> = {
  search: { data: [LISTING], pagination: { page: 1, limit: 2, total: 6, totalPages: 3 } },
  suggestions: { data: [{ host: "birchclinic.example", name: "Birch Clinic", logoUrl: null }] },
  facets: { data: facetsExample() },
  report: { data: REPORT_EXAMPLE },
  enrichment: { data: REPORT_EXAMPLE.enrichment },
  standards: { data: STANDARDS_EXAMPLE },
  categories: { data: [HEALTH] },
  tags: { data: [PUBLIC_API] },
};
