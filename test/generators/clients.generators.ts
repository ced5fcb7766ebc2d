import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aStore, served } from "../browser/directories.js";
import { temporaryFolder } from "../fixtures.js";
import { ROOT } from "../house/sources.js";

/* The generators weigh 140 MB with what they need, so they are no dependency: the test installs them for itself. */

const execute = promisify(execFile);
const PACKAGES = ["@hey-api/openapi-ts@0.95.0", "orval@7.13.2", "openapi-typescript@7.13.0"];
const isOnline = spawnSync("npm", ["ping", "--fetch-retries=0"], { timeout: 60_000 }).status === 0;
if (!isOnline) process.stderr.write("skipped: no npm registry answers, no client is generated\n");

/** What each client reads: a filtered search with a repeated parameter, and the report of its first listing. */
const READS = `
console.log(JSON.stringify([found.pagination.total, found.data.map(({ host }) => host), score]));
`;
const QUERY = '{ category: ["health", "sports"], minScore: 10, limit: 3 }';

interface Generator {
  readonly name: string;
  /** The generator's program below `node_modules/.bin`, with its arguments. */
  readonly command: readonly string[];
  /** A program that reads with the generated client. */
  readonly program: (url: string) => string;
}

const GENERATORS: readonly Generator[] = [
  {
    name: "openapi-typescript",
    command: ["openapi-typescript", "openapi.json", "-o", "openapi-typescript/api.ts"],
    program: (url) => `import type { paths } from "./api.js";
type Body<P extends keyof paths> = paths[P]["get"] extends
  { responses: { 200: { content: { "application/json": infer B } } } } ? B : never;
const query: NonNullable<paths["/api/sites"]["get"]["parameters"]["query"]> = ${QUERY};
const text = new URLSearchParams(
  Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
);
async function read<P extends keyof paths>(_: P, path: string): Promise<Body<P>> {
  return (await (await fetch("${url}" + path)).json()) as Body<P>;
}
const found = await read("/api/sites", "/api/sites?" + text);
const host = found.data[0]!.host;
const score = (await read("/api/sites/{host}/report", "/api/sites/" + host + "/report")).data.scan.score;`,
  },
  {
    name: "@hey-api/openapi-ts",
    command: ["openapi-ts", "-i", "openapi.json", "-o", "hey-api", "-c", "@hey-api/client-fetch"],
    program: (url) => `import { client } from "./client.gen";
import { getReport, searchSites } from "./sdk.gen";
client.setConfig({ baseUrl: "${url}" });
const { data: found } = await searchSites({ query: ${QUERY}, throwOnError: true });
const { data: report } = await getReport({ path: { host: found.data[0]!.host }, throwOnError: true });
const score = report.data.scan.score;`,
  },
  {
    name: "orval",
    command: ["orval", "--config", "orval.config.cjs"],
    program: () => `import { getReport, searchSites } from "./api";
const search = await searchSites(${QUERY});
if (search.status !== 200) throw new Error(String(search.status));
const found = search.data;
const report = await getReport(found.data[0]!.host);
if (report.status !== 200) throw new Error(String(report.status));
const score = report.data.data.scan.score;`,
  },
];
const FOLDERS = ["openapi-typescript", "hey-api", "orval"];

describe.skipIf(!isOnline)("clients that others generate from openapi.json", () => {
  const cleanUps: (() => Promise<void>)[] = [];
  const finished = (cleanUp: () => Promise<void>) => cleanUps.unshift(cleanUp);
  let folder: string;
  let url: string;

  beforeAll(async () => {
    const { store } = await aStore(finished, { listings: 500, seed: 1 });
    ({ url } = await served(store, finished));
    folder = await temporaryFolder(finished);
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    const options = ["--no-audit", "--no-fund", "--ignore-scripts"];
    execFileSync("npm", ["install", ...options, ...PACKAGES], { cwd: folder, stdio: "ignore" });
    const description = await fetch(`${url}/api/openapi.json`);
    writeFileSync(join(folder, "openapi.json"), await description.text());
    const output = { target: "./orval/api.ts", client: "fetch", baseUrl: url };
    const config = JSON.stringify({ api: { input: "./openapi.json", output } });
    writeFileSync(join(folder, "orval.config.cjs"), `module.exports = ${config};`);
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  it.each(GENERATORS.map((one, place) => [one.name, one, FOLDERS[place]!] as const))(
    "%s: the client compiles under strict, and reads the sample",
    async (_, { command, program }, name) => {
      const [tool = "", ...given] = command;
      await run(join(folder, "node_modules/.bin", tool), given);
      const place = join(folder, name);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, "main.ts"), `${program(url)}${READS}`);
      const strict = ["--strict", "--noUncheckedIndexedAccess", "--skipLibCheck", "--noEmit"];
      const modules = ["--target", "es2023", "--module", "esnext", "--moduleResolution", "bundler"];
      const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules/@types")];
      await run(join(ROOT, "node_modules/.bin/tsc"), [
        ...strict,
        ...modules,
        ...types,
        `${name}/main.ts`,
      ]);
      const printed = await run(join(ROOT, "node_modules/.bin/tsx"), [`${name}/main.ts`]);
      const query = "category=health&category=sports&minScore=10&limit=3";
      const found = (await (await fetch(`${url}/api/sites?${query}`)).json()) as {
        data: { host: string; latestScore: number }[];
        pagination: { total: number };
      };
      const hosts = found.data.map(({ host }) => host);
      expect(hosts).toHaveLength(3);
      const expected = [found.pagination.total, hosts, found.data[0]?.latestScore];
      expect(JSON.parse(printed)).toEqual(expected);
    },
  );

  /** Does not block: the server that the program reads runs in this process. @throws with all that it printed */
  async function run(file: string, given: readonly string[]): Promise<string> {
    const { stdout } = await execute(file, given, { cwd: folder }).catch((error) => {
      throw new Error(`${error.message}\n${error.stdout}${error.stderr}`);
    });
    return stdout;
  }
});
