import { ERROR_TEXTS } from "../../contract/error.js";
import { ROUTES } from "../../contract/routes.js";
import {
  addressHint,
  meantHost,
  PARAMETER,
  type PathPattern,
  patternOf,
  type Target,
} from "./routing.js";

const READS = Object.values(ROUTES).map(({ path }) => patternOf(path));

/**
 * The error for an address that does not exist. It names the existing address that is nearest, if there is one.
 * @param pages the addresses of pages that an error may name. Their only parameter is a host.
 */
export function noAddressError(target: Target, pages: readonly PathPattern[]): string {
  const meant = meantAddress(target, [...READS, ...pages]);
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
  const fits = (part: string | typeof PARAMETER, place: number) =>
    part === PARAMETER || part === segments[place]?.toLowerCase();
  if (!pattern.every(fits)) return null;
  const path = pattern.map((part, place) =>
    part === PARAMETER ? meantHost(segments[place] ?? "") : part,
  );
  return path.includes(null) ? null : `/${path.join("/")}`;
}
