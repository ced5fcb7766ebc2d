import { bandHolding } from "../../contract/bands.js";
import type { Band, CheckDescription, Standards } from "../../contract/standards.js";

/*
 * The methodologies that a store has published last, and how the scores of sites moved between the last two. It has
 * sums only: a score of the former methodology may be one that the plan of its site does not show.
 */

/** The name of this extra, and the kind of its one file. */
export const METHODOLOGY_EXTRA = "methodology";

/** The address of the page, relative to `/`. */
export const ADDRESS = "standards/changes";

/** Fewer sites than this are not described: their figures could tell the former score of one of them. */
export const SITES_MIN = 10;

/** How many methodologies are kept, the current one included. */
const KEPT = 5;

/** The facts of a check that decide how it counts. */
export type CheckFacts = Pick<
  CheckDescription,
  "id" | "name" | "version" | "kind" | "lifecycle" | "block" | "weight" | "maxPoints"
>;

/** What is kept of a methodology. */
export interface Methodology {
  readonly rubric: Standards["rubric"];
  readonly checks: readonly CheckFacts[];
}

/** How scores moved among the sites that were scanned under both methodologies. */
export interface ShiftFigures {
  readonly sites: number;
  /** The lower median of the differences: positive if scores rose. */
  readonly median: number;
  readonly risen: number;
  readonly fallen: number;
  readonly same: number;
  /** The sites by their band now, and by the band before. Bands that fewer than `SITES_MIN` sites have are left out. */
  readonly bands: readonly BandMoves[];
}

interface BandMoves {
  /** The id of the band now. */
  readonly band: string;
  readonly sites: number;
  /** How many of them had each of the former bands, in the order of the former rubric. */
  readonly from: readonly (readonly [band: string, sites: number])[];
}

/** The document. */
export interface Comparison {
  /** Oldest first; the last one is the current one. */
  readonly methodologies: readonly Methodology[];
  /** The rubric before the current one; null if none is known. */
  readonly former: FormerBands | null;
  /** Null if fewer than `SITES_MIN` sites were scanned under both. */
  readonly shift: ShiftFigures | null;
}

/** The version of a rubric, and its bands. */
interface FormerBands {
  readonly version: string;
  readonly bands: readonly Band[];
}

/** How many sites moved from one score to another. */
interface Move {
  readonly from: number;
  readonly to: number;
  readonly sites: number;
}

/**
 * The document of a publication.
 * @param before the methodologies so far
 * @param moves sites in search that were scanned under both rubrics
 */
export function comparisonOf(
  before: readonly Methodology[],
  current: Standards,
  known: { readonly former: FormerBands; readonly moves: readonly Move[] } | null,
): Comparison {
  const others = before.filter(({ rubric }) => rubric.version !== current.rubric.version);
  return {
    methodologies: [...others, methodologyOf(current)].slice(-KEPT),
    former: known && { version: known.former.version, bands: known.former.bands },
    shift: known && shiftOf(known.moves, known.former.bands, current.rubric.bands),
  };
}

export function methodologyOf({ rubric, checks }: Standards): Methodology {
  return {
    rubric,
    checks: checks.map(({ id, name, version, kind, lifecycle, block, weight, maxPoints }) => ({
      id,
      name,
      version,
      kind,
      lifecycle,
      block,
      weight,
      maxPoints,
    })),
  };
}

function shiftOf(
  moves: readonly Move[],
  formerBands: readonly Band[],
  bands: readonly Band[],
): ShiftFigures | null {
  const sites = sitesOf(moves);
  if (sites < SITES_MIN) return null;
  const among = (belongs: (move: Move) => boolean) => sitesOf(moves.filter(belongs));
  return {
    sites,
    median: medianOf(moves, sites),
    risen: among(({ from, to }) => to > from),
    fallen: among(({ from, to }) => to < from),
    same: among(({ from, to }) => to === from),
    bands: bands.flatMap(({ band }) => {
      const here = moves.filter(({ to }) => bandHolding(to, { bands }) === band);
      if (sitesOf(here) < SITES_MIN) return [];
      const from = formerBands.map((former) => {
        const isIn = ({ from }: Move) => former.min <= from && from <= former.max;
        return [former.band, sitesOf(here.filter(isIn))] as const;
      });
      return [{ band, sites: sitesOf(here), from }];
    }),
  };
}

function sitesOf(moves: readonly Move[]): number {
  return moves.reduce((sum, { sites }) => sum + sites, 0);
}

/** The lower median of the differences. */
function medianOf(moves: readonly Move[], sites: number): number {
  let passed = 0;
  for (const move of moves.toSorted((a, b) => a.to - a.from - (b.to - b.from))) {
    passed += move.sites;
    if (2 * passed >= sites) return move.to - move.from;
  }
  return 0;
}
