import type { Issue } from "../../contract/error.js";
import { isCanonicalHost } from "../../contract/host.js";
import { percentDecoded } from "../../contract/percent.js";
import { PATH_PARAMETERS, ROUTES, type Route, type RouteName } from "../../contract/routes.js";
import { PAGE_ROUTES } from "../../pages/kit/routes.js";

/** A request target split into the parts by which routes are chosen. */
export interface Target {
  /** Decoded segments of the path; null where one does not decode. Of a path longer than any route, the first few. */
  readonly segments: readonly (string | null)[];
  /** What follows the first `?`, still encoded. */
  readonly query: string;
}

/** A contract's route with its path parameters as they came. */
export interface RouteMatch {
  readonly name: RouteName;
  readonly route: Route;
  readonly host: string | null;
}

/** Stands for a path parameter in a route's segments. */
const PARAMETER = Symbol("parameter");

/** A path's segments, in which a parameter stands for any one. */
export type PathPattern = readonly (string | typeof PARAMETER)[];

/** The pattern of a path in which parameters are in braces. */
export function patternOf(path: string): PathPattern {
  return path
    .split("/")
    .slice(1)
    .map((segment) => (segment.startsWith("{") ? PARAMETER : segment));
}

const TABLE = Object.entries(ROUTES).map(([name, route]) => ({
  name: name as RouteName,
  route: route as Route,
  pattern: patternOf(route.path),
}));

/** Segments of the longest route. */
const SEGMENTS_MAX = Math.max(
  ...[...Object.values(ROUTES), ...Object.values(PAGE_ROUTES)].map(
    ({ path }) => patternOf(path).length,
  ),
);

/**
 * The path and query of a request target. A proxy's client sends a whole address (absolute-form, RFC 9112 section
 * 3.2.2): its scheme and host are left out, as this server has one directory, whatever it is called.
 */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const [authority] = /^https?:\/\/[^/?#]+/i.exec(target) ?? [];
  if (authority === undefined) return target;
  const rest = target.slice(authority.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/**
 * Splits a request target in origin-form; null where it is not one (`*`, a host with a port).
 * Percent escapes are decoded once, segment by segment, so that an escaped letter cannot slip past
 * a check and an escaped slash separates nothing.
 */
export function parseTarget(target: string): Target | null {
  if (!target.startsWith("/")) return null;
  const split = target.indexOf("?");
  const path = split < 0 ? target : target.slice(0, split);
  const segments = path.slice(1).split("/", SEGMENTS_MAX + 1);
  return {
    // No route matches a path that is too long, so it need not be decoded.
    segments: segments.length > SEGMENTS_MAX ? segments : segments.map(percentDecoded),
    query: split < 0 ? "" : target.slice(split + 1),
  };
}

/** Finds the contract's route of a path; null where no route has it. */
export function matchRoute(target: Target): RouteMatch | null {
  for (const { name, route, pattern } of TABLE) {
    const matched = matchPattern(pattern, target);
    if (matched !== null) return { name, route, host: matched.parameter };
  }
  return null;
}

/**
 * Whether a path has a pattern: its parameter, those of several joined by slashes, null where the pattern has none; null
 * where it has not.
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

/** Addresses beside the contract's that say how the process is. */
const HEALTH_PATHS = ["healthz", "readyz"] as const;
export type HealthPath = (typeof HEALTH_PATHS)[number];

/** Finds the health address of a path; null where it is none. */
export function healthPath({ segments }: Target): HealthPath | null {
  if (segments.length !== 1) return null;
  return HEALTH_PATHS.find((path) => path === segments[0]) ?? null;
}

/** The violations of a route's path parameters (contract section 4: canonical host). */
export function pathIssues({ host }: RouteMatch): Issue[] {
  return host === null ? [] : hostIssues(host);
}

/** The violations of a host in a path. */
export function hostIssues(host: string): Issue[] {
  if (isCanonicalHost(host)) return [];
  const message = PATH_PARAMETERS.host.safeParse(host).error?.issues[0]?.message ?? "is not valid";
  return [{ path: "host", message }];
}
