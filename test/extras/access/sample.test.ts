import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Report } from "../../../src/contract/report.js";
import type { PreflightSite } from "../../../src/extras/access/bodies.js";
import { preflightSites } from "../../../src/extras/access/preflight.js";
import { build } from "../../../src/publish/build.js";
import { writeSample } from "../../../src/sample/sample.js";
import { type LoadedSnapshot, loadSnapshot } from "../../../src/server/load-snapshot.js";
import { currentId } from "../../../src/store/reader.js";
import { temporaryFolder } from "../../fixtures.js";
import { asked } from "../../server/asked.js";
import { answersIn } from "../../store/answers.js";

const cleanUps: (() => Promise<void>)[] = [];
let sample: LoadedSnapshot;
let reports: ReadonlyMap<string, Report>;

beforeAll(async () => {
  const folder = await temporaryFolder((cleanUp) => cleanUps.unshift(cleanUp));
  const store = join(folder, "store");
  await writeSample(join(folder, "published"));
  await build(join(folder, "published"), { store, keep: 1, jobs: 1 });
  sample = await loadSnapshot(store, (await currentId(store)) ?? "");
  reports = new Map(
    Object.entries(await answersIn(store)).map(([host, { report }]) => [
      host,
      JSON.parse(report).data,
    ]),
  );
}, 120_000);
afterAll(async () => {
  sample.close();
  for (const cleanUp of cleanUps) await cleanUp();
});

/** What a preflight says of a report. */
function naive({ accessPolicy, scan, checks }: Report, crawler: string | undefined) {
  const access = (accessPolicy?.rows ?? []).flatMap(({ title, findings }) => {
    const about = findings.filter(
      ({ subjects }) => crawler === undefined || subjects.includes(crawler),
    );
    const states = [...new Set(about.map(({ state }) => state))];
    return states.length === 0 ? [] : [{ title, states }];
  });
  const all = access.flatMap(({ states }) => states);
  const isPartly = all.includes("mixed") || (all.includes("allowed") && all.includes("disallowed"));
  const whole = all.includes("allowed") ? "yes" : all.includes("disallowed") ? "no" : "unstated";
  const withStatus = (...wanted: string[]) =>
    checks.filter(({ kind, status }) => kind === "achievement" && wanted.includes(status));
  return {
    access,
    mayRead: isPartly ? "partly" : whole,
    robotsVerdict: scan.robotsVerdict,
    movedTo: scan.redirect?.host ?? null,
    latestScore: scan.score,
    lacks: withStatus("warn", "fail").map(({ checkId }) => checkId),
  };
}

it.each([undefined, "GPTBot", "OAI-SearchBot", "Claude-User"])(
  "of every site of the sample, a preflight for %s says what its report says",
  async (crawler) => {
    const hosts = [...reports.keys()];
    expect(hosts.length).toBeGreaterThan(400);
    const sites = (await preflightSites(
      "hosts",
      hosts,
      crawler,
      sample.snapshot,
    )) as PreflightSite[];
    for (const [at, site] of sites.entries()) {
      const expected = naive(reports.get(hosts[at]!)!, crawler);
      expect(site).toMatchObject(expected);
    }
  },
);

it("the example of each read has an answer with data", async () => {
  for (const target of [
    "/api/preflight?host=birchclinic.example&host=nowhere.example&crawler=GPTBot",
    "/api/access?crawler=OAI-SearchBot&declared=allowed&served=refused",
    "/api/dump/hosts/gptbot-allowed.txt",
  ]) {
    const { status, bytes } = await asked(sample.snapshot, target);
    expect([target, status, bytes.length > 100]).toEqual([target, 200, true]);
  }
});
