import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { aListing, aPublishedDirectory, temporaryFolder } from "../fixtures.js";
import { ROOT } from "../house/sources.js";
import { aService, send, sharedService } from "../runtime/http.js";
import { readMetrics, requestsOf } from "../runtime/prometheus.js";
import { hasNginx, startNginx } from "../site/servers.js";
import { commandLines, wrongWords } from "./command-lines.js";
import { PAGES } from "./pages.js";

const folder = join(ROOT, "deploy");
const recipe = (name: string) => readFileSync(join(folder, name), "utf8");

/** The recipes' paths below the folder. */
const RECIPES = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

describe("the recipes in deploy/", () => {
  it("are all named by the page about deploying", () => {
    const page = PAGES.find(({ path }) => path === "docs/deploying.md");
    for (const name of RECIPES) expect(page?.text).toContain(`../deploy/${name}`);
  });

  it("name only commands and options that exist", () => {
    const lines = RECIPES.flatMap((name) => commandLines(recipe(name)));
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.flatMap(wrongWords)).toEqual([]);
  });

  const isThere = existsSync("/usr/bin/systemd-analyze");
  it.skipIf(!isThere).each(["crawldex", "crawldex-replica"])(
    "have a unit %s that systemd accepts and finds well confined, also as a template",
    async (unit) => {
      const file = join(folder, `${unit}.service`);
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], {
        encoding: "utf8",
      });
      expect(stderr).toBe("");
      expect(status).toBe(0);
      const template = join(await temporaryFolder(), `${unit}@.service`);
      writeFileSync(template, recipe(`${unit}.service`).replace("PORT=3000", "PORT=%i"));
      expect(spawnSync("systemd-analyze", ["verify", "--man=no", template]).status).toBe(0);
      const report = execFileSync("systemd-analyze", ["security", "--offline=true", file], {
        encoding: "utf8",
      });
      expect(Number(/exposure level for [\w-]+\.service: ([\d.]+)/.exec(report)?.[1])).toBeLessThan(
        4,
      );
    },
  );

  it("have containers whose volumes, ports and probes fit together", () => {
    const { services, volumes } = parse(recipe("compose.yaml"));
    const mounts = Object.values(services as Record<string, { volumes: string[] }>).flatMap(
      (service) => service.volumes.map((volume) => volume.split(":")[0]),
    );
    expect(Object.keys(volumes)).toEqual(["store"]);
    expect([...new Set(mounts)].sort()).toEqual(["../published", "store"]);
    const { replica } = parse(recipe("compose.replica.yaml")).services;
    expect(replica).toMatchObject({ image: services.serve.image, build: services.serve.build });
    expect(replica.volumes).toEqual(["replica:/data"]);
    const image = recipe("Dockerfile");
    expect(image).toContain("PORT=3000");
    expect(image).toContain("EXPOSE 3000");
    expect(services.serve.ports).toEqual(["127.0.0.1:3000:3000"]);

    const objects = parseAllDocuments(recipe("kubernetes.yaml")).map((each) => each.toJS());
    expect(objects.map(({ kind }) => kind)).toEqual([
      ...["PersistentVolumeClaim", "Deployment", "Service", "CronJob"],
    ]);
    const { template } = objects[1].spec;
    const [container] = template.spec.containers;
    expect(container.readinessProbe.httpGet).toEqual({ path: "/readyz", port: "http" });
    expect(container.livenessProbe.httpGet).toEqual({ path: "/healthz", port: "http" });
    expect(container.ports).toEqual([{ name: "http", containerPort: 3000 }]);
    expect(objects[1].spec.selector.matchLabels).toEqual(template.metadata.labels);
    expect(objects[2].spec.selector).toEqual(template.metadata.labels);
    expect(container.volumeMounts[0].mountPath).toBe("/data");

    const jobs = parseAllDocuments(recipe("kubernetes-parts.yaml")).map((each) => each.toJS());
    const [claim] = objects;
    for (const { spec, metadata } of jobs) {
      const [{ volumeMounts }] = spec.template.spec.containers;
      expect(volumeMounts[0], metadata.name).toEqual({ name: "store", mountPath: "/data" });
      const [store] = spec.template.spec.volumes;
      expect(store.persistentVolumeClaim.claimName).toBe(claim.metadata.name);
    }
    const [split, parts] = jobs.map(({ spec }) => spec.template.spec.containers[0].args[0]);
    expect(split).toContain(`--parts ${jobs[1].spec.completions} --out /data/split`);
    expect(parts).toContain('"/data/split/$part-of-16" --part "$part/16"');
  });

  it("have alerts that read only metrics that exist, with the memory limit of Kubernetes", () => {
    const { groups } = parse(recipe("prometheus/crawldex.rules.yml"));
    const expressions: string[] = groups[0].rules.map(({ expr }: { expr: string }) => expr);
    const read = new Set(expressions.join().match(/(?:crawldex|process)_\w+/g));
    const serving = PAGES.find(({ path }) => path === "docs/serving.md")?.text;
    for (const name of read) expect(serving).toContain(`| \`${name}`);
    expect(read.size).toBeGreaterThan(6);
    expect(expressions.at(-1)).toContain("0.8 * 1024 ^ 3");
    expect(recipe("kubernetes.yaml")).toContain("limits: { memory: 1Gi }");
  });

  it("have a workflow whose cache keeps the store, the site and its record", () => {
    const { jobs } = parse(recipe("publish.yml"));
    const steps = jobs.publish.steps as { uses?: string; run?: string; with?: { path: string } }[];
    const cache = steps.find(({ uses }) => uses?.startsWith("actions/cache@"));
    expect(cache?.with?.path.trim().split("\n")).toEqual([
      ...["snapshots", "site", "site.crawldex.json"],
    ]);
    expect(steps.flatMap(({ run }) => run ?? []).slice(-2)).toEqual([
      "crawldex build published",
      "crawldex export site",
    ]);
  });
});

describe.skipIf(!hasNginx())("nginx with the recipe", () => {
  const shared = sharedService(aPublishedDirectory());

  it("answers from several processes that follow one store, also while one of them is down", async () => {
    const options = { store: shared.store, metrics: true };
    const other = await aService(null, onTestFinished, options);
    const server = recipe("nginx.conf")
      .replace("127.0.0.1:3000", `127.0.0.1:${shared.server.port}`)
      .replace("# server 127.0.0.1:3001;", `server 127.0.0.1:${other.server.port};`);
    const nginx = await startNginx(await temporaryFolder(), { server });
    onTestFinished(nginx.close);
    const answers = async () => {
      const some = await Promise.all(Array.from({ length: 20 }, () => send(nginx, "/readyz")));
      return some.map(({ text }) => JSON.parse(text));
    };
    const first = (await answers())[0];
    const id = await shared.publish(
      aPublishedDirectory({ listings: [aListing({ name: "Next" })] }),
    );
    expect(first).not.toMatchObject({ snapshot: id });
    const ready = Array(20).fill({ ready: true, snapshot: id, publishedAt: expect.any(String) });
    await expect.poll(answers, { timeout: 20_000, interval: 1_000 }).toEqual(ready);
    const counted = requestsOf(readMetrics((await send(other.server, "/metrics")).text));
    expect(counted["readyz 200"]).toBeGreaterThan(10);
    await other.server.close();
    expect(await answers()).toEqual(ready);
  });

  it("passes reads on, limits each client, and keeps the metrics private", async () => {
    const { port } = new URL(shared.server.url);
    const server = recipe("nginx.conf").replace("127.0.0.1:3000", `127.0.0.1:${port}`);
    const nginx = await startNginx(await temporaryFolder(), { server });
    onTestFinished(nginx.close);
    const read = (path: string) => fetch(`http://127.0.0.1:${nginx.port}${path}`);
    expect((await read("/metrics")).status).toBe(404);
    const [direct, passed] = await Promise.all([
      fetch(`${shared.server.url}/api/sites`),
      read("/api/sites"),
    ]);
    expect(passed.status).toBe(200);
    expect(await passed.text()).toBe(await direct.text());
    const batch = () =>
      fetch(`http://127.0.0.1:${nginx.port}/api/batch`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ hosts: ["example.com"] }),
      });
    const posted = await Promise.all(Array.from({ length: 40 }, batch));
    const answered = posted.filter(({ status }) => status === 200).length;
    expect(answered).toBeGreaterThan(15);
    expect(answered).toBeLessThan(35);
    const many = await Promise.all(Array.from({ length: 300 }, () => read("/api/tags")));
    const statuses = new Set(many.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 503]);
  });
});
