import { ERROR_TEXTS, type Issue } from "../contract/error.js";
import { HOST_RULE, isCanonicalHost, meantHost, percentDecoded } from "../contract/host.js";
import type { QueryReading } from "../contract/query.js";
import { ROUTES } from "../contract/routes.js";
import { namesOf } from "../contract/tables.js";
import type { Failed } from "./answer.js";
import type { Asked, Extensions } from "./content.js";
import { SERVER_LIMITS } from "./limits.js";
import type { PageMatch, PageQuery, Pages } from "./page-types.js";
import { readTable, type TabledRead } from "./read-table.js";

/** A request target, split into the parts that choose an address. */
export interface Target {
  /**
   * The decoded segments of the path; null for a segment that does not decode. A path longer than any address is cut
   * after SEGMENTS_MAX + 1 segments, which stay encoded.
   */
  readonly segments: readonly (string | null)[];
  /** The text after the first `?`, still encoded. */
  readonly query: string;
}

/** An address of a table. @template N the names of the table */
export interface Match<N extends string> {
  readonly name: N;
  /** The path parameter as sent; null if the address has none. */
  readonly parameter: string | null;
}

/** Stands for a path parameter in a pattern. */
const PARAMETER = Symbol("parameter");

/** The segments of an address's path, in which a parameter matches any segment. */
export type PathPattern = readonly (string | typeof PARAMETER)[];

/** Returns the pattern of a path whose parameters are in braces. */
export function patternOf(path: string): PathPattern {
  return path
    .split("/")
    .slice(1)
    .map((segment) => (segment.startsWith("{") ? PARAMETER : segment));
}

/**
 * Makes a function that finds the address of a path in a table; null if there is none.
 * @param fits whether an address can have this parameter. Default: any
 */
export function matcherOf<N extends string>(
  table: Readonly<Record<N, { readonly path: string }>>,
  fits: (name: N, parameter: string) => boolean = () => true,
): (target: Target) => Match<N> | null {
  const patterns = namesOf(table).map((name) => ({ name, pattern: patternOf(table[name].path) }));
  return ({ segments }) => {
    for (const { name, pattern } of patterns) {
      if (pattern.length !== segments.length) continue;
      if (!pattern.every((part, i) => part === PARAMETER || part === segments[i])) continue;
      const index = pattern.indexOf(PARAMETER);
      const parameter = index < 0 ? null : (segments[index] ?? "");
      if (fits(name, parameter ?? "")) return { name, parameter };
    }
    return null;
  };
}

/** Segments of the longest address, with those of pages. */
const SEGMENTS_MAX = 5;

/**
 * Returns the path and query of a request target. The client of a proxy sends a whole URL (absolute-form, RFC 9112
 * section 3.2.2). Its scheme and host are dropped, since the server has one directory under every name.
 */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const [authority] = /^https?:\/\/[^/?#]+/i.exec(target) ?? [];
  if (authority === undefined) return target;
  const rest = target.slice(authority.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/**
 * Splits a request target in origin-form; null for any other form (`*`, or a host with a port). Decodes percent escapes
 * once, segment by segment, so that an escaped letter cannot slip past a check and an escaped slash separates nothing.
 */
function parseTarget(target: string): Target | null {
  if (!target.startsWith("/")) return null;
  const split = target.indexOf("?");
  const path = split < 0 ? target : target.slice(0, split);
  const segments = path.slice(1).split("/", SEGMENTS_MAX + 1);
  return {
    // No address matches a path that is too long, so its segments need no decoding.
    segments: segments.length > SEGMENTS_MAX ? segments : segments.map(percentDecoded),
    query: split < 0 ? "" : target.slice(split + 1),
  };
}

/**
 * Returns the violations of a path (docs/contract.md#33-the-host-in-the-path). The message names the canonical host
 * that was probably meant, if there is one.
 * @param path the path of the address in its table
 * @param parameter as sent
 */
export function pathIssues(path: string, parameter: string | null): Issue[] {
  const host = parameter ?? "";
  if (!path.includes("{host}") || isCanonicalHost(host)) return [];
  const meant = meantHost(host);
  const hint = meant === null ? "" : `; ${addressHint(meant)}`;
  return [{ path: "host", message: HOST_RULE + hint }];
}

/** @param text a canonical host, or a path of one; it needs no escaping */
function addressHint(text: string): string {
  return `did you mean "${text}"?`;
}

/** Addresses outside the contract that report the health of the process. */
const HEALTH = { healthz: { path: "/healthz" }, readyz: { path: "/readyz" } } as const;
export type HealthName = keyof typeof HEALTH;

/**
 * The address that a request target names, with its query. All targets with the same answer share one `key`: the path,
 * then the parameters on which the answer depends, in a fixed order. `key` is null if the answer is never cached.
 */
export type Address =
  | { readonly kind: "none"; readonly failed: Failed; readonly key: null }
  | { readonly kind: "health"; readonly name: HealthName; readonly key: null }
  | ReadAddress
  | {
      readonly kind: "page";
      readonly name: string;
      readonly match: PageMatch;
      readonly query: QueryReading<PageQuery>;
      readonly pages: Pages;
      readonly key: string | null;
    };

/** The address of a read, of the contract or beyond it. */
export interface ReadAddress extends Match<string> {
  readonly kind: "read";
  readonly tabled: TabledRead;
  readonly query: QueryReading<Asked>;
  readonly key: string | null;
}

/** Finds the read of a path, and its path parameter. */
type FindRead = (target: Target) => Pick<ReadAddress, "tabled" | "parameter"> | null;

/** Made once for each table of reads beyond the contract: each request looks for its address. */
const finders = new WeakMap<Extensions, FindRead>();

function finderOf(extensions: Extensions): FindRead {
  const known = finders.get(extensions);
  if (known !== undefined) return known;
  const reads = readTable(extensions);
  const match = matcherOf(reads);
  const find: FindRead = (target) => {
    const found = match(target);
    const tabled = found === null ? undefined : reads[found.name];
    return found === null || tabled === undefined ? null : { tabled, parameter: found.parameter };
  };
  finders.set(extensions, find);
  return find;
}

const NO_EXTENSIONS: Extensions = {};
const matchHealth = matcherOf(HEALTH);

/**
 * Finds the address of a request target and reads its query.
 * @param sent the request target as the client sent it
 * @param pages the pages beside the API; null if there are none
 * @param extensions the reads beyond the contract. Default: none
 */
export function addressOf(
  sent: string,
  pages: Pages | null,
  extensions: Extensions = NO_EXTENSIONS,
): Address {
  const { targetMax } = SERVER_LIMITS;
  if (sent.length > targetMax) {
    return none(414, `The request target is longer than ${targetMax} characters.`);
  }
  const target = parseTarget(originForm(sent));
  if (target === null) return none(400, "The request target must be a path.");
  const find = finderOf(extensions);
  const found = find(target) ?? foundSlashed(target, find);
  if (found !== null) return readAddress(found, target);
  const page = pages?.match(target) ?? null;
  if (pages !== null && page !== null) return pageAddress(page, target, pages);
  const health = matchHealth(target);
  if (health !== null) return { kind: "health", name: health.name, key: null };
  return none(404, noAddressError(target, pages?.suggested ?? []));
}

/** The read of a path that ends in a slash, if that is the same address. */
function foundSlashed({ segments, query }: Target, find: FindRead): ReturnType<FindRead> {
  if (segments.at(-1) !== "") return null;
  const found = find({ segments: segments.slice(0, -1), query });
  return found?.tabled.hasSlashedForm === true ? found : null;
}

function none(status: number, error: string): Address {
  return { kind: "none", failed: { status, error }, key: null };
}

function readAddress(
  { tabled, parameter }: NonNullable<ReturnType<FindRead>>,
  target: Target,
): ReadAddress {
  const query = tabled.read.ask(target.query);
  const key = query.ok ? keyOf(target, query.value.text) : null;
  return { kind: "read", name: tabled.name, parameter, tabled, query, key };
}

function pageAddress(match: PageMatch, target: Target, pages: Pages): Address {
  const query = pages.readQuery(match, target.query);
  // Programs get a 404 at the same target, so a cache by target must not hold it.
  const isCached = query.ok && !match.page.isForBrowsers;
  const key = isCached ? keyOf(target, query.value.text) : null;
  return { kind: "page", name: match.page.name, match, query, pages, key };
}

/** Escapes a slash within a segment, so that two different paths never share a key. */
function keyOf({ segments }: Target, query: string): string | null {
  const path = segments.map((segment) => `/${encodeURIComponent(segment ?? "")}`).join("");
  return query === "" ? path : `${path}?${query}`;
}

const READ_PATTERNS = Object.values(ROUTES).map(({ path }) => patternOf(path));

/**
 * The error for an address that does not exist. It names the existing address that is nearest, if there is one.
 * @param pages the addresses of pages that an error may name. Their only parameter is a host.
 */
function noAddressError(target: Target, pages: readonly PathPattern[]): string {
  const meant = meantAddress(target, [...READ_PATTERNS, ...pages]);
  if (meant === null) return ERROR_TEXTS.noAddress;
  return `${ERROR_TEXTS.noAddress.replace(/\.$/, "")}; ${addressHint(meant)}`;
}

/**
 * The existing address that differs from a path only in letter case, in empty segments such as a slash at the end, in a
 * file's ending, in the spelling of its host, or in the missing `report` of a host. Null if there is none.
 */
function meantAddress({ segments }: Target, patterns: readonly PathPattern[]): string | null {
  const decoded = segments.filter((segment) => segment !== null);
  const present = decoded.filter((segment) => segment !== "");
  const last = present.at(-1);
  if (last === undefined || decoded.length < segments.length) return null;
  const bare = last.replace(/\.(?:json|html)$/i, "");
  const folder = present.slice(0, -1);
  const tries = [
    present,
    [...folder, ...(bare.toLowerCase() === "index" ? [] : [bare])],
    [...present, "report"],
  ];
  for (const tried of tries) {
    const path = tried.length === 0 ? [""] : tried;
    const found = patterns.map((pattern) => pathAt(pattern, path)).find((one) => one !== null);
    if (found !== undefined) return found;
  }
  return null;
}

/** The canonical path of an address whose segments fit a pattern; null if they do not fit. */
function pathAt(pattern: PathPattern, segments: readonly string[]): string | null {
  if (pattern.length !== segments.length) return null;
  const fits = (part: string | typeof PARAMETER, index: number) =>
    part === PARAMETER || part === segments[index]?.toLowerCase();
  if (!pattern.every(fits)) return null;
  const path = pattern.map((part, index) =>
    part === PARAMETER ? meantHost(segments[index] ?? "") : part,
  );
  return path.includes(null) ? null : `/${path.join("/")}`;
}
