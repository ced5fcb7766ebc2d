import type { Band, Standards } from "../../contract/standards.js";

/** The highest score of a homepage that says nothing without a browser. */
export const SHELL_CEILING = 25;

const BANDS: readonly Band[] = [
  { band: "opaque", label: "Opaque", min: 0, max: 29 },
  { band: "partial", label: "Partly readable", min: 30, max: 54 },
  { band: "readable", label: "Readable", min: 55, max: 79 },
  { band: "exemplary", label: "Exemplary", min: 80, max: 100 },
];

export const RUBRIC: Standards["rubric"] = {
  version: "2026.1",
  block1Points: 60,
  block2Points: 40,
  bands: [...BANDS],
};

export const BADGE_EXAMPLES: Standards["badgeExamples"] = [
  { score: 18, capabilities: 0 },
  { score: 42, capabilities: 1 },
  { score: 67, capabilities: 2 },
  { score: 93, capabilities: 5 },
].map(({ score, capabilities }) => {
  const { band, label, min, max } = bandAt(BANDS, score);
  return { band, label, min, max, score, capabilities };
});

/**
 * The scoring version before the current one. Reports keep its bands, which the rubric no longer has;
 * checks that are newer than it had no points, and the deprecated ones had some.
 */
export const OLDER = {
  version: "2025.2",
  bands: [
    { band: "poor", label: "Poor", min: 0, max: 39 },
    { band: "fair", label: "Fair", min: 40, max: 69 },
    { band: "good", label: "Good", min: 70, max: 100 },
  ],
  /** Points by check; checks without an entry were not part of it. */
  points: {
    https: 10,
    "robots-txt": 8,
    "crawler-access": 12,
    "status-codes": 5,
    "server-rendered": 20,
    redirects: 5,
    "title-description": 8,
    headings: 6,
    language: 4,
    canonical: 4,
    "structured-data": 8,
    sitemap: 8,
    "amp-alternate": 2,
    openapi: 0,
    feed: 0,
    "ai-plugin": 0,
    "blocks-ai-crawlers": 10,
    "soft-404": 5,
    "empty-shell": 0,
  } as Readonly<Record<string, number>>,
} as const;

/** The band that holds a score. */
export function bandAt(bands: readonly Band[], score: number): Band {
  return bands.find(({ min, max }) => min <= score && score <= max)!;
}
