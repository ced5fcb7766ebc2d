import { ASSETS } from "#scripts/texts";
import { ROUTES } from "../../src/contract/routes.js";
import { chance, pick, pickWeighted } from "../oracle/random.js";
import type { Records } from "../oracle/records.js";
import { randomRequest } from "../oracle/requests.js";

/** A request that every target answers alike. */
export interface Question {
  /** The path and query, as a web `Request` has them after it has read the address. */
  readonly target: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it is sent a second time, on the condition that the answer has another entity tag now. */
  readonly isRepeated: boolean;
}

const SITEMAP_FILES = 128;
const SCANS_A_HOST = 3;

/** Questions about everything that a directory has: so many random ones, and all about so many hosts. */
export function questionsAbout(
  records: Records,
  random: () => number,
  { drawn, hosts }: { readonly drawn: number; readonly hosts: number },
): Question[] {
  const fixed = [...fixedTargets(), ...hostTargets(records, hosts)].map((target) =>
    questionOf(target),
  );
  const varied = Array.from({ length: drawn }, () => randomQuestion(random, records));
  return [...fixed, ...varied];
}

/** A web `Request` resolves dots and escapes some characters; what is left is sent. */
export function questionOf(
  target: string,
  sent: Pick<Question, "method" | "headers"> = { method: "GET", headers: {} },
): Question {
  const { pathname, search } = new URL(target, "https://any.example");
  return { target: pathname + search, ...sent, isRepeated: sent.method === "GET" };
}

/**
 * Addresses that exist in every directory, and a few beside them that do not. Only a server with a folder knows when
 * its snapshot was published, so `/readyz` is not among them.
 */
function fixedTargets(): string[] {
  const searches = ["q=a", "q=clinic&page=2", "band=good&sort=recent", "minScore=50", "page=0"];
  return [
    ...Object.values(ROUTES).flatMap(({ path, example }) => [path, example, `${example}/`]),
    ...["", "?", ...searches.map((query) => `?${query}`)].map((query) => `/${query}`),
    "/standards",
    "/api",
    "/robots.txt",
    "/llms.txt",
    "/sitemap.xml",
    "/figures.json",
    "/healthz",
    ...Array.from({ length: SITEMAP_FILES + 1 }, (_, i) => `/sitemaps/${i}.xml`),
    ...ASSETS.map(({ name }) => `/assets/${name}`),
    "/assets/",
    "/assets/none.css",
    "/metrics",
    "/favicon.ico",
    "/index.html",
    "//api/sites",
    "/api%2fsites",
    "/%61pi/tags",
    "/api/%73ites",
    "/sites/a%2Fb",
    "/%00",
    "/%zz",
    "/a/../api",
    "/api/sites?q=%zz",
    "/api/sites?q=%00",
    "/api/sites?q=a&q=b",
    "/api/sites?__proto__=1",
    `/api/sites?q=${"a".repeat(2_000)}`,
    `/api/sites/${"a".repeat(2_000)}/report`,
  ];
}

/** All addresses of hosts that are spread over the directory, with some of their older scans. */
function hostTargets({ listings, scans }: Records, hosts: number): string[] {
  const all = [...listings.keys()].sort();
  const step = Math.max(1, Math.floor(all.length / hosts));
  return all
    .filter((_, i) => i % step === 0)
    .slice(0, hosts)
    .flatMap((host) => {
      const ids = (scans.get(host) ?? []).map(({ id }) => id);
      const queries = ["", ...["none", "%zz", ...ids.slice(-SCANS_A_HOST)].map(scanQuery)];
      const api = `/api/sites/${host}`;
      const page = `/sites/${host}`;
      return [
        ...queries.flatMap((query) => [`${api}/report${query}`, page + query]),
        ...queries.map((query) => `${page}/report.md${query}`),
        `${api}/enrichment`,
        `${page}/badge.svg`,
        `${page}/fix.md`,
        `${page}/`,
        `${page}/report`,
      ];
    });
}

function scanQuery(id: string): string {
  return `?scan=${id}`;
}

function randomQuestion(random: () => number, records: Records): Question {
  const asked = randomRequest(random, records);
  const target = chance(random, 0.25) ? pageOf(random, asked) : asked;
  const method = pickWeighted(random, [
    [84, "GET"],
    [8, "HEAD"],
    [3, "OPTIONS"],
    [2, "POST"],
    [1, "PUT"],
    [1, "DELETE"],
    [1, "PROPFIND"],
  ]);
  const headers: Record<string, string> = {};
  if (chance(random, 0.5)) headers["accept-encoding"] = pick(random, ENCODINGS);
  if (chance(random, 0.4)) headers.accept = pick(random, TYPES);
  if (chance(random, 0.05)) headers["if-none-match"] = pick(random, TAGS);
  return questionOf(target, { method, headers });
}

/** The page that shows the same as a read of the API. */
function pageOf(random: () => number, target: string): string {
  const page = target.replace(/^\/api\/sites\/([^/?]+)\/[^/?]+/, "/sites/$1");
  if (page !== target) return page.replace(/$|(?=\?)/, pick(random, ["", "", "/report.md"]));
  return target.replace(/^\/api\/[^?]*/, "/");
}

const ENCODINGS = [
  "gzip",
  "br",
  "identity",
  "gzip, deflate, br",
  "gzip, deflate, br, zstd",
  "br;q=1.0, gzip;q=0.5",
  "gzip;q=0",
  "identity;q=0",
  "*",
  "*;q=0",
  "",
  "GZIP",
  "x-gzip",
  "nonsense;;q",
];
const TYPES = [
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "text/html",
  "text/markdown",
  "text/markdown, text/html;q=0.9",
  "text/html, text/markdown;q=0.5",
  "text/*;q=0.3, text/markdown;q=0.2",
  "application/json",
  "*/*",
  "",
];
const TAGS = ["*", '"nonsense"', "nonsense", 'W/"a", "b"', ""];
