import type { Issue } from "../../contract/error.js";
import { EXTENSION_NAMES, EXTENSIONS, type ExtensionName } from "../../contract/extensions.js";
import {
  canonicalHostOf,
  HOST_RULE,
  isCanonicalHost,
  percentDecoded,
} from "../../contract/host.js";
import { ROUTE_NAMES, ROUTES, type RouteName } from "../../contract/routes.js";

/** A request target, split into the parts that choose a route. */
export interface Target {
  /**
   * The decoded segments of the path; null for a segment that does not decode. A path longer than any route is cut
   * after SEGMENTS_MAX + 1 segments, which stay encoded.
   */
  readonly segments: readonly (string | null)[];
  /** The text after the first `?`, still encoded. */
  readonly query: string;
}

/** A route of the contract with its path parameter as sent. */
export interface RouteMatch {
  readonly name: RouteName;
  readonly host: string | null;
}

/** An address beyond the contract with its path parameter as sent. */
export interface ExtensionMatch {
  readonly name: ExtensionName;
  readonly parameter: string | null;
}

/** Stands for a path parameter in a pattern. */
export const PARAMETER = Symbol("parameter");

/** The segments of a route's path, in which a parameter matches any segment. */
export type PathPattern = readonly (string | typeof PARAMETER)[];

/** Returns the pattern of a path whose parameters are in braces. */
export function patternOf(path: string): PathPattern {
  return path
    .split("/")
    .slice(1)
    .map((segment) => (segment.startsWith("{") ? PARAMETER : segment));
}

const TABLE = ROUTE_NAMES.map((name) => ({ name, pattern: patternOf(ROUTES[name].path) }));
const EXTENSION_TABLE = EXTENSION_NAMES.map((name) => ({
  name,
  pattern: patternOf(EXTENSIONS[name].path),
}));

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
export function parseTarget(target: string): Target | null {
  if (!target.startsWith("/")) return null;
  const split = target.indexOf("?");
  const path = split < 0 ? target : target.slice(0, split);
  const segments = path.slice(1).split("/", SEGMENTS_MAX + 1);
  return {
    // No route matches a path that is too long, so its segments need no decoding.
    segments: segments.length > SEGMENTS_MAX ? segments : segments.map(percentDecoded),
    query: split < 0 ? "" : target.slice(split + 1),
  };
}

/** Finds the contract's route for a path; null if there is none. */
export function matchRoute(target: Target): RouteMatch | null {
  for (const { name, pattern } of TABLE) {
    const matched = matchPattern(pattern, target);
    if (matched !== null) return { name, host: matched.parameter };
  }
  return null;
}

/** Finds the address beyond the contract for a path; null if there is none. */
export function matchExtension(target: Target): ExtensionMatch | null {
  for (const { name, pattern } of EXTENSION_TABLE) {
    const matched = matchPattern(pattern, target);
    if (matched !== null) return { name, parameter: matched.parameter };
  }
  return null;
}

/**
 * Matches a path against a pattern; null if it does not match. `parameter` is the path parameter, or several joined by
 * slashes, or null if the pattern has none.
 */
export function matchPattern(
  pattern: PathPattern,
  { segments }: Target,
): { readonly parameter: string | null } | null {
  if (pattern.length !== segments.length) return null;
  if (!pattern.every((part, i) => part === PARAMETER || part === segments[i])) return null;
  const parameters = segments.filter((_, i) => pattern[i] === PARAMETER);
  return { parameter: parameters.length === 0 ? null : parameters.join("/") };
}

/** Addresses outside the contract that report the health of the process. */
const HEALTH_PATHS = ["healthz", "readyz"] as const;
export type HealthPath = (typeof HEALTH_PATHS)[number];

/** Finds the health address of a path; null if the path is not one. */
export function healthPath({ segments }: Target): HealthPath | null {
  if (segments.length !== 1) return null;
  return HEALTH_PATHS.find((path) => path === segments[0]) ?? null;
}

/** Returns the violations of a route's path parameters (contract section 4: canonical host). */
export function pathIssues({ host }: RouteMatch): Issue[] {
  return host === null ? [] : hostIssues(host);
}

/** Returns the violations of a host in a path. The message names the canonical host, if there is one. */
export function hostIssues(host: string): Issue[] {
  if (isCanonicalHost(host)) return [];
  const meant = meantHost(host);
  const hint = meant === null ? "" : `; ${addressHint(meant)}`;
  return [{ path: "host", message: HOST_RULE + hint }];
}

/** The longest text, in characters, for which a hint names a host. Reading a longer one may take milliseconds. */
const MEANT_MAX = 500;

/** Returns the canonical host that a client probably meant; null if there is none. */
export function meantHost(text: string): string | null {
  return text.length > MEANT_MAX ? null : canonicalHostOf(text);
}

/** @param text a canonical host, or a path of one; it needs no escaping */
export function addressHint(text: string): string {
  return `did you mean "${text}"?`;
}
