import { execFile } from "node:child_process";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it, onTestFinished, type TestContext } from "vitest";
import { parse, stringify } from "yaml";
import { PAGES } from "../docs/pages.js";
import { aPublishedDirectory, temporaryFolder } from "../fixtures.js";
import { ROOT } from "../house/sources.js";
import { aService } from "../server/http.js";
import { debianRoot } from "../stores/servers/installed.js";
import { LOOPBACK, Unavailable } from "../stores/servers/processes.js";
import { startServer } from "./servers/started.js";

const run = promisify(execFile);
const RULES = join(ROOT, "deploy/prometheus/crawldex.rules.yml");

/** The folder with Debian's `prometheus` and `promtool`, which are unpacked, not installed: no service starts. */
let root: string | Unavailable;
beforeAll(async () => {
  root = await debianRoot("prometheus", ["prometheus"]).catch((error: unknown) => {
    if (error instanceof Unavailable) return error;
    throw error;
  });
}, 300_000);

function program(context: TestContext, name: string): string {
  return typeof root === "string" ? join(root, "usr/bin", name) : context.skip(root.message);
}

/** A folder with the rules and another file. @returns the path of that file */
async function besideRules(name: string, text: string): Promise<string> {
  const folder = await temporaryFolder();
  await copyFile(RULES, join(folder, "crawldex.rules.yml"));
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

/** The configuration that the documentation shows. */
const CONFIGURATION =
  PAGES.find(({ path }) => path === "docs/deploying.md")?.blocks.find(({ text }) =>
    text.includes("scrape_configs"),
  )?.text ?? "";

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const GIB = 1024 ** 3;
const one = 'job="crawldex", instance="one"';
const other = 'job="crawldex", instance="two"';
/** A value each minute for an hour, as promtool writes them. */
const always = (value: number) => `${value}x60`;
const rising = (from: number, by: number) => `${from}+${by}x60`;

/** Series that raise an alert, and the instances that it names; without any, it must stay silent. */
const CASES: readonly [alert: string, series: Record<string, string>, instances: string[]][] = [
  [
    "CrawldexNothingPublished",
    { [`crawldex_snapshot_age_seconds{${one}}`]: rising(DAY, MINUTE) },
    [""],
  ],
  [
    "CrawldexNothingPublished",
    {
      [`crawldex_snapshot_age_seconds{${one}}`]: rising(DAY, MINUTE),
      [`crawldex_snapshot_age_seconds{${other}}`]: rising(0, MINUTE),
    },
    [],
  ],
  [
    "CrawldexNotReady",
    { [`crawldex_ready{${one}}`]: always(0), [`crawldex_ready{${other}}`]: always(1) },
    ["one"],
  ],
  ["CrawldexReplicaBehind", { [`crawldex_pull_age_seconds{${one}}`]: rising(0, MINUTE) }, ["one"]],
  ["CrawldexReplicaBehind", { [`crawldex_pull_age_seconds{${one}}`]: always(30) }, []],
  [
    "CrawldexReplicaBehind",
    {
      [`crawldex_snapshot_generation{${one}}`]: always(7),
      [`crawldex_snapshot_generation{${other}}`]: always(8),
    },
    ["one"],
  ],
  ["CrawldexSnapshotRefused", { [`crawldex_snapshot_refused{${one}}`]: always(1) }, ["one"]],
  [
    "CrawldexErrors",
    {
      [`crawldex_requests_total{${one}, route="report", status="200"}`]: rising(0, 97),
      [`crawldex_requests_total{${one}, route="report", status="502"}`]: rising(0, 3),
    },
    ["one"],
  ],
  [
    "CrawldexErrors",
    {
      [`crawldex_requests_total{${one}, route="report", status="200"}`]: rising(0, 97),
      [`crawldex_requests_total{${one}, route="report", status="404"}`]: rising(0, 97),
      [`crawldex_requests_total{${one}, route="readyz", status="503"}`]: rising(0, 97),
    },
    [],
  ],
  [
    "CrawldexMemory",
    {
      [`crawldex_ready{${one}}`]: always(1),
      [`process_resident_memory_bytes{${one}}`]: always(0.9 * GIB),
      'process_resident_memory_bytes{job="another", instance="one"}': always(0.9 * GIB),
    },
    ["one"],
  ],
];

it("promtool accepts the rules, and the configuration that names them", async (context) => {
  const promtool = program(context, "promtool");
  const { groups } = parse(await readFile(RULES, "utf8"));
  const count = groups[0].rules.length;
  const { stdout } = await run(promtool, ["check", "rules", RULES]);
  expect(stdout).toContain(`SUCCESS: ${count} rules found`);
  const file = await besideRules("prometheus.yml", CONFIGURATION);
  expect((await run(promtool, ["check", "config", file])).stdout).toContain(
    `SUCCESS: ${count} rules found`,
  );
});

it("the alerts fire when they should, and only then", async (context) => {
  const promtool = program(context, "promtool");
  const { groups } = parse(await readFile(RULES, "utf8"));
  const names = groups[0].rules.map(({ alert }: { alert: string }) => alert);
  expect([...new Set(CASES.map(([alert]) => alert))]).toEqual(names);
  const tests = CASES.map(([alert, series, instances]) => ({
    name: alert,
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count by (instance) (ALERTS{alertname="${alert}", alertstate="firing"})`,
        eval_time: "45m",
        exp_samples: instances.map((instance) => ({
          labels: instance === "" ? "{}" : `{instance="${instance}"}`,
          value: 1,
        })),
      },
    ],
  }));
  const text = stringify({ rule_files: ["crawldex.rules.yml"], evaluation_interval: "1m", tests });
  const file = await besideRules("tests.yml", text);
  expect((await run(promtool, ["test", "rules", file])).stdout).toContain("SUCCESS");
});

it("Prometheus reads the metrics of a server, and finds its alerts silent", async (context) => {
  const prometheus = program(context, "prometheus");
  const service = await aService(aPublishedDirectory(), onTestFinished, { metrics: true });
  const configuration = parse(CONFIGURATION);
  const [scrape] = configuration.scrape_configs;
  expect(scrape.static_configs[0].targets).toEqual(["127.0.0.1:3000"]);
  scrape.static_configs[0].targets = [`${LOOPBACK}:${service.server.port}`];
  configuration.global = { scrape_interval: "1s", evaluation_interval: "1s" };
  const file = await besideRules("prometheus.yml", stringify(configuration));
  const { port, stop } = await startServer(async (free, place) => ({
    words: [
      prometheus,
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(place, "data")}`,
      `--web.listen-address=${LOOPBACK}:${free}`,
    ],
  }));
  onTestFinished(stop);
  const ask = async (path: string) =>
    (await (await fetch(`http://${LOOPBACK}:${port}/api/v1/${path}`)).json()) as {
      data: { result: { value: [number, string] }[]; groups: { rules: object[] }[] };
    };
  const ready = async () => (await ask("query?query=crawldex_ready")).data.result[0]?.value[1];
  await expect.poll(ready).toBe("1");
  const evaluated = { health: "ok", state: "inactive" };
  await expect
    .poll(async () => (await ask("rules")).data.groups[0]?.rules)
    .toEqual(Array(6).fill(expect.objectContaining(evaluated)));
});
