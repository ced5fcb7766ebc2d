/** Finds a page of every kind in the directory of `directory.ts`. */
import type { Report } from "../../src/contract/report.js";
import { EXTRAS } from "../../src/extras/index.js";
import { currentId, StoredSnapshot } from "../../src/store/reader.js";

const NAMES = EXTRAS.map(({ name }) => name);

/** A page to look at. */
export interface PageKind {
  /** Names the kind in tables and files: lower case, with hyphens. */
  readonly name: string;
  /** The address, relative to the server's. */
  readonly path: string;
  /** The extra that has the page. */
  readonly extra?: string;
}

/** Pages whose addresses are known in advance, without those of deleted extras. */
const FIXED = [
  { name: "explorer", path: "/" },
  { name: "explorer-results", path: "/?q=books&minScore=50" },
  { name: "explorer-nothing", path: "/?q=zzzzzz" },
  { name: "explorer-words", path: "/?q=classes%20wren" },
  { name: "explorer-term", path: "/?q=education" },
  { name: "explorer-invalid", path: "/?minScore=900" },
  { name: "standards", path: "/standards" },
  { name: "methodology-changes", path: "/standards/changes", extra: "methodology" },
  { name: "categories", path: "/categories" },
  { name: "categories-sorted", path: "/categories?sort=sites-asc" },
  { name: "trends", path: "/trends", extra: "trends" },
  { name: "category-trends", path: "/trends/education", extra: "trends" },
  { name: "changes", path: "/changes", extra: "changes" },
  { name: "changed-list", path: "/changed/last-risen", extra: "changes" },
  { name: "watch-start", path: "/watch", extra: "changes" },
  {
    name: "watch",
    path: "/watch?host=wren-campus.example&host=nowhere.example&host=not+a+host_",
    extra: "changes",
  },
  { name: "access", path: "/access", extra: "access" },
  { name: "crawler", path: "/access/gptbot", extra: "access" },
  { name: "peers", path: "/peers/education", extra: "peers" },
  { name: "check", path: "/checks/https" },
  { name: "category", path: "/categories/education" },
  { name: "matrix", path: "/matrix/education", extra: "compare" },
  {
    name: "matrix-filtered",
    path: "/matrix/education?fails=image-alt&sort=host",
    extra: "compare",
  },
  {
    name: "compare",
    path: "/compare?sites=wren-campus.example,badgercampus.example,coralschool.example",
    extra: "compare",
  },
  { name: "compare-start", path: "/compare", extra: "compare" },
  { name: "feeds", path: "/feeds" },
  { name: "api", path: "/api" },
  { name: "no-report", path: "/sites/nowhere.example" },
  { name: "not-a-host", path: "/sites/Not_a_host" },
  { name: "lost-api", path: "/api/nowhere" },
  { name: "lost", path: "/nowhere" },
].filter(({ extra }: PageKind) => extra === undefined || NAMES.includes(extra));

/** The kinds of reports. The first report of each kind is its page. */
const REPORTS: Readonly<Record<string, (report: Report) => boolean>> = {
  "report-full": ({ scan, history, accessPolicy, fixes, starterFiles }) =>
    scan.score !== null &&
    !scan.historical &&
    (history?.length ?? 0) > 2 &&
    accessPolicy !== null &&
    starterFiles !== null &&
    fixes.data.some(({ prompt }) => prompt !== null),
  "report-usual": ({ scan, accessPolicy, history }) =>
    scan.score !== null && !scan.historical && accessPolicy !== null && history === undefined,
  "report-perfect": ({ scan }) => scan.score === 100,
  "report-poor": ({ scan }) => scan.score !== null && scan.score < 30,
  "report-capped": ({ scan }) => scan.cappedAt !== null,
  "report-historical": ({ scan }) => scan.historical && scan.score !== null,
  "report-moved": ({ scan }) => scan.status === "moved",
  "report-unscored": ({ scan }) => scan.status === "failed" && !scan.historical,
  "report-pending": ({ enrichment }) => enrichment?.copy.state === "generating",
  "report-prerendered": ({ prerender }) => prerender !== null,
  "report-withheld": ({ scan, checks, history }) =>
    scan.status === "complete" &&
    scan.score === null &&
    scan.redirect === null &&
    checks.length === 0 &&
    history === undefined,
  "report-redirected": ({ site }) => site.host === "redirected.example",
  "report-minimal": ({ site }) => site.host === "minimal.example",
};

/** The names of all kinds. */
export const PAGE_KINDS: readonly string[] = [
  ...FIXED.map(({ name }) => name),
  ...Object.keys(REPORTS),
];

/**
 * Finds a page of each kind, in the order of `PAGE_KINDS`.
 * @param store the store that is served
 * @param url the server's address
 */
export async function pageKinds(store: string, url: string): Promise<PageKind[]> {
  const reports = new Map<string, string>();
  for (const path of await reportPaths(store)) {
    const { data } = (await (await fetch(`${url}/api${path}`)).json()) as { data: Report };
    for (const [name, isOne] of Object.entries(REPORTS)) {
      const page = path.replace("/report", "");
      if (!reports.has(name) && isOne(data)) reports.set(name, page);
    }
  }
  return [...FIXED, ...[...reports].map(([name, path]) => ({ name, path }))].sort(
    (one, other) => PAGE_KINDS.indexOf(one.name) - PAGE_KINDS.indexOf(other.name),
  );
}

/** The paths of all reports of a store's current snapshot, below `/api`. */
async function reportPaths(store: string): Promise<string[]> {
  const snapshot = await StoredSnapshot.openManifest(store, (await currentId(store)) ?? "");
  const paths: string[] = [];
  for await (const { host, historical } of snapshot.listings.allEntries()) {
    const scans = historical.map(({ scan }) => `?scan=${scan}`);
    for (const query of ["", ...scans]) paths.push(`/sites/${host}/report${query}`);
  }
  snapshot.close();
  return paths;
}
