import type { Issue } from "../../contract/error.js";
import { HOST_RULE, isCanonicalHost, meantHost, percentDecoded } from "../../contract/host.js";
import { namesOf } from "../../contract/tables.js";

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
export const PARAMETER = Symbol("parameter");

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
export function parseTarget(target: string): Target | null {
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
export function addressHint(text: string): string {
  return `did you mean "${text}"?`;
}
