import { API_CATALOG_LINK, READ_HEADERS } from "../contract/headers.js";
import {
  CACHE_CONTROL,
  ROUTE_NAMES,
  ROUTES,
  type Route,
  type RouteName,
} from "../contract/routes.js";
import { tableOf } from "../contract/tables.js";
import { type Extensions, READS, type Read } from "./content.js";

/** A read at its address, with what its answers share. */
export interface TabledRead {
  readonly name: string;
  /** The path of the address. Segments in braces are parameters. */
  readonly path: string;
  readonly read: Read;
  readonly isOfContract: boolean;
  /** Whether the path with a slash at its end is the same address. */
  readonly hasSlashedForm: boolean;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

const CONTRACT_READS = tableOf(
  ROUTE_NAMES,
  (name): TabledRead => ({
    name,
    path: ROUTES[name].path,
    read: READS[name],
    isOfContract: true,
    hasSlashedForm: false,
    contentType: ROUTES[name].contentType,
    headers: { ...headersOf(ROUTES[name]), Link: linkHeaderOf(name) },
  }),
);

/** All reads by name: those of the contract, then those beyond it. */
export function readTable(extensions: Extensions): Readonly<Record<string, TabledRead>> {
  const more = Object.entries(extensions).map(([name, extension]): [string, TabledRead] => {
    const { path, read, hasSlashedForm = false, contentType } = extension;
    const headers = headersOf(extension);
    return [name, { name, path, read, isOfContract: false, hasSlashedForm, contentType, headers }];
  });
  return { ...CONTRACT_READS, ...Object.fromEntries(more) };
}

function headersOf({ cache }: Pick<Route, "cache">): Record<string, string> {
  return { ...READ_HEADERS, "Cache-Control": CACHE_CONTROL[cache] };
}

/** The way up from an address to its first `kept` slashes. Relative links work under any base address. */
export function upTo(path: string, kept: number): string {
  return "../".repeat(path.split("/").length - 1 - kept);
}

function linkHeaderOf(name: RouteName): string {
  if (name === "catalog") return API_CATALOG_LINK;
  const { path, contentType } = ROUTES.openapi;
  // Both are below `/api/`.
  const description = upTo(ROUTES[name].path, 2) + path.slice("/api/".length);
  return `<${description}>; rel="describedby"; type="${contentType}"`;
}
