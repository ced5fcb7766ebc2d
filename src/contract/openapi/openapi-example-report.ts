import type { Report } from "../report.js";

/** The report of a listing of the sample, with fewer entries in its lists. */
export const REPORT_EXAMPLE: Report = {
  enrichment: {
    scanId: "scn_002_e10ka",
    revision: "a7e492e4fda14af1cff1b29c8facf6d2",
    copy: { state: "ready", nextRetryAt: null },
    starterFiles: { state: "ready", nextRetryAt: null },
  },
  accessPolicy: {
    version: 1,
    url: "https://birchclinic.example/robots.txt",
    summary: "Says nothing about crawlers.",
    notes: [],
    identities: [{ token: "OAI-SearchBot", operator: "OpenAI", purpose: "search" }],
    rows: [
      {
        id: "ai-search",
        title: "AI search",
        summary: "AI search: unstated.",
        findings: [
          {
            subjects: ["OAI-SearchBot"],
            state: "unstated",
            explanation: "There is no rule, so by the standard nothing is forbidden.",
            source: "robots.txt",
            url: "https://birchclinic.example/robots.txt",
            scope: "/",
            raw: [],
            checkIds: ["crawler-access", "blocks-ai-crawlers"],
          },
        ],
      },
    ],
  },
  prerender: null,
  site: {
    host: "birchclinic.example",
    url: "https://birchclinic.example/",
    name: "Birch Clinic",
    description:
      "Birch Clinic offers appointments and exercise at home. The people who write here do the work themselves.",
    status: "claimed",
    claimed: true,
  },
  scan: {
    id: "scn_002_e10ka",
    status: "complete",
    finishedAt: "2026-06-08T13:12:17.125Z",
    historical: false,
    score: 93,
    band: "exemplary",
    scoreVersion: "2026.1",
    block1: 55.5,
    block2: 37.5,
    penalties: 0,
    cappedAt: null,
    robotsVerdict: "missing",
    summary: "Reads well without a browser. First to fix: link headers.",
    redirect: null,
    stats: { pagesScanned: 7, requestCount: 20, bytesFetched: 211345, durationMs: 19497 },
  },
  profile: { api: { observed: true, evidence: ["https://birchclinic.example/api"], auth: "key" } },
  checks: [
    {
      checkId: "robots-txt",
      checkVersion: 3,
      title: "Has a robots.txt that parses",
      label: "robots.txt",
      kind: "achievement",
      block: 1,
      status: "warn",
      points: 3,
      maxPoints: 6,
      lifecycle: "active",
      summary: "There is no robots.txt.",
      details: { httpStatus: 404 },
    },
  ],
  observations: [
    {
      key: "home",
      url: "https://birchclinic.example/",
      finalUrl: "https://birchclinic.example/",
      status: 200,
      contentType: "text/html; charset=utf-8",
      durationMs: 1876,
      rung: "plain",
      redirects: 1,
      byteLength: 151548,
    },
  ],
  pages: {
    version: 2,
    completeness: "full",
    stopped: null,
    pages: [
      {
        url: "https://birchclinic.example/page-1",
        kind: "contact",
        sources: ["homepage"],
        reasons: ["linked from the main menu"],
        outcome: "read",
        status: 200,
        finalUrl: "https://birchclinic.example/page-1",
      },
    ],
  },
  fixes: {
    data: [
      {
        checkId: "language",
        title: "Declare the language",
        kind: "markup",
        status: "warn",
        summary: "Set lang on the html element to the language of the text.",
        recoverablePoints: 1.5,
        scoreAfter: 95,
        prompt:
          "Set the lang attribute of the html element on every page of birchclinic.example to the BCP 47 tag of the page's main language, and mark longer passages in other languages with their own lang.",
        promptStatus: "archived",
      },
    ],
    total: 4,
    limit: null,
    hidden: 0,
  },
  access: { history: true, highlight: true, starterFiles: true },
  starterFiles: {
    ready: true,
    files: [
      {
        path: "/robots.txt",
        mediaType: "text/plain",
        text: "User-agent: *\nDisallow: /account/\n\nSitemap: https://birchclinic.example/sitemap.xml\n",
      },
    ],
  },
  starterFilesOffer: false,
  links: {
    canonical: "https://readable.example/sites/birchclinic.example",
    markdown: "https://readable.example/sites/birchclinic.example/report.md",
  },
  seo: { indexable: true },
  history: [
    {
      id: "scn_002_e10ka",
      finishedAt: "2026-06-08T13:12:17.125Z",
      score: 93,
      band: "exemplary",
      scoreVersion: "2026.1",
    },
    {
      id: "scn_001_e10ka",
      finishedAt: "2026-04-17T12:12:17.125Z",
      score: 80,
      band: "exemplary",
      scoreVersion: "2026.1",
    },
  ],
};
