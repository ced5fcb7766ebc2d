import { LIST_FILTER_NAMES, LIST_FILTERS, type StatedFacts } from "../../contract/filters.js";
import { currentSlug, currentSlugs, type FormerSlugs } from "../../contract/former.js";
import { own } from "../../contract/tables.js";
import type { LoggedChange } from "./stored-changes.js";

/**
 * A change with the slugs that terms have now, for what compares it with the present directory. The log itself keeps
 * the slugs of its time.
 */
export function withCurrentTerms<C extends LoggedChange>(
  change: C,
  former: FormerSlugs | undefined,
): C {
  if (former === undefined) return change;
  const { checks, was, left } = change;
  const ids = (all: readonly string[]) => currentSlugs("capability", all, former);
  return {
    ...change,
    checks: checks && { gained: ids(checks.gained), lost: ids(checks.lost) },
    was: was && renamedMembers(was, former),
    ...(left !== undefined && { left: renamedFacts(left, former) }),
  };
}

function renamedMembers(
  was: NonNullable<LoggedChange["was"]>,
  former: FormerSlugs,
): NonNullable<LoggedChange["was"]> {
  const renamed = LIST_FILTER_NAMES.flatMap((name) => {
    const { column } = LIST_FILTERS[name];
    const value = own<string | readonly string[] | null | undefined>(was, column);
    if (value === undefined || value === null) return [];
    const now =
      typeof value === "string"
        ? currentSlug(name, value, former)
        : currentSlugs(name, value, former);
    return [[column, now]];
  });
  return { ...was, ...Object.fromEntries(renamed) };
}

function renamedFacts(left: StatedFacts, former: FormerSlugs): StatedFacts {
  const renamed = LIST_FILTER_NAMES.flatMap((name) => {
    const values = left[name];
    return values === undefined ? [] : [[name, currentSlugs(name, values, former)]];
  });
  return { ...left, ...Object.fromEntries(renamed) };
}
