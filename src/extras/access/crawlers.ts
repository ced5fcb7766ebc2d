import { type Failure, madeOnce, type SnapshotView } from "../../answer/content.js";
import { type Documents, standardsOf } from "../../answer/page-facts.js";
import { ERROR_TEXTS } from "../../contract/error.js";
import { textHash } from "../../contract/host.js";
import { nearNames } from "../../contract/near.js";
import { byCodeUnit } from "../../contract/order.js";
import type { Standards } from "../../contract/standards.js";
import { SLUG } from "../../contract/values.js";
import type { Access, FindingState } from "./gist.js";
import { indexOf } from "./stored-access.js";

/* Crawlers, and what reports say about one of them. */

/** A crawler that the methodology or a report names. */
export interface Crawler {
  /** Its token in robots.txt, or its name if it has none. */
  readonly name: string;
  /** All its names, in lower case. */
  readonly names: ReadonlySet<string>;
}

/** The crawlers of a directory: those of the methodology in its order, then those that only reports name. */
export const crawlersOf = madeOnce(
  async (
    snapshot: Documents & Pick<SnapshotView, "addition" | "readAdded">,
  ): Promise<readonly Crawler[]> => {
    const crawlers = cataloguedCrawlers(await standardsOf(snapshot));
    const known = new Set(crawlers.flatMap(({ names }) => [...names]));
    const index = await indexOf(snapshot);
    for (const name of [...new Set(index?.accesses.flatMap(tokensIn) ?? [])].sort(byCodeUnit)) {
      const folded = name.toLowerCase();
      if (!known.has(folded)) crawlers.push({ name, names: new Set([folded]) });
      known.add(folded);
    }
    return crawlers;
  },
);

function cataloguedCrawlers({ crawlerCatalogue, aiCrawlers }: Standards): Crawler[] {
  const crawlers = crawlerCatalogue.map(({ id, name, robotsToken, aliases }) => ({
    name: robotsToken ?? name,
    names: new Set([id, name, robotsToken ?? name, ...aliases].map((one) => one.toLowerCase())),
  }));
  const others = aiCrawlers
    .filter(({ name }) => !crawlers.some(({ names }) => names.has(name.toLowerCase())))
    .map(({ name }) => ({ name, names: new Set([name.toLowerCase()]) }));
  return [...crawlers, ...others];
}

function tokensIn({ identities, rows }: Access): string[] {
  return [
    ...identities,
    ...rows.flatMap(({ findings }) => findings.flatMap((one) => one.subjects)),
  ];
}

/** The crawler of a name, ignoring case; a failure that names near ones if there is none. @param allAt what has all */
export async function crawlerNamed(
  name: string,
  snapshot: SnapshotView,
  allAt = "/api/access has all",
): Promise<Crawler | Failure> {
  const crawlers = await crawlersOf(snapshot);
  const found = crawlers.find(({ names }) => names.has(name.toLowerCase()));
  if (found !== undefined) return found;
  const all = crawlers.map((one) => one.name);
  const near = nearNames(name, all).map((one) => `"${one}"`);
  const hint = near.length === 0 ? "; " : `; did you mean ${near.join(" or ")}? `;
  const message = `"${name.toWellFormed()}" is no crawler of this directory${hint}${allAt}`;
  return { status: 400, error: ERROR_TEXTS.invalid, issues: [{ path: "crawler", message }] };
}

/** A purpose of access, with what was found for it. */
export interface FoundAccess {
  readonly title: string;
  readonly states: FindingState[];
}

/** What a report says about a crawler, or about all that it names. */
export function accessFor({ rows }: Access, crawler: Crawler | null): FoundAccess[] {
  return rows.flatMap(({ title, findings }) => {
    const states = findings.filter(isAbout(crawler)).map(({ state }) => state);
    return states.length === 0 ? [] : [{ title, states: [...new Set(states)] }];
  });
}

function isAbout(crawler: Crawler | null) {
  return ({ subjects }: { readonly subjects: readonly string[] }): boolean =>
    crawler === null || subjects.some((one) => crawler.names.has(one.toLowerCase()));
}

/** What rules let a crawler read, from all that was found. */
export function declaredIn(states: Iterable<FindingState>): Declared {
  const all = new Set(states);
  const isAllowed = all.has("allowed");
  const isRefused = all.has("disallowed");
  if (all.has("mixed") || (isAllowed && isRefused)) return "mixed";
  if (isAllowed) return "allowed";
  return isRefused ? "disallowed" : "unstated";
}

export const DECLARED = ["allowed", "disallowed", "mixed", "unstated"] as const;
export type Declared = (typeof DECLARED)[number];
export const SERVED = ["answered", "refused", "mixed", "unknown"] as const;
export type Served = (typeof SERVED)[number];

/** What a site declares to a crawler, and what its server did with the crawler's requests. */
export interface Treatment {
  readonly declared: Declared;
  readonly served: Served;
}

/** How a site treats a crawler, by its report; null if the report says nothing about the crawler. */
export function treatmentIn({ rows }: Access, crawler: Crawler): Treatment | null {
  const findings = rows.flatMap((row) => row.findings).filter(isAbout(crawler));
  if (findings.length === 0) return null;
  const seen = new Set(findings.flatMap(({ isRule, state }) => (isRule ? [] : [state])));
  const isRefused = seen.has("observed");
  const isAnswered = seen.has("not-observed");
  const served = isRefused
    ? isAnswered
      ? "mixed"
      : "refused"
    : isAnswered
      ? "answered"
      : "unknown";
  return { declared: declaredIn(findings.map(({ state }) => state)), served };
}

/** The longest name of a crawler that is a slug by itself. */
const SLUG_MAX = 60;

/**
 * The name of a crawler in names of files. A name that is no slug gets a hash at its end, so that no other crawler has
 * the same.
 */
export function crawlerSlug({ name }: Pick<Crawler, "name">): string {
  const folded = name.toLowerCase();
  if (folded.length <= SLUG_MAX && SLUG.read(folded) !== undefined) return folded;
  const words = folded
    .match(/[a-z0-9]+/g)
    ?.join("-")
    .slice(0, SLUG_MAX)
    .replace(/-$/, "");
  const hash = textHash(name).toString(16).padStart(8, "0");
  return words === undefined ? hash : `${words}-${hash}`;
}
