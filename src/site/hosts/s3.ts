import { COMMON_HEADERS, PREFLIGHT_HEADERS } from "../../contract/headers.js";
import { CANONICAL_HOST } from "../../contract/host.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import { HOSTED_ADDRESSES, type HostedAddress, TYPES } from "./address-files.js";
import { CLOUDFRONT_CODE } from "./cloudfront-code.js";
import { HOST_ERRORS } from "./host-errors.js";
import { type HostFacts, type HostRules, NO_FILES } from "./host-rules.js";

/** Files of the tree that are uploaded with the same headers. */
interface UploadGroup {
  /** Patterns of paths, for `aws s3` and `rclone`: `**` stands for any text, with slashes too. */
  readonly include: readonly string[];
  readonly contentType: string;
  readonly cacheControl: string;
}

/** What to upload with which headers, in this order, and the function by which CloudFront finds the files. */
export function s3Rules({ base }: HostFacts): HostRules {
  const beside = new Map([
    [".upload.json", `${JSON.stringify({ groups: uploadGroups() }, null, 2)}\n`],
    [".cloudfront.js", cloudFrontFunction(base)],
  ]);
  return { files: NO_FILES, beside };
}

/** Each file of a tree belongs to one group. The last one has the file that names the others. */
export function uploadGroups(): UploadGroup[] {
  const groups = new Map<
    string,
    { include: string[]; contentType: string; cacheControl: string }
  >();
  const add = (include: string, contentType: string, cacheControl: string, order = "") => {
    const key = `${contentType} ${cacheControl} ${order}`;
    const group = groups.get(key) ?? { include: [], contentType, cacheControl };
    if (!group.include.includes(include)) group.include.push(include);
    groups.set(key, group);
  };
  // Pages name these files, so they come first.
  const isNamed = ({ file }: HostedAddress) => /^(?:assets|data)\//.test(file);
  const others = HOSTED_ADDRESSES.filter((one) => !isNamed(one));
  for (const { file, scanFile, contentType, headers } of [
    ...HOSTED_ADDRESSES.filter(isNamed),
    ...others,
  ]) {
    const cache = headers["Cache-Control"] ?? CACHE_CONTROL.directory;
    if (file === CURRENT) continue;
    for (const path of scanFile === null ? [file] : [file, scanFile]) {
      for (const pattern of patternsOf(path)) {
        const end = /\.(\w+)$/.exec(pattern)?.[1] ?? "";
        add(pattern, contentType ?? TYPES[end] ?? TYPES.bin ?? "", cache);
      }
    }
  }
  for (const path of ["404.html", "sites/*/noindex"]) {
    add(path, TYPES[path.split(".")[1] ?? "txt"] ?? "", CACHE_CONTROL.directory);
  }
  add(CURRENT, TYPES.json ?? "", CACHE_CONTROL.polled, "last");
  return [...groups.values()];
}

const CURRENT = "data/current.json";
const ENDS: Readonly<Record<string, readonly string[]>> = {
  "assets/{asset}": ["assets/**.css", "assets/**.js", "assets/**.svg"],
  "data/{folder}/{name}": [
    "data/*/manifest.json",
    "data/search/**",
    "data/index/**",
    "data/reports/**",
  ],
};

/** A star does not end at a slash for `aws s3`, and does for `rclone`: the patterns mean the same files to both. */
function patternsOf(path: string): readonly string[] {
  return ENDS[path] ?? [path.replace(/\{\w+\}/g, "*")];
}

const READ_ELSEWHERE = ["Vary", "Link", "Cache-Control"];

/** A function for both events of viewers, in the language of CloudFront (cloudfront-js-2.0; at most 10 kB). */
function cloudFrontFunction(base: string): string {
  const sets: string[] = [];
  const addresses = HOSTED_ADDRESSES.map((address) => {
    const { path, file, scanFile, markdown, isStrict, isForBrowsers, headers } = address;
    const own = Object.entries(headers).filter(
      ([name]) => !(name in COMMON_HEADERS) && !READ_ELSEWHERE.includes(name),
    );
    const set = JSON.stringify(Object.fromEntries(own));
    if (!sets.includes(set)) sets.push(set);
    const files = [file, scanFile ?? "", markdown?.file ?? "", markdown?.scanFile ?? ""];
    return JSON.stringify([
      path,
      ...files,
      Number(isStrict),
      Number(isForBrowsers),
      sets.indexOf(set),
    ]);
  });
  const errors = Object.entries(HOST_ERRORS).filter(([name]) => FUNCTION_ERRORS.includes(name));
  return `// A CloudFront function (cloudfront-js-2.0) for a tree written by "crawldex export --for s3".
// Publish it, and associate it with both events: viewer request and viewer response.
var BASE = ${JSON.stringify(base)};
var HOST = /${CANONICAL_HOST.source}/;
var COMMON = ${JSON.stringify(COMMON_HEADERS)};
var PREFLIGHT = ${JSON.stringify(PREFLIGHT_HEADERS)};
var SETS = [
${sets.join(",\n")}
];
var ERRORS = {
${errors.map(([name, { status, json }]) => `${name}: [${status}, ${JSON.stringify(json)}]`).join(",\n")}
};
// An address, its file, that of a scan, both as Markdown, whether other queries are errors, only browsers, headers
var ADDRESSES = [
${addresses.join(",\n")}
];
${CLOUDFRONT_CODE}`;
}

const FUNCTION_ERRORS = ["address", "host", "query", "method"];
