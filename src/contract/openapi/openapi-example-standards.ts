import type { Standards } from "../standards.js";

/** The methodology of the sample, with fewer entries in its lists. */
export const STANDARDS_EXAMPLE: Standards = {
  rubric: {
    version: "2026.1",
    block1Points: 60,
    block2Points: 40,
    bands: [
      { band: "opaque", label: "Opaque", min: 0, max: 29 },
      { band: "partial", label: "Partly readable", min: 30, max: 54 },
      { band: "readable", label: "Readable", min: 55, max: 79 },
      { band: "exemplary", label: "Exemplary", min: 80, max: 100 },
    ],
  },
  badgeExamples: [
    { band: "exemplary", label: "Exemplary", min: 80, max: 100, score: 93, capabilities: 5 },
  ],
  checks: [
    {
      id: "robots-txt",
      name: "robots.txt",
      title: "Has a robots.txt that parses",
      version: 3,
      reviewedVersion: 3,
      reviewedOn: "2026-06-02",
      specificationStatus: "standard",
      overview: "A robots.txt is there, is plain text, and every line of it can be understood.",
      whyItMatters:
        "A crawler that gets a server error for robots.txt must assume that everything is forbidden; one that gets a web page has to guess.",
      whatWeCheck:
        "We fetch /robots.txt, follow up to five redirects, and parse the first 500 KiB by the rules of the standard.",
      results:
        "Pass: a valid file. Warn: no file, or lines that no parser knows. Fail: a server error, or a web page in its place.",
      limitations: "Whether the rules are wise is another check's matter.",
      sources: [
        {
          label: "RFC 9309, Robots Exclusion Protocol",
          url: "https://www.rfc-editor.org/rfc/rfc9309",
        },
      ],
      sourceNote: null,
      related: ["crawler-access", "sitemap"],
      kind: "achievement",
      checkClass: "universal",
      lifecycle: "active",
      block: 1,
      weight: 6,
      maxPoints: 6,
    },
  ],
  aiCrawlers: [{ name: "GPTBot", operator: "OpenAI", purpose: "training" }],
  crawlerCatalogue: [
    {
      id: "gptbot",
      name: "GPTBot",
      operator: "OpenAI",
      group: "model-training",
      kind: "crawler",
      httpIdentity: "GPTBot",
      status: "documented",
      verification: "ip-list",
      reviewed: "2026-08-17",
      summary: "Collects public pages that may be used to train OpenAI's foundation models.",
      robotsToken: "GPTBot",
      aliases: [],
      purposes: ["training"],
      sources: ["https://platform.openai.com/docs/bots", "https://openai.com/gptbot.json"],
      notes: null,
      scanner: { recognized: true, visibilityPenalty: false, trainingOptOut: true },
    },
  ],
};
