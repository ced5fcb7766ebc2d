import type { SiteSummary } from "../../contract/listing.js";
import type { CheckDescription } from "../../contract/standards.js";
import type { Engine } from "../../engine/answering.js";
import type { CheckShown, CheckSite } from "../../pages/standards/check-page.js";
import type { SnapshotView } from "./content.js";

/** Sites of each kind that a check's page names, and how many of the best ones it looks at to find them. */
const [NAMED, BEST] = [12, 2_000];
/** Sites a search. */
const PAGE_SIZE = 500;

type CountedSite = CheckSite & Pick<SiteSummary, "capabilities">;

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
  const isSubject = ({ host, latestScoreVersion }: CountedSite) =>
    latestScoreVersion === version && !engine.exemptOf(host).includes(id);
  const passes = ({ capabilities }: CountedSite) => capabilities.includes(id);
  return {
    passing: best.filter(passes).slice(0, NAMED),
    failing: best.filter((site) => !passes(site) && isSubject(site)).slice(0, NAMED),
  };
}

const decoder = new TextDecoder();

async function bestSites(engine: Engine): Promise<CountedSite[]> {
  const sites: CountedSite[] = [];
  const count = Math.min(BEST, engine.scored);
  for (let page = 1; sites.length < count; page += 1) {
    const body = await engine.search({ sort: "score", page, limit: PAGE_SIZE });
    const { data }: { readonly data: SiteSummary[] } = JSON.parse(decoder.decode(body));
    if (data.length === 0) break;
    for (const { host, name, latestScore, latestBand, latestScoreVersion, capabilities } of data) {
      sites.push({ host, name, latestScore, latestBand, latestScoreVersion, capabilities });
    }
  }
  return sites.slice(0, count);
}
