import type { EnrichmentState } from "../../contract/enrichment.js";
import type { Random } from "../random.js";
import type { Enrichment, PrerenderNote } from "../records.js";
import type { Site } from "../sites/site.js";

type FreeForm = Readonly<Record<string, unknown>>;

/** Login, API and commerce features, with what they were seen by. */
export function profileOf(site: Site, random: Random): FreeForm | null {
  if (random.chance(0.08)) return null;
  const { host, hasLogin, hasApi, sells } = site;
  return {
    login: hasLogin
      ? {
          observed: true,
          evidence: [`https://${host}/login`],
          providers: random.some(PROVIDERS, 2),
        }
      : { observed: false, evidence: [] },
    api: hasApi
      ? { observed: true, evidence: [`https://${host}/api`], auth: random.pick(["key", "oauth"]) }
      : { observed: false, evidence: [] },
    commerce: sells
      ? { observed: true, evidence: ["schema.org Offer"], currency: random.pick(["EUR", "USD"]) }
      : { observed: false, evidence: [] },
  };
}

const PROVIDERS = ["password", "google", "apple", "github"];

/** Drafts of files that the site could publish. */
export function starterFilesOf({ host, name, posture }: Site): FreeForm {
  const closed = [
    "User-agent: GPTBot",
    "User-agent: ClaudeBot",
    "User-agent: CCBot",
    "Disallow: /",
  ];
  const robots = [
    ...(posture === "no-training" ? [...closed, ""] : []),
    "User-agent: *",
    "Disallow: /account/",
    "",
    `Sitemap: https://${host}/sitemap.xml`,
    "",
  ].join("\n");
  const guide = [
    `# ${name}`,
    "",
    `> What ${name} offers, in a form that language models read well.`,
    "",
    "## Pages",
    "",
    `- [Home](https://${host}/): what this site is about`,
    `- [About](https://${host}/about): who stands behind it`,
    `- [Contact](https://${host}/contact): how to reach us`,
    "",
  ].join("\n");
  return {
    ready: true,
    files: [
      { path: "/robots.txt", mediaType: "text/plain", text: robots },
      { path: "/llms.txt", mediaType: "text/markdown", text: guide },
    ],
  };
}

const HOUR = 3_600_000;

/** Where the writing of texts and drafts stands. @param instant of the scan's end */
export function enrichmentOf(instant: number, hasDrafts: boolean, random: Random): Enrichment {
  const copy = stateOf(instant, random);
  const drafts = random.chance(0.8) ? copy : stateOf(instant, random);
  const revision = random.chance(0.5) ? `r-${random.code(12)}` : undefined;
  return { copy, starterFiles: hasDrafts ? drafts : null, revision };
}

function stateOf(instant: number, random: Random): EnrichmentState {
  const state = random.weighted([
    ["ready", 76],
    ["queued", 6],
    ["generating", 6],
    ["delayed", 6],
    ["unavailable", 6],
  ] as const);
  const retry = new Date(instant + random.between(1, 48) * HOUR).toISOString();
  return { state, nextRetryAt: state === "delayed" ? retry : null };
}

/** The note on hosts that send full pages to verified crawlers only. */
export function prerenderOf(markdownOnRequest: boolean): PrerenderNote {
  return {
    version: 1,
    platform: "lovable",
    markdownOnRequest,
    title: "Verified crawlers receive more than this score shows",
    paragraphs: [
      "The homepage is written by JavaScript in the reader's browser. Its host sends finished HTML to crawlers that it can verify, and the empty shell to everybody else.",
      "The score grades what everybody else receives, since most readers are not on the host's list.",
    ],
    sources: [{ label: "Lovable documentation", url: "https://docs.lovable.dev/" }],
  };
}
