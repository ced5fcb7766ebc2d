import { describe, expect, it } from "vitest";
import type { Figures, GroupFigures } from "../../../src/contract/figures.js";
import { medianScore } from "../../../src/contract/figures.js";
import type { Standards } from "../../../src/contract/standards.js";
import {
  type TrendMoment,
  type Trends,
  trendsWith,
} from "../../../src/extras/trends/stored-trends.js";
import { trendPoints } from "../../../src/extras/trends/trends.js";
import { aCheckDescription, theStandards } from "../../fixtures.js";
import { chance, pick, seeded, whole } from "../../oracle/random.js";
import { repeated } from "../../slow.js";

const CATEGORIES = ["news", "weather", "constructor"];
const CHECKS = ["https", "sitemap", "mcp", "bot-wall", "later"];
const DAY_MS = 86_400_000;

interface Publication {
  readonly moment: TrendMoment;
  readonly figures: Figures;
  readonly standards: Standards;
}

/** Publications up to three years apart, in order, whose figures and methodologies go up and down. */
function randomPublications(random: () => number): Publication[] {
  let time = Date.parse("2023-02-27T00:00:00Z");
  const steps = [3_600_000, DAY_MS, 9 * DAY_MS];
  return Array.from({ length: whole(random, 1, 60) }, (_, index) => {
    time += whole(random, 1, pick(random, steps));
    const standards = theStandards();
    const hasLater = chance(random, 0.8);
    if (hasLater) standards.checks.push(aCheckDescription({ id: "later" }));
    if (chance(random, 0.2)) standards.rubric.bands.pop();
    const group = (): GroupFigures => {
      const listed = whole(random, 0, 30);
      const scored = whole(random, 0, listed);
      const scores: [number, number][] = scored === 0 ? [] : [[whole(random, 0, 100), scored]];
      const passed = listed === 0 ? {} : { https: whole(random, 1, listed), "bot-wall": 1 };
      const exempt = listed === 0 ? {} : { mcp: listed, ...(hasLater && { later: 1 }) };
      return { listed, scored, scores, passed, exempt };
    };
    const filled = CATEGORIES.filter(() => chance(random, 0.6));
    const categories = Object.fromEntries(filled.map((slug) => [slug, group()]));
    const published = index === 0 ? null : new Date(time).toISOString();
    const scannedTo = new Date(time - 1).toISOString();
    const scoreVersion = pick(random, ["1", "2"]);
    return {
      moment: { generation: index + 1, publishedAt: published, scannedTo, scoreVersion },
      figures: { lastScannedAt: scannedTo, all: group(), categories },
      standards,
    };
  });
}

/** The last publication of each day of the last 90 days, and of each week before. */
function naivelyThinned(all: readonly Publication[]): Publication[] {
  const dayOf = ({ moment }: Publication) =>
    Math.floor(Date.parse(moment.publishedAt ?? moment.scannedTo ?? "") / DAY_MS);
  const last = dayOf(all.at(-1)!);
  const spans = new Map<string, Publication>();
  for (const one of all) {
    const day = dayOf(one);
    const monday = day - ((new Date(day * DAY_MS).getUTCDay() + 6) % 7);
    spans.set(last - day < 90 ? `day ${day}` : `week ${monday}`, one);
  }
  return [...spans.values()];
}

function naivePoint(
  { moment, figures, standards }: Publication,
  category: string | undefined,
  check: string | undefined,
) {
  const none: GroupFigures = { listed: 0, scored: 0, scores: [], passed: {}, exempt: {} };
  const group =
    category === undefined
      ? figures.all
      : (new Map(Object.entries(figures.categories)).get(category) ?? none);
  const [score, count] = group.scores[0] ?? [-1, 0];
  const isKnown = standards.checks.some(({ id, kind }) => id === check && kind !== "penalty");
  const passed = isKnown ? (group.passed[check!] ?? 0) : null;
  const n = isKnown ? group.listed - (group.exempt[check!] ?? 0) : null;
  const isEnough = n !== null && n >= 5;
  return {
    ...moment,
    listings: group.listed,
    scored: group.scored,
    median: group.scored < 5 ? null : medianScore(group),
    bands: Object.fromEntries(
      (group.scored < 5 ? [] : standards.rubric.bands).map(({ band, min, max }) => [
        band,
        min <= score && score <= max ? count : 0,
      ]),
    ),
    passed: isEnough ? passed : null,
    n,
    share: isEnough && passed !== null ? Number((passed / n).toFixed(4)) : null,
  };
}

describe("trends", () => {
  const seeds = Array.from({ length: repeated(12, 500) }, (_, index) => index);

  it.each(seeds)("are the figures of each kept publication, of random history %i", (seed) => {
    const random = seeded(seed);
    const all = randomPublications(random);
    let trends: Trends | null = null;
    const shown: Publication[] = [];
    for (const one of all) {
      trends = trendsWith(trends, one.moment, one.figures, one.standards);
      shown.push(one);
      // A point that was left out once stays away, whatever comes later.
      const kept = naivelyThinned(shown);
      shown.splice(0, shown.length, ...kept);
    }
    for (const category of [undefined, ...CATEGORIES, "nowhere"]) {
      for (const check of [undefined, ...CHECKS]) {
        const points = trendPoints(trends!, { category, check });
        expect(points).toEqual(shown.map((one) => naivePoint(one, category, check)));
      }
    }
  });
});
