import { FACET_FILTERS, type FacetFilterName, LIST_FILTERS } from "../../contract/filters.js";
import type { FacetScores } from "../../contract/listing.js";
import type { ScoreRubric } from "../../engine/answering.js";
import { pointsFrom } from "../../engine/facets.js";
import { CONDITIONS, type QuerySets } from "./sets.js";
import { NO_SCORE } from "./tables.js";

/* What a facets answer counts, as columns of one statement (engine/facets.ts). */

/** A term, and the number of listings in a set that have it. */
type TermTotal = readonly [term: string, count: number];

/** The result: by facet, the listings that are counted, and those with each value. */
export type FacetRow = Readonly<
  Record<FacetFilterName, readonly [number, readonly TermTotal[]]>
> & {
  readonly total: number;
  readonly bands?: readonly TermTotal[];
  readonly scores?: readonly TermTotal[];
  readonly points?: readonly TermTotal[];
};

/** @param rubric if given, the counts of scores are added */
export function facetColumns(sets: QuerySets, rubric: ScoreRubric | null): string[] {
  const matching = sets.all("matching", CONDITIONS);
  const columns = [`bitmapCardinality(${matching}) AS total`];
  for (const filter of FACET_FILTERS) {
    const isIgnored = LIST_FILTERS[filter].match === "any" && sets.has(filter);
    const others = CONDITIONS.filter((condition) => condition !== filter);
    const among = isIgnored ? sets.all(`no_${filter}`, others) : matching;
    columns.push(`(bitmapCardinality(${among}), ${sets.counts(filter, among)}) AS ${filter}`);
  }
  if (rubric === null) return columns;
  const open = CONDITIONS.filter((condition) => condition !== "band" && condition !== "scores");
  const inRange = sets.all("in_range", [...open, "scores"]);
  const version = sets.termSet("version", [`scoreVersion:${rubric.version}`]);
  return [
    ...columns,
    `${sets.counts("band", inRange)} AS bands`,
    `${sets.counts("score", sets.all("others", open))} AS scores`,
    `${sets.counts("score", sets.all("current", open, [version]))} AS points`,
  ];
}

/** By value, the counts of terms of one name. */
export function countsByValue(terms: readonly TermTotal[] = []): Map<string, number> {
  return new Map(terms.map(([term, count]) => [term.slice(term.indexOf(":") + 1), count]));
}

export function facetScoresOf(
  { bands, scores, points }: FacetRow,
  rubric: ScoreRubric,
): FacetScores {
  const [ofBand, ofScore, ofPoints] = [bands, scores, points].map(countsByValue);
  const unscored = ofScore?.get(`${NO_SCORE}`) ?? 0;
  const sum = (counts: ReadonlyMap<string, number> | undefined) =>
    [...(counts?.values() ?? [])].reduce((one, other) => one + other, 0);
  return {
    bands: rubric.bands.map(({ band }) => ({ band, count: ofBand?.get(band) ?? 0 })),
    unscored,
    olderScoring: sum(ofScore) - unscored - sum(ofPoints),
    points: pointsFrom((score) => ofPoints?.get(`${score}`) ?? 0),
  };
}
