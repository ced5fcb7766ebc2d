import { bandHolding } from "../contract/bands.js";
import type { FormerSlugs } from "../contract/former.js";
import type { Platform, Signal, TaxonomyEntry } from "../contract/listing.js";
import { byCodeUnit } from "../contract/order.js";
import { PUBLISHER_FACTS, type PublisherFacts } from "../contract/publisher.js";
import type { Standards } from "../contract/standards.js";
import type { DirectoryRecord, FormerRubric, Scan, Taxonomy } from "../input/checking/schemas.js";

/** The methodology, and the rubrics of earlier versions that are known. */
export interface Rubrics {
  readonly standards: Standards;
  readonly formerRubrics: readonly FormerRubric[];
}

/** The context that compiling any listing of a directory needs. */
export interface DirectoryContext extends Rubrics {
  /** Active categories, in the order of the categories read. */
  readonly categories: readonly TaxonomyEntry[];
  /** Active tags, in the order of the tags read. */
  readonly tags: readonly TaxonomyEntry[];
  readonly platforms: readonly Platform[];
  /** The base address of the pages for people, without a trailing slash. */
  readonly siteUrl: string;
  /** The slugs that terms had before; undefined if none was renamed. */
  readonly former?: FormerSlugs | undefined;
}

/**
 * Builds the context for compiling listings from a directory's three documents.
 * @param formerRubrics the rubrics of earlier versions
 * @param former the slugs that their terms had before. Default: none was renamed
 */
export function directoryContext(
  directory: DirectoryRecord,
  standards: Standards,
  taxonomy: Taxonomy,
  formerRubrics: readonly FormerRubric[] = [],
  former?: FormerSlugs,
): DirectoryContext {
  return {
    standards,
    formerRubrics,
    categories: activeEntries(taxonomy.categories),
    tags: activeEntries(taxonomy.tags),
    platforms: taxonomy.platforms.map(({ slug, name }) => ({ slug, name })),
    siteUrl: directory.siteUrl ?? directory.baseUrl,
    former,
  };
}

/** The facts that pages state about the publisher; undefined if the directory has none. */
export function publisherFacts(directory: DirectoryRecord): PublisherFacts | undefined {
  const facts = PUBLISHER_FACTS.flatMap((name) => {
    const fact = directory[name];
    return fact === null ? [] : [[name, fact] as const];
  });
  return facts.length === 0 ? undefined : Object.fromEntries(facts);
}

/** The checks that facets count: achievements and capabilities, in the standards' order (docs/contract.md#5-order). */
export function signalsOf(standards: Standards): Signal[] {
  const signals: Signal[] = [];
  for (const { id, name, overview, kind } of standards.checks) {
    if (kind !== "penalty") signals.push({ id, label: name, description: overview, kind });
  }
  return signals;
}

/**
 * A scan's band. If the rubric's version scored the scan, the rubric determines the band; otherwise it is the band
 * published with the scan or, without one, that of the rubric of the scan's own version, if it is known. Null without
 * a score (docs/contract.md#24-score-and-band-of-a-scan).
 */
export function bandOf(
  scan: Pick<Scan, "score" | "scoreVersion" | "band">,
  { standards: { rubric }, formerRubrics }: Rubrics,
): string | null {
  const { score, scoreVersion } = scan;
  if (score === null) return null;
  if (scoreVersion === rubric.version) return bandHolding(score, rubric) ?? null;
  if (scan.band !== null) return scan.band;
  const former = formerRubrics.find(({ version }) => version === scoreVersion);
  return (former && bandHolding(score, former)) ?? null;
}

function activeEntries(entries: Taxonomy["tags"]): TaxonomyEntry[] {
  return entries
    .filter(({ active }) => active)
    .map(({ slug, name, group, order }) => ({ slug, name, group, order }))
    .sort((a, b) => a.order - b.order || byCodeUnit(a.slug, b.slug));
}
