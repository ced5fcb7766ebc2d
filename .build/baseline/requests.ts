/** The requests of a baseline, derived from a directory's records: the same records always give the same requests. */

import { LIST_FILTERS } from "../../src/contract/filters.js";
import { ROUTES } from "../../src/contract/routes.js";
import { questionsAbout } from "../../test/fetch/questions.js";
import { seeded } from "../../test/oracle/random.js";
import type { Records } from "../../test/oracle/records.js";
import { randomRequest } from "../../test/oracle/requests.js";

export interface BaselineRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Asks again on the condition that the entity tag of the first answer no longer holds. */
  readonly isRepeated?: boolean;
  /** Only a server answers it: a fetch handler has no such address, or no connection to limit. */
  readonly isServerOnly?: boolean;
}

const SEED = 20_261_128;
/** Random searches, facets, suggestions and reads of reports, in the way of people and of fuzzers. */
const RANDOM = 1_200;
/** Random requests of any kind, with methods and headers. */
const VARIED = 500;
/** Hosts whose addresses are all requested. */
const THOROUGH = 40;
/** Every such report's page, and every such host's card. */
const PAGE_STEP = 8;
const CARD_STEP = 150;

export function requestsOf(records: Records, size: number): BaselineRequest[] {
  const random = seeded(SEED);
  const amounts = { drawn: Math.round(VARIED * size), hosts: Math.round(THOROUGH * size) };
  const drawn = Array.from({ length: Math.round(RANDOM * size) }, () =>
    get(randomRequest(random, records)),
  );
  const all: BaselineRequest[] = [
    ...questionsAbout(records, random, amounts).map((question) => ({
      ...question,
      isRepeated: question.isRepeated && random() < 0.25,
    })),
    ...drawn,
    ...ofHosts(records),
    ...ofLists(records),
    ...ofExtensions(records),
    ...ofConnections(),
    ...ofPosts(records),
  ];
  // Assets are requested later, under the names that pages give them.
  const lasting = all.filter(({ target }) => !/^\/assets\/[a-z]+-[0-9a-f]{8}/.test(target));
  return [...new Map(lasting.map((one) => [requestKey(one), one])).values()];
}

/** Identifies a request within a baseline. */
export function requestKey({ method, target, headers, body = "" }: BaselineRequest): string {
  const texts = Object.entries(headers).map(([name, value]) => `${name}: ${value.slice(0, 100)}`);
  const path = target.length > 300 ? `${target.slice(0, 300)}… (${target.length})` : target;
  return [method, path, ...texts, body.slice(0, 400)].filter((text) => text !== "").join(" | ");
}

function get(target: string, headers: Record<string, string> = {}): BaselineRequest {
  return { method: "GET", target, headers };
}

/** Report and enrichment of every listing, all older scans, and the pages of some. */
function ofHosts({ listings, scans }: Records): BaselineRequest[] {
  return [...listings.keys()].sort().flatMap((host, i) => {
    const ids = (scans.get(host) ?? []).map(({ id }) => id);
    const older = ids.length > 1 || i % PAGE_STEP === 0 ? ids : [];
    const api = [`/api/sites/${host}/report`, `/api/sites/${host}/enrichment`];
    const page = `/sites/${host}`;
    const pages = [page, `${page}/report.md`, `${page}/fix.md`, `${page}/badge.svg`];
    const targets = [
      ...api,
      ...older.map((id) => `/api/sites/${host}/report?scan=${id}`),
      ...(i % PAGE_STEP === 0 ? pages : []),
      ...(i % CARD_STEP === 0 ? [`${page}/card.png`] : []),
    ];
    return targets.map((target) => get(target));
  });
}

/** Every value of every filter, pairs of filters, all orders and pages, and bad queries of each kind. */
function ofLists({ categories, tags, platforms, standards }: Records): BaselineRequest[] {
  const slugs = (entries: readonly { readonly slug: string }[]) => entries.map(({ slug }) => slug);
  const values: Record<string, readonly string[]> = {
    category: slugs(categories),
    tag: slugs(tags),
    platform: slugs(platforms),
    capability: standards.checks.map(({ id }) => id),
    band: standards.rubric.bands.map(({ band }) => band),
    status: ["unclaimed", "claimed"],
    minScore: ["0", "50", "100"],
    maxScore: ["0", "50", "100"],
  };
  const single = Object.entries(values).flatMap(([name, all]) =>
    all.map((one) => `${name}=${one}`),
  );
  const firsts = Object.entries(values).flatMap(([name, all]) =>
    all.slice(0, 2).map((one) => ({ name, text: `${name}=${one}` })),
  );
  const pairs = firsts.flatMap((one, i) =>
    firsts.slice(i + 1).map((other) => `${one.text}&${other.text}`),
  );
  const orders = ["score", "score-asc", "host", "recent"].flatMap((sort) =>
    ["1", "2", "7", "10000"].map((page) => `sort=${sort}&page=${page}&limit=100`),
  );
  const many = Object.keys(LIST_FILTERS).map((name) =>
    Array.from({ length: 11 }, (_, i) => `${name}=a${i}`).join("&"),
  );
  const bad = [
    "sort=name",
    "page=0",
    "page=10001",
    "limit=101",
    "limit=01",
    "limit=1.0",
    "q=",
    "q=%20",
  ];
  const broken = [
    "q=%ff",
    "q=%",
    "category=A",
    "category=-",
    "minScore=9&maxScore=3",
    "x=1",
    "status=",
    "q=a&q=b",
  ];
  const lists = [...single, ...pairs, ...orders, ...many, ...bad, ...broken];
  const texts = [
    "q=a",
    "q=ab",
    "q=%C4%B0stanbul",
    "q=STRASSE",
    "q=%CF%82",
    `q=${"a".repeat(121)}`,
    ...broken,
  ];
  return [
    ...lists.map((query) => get(`/api/sites?${query}`)),
    ...[...single, ...pairs, ...bad, ...broken].map((query) => get(`/api/sites/facets?${query}`)),
    ...texts.map((query) => get(`/api/sites/suggestions?${query}`)),
    ...texts.map((query) => get(`/?${query}`)),
  ];
}

/** The addresses beyond the nine reads, and pages that are not of one report. */
function ofExtensions({ categories, standards, listings }: Records): BaselineRequest[] {
  const hosts = [...listings.keys()].sort().filter((_, i) => i % 90 === 0);
  const ofCategories = categories.flatMap(({ slug }) => [
    `/categories/${slug}`,
    `/matrix/${slug}`,
    `/tables/${slug}.csv`,
    `/feeds/${slug}.xml`,
    `/feeds/${slug}.json`,
    `/api/trends?category=${slug}`,
    `/search-feed.xml?category=${slug}`,
    `/api/dump/category-${slug}.txt`,
  ]);
  const ofChecks = standards.checks.flatMap(({ id }) => [
    `/checks/${id}`,
    `/api/trends?check=${id}`,
    `/api/dump/capability-${id}.txt`,
  ]);
  const changes = ["", "?since=0", "?since=1", "?since=9", "?limit=5", "?limit=1000", "?since=x"];
  const figures = ["scores", "bands", "checks", "platforms"].flatMap((name) =>
    ["svg", "csv"].map((form) => `/figures/${name}.${form}`),
  );
  const dumps = ["", "index.json", "croissant.json", "hosts.txt", "none.txt", "listings.parquet"];
  const lists = ["listings.ndjson.gz", "listings.csv.gz", "band-open.txt", "hosts.txt?content=0"];
  const targets = [
    ...ofCategories,
    ...ofChecks,
    ...figures,
    ...changes.flatMap((query) => [`/api/changes${query}`, `/changes${query}`]),
    ...[...dumps, ...lists].map((file) => `/api/dump/${file}`),
    "/feed.xml",
    "/feed.json",
    "/search-feed.json?q=a",
    "/search-feed.xml?q=",
    ...["xml", "json"].flatMap((form) => [
      ...hosts.map((host) => `/sites/${host}/feed.${form}`),
      `/watch.${form}?host=${hosts.slice(0, 100).join("&host=")}`,
    ]),
    `/watch?host=${hosts.slice(0, 100).join("&host=")}`,
    "/api/trends",
    "/changes/index.json",
    "/card.png",
    "/apple-touch-icon.png",
    "/mcp",
    "/mcp/server-card",
    "/.well-known/ard.json",
    "/.well-known/ai-catalog.json",
    "/categories",
    "/compare",
    "/api/batch",
    "/api/batch?host=https://www.nowhere.example/a",
    "/api/batch?host=",
    "/api/preflight?host=https://www.nowhere.example/a",
    `/api/preflight?crawler=GPTBot&${hosts.map((host) => `host=${host}`).join("&")}`,
    "/api/access",
    "/api/access?crawler=OAI-SearchBot&declared=allowed&served=refused",
    "/api/dump/hosts/gptbot-allowed.txt",
    `/api/batch?${hosts.map((host) => `host=${host}`).join("&")}`,
    `/compare?sites=${hosts.slice(0, 3).join()}`,
    `/compare.csv?sites=${hosts.slice(0, 5).join()}`,
    ...hosts.slice(0, 8).map((host) => `/sites/https://www.${host}/a`),
    ...hosts.slice(0, 8).map((host) => `/api/sites/www.${host}/report`),
  ];
  const ranges = ["bytes=0-99", "bytes=-20", "bytes=99999999-"].map((Range) =>
    get("/api/dump/listings.parquet", { Range }),
  );
  return [...targets.map((target) => get(target)), ...ranges];
}

/** Requests that concern the connection, and compressed forms of all kinds of answers. */
function ofConnections(): BaselineRequest[] {
  const examples = ["/api/sites?limit=50", "/api/standards", "/", "/sitemap.xml", "/api/dump/"];
  const encodings = ["gzip", "br", "zstd", "gzip;q=0", "identity;q=0", "*"];
  const methods = ["HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE"];
  const paths = [...Object.values(ROUTES).map(({ example }) => example), "/", "/sites/a.example"];
  return [
    ...examples.flatMap((target) =>
      encodings.map((encoding) => ({
        ...get(target, { "Accept-Encoding": encoding }),
        isRepeated: true,
      })),
    ),
    ...methods.flatMap((method) =>
      paths.map((target) => ({ method, target, headers: {}, isServerOnly: method === "TRACE" })),
    ),
    ...[
      "/readyz",
      "/metrics",
      longSearch(9_000),
      longSearch(20_000),
      "http://x.example/api/tags",
    ].map((target) => ({ ...get(target), isServerOnly: true })),
    { ...get("/api/tags", { "X-Large": "a".repeat(40_000) }), isServerOnly: true },
  ];
}

function longSearch(length: number): string {
  return `/api/sites?q=${"a".repeat(length)}`;
}

/** Batches, and calls of agents. */
function ofPosts({ listings, standards }: Records): BaselineRequest[] {
  const hosts = [...listings.keys()].sort().filter((_, i) => i % 30 === 0);
  const post = (target: string, body: string, headers: Record<string, string> = {}) => ({
    method: "POST",
    target,
    headers: { "Content-Type": "application/json", ...headers },
    body,
  });
  const accept = { Accept: "application/json, text/event-stream" };
  const rpc = (method: string, params: unknown = {}) =>
    post("/mcp", JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), accept);
  const call = (name: string, args: unknown) => rpc("tools/call", { name, arguments: args });
  const [one = "", two = ""] = hosts;
  return [
    post("/api/batch", JSON.stringify({ hosts })),
    post("/api/preflight", JSON.stringify({ hosts, crawler: "GPTBot" })),
    ...["{}", "[", '{"hosts":[]}', '{"hosts":["a.example","a.example"]}'].map((body) =>
      post("/api/batch", body),
    ),
    post("/api/batch", "{}", { "Content-Type": "text/plain" }),
    post("/api/batch", " ".repeat(300_000)),
    ...["tools/list", "resources/list", "prompts/list", "none"].map((method) => rpc(method)),
    ...["a", "data", "zzzz"].map((q) => call("search_sites", { q })),
    ...hosts.slice(0, 10).map((host) => call("get_report", { host })),
    call("preflight", { hosts: hosts.slice(0, 50), crawler: "GPTBot" }),
    call("compare_sites", { hosts: [one, two] }),
    call("get_methodology", {}),
    ...standards.checks.slice(0, 5).map(({ id }) => call("get_methodology", { check: id })),
    ...standards.checks.map(({ id }) => call("facts", { figure: "passing", check: id })),
    ...["listed", "median"].map((figure) => call("facts", { figure })),
    call("none", {}),
  ];
}
