import { MARKDOWN_TYPE, READ_HEADERS } from "../../contract/headers.js";
import { API_CATALOG_LINK } from "../../contract/openapi/api-catalog.js";
import { CACHE_CONTROL, ROUTE_NAMES, ROUTES, type RouteName } from "../../contract/routes.js";
import { tableOf } from "../../contract/tables.js";
import type { Traits } from "./content.js";
import type { RouteMatch } from "./routing.js";

/**
 * The headers of a read of the contract, with links to what describes the answer, and to the report as Markdown.
 * @param query in its fixed order
 * @param hasPages whether the report is a page, too
 */
export function readTraits({ name, host }: RouteMatch, query: string, hasPages: boolean): Traits {
  const traits = TRAITS[name];
  if (name !== "report" || !hasPages) return traits;
  const page = `${upTo(ROUTES.report.path, 1)}sites/${host}/report.md${query && "?"}${query}`;
  const alternate = `<${page}>; rel="alternate"; type="${MARKDOWN_TYPE}"`;
  return { ...traits, headers: { ...traits.headers, Link: `${DESCRIBED.report}, ${alternate}` } };
}

/** The way up from an address to its first `kept` slashes. Relative links work under any base address. */
function upTo(path: string, kept: number): string {
  return "../".repeat(path.split("/").length - 1 - kept);
}

const DESCRIBED: Readonly<Record<RouteName, string>> = tableOf(ROUTE_NAMES, (name) => {
  const { path, contentType } = ROUTES.openapi;
  if (name === "catalog") return API_CATALOG_LINK;
  // Both are below `/api/`.
  const description = upTo(ROUTES[name].path, 2) + path.slice("/api/".length);
  return `<${description}>; rel="describedby"; type="${contentType}"`;
});

const TRAITS: Readonly<Record<RouteName, Traits>> = tableOf(ROUTE_NAMES, (name) => {
  const { cache, contentType } = ROUTES[name];
  const headers = { "Cache-Control": CACHE_CONTROL[cache], Link: DESCRIBED[name] };
  return { contentType, headers: { ...READ_HEADERS, ...headers } };
});
