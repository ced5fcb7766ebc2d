import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { writeSample } from "../../src/sample/sample.js";
import { COMMAND, crawldexProcess } from "../cli/spawned.js";
import { temporaryFolder } from "../fixtures.js";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The supported versions besides the one that runs the tests. */
const VERSIONS = ["22", "24", "26"];
/** Node's programs are packages of the registry, a package for each platform. */
const PACKAGE = `node-${process.platform}-${process.arch}`;

let folder: string;
const cleanUps: (() => Promise<void>)[] = [];
const nodeOf = (version: string) => join(folder, `node_modules/node-${version}/bin/node`);

beforeAll(async () => {
  folder = await temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  const packages = VERSIONS.map((version) => `node-${version}@npm:${PACKAGE}@${version}`);
  await run("npm", ["install", "--no-save", "--ignore-scripts", "--prefix", folder, ...packages]);
  return async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  };
});

describe.each(VERSIONS)("Node %s", (version) => {
  it("builds the snapshot that this version of Node builds, verifies it, serves it and exports it", async () => {
    const own = await temporaryFolder();
    const published = join(own, "published");
    await writeSample(published, { listings: 60 });
    const here = await crawldexProcess([
      "build",
      published,
      "--store",
      join(own, "here"),
      "--json",
    ]);
    const store = join(own, "store");
    const node = nodeOf(version);
    const crawldex = async (...args: string[]) =>
      (await run(node, [COMMAND, ...args, "--json"])).stdout;
    const { stdout } = await run(node, ["--version"]);
    expect(stdout).toMatch(new RegExp(`^v${version}\\.`));
    const built = JSON.parse(await crawldex("build", published, "--store", store));
    expect(built.id).toBe(JSON.parse(here.stdout).id);
    expect(JSON.parse(await crawldex("verify", store))).toMatchObject({ ok: true, id: built.id });
    const site = join(own, "site");
    expect(JSON.parse(await crawldex("export", site, "--store", store))).toMatchObject({
      ok: true,
    });
    const threads = ["--threads", "2"];
    const server = spawn(node, [COMMAND, "serve", store, "--port", "0", ...threads]);
    try {
      const [said] = (await once(server.stdout, "data")) as [Buffer];
      const [url = ""] = /http:\/\/[0-9.:]+/.exec(said.toString("utf8")) ?? [];
      const { data } = (await (await fetch(`${url}/api/sites?limit=1`)).json()) as {
        data: { host: string; latestScore: number }[];
      };
      const [best] = data;
      const report = await (await fetch(`${url}/api/sites/${best?.host}/report`)).json();
      expect(report).toMatchObject({ data: { scan: { score: best?.latestScore } } });
      expect((await fetch(`${url}/sites/${best?.host}`)).status).toBe(200);
    } finally {
      server.kill();
    }
    const [code] = await once(server, "exit");
    expect(code).toBe(0);
  });

  if (process.env.NODES_RUN !== "long") return;
  it("passes the tests of npm test", async () => {
    const tests = ["node_modules/vitest/vitest.mjs", "run", "--reporter=dot"];
    const { TEST_RUN: _, ...env } = process.env;
    const { stdout } = await run(nodeOf(version), tests, { cwd: ROOT, env, maxBuffer: 2 ** 28 });
    expect(stdout).toMatch(/Tests .*passed/);
  });
});
