/** Longest target that the server reads, and longest head of a request; both are nearly filled below. */
const TARGET = 8_170;
const HEADER = 15_000;

/** A request that costs its sender nothing, written to cost the server as much as possible. */
export interface Shape {
  readonly name: string;
  /** `{n}` stands for a number, another one each time. */
  readonly target: string;
  /** Header lines, each with its end. */
  readonly headers?: string;
}

/** A text repeated until the target is full. */
const filled = (start: string, piece: string, end = "") =>
  start + piece.repeat(Math.floor((TARGET - start.length - end.length) / piece.length)) + end;

const many = (start: string, pair: (n: number) => string) => {
  let text = start;
  for (let n = 0; text.length + pair(n).length < TARGET; n += 1) text += pair(n);
  return text;
};

/** As many parameters as are read. */
const hundred = (start: string, pair: (n: number) => string) =>
  start + Array.from({ length: 100 }, (_, n) => pair(n)).join("&");
const LONG = "A".repeat(70);
const ESCAPES = "%41".repeat(23);

const READS: readonly Shape[] = [
  { name: "a hundred bad values", target: hundred("/api/sites?", () => `tag=${LONG}`) },
  { name: "a hundred long slugs", target: hundred("/api/sites?", () => `tag=${"a-".repeat(35)}a`) },
  { name: "a hundred values of escapes", target: hundred("/api/sites?", () => `tag=${ESCAPES}`) },
  { name: "a hundred undecodable values", target: hundred("/api/sites?", () => `tag=${ESCAPES}%`) },
  { name: "a hundred unknown names", target: hundred("/api/sites?", (n) => LONG + n) },
  {
    name: "a hundred filters",
    target: hundred(
      "/api/sites/facets?",
      (n) => `${"tag capability band q".split(" ")[n % 4]}=${n}_`,
    ),
  },
  { name: "undecodable names", target: filled("/api/sites?", "%&") },
  { name: "undecodable values of a filter", target: filled("/api/sites?", "tag=%ff&") },
  { name: "undecodable filters of all kinds", target: filled("/api/sites?", "tag=%&band=%&q=%&") },
  { name: "a known name, empty, many times", target: filled("/api/sites?", "category=&") },
  { name: "a scalar many times", target: filled("/api/sites?", "q=a&") },
  { name: "many unknown names", target: many("/api/sites?", (n) => `${n.toString(36)}&`) },
  { name: "many escaped names", target: many("/api/sites?", (n) => `%61${n.toString(36)}=%62&`) },
  { name: "one unknown name", target: filled("/api/sites?", "a") },
  { name: "one unknown name, undecodable at its end", target: filled("/api/sites?", "%41", "%") },
  { name: "separators alone", target: filled("/api/sites?", "&") },
  { name: "equals signs", target: filled("/api/sites?", "=") },
  { name: "plus signs", target: filled("/api/sites?q=", "+") },
  { name: "a text too long", target: filled("/api/sites?q=", "ab") },
  { name: "a text of four-byte letters", target: filled("/api/sites?q=", "%f0%9f%98%80") },
  {
    name: "a text, undecodable at its end",
    target: filled("/api/sites?q=", "%f0%9f%98%80", "%f0%9f"),
  },
  { name: "a long number", target: filled("/api/sites?page=", "9") },
  { name: "a slug too long", target: filled("/api/sites?tag=", "a-") },
  { name: "a report, undecodable names", target: filled("/api/sites/a.com/report?", "%&") },
  { name: "a report, many scans", target: filled("/api/sites/a.com/report?", "scan=&") },
];

const PATHS: readonly Shape[] = [
  { name: "a path of percent signs", target: filled("/", "%") },
  { name: "undecodable segments", target: filled("/", "%/") },
  { name: "slashes", target: filled("/", "/") },
  { name: "one segment of escapes", target: filled("/", "%41") },
  { name: "an undecodable host", target: filled("/api/sites/", "%", "/report") },
  { name: "a host of escapes", target: filled("/api/sites/", "%41", "/report") },
  { name: "dots up", target: "/api/sites/%../report" },
  { name: "a long host", target: filled("/api/sites/", "a.", "com/report") },
  { name: "a long label", target: filled("/api/sites/", "a", ".com/report") },
  { name: "a host of punycode", target: filled("/api/sites/", "xn--a.", "com/report") },
  { name: "a page's undecodable host", target: filled("/sites/", "%") },
  { name: "a page, undecodable names", target: filled("/sites/a.com?", "%&") },
  { name: "a page, many scans", target: filled("/sites/a.com?", "scan=&") },
  { name: "a file's long name", target: filled("/assets/", "a-") },
  { name: "a module's long name", target: filled("/assets/a/b/", "a-") },
  { name: "a sitemap's long name", target: filled("/sitemaps/", "1") },
  { name: "documents, a query that is not read", target: filled("/api/tags?u={n}&", "%&") },
  { name: "the explorer, undecodable names", target: filled("/?u={n}&", "%&") },
  { name: "the explorer, many filters", target: filled("/?u={n}&", "tag=A&") },
  { name: "the explorer, a text too long", target: filled("/?u={n}&q=", "ab") },
  { name: "the explorer, a hundred filters", target: hundred("/?u={n}&", (n) => `tag=a${n}`) },
  { name: "the standards' page, a query that is not read", target: "/standards?u={n}" },
  {
    name: "separators between two parameters",
    target: filled("/api/sites?limit=5&", "&", "page=1"),
  },
  {
    name: "a target too long",
    target: filled("/api/sites?", "%&", "%&".repeat(20)) + "%&".repeat(20),
  },
];

const list = (name: string, piece: string) =>
  `${name}: ${piece.repeat(Math.floor(HEADER / piece.length))}\r\n`;
const READ = "/api/sites?limit=5";

const HEADS: readonly Shape[] = [
  { name: "codings of commas", target: READ, headers: list("Accept-Encoding", ",") },
  { name: "many codings", target: READ, headers: list("Accept-Encoding", "br;q=0.1,") },
  { name: "parameters of a coding", target: READ, headers: list("Accept-Encoding", ";q=1") },
  { name: "many tags", target: READ, headers: list("If-None-Match", '"a",') },
  { name: "tags of quotes", target: READ, headers: list("If-None-Match", '"') },
  { name: "types of commas", target: "/sites/a.com", headers: list("Accept", "text/markdown,") },
  {
    name: "types' parameters",
    target: "/sites/a.com",
    headers: list("Accept", "text/markdown;;;;"),
  },
  { name: "many headers", target: READ, headers: "a:b\r\n".repeat(90) },
];

/** Malformed and hostile requests by what is bad about them. */
export const SHAPES: readonly Shape[] = [...READS, ...PATHS, ...HEADS];
