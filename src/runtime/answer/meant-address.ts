import { ERROR_TEXTS } from "../../contract/error.js";
import { ROUTES } from "../../contract/routes.js";
import { PAGE_ROUTES } from "../../pages/kit/routes.js";
import { addressHint, meantHost, PARAMETER, patternOf, type Target } from "./routing.js";

/** The addresses that an error may name: all reads, and the pages for people. Their only parameter is a host. */
const { explorer, standardsPage, page, markdown, badge, robots, llms, sitemap } = PAGE_ROUTES;
const PATTERNS = [
  ...Object.values(ROUTES),
  ...[explorer, standardsPage, page, markdown, badge, robots, llms, sitemap],
].map(({ path }) => patternOf(path));

/** The error for an address that does not exist. It names the existing address that is nearest, if there is one. */
export function noAddressError(target: Target): string {
  const meant = meantAddress(target);
  if (meant === null) return ERROR_TEXTS.noAddress;
  return `${ERROR_TEXTS.noAddress.replace(/\.$/, "")}; ${addressHint(meant)}`;
}

/**
 * The existing address that differs from a path only in letter case, in empty segments such as a slash at the end, in a
 * file's ending, in the spelling of its host, or in the missing `report` of a host. Null if there is none.
 */
function meantAddress({ segments }: Target): string | null {
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
    const found = PATTERNS.map((pattern) => pathAt(pattern, path)).find((one) => one !== null);
    if (found !== undefined) return found;
  }
  return null;
}

/** The canonical path of an address whose segments fit a pattern; null if they do not fit. */
function pathAt(pattern: (typeof PATTERNS)[number], segments: readonly string[]): string | null {
  if (pattern.length !== segments.length) return null;
  const fits = (part: string | typeof PARAMETER, place: number) =>
    part === PARAMETER || part === segments[place]?.toLowerCase();
  if (!pattern.every(fits)) return null;
  const path = pattern.map((part, place) =>
    part === PARAMETER ? meantHost(segments[place] ?? "") : part,
  );
  return path.includes(null) ? null : `/${path.join("/")}`;
}
