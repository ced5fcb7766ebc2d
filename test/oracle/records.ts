import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import {
  directoryShape,
  type Json,
  listingShape,
  type Shape,
  scanShape,
  standardsShape,
  taxonomyShape,
} from "./shapes.js";

type JsonObject = { [key: string]: Json };

/** A category or tag in taxonomy.json, inactive ones included. */
export interface TaxonomyRecord {
  slug: string;
  name: string;
  group: string;
  order: number;
  active: boolean;
}

/** The contract's Standards; only what the oracle computes with is typed further. */
interface StandardsRecord extends JsonObject {
  rubric: {
    version: string;
    block1Points: number;
    block2Points: number;
    bands: { band: string; label: string; min: number; max: number }[];
  };
  checks: ({ id: string; name: string; overview: string; kind: string } & JsonObject)[];
}

/** A listing with the format's defaults applied. */
export interface ListingRecord extends JsonObject {
  host: string;
  url: string;
  name: string | null;
  tagline: string | null;
  description: string | null;
  status: string;
  visibility: string;
  category: string | null;
  tags: string[];
  platforms: string[];
  hosting: string | null;
  linkRel: string;
  logoUrl: string | null;
  ogImageUrl: string | null;
  entitlements: {
    history: boolean;
    fixPrompts: number | null;
    starterFiles: boolean;
    highlight: boolean;
  };
  publishedScan: string | null;
}

/** A scan with the format's defaults applied and its objects in the contract's key order. */
export interface ScanRecord extends JsonObject {
  host: string;
  id: string;
  status: string;
  finishedAt: string;
  score: number | null;
  band: string | null;
  scoreVersion: string | null;
  block1: number | null;
  block2: number | null;
  penalties: number | null;
  cappedAt: number | null;
  robotsVerdict: string | null;
  summary: string | null;
  redirect: JsonObject | null;
  stats: JsonObject;
  profile: JsonObject | null;
  checks: ({ checkId: string; kind: string; status: string } & JsonObject)[];
  observations: JsonObject[];
  pages: JsonObject | null;
  fixes: JsonObject[];
  accessPolicy: JsonObject | null;
  prerender: JsonObject | null;
  starterFiles: JsonObject | null;
  enrichment: { copy: JsonObject; starterFiles: JsonObject | null; revision: string | null } | null;
}

/** A published directory, whole, in memory. */
export interface Records {
  /** `{siteUrl}`, which is baseUrl where directory.json gives none. */
  siteUrl: string;
  standards: StandardsRecord;
  /** Rubrics of earlier versions; none if left out. */
  formerRubrics?: Pick<StandardsRecord["rubric"], "version" | "bands">[];
  categories: TaxonomyRecord[];
  tags: TaxonomyRecord[];
  platforms: { slug: string; name: string }[];
  /** By parameter: what terms were called before, and what they are called now. */
  renamed: Record<string, Map<string, string>>;
  /** By host. */
  listings: Map<string, ListingRecord>;
  /** By host, as read; scans whose listing is absent are left out. */
  scans: Map<string, ScanRecord[]>;
}

/**
 * Reads a valid published directory (format 1) wholly into memory. Only meant for directories
 * that the build accepts: most errors of the input pass unseen, the rest throw.
 */
export function loadRecords(folder: string): Records {
  const directory = shaped(directoryShape, readOne(join(folder, "directory.json"))) as {
    baseUrl: string;
    siteUrl: string | null;
  };
  const taxonomy = shaped(taxonomyShape, readOne(join(folder, "taxonomy.json"))) as unknown as {
    categories: TaxonomyRecord[];
    tags: TaxonomyRecord[];
    platforms: { slug: string; name: string }[];
  };
  const standards = readOne(join(folder, "standards.json"));
  const renamed = {
    category: renamesIn(readOne(join(folder, "taxonomy.json")), "categories", "slug"),
    tag: renamesIn(readOne(join(folder, "taxonomy.json")), "tags", "slug"),
    platform: renamesIn(readOne(join(folder, "taxonomy.json")), "platforms", "slug"),
    capability: renamesIn(standards, "checks", "id"),
  };
  const listings = new Map<string, ListingRecord>();
  for (const record of readAll(folder, "listings")) {
    const listing = shaped(listingShape, record) as ListingRecord;
    const { category, tags, platforms } = listing;
    if (category !== null) listing.category = renamed.category.get(category) ?? category;
    listing.tags = nowCalled(tags, renamed.tag);
    listing.platforms = nowCalled(platforms, renamed.platform);
    if (listings.has(listing.host)) throw new Error(`two listings of ${listing.host}`);
    listings.set(listing.host, listing);
  }
  const scans = new Map<string, ScanRecord[]>();
  for (const record of readAll(folder, "scans")) {
    const scan = withChecksNow(shaped(scanShape, record), renamed.capability) as ScanRecord;
    if (!listings.has(scan.host)) continue;
    scans.set(scan.host, [...(scans.get(scan.host) ?? []), scan]);
  }
  return {
    siteUrl: directory.siteUrl ?? directory.baseUrl,
    standards: shaped(standardsShape, standards) as unknown as StandardsRecord,
    formerRubrics: formerRubricsIn(join(folder, "standards.json")),
    renamed,
    ...taxonomy,
    listings,
    scans,
  };
}

/** Takes the former names out of the entries of a list, and gives them with the present names. */
function renamesIn(document: Json, list: string, key: string): Map<string, string> {
  const entries = (document as Record<string, Json>)[list] ?? [];
  const renames = new Map<string, string>();
  for (const entry of entries as JsonObject[]) {
    for (const name of (entry.formerly ?? []) as string[]) renames.set(name, String(entry[key]));
    delete entry.formerly;
  }
  return renames;
}

/** The names that terms have now, each once. */
export function nowCalled(names: string[], renames: Map<string, string> | undefined): string[] {
  return [...new Set(names.map((name) => renames?.get(name) ?? name))];
}

/** A value in which every check, wherever a scan names it, has the id that it has now. */
function withChecksNow(value: Json, renames: Map<string, string>): Json {
  if (Array.isArray(value)) return value.map((one) => withChecksNow(one, renames));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    // These may have any keys, also ones of these names.
    if (["details", "profile", "starterFiles"].includes(name)) return [name, member];
    if (name === "checkId") return [name, nowCalled([String(member)], renames)[0] ?? null];
    if (name === "checkIds") return [name, nowCalled(member as string[], renames)];
    return [name, withChecksNow(member, renames)];
  });
  return Object.fromEntries(members);
}

function formerRubricsIn(file: string): NonNullable<Records["formerRubrics"]> {
  const { formerRubrics } = readOne(file) as unknown as Pick<Records, "formerRubrics">;
  return formerRubrics ?? [];
}

function shaped(shape: Shape, record: Json): Json {
  return shape(record);
}

function readText(file: string): string {
  return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
}

/** One `.json` file, without the `$schema` that is allowed at its top. */
function readOne(file: string): Json {
  const record = JSON.parse(readText(file)) as JsonObject;
  delete record.$schema;
  return record;
}

function readLines(file: string): Json[] {
  return readText(file)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Json);
}

function readAll(folder: string, name: string): Json[] {
  const root = realpathSync(folder);
  if (!existsSync(join(root, name))) return [];
  return filesBelow(root, join(root, name), new Set()).flatMap((file) =>
    file.endsWith(".json") ? [readOne(file)] : readLines(file),
  );
}

/** Every real file once: links within the folder are followed, links that lead out are not. */
function filesBelow(root: string, path: string, seen: Set<string>): string[] {
  if (!existsSync(path)) return [];
  const real = realpathSync(path);
  if (!real.startsWith(root + sep) || seen.has(real)) return [];
  seen.add(real);
  if (statSync(real).isDirectory())
    return readdirSync(real)
      .filter((entry) => !entry.startsWith("."))
      .flatMap((entry) => filesBelow(root, join(real, entry), seen));
  return /\.(?:json|ndjson)$/.test(path) && statSync(real).isFile() ? [real] : [];
}
