import { ROUTES, type RouteName } from "../../contract/routes.js";
import { apiLink } from "../kit/links.js";
import type { PageContext } from "../kit/page-context.js";

/** An example request of a read that the directory really answers. */
export interface Example {
  /** The host in the path; null if the read has none. */
  readonly host: string | null;
  /** Values of query parameters by name. */
  readonly query: Readonly<Record<string, string | number | readonly string[]>>;
}

/** Shown in a directory that has no report to take as an example. */
const NO_HOST = "example.com";
/** The length of the text to search for, taken from the start of the host. */
const TEXT_LENGTH = 3;

/** @param known a host that has a report; null if the directory has none */
export function exampleOf(name: RouteName, context: PageContext, known: string | null): Example {
  const host = known ?? NO_HOST;
  const best = context.rubric.bands.at(-1)?.band;
  const query = {
    search: { sort: "recent", limit: 5 },
    suggestions: { q: host.slice(0, TEXT_LENGTH) },
    facets: best === undefined ? {} : { band: [best] },
  };
  return {
    host: ROUTES[name].path.includes("{host}") ? host : null,
    query: name in query ? query[name as keyof typeof query] : {},
  };
}

/** The path and query of an example, below the base address. */
function examplePath(name: RouteName, { host, query }: Example): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    [value].flat().map((one) => `${key}=${encodeURIComponent(one)}`),
  );
  const path = ROUTES[name].path.replace("{host}", host ?? "");
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

/** A command that sends the example. Quoted, because `&` ends a command. */
export function curlLine(name: RouteName, example: Example, context: PageContext): string {
  return `curl "${apiLink(examplePath(name, example).slice(1), context)}"`;
}

/** For each read, the client's function and the parts of the answer that the snippet takes. */
const CALLS: Record<RouteName, readonly [call: string, taken: string]> = {
  search: ["sites", "{ data, pagination }"],
  suggestions: ["suggestions", "{ data }"],
  facets: ["facets", "{ data }"],
  report: ["report", "{ data }"],
  enrichment: ["enrichment", "{ data }"],
  standards: ["standards", "{ data }"],
  categories: ["categories", "{ data }"],
  tags: ["tags", "{ data }"],
  openapi: ["openapi", "description"],
  catalog: ["catalog", "{ linkset }"],
};

/** A program that sends the example with `crawldex/client`. */
export function clientSnippet(name: RouteName, { host, query }: Example, baseUrl: string): string {
  const [call, taken] = CALLS[name];
  const given = Object.entries(query).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const parameters = given.length === 0 ? "" : `{ ${given.join(", ")} }`;
  return `import { createClient } from "crawldex/client";

const api = createClient({ baseUrl: ${JSON.stringify(baseUrl)} });
const ${taken} = await api.${call}(${host === null ? parameters : JSON.stringify(host)});`;
}
