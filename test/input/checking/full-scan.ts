import { aCheck, aFix } from "../../fixtures.js";

const FINDING = {
  subjects: [],
  state: "allowed",
  explanation: "e",
  source: "s",
  url: "u",
  scope: "s",
  raw: [],
  checkIds: [],
};

/** A scan with every object of the contract in it, and null or an empty array wherever that may be. */
export const FULL_SCAN = {
  host: "example.com",
  id: "s",
  status: "complete",
  finishedAt: "2026-01-01T00:00:00Z",
  score: 60,
  checks: [{ ...aCheck(), block: null, lifecycle: null, summary: null }],
  observations: [
    {
      key: "home",
      url: "u",
      finalUrl: null,
      status: null,
      contentType: null,
      durationMs: 1,
      rung: "r",
      redirects: 0,
      byteLength: 0,
    },
  ],
  pages: {
    version: 1,
    completeness: "full",
    stopped: null,
    pages: [
      { url: "u", kind: "k", sources: [], reasons: [], outcome: "o", status: null, finalUrl: null },
    ],
  },
  fixes: [{ ...aFix(), scoreAfter: null, prompt: null }],
  accessPolicy: {
    version: 1,
    url: "u",
    summary: "s",
    notes: [],
    identities: [],
    rows: [{ id: "i", title: "t", summary: "s", findings: [FINDING] }],
  },
  prerender: {
    version: 1,
    platform: "lovable",
    markdownOnRequest: true,
    title: "t",
    paragraphs: [],
    sources: [],
  },
  enrichment: {
    copy: { state: "ready", nextRetryAt: null },
    starterFiles: { state: "ready", nextRetryAt: null },
    revision: null,
  },
};
