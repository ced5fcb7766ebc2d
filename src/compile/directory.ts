import type { Platform, Signal, TaxonomyEntry } from "../contract/listing.js";
import { byCodeUnit } from "../contract/order.js";
import type { Standards } from "../contract/standards.js";
import type { Directory, Scan, Taxonomy } from "../published/checking/schemas.js";

/** What every listing of a directory is compiled against. */
export interface DirectoryContext {
  readonly standards: Standards;
  /** Active categories, in the order of the categories read. */
  readonly categories: readonly TaxonomyEntry[];
  /** Active tags, in the order of the tags read. */
  readonly tags: readonly TaxonomyEntry[];
  readonly platforms: readonly Platform[];
  /** Where human pages live, without a trailing slash. */
  readonly siteUrl: string;
}

/** Gathers a directory's three documents into what compiling a listing needs. */
export function directoryContext(
  directory: Directory,
  standards: Standards,
  taxonomy: Taxonomy,
): DirectoryContext {
  return {
    standards,
    categories: activeEntries(taxonomy.categories),
    tags: activeEntries(taxonomy.tags),
    platforms: taxonomy.platforms,
    siteUrl: directory.siteUrl ?? directory.baseUrl,
  };
}

/** The checks that the facets read counts: achievements and capabilities, in the standards' order (decisions, Order). */
export function signalsOf(standards: Standards): Signal[] {
  const signals: Signal[] = [];
  for (const { id, name, overview, kind } of standards.checks) {
    if (kind !== "penalty") signals.push({ id, label: name, description: overview, kind });
  }
  return signals;
}

/**
 * A scan's band: the rubric's where the scan was scored by the rubric's version, else the one it came
 * with; null without a score (published format, latestBand and scan.band).
 */
export function bandOf(
  scan: Pick<Scan, "score" | "scoreVersion" | "band">,
  { rubric }: Standards,
): string | null {
  const { score } = scan;
  if (score === null) return null;
  if (scan.scoreVersion !== rubric.version) return scan.band;
  return rubric.bands.find(({ min, max }) => min <= score && score <= max)?.band ?? null;
}

function activeEntries(entries: Taxonomy["tags"]): TaxonomyEntry[] {
  return entries
    .filter(({ active }) => active)
    .map(({ slug, name, group, order }) => ({ slug, name, group, order }))
    .sort((a, b) => a.order - b.order || byCodeUnit(a.slug, b.slug));
}
