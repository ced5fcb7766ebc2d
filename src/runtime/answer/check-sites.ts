import type { SiteSummary } from "../../contract/listing.js";
import type { CheckDescription } from "../../contract/standards.js";
import type { Engine } from "../../engine/answering.js";
import type { CheckShown, CheckSite } from "../../pages/standards/check-page.js";
import { madeJson, type SnapshotView } from "./content.js";

/** Sites of each kind that a check's page names, and how many of the best ones it looks at to find them. */
const [NAMED, BEST] = [12, 2_000];
/** Sites a search. */
const PAGE_SIZE = 500;

type CountedSite = CheckSite &
  Pick<SiteSummary, "capabilities"> & {
    /** The checks that do not apply to the site, or that its scan lacks. */
    readonly exempt: readonly string[];
  };

/** All checks' pages look at the same sites. */
const bestOf = new WeakMap<Engine, Promise<readonly CountedSite[]>>();

/**
 * Finds the sites with the highest scores that pass a check, and those that do not pass. A site to which the check
 * does not apply, or whose scan has another methodology, is neither. Penalties are not counted, so they have no sites.
 */
export async function checkSites(
  { id, kind }: CheckDescription,
  snapshot: Pick<SnapshotView, "engine" | "directory">,
): Promise<Pick<CheckShown, "passing" | "failing">> {
  if (kind === "penalty") return { passing: [], failing: [] };
  const engine = await snapshot.engine;
  const reading = bestOf.get(engine) ?? bestSites(engine);
  bestOf.set(engine, reading);
  reading.catch(() => bestOf.delete(engine));
  const best = await reading;
  const { version } = snapshot.directory.rubric;
  const isSubject = ({ exempt, latestScoreVersion }: CountedSite) =>
    latestScoreVersion === version && !exempt.includes(id);
  const passes = ({ capabilities }: CountedSite) => capabilities.includes(id);
  return {
    passing: best.filter(passes).slice(0, NAMED),
    failing: best.filter((site) => !passes(site) && isSubject(site)).slice(0, NAMED),
  };
}

async function bestSites(engine: Engine): Promise<CountedSite[]> {
  const sites: CountedSite[] = [];
  const count = Math.min(BEST, engine.scored);
  for (let page = 1; sites.length < count; page += 1) {
    const body = await engine.search({ sort: "score", page, limit: PAGE_SIZE });
    const { data } = madeJson<{ readonly data: SiteSummary[] }>(body);
    if (data.length === 0) break;
    const exempted = await engine.exemptOf(data.map(({ host }) => host));
    for (const { host, name, latestScore, latestBand, latestScoreVersion, capabilities } of data) {
      const counted = { latestScore, latestBand, latestScoreVersion, capabilities };
      sites.push({ host, name, ...counted, exempt: exempted.get(host) ?? [] });
    }
  }
  return sites.slice(0, count);
}
