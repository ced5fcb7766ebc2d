import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, type TestContext } from "vitest";
import { silence } from "./locks.js";
import { aScenario, copyOf, KEEP, productOf, readContent, type Scenario } from "./product.js";
import { chance, pick, repetitions, SEED } from "./repetitions.js";
import { need, run, start, waitingFor } from "./tools.js";

const product = await productOf();

/** Runs a command in namespaces of its own, as a container does; it dies with its parent. */
const CONTAINER = ["unshare", "-n", "-p", "-f", "--kill-child"];
const named = (host: string) => [
  "sh",
  "-c",
  `echo ${host} > /proc/sys/kernel/hostname; exec "$@"`,
  "sh",
];
const PLACES: Readonly<Record<string, readonly string[]>> = {
  "a container": [...CONTAINER, "--mount-proc"],
  "a container with the machine's /proc": CONTAINER,
  "a container of another host": [...CONTAINER, "--mount-proc", "-u", ...named("another")],
  "another host": ["unshare", "-u", "--kill-child", "-f", ...named("another")],
  "the machine": [],
};

function needNamespaces(context: TestContext): void {
  need(context, "root");
  need(context, "unshare");
  if (spawnSync("unshare", ["-n", "-p", "-u", "-f", "--mount-proc", "true"]).status === 0) return;
  process.stderr.write(`SKIPPED, namespaces are not allowed: ${context.task.name}\n`);
  context.skip("namespaces are not allowed");
}

/** Two builds that were started at once, of the scenario's first directory and its last. */
async function buildTwice(
  scenario: Scenario,
  store: string,
  random: () => number,
  isKilled: boolean,
) {
  const places = [0, 1].map(() => pick(random, Object.keys(PLACES)));
  const builds = places.map((place, i) =>
    start(words(join(scenario.folder, ["One", "Three"][i]!), store), {
      under: PLACES[place] ?? [],
    }),
  );
  if (isKilled) {
    // At any time of its life, most of which is its start.
    await sleep(1_500 * random());
    pick(random, builds).kill("SIGKILL");
  }
  return { places, ended: await Promise.all(builds.map((one) => one.ended)) };
}

const words = (published: string, store: string) => [
  "build",
  published,
  "--out",
  store,
  "--keep",
  String(KEEP),
  "--full",
];

describe("two builds of different directories on one store, in two containers", () => {
  it("one publishes and the other exits 5, whichever is killed; verify always passes", async (context) => {
    needNamespaces(context);
    const scenario = await aScenario(product, 300);
    const random = chance("containers");
    const { older, before, after } = scenario.contents;
    const built = [older, after];
    const counts = { published: 0, refused: 0, killed: 0 };
    for (let round = 0; round < repetitions("containers"); round += 1) {
      const store = copyOf(scenario);
      const isKilled = round % 2 === 1;
      const { places, ended } = await buildTwice(scenario, store, random, isKilled);
      const output = ended.map((one) => one.output).join("");
      const what = `SEED=${SEED}, round ${round}: ${places.join(", ")}\n${output}`;
      const codes = ended.map(({ code }) => code);
      const count = (one: number | null) => codes.filter((code) => code === one).length;
      expect(count(0) + count(5) + (isKilled ? count(null) : 0), what).toBe(2);
      const refused = output.split("another build is writing to").length - 1;
      expect(refused, what).toBeGreaterThanOrEqual(count(5));
      // One may be killed between its message and its exit.
      expect(refused, what).toBeLessThanOrEqual(count(5) + count(null));
      // A build that was killed may have published before.
      const published = built.filter((_, i) => codes[i] === 0);
      const expected = count(null) > 0 ? [...built, before] : published;
      expect(expected, what).toContain(await readContent(product, store));
      if (existsSync(join(store, ".lock"))) silence(join(store, ".lock"));
      const last = await run(words(scenario.published, store), {
        under: PLACES["a container"] ?? [],
      });
      expect([what, last.code]).toEqual([what, 0]);
      expect(await readContent(product, store)).toBe(after);
      const left = readdirSync(store, { recursive: true, encoding: "utf8" });
      expect([what, left.filter((name) => /\.lock|\.new-/.test(name))]).toEqual([what, []]);
      rmSync(store, { recursive: true });
      counts.published += count(0);
      counts.refused += count(5);
      counts.killed += count(null);
    }
    process.stderr.write(`builds in two containers: ${JSON.stringify(counts)}\n`);
    expect(counts.published).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
  });

  it.for(Object.keys(PLACES).slice(0, 4))(
    "the others refuse while one runs in %s, and that one publishes",
    async (place, context) => {
      needNamespaces(context);
      const scenario = await aScenario(product);
      const store = copyOf(scenario);
      const go = join(scenario.folder, "go");
      const owner = start(words(scenario.published, store), {
        under: PLACES[place] ?? [],
        hook: waitingFor(go),
      });
      while (!existsSync(`${go}.waiting`)) await sleep(20);
      for (const other of Object.values(PLACES)) {
        const { code, output } = await run(words(scenario.published, store), { under: other });
        expect([code, output]).toEqual([5, expect.stringContaining("another build is writing")]);
      }
      writeFileSync(go, "");
      expect((await owner.ended).code).toBe(0);
      expect(await readContent(product, store)).toBe(scenario.contents.after);
    },
  );
});

describe("a build that was suspended for longer than a minute", () => {
  it("exits 5 if another build has taken over its lock, and that build's snapshot stays", async () => {
    const scenario = await aScenario(product);
    const store = copyOf(scenario);
    const go = join(scenario.folder, "go");
    const suspended = start(words(scenario.published, store), { hook: waitingFor(go) });
    while (!existsSync(`${go}.waiting`)) await sleep(20);
    suspended.kill("SIGSTOP");
    silence(join(store, ".lock"));
    const other = await run(words(join(scenario.folder, "One"), store));
    expect(other.code).toBe(0);
    writeFileSync(go, "");
    suspended.kill("SIGCONT");
    const { code, output } = await suspended.ended;
    expect([code, output]).toEqual([
      5,
      expect.stringContaining(`another build took over ${store}`),
    ]);
    expect(await readContent(product, store)).toBe(scenario.contents.older);
  });
});
