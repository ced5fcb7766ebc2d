import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { expectDescribed } from "../../cli/described.js";
import { startServing } from "../../cli/served.js";
import { crawldex } from "../../cli/spawned.js";
import { filesIn, plainHost } from "../../fetch/plain-host.js";
import { aPublishedDirectory, temporaryFolder } from "../../fixtures.js";
import { builtStore } from "../../store/trees.js";
import { ACCESS_KEY, BUCKET, Imitation, SECRET_KEY } from "./imitation.js";
import { allNamed, TestOrigin } from "./origin.js";

const WAIT = { timeout: 30_000, interval: 50 };

async function aStore(): Promise<string> {
  return join(await temporaryFolder(), "store");
}

async function readyAt(url: string): Promise<unknown> {
  return (await fetch(`${url}/readyz`)).json();
}

it("the metrics have the pulls", async () => {
  const origin = await TestOrigin.start();
  await origin.push(allNamed("One"));
  const args = [
    "--mirror",
    "--cache-dir",
    await aStore(),
    "--refresh-seconds",
    "86400",
    "--metrics",
  ];
  const { url, kill, ended } = await startServing(origin.url, args);
  await expect.poll(() => readyAt(url), WAIT).toMatchObject({ generation: 1 });
  expect(origin.asked.filter((path) => path === "current.json")).toHaveLength(1);
  const id = await origin.push(allNamed("Two"));
  kill("SIGHUP");
  const metrics = async () => (await fetch(`${url}/metrics`)).text();
  await expect.poll(metrics, WAIT).toContain(`crawldex_snapshot_info{id="${id}"} 1\n`);
  await expect.poll(metrics, WAIT).toContain("crawldex_snapshot_generation 2\n");
  await expect.poll(metrics, WAIT).toContain('crawldex_pulls_total{outcome="succeeded"} 2\n');
  expect(origin.asked.filter((path) => path === "current.json")).toHaveLength(2);
  kill("SIGTERM");
  expect((await ended).code).toBe(0);
});

it("a wrong address or time is wrong usage, and the address is not repeated", async () => {
  const store = await aStore();
  for (const args of [
    [store, "--mirror"],
    ["http://127.0.0.1/", "--mirror", "--refresh-seconds", "0"],
    ["http://127.0.0.1/", "--max-age", "1h"],
    ["http://user:secret@127.0.0.1/"],
    ["https://127.0.0.1/?secret"],
    ["s3://no"],
  ]) {
    const { code, stderr } = await crawldex(["serve", ...args]);
    expect([args, code]).toEqual([args, 2]);
    expect(stderr).not.toContain("secret");
  }
});

it("a proxy that requests do not use is told of before the first one", async () => {
  const folder = await temporaryFolder();
  const { url } = await plainHost(filesIn(join(folder, "nothing")));
  const environment = {
    http_proxy: "",
    HTTP_PROXY: "http://me:secret@127.0.0.1:9",
    NO_PROXY: "",
    no_proxy: "",
  };
  const { code, stderr } = await crawldex(["pull", url], folder, environment);
  expect(code).not.toBe(0);
  const { host } = new URL(url);
  expect(stderr).toMatch(
    new RegExp(`^warning: HTTP_PROXY is set, but requests go directly to ${host}; `),
  );
  expect(stderr).not.toContain("secret");
});

it.each<[string[], string | RegExp]>([
  [["serve", "a", "--max-age", "10m"], "option '--max-age <time>' needs option '--mirror'"],
  [["push", "s3://bucket", "--grace", "30s"], /from 60s to 366d/],
])("wrong usage exits 2 and says how: %j", async (args, said) => {
  const { code, stdout } = await crawldex([...args, "--json"]);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: expect.stringMatching(said) });
});

it("what push and pull print with --json has the form that docs/json describes", async () => {
  const { folder } = await builtStore(aPublishedDirectory());
  const bucket = new Imitation();
  await bucket.start();
  onTestFinished(() => bucket.stop());
  const environment = {
    AWS_ENDPOINT_URL_S3: bucket.url,
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET_KEY,
  };
  const result = async (words: readonly string[], variables: NodeJS.ProcessEnv) => {
    const { code, stdout } = await crawldex([...words, "--json"], folder, variables);
    return { code, ok: expectDescribed(words[0] ?? "", stdout).ok };
  };
  expect(await result(["push", BUCKET, "--store", "store"], environment)).toEqual({
    code: 0,
    ok: true,
  });
  expect(await result(["pull", BUCKET, "--store", "pulled"], environment)).toEqual({
    code: 0,
    ok: true,
  });
  expect(await result(["push", "s3://bucket"], {})).toEqual({ code: 1, ok: false });
  expect(await result(["pull", "nowhere"], {})).toEqual({ code: 2, ok: false });
});
