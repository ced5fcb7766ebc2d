import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import glob from "fast-glob";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { SERVE } from "../../src/server/options.js";
import { temporaryFolder } from "../fixtures.js";
import { extraFiles, ROOT } from "../house/sources.js";
import { ACTION } from "../install/action.js";
import { isInContext } from "../install/machine.js";
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

  it("have workers with every extra that works in one, and the page about workers names them all", () => {
    const edges = glob.sync("src/extras/*/edge.ts", { cwd: ROOT });
    const left = extraFiles("worker");
    const worker = recipe("cloudflare/worker.js");
    const template = readFileSync(join(ROOT, "templates/cloudflare/worker.js"), "utf8");
    const page = PAGES.find(({ path }) => path === "docs/fetch.md");
    for (const edge of edges) {
      const name = basename(dirname(edge));
      const called = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
      expect(page?.text).toMatch(new RegExp(`^\\| \`${called}\\(.*\\)\` \\| `, "m"));
      const isIn = worker.includes(`"crawldex/extras/${name}/edge"`);
      expect([name, isIn]).toEqual([name, !left.includes(edge)]);
      // Nobody could change a snapshot that is deployed with the worker, so the template checks no signatures.
      const isInTemplate = template.includes(`"crawldex/extras/${name}/edge"`);
      expect([name, isInTemplate]).toEqual([name, isIn && name !== "signing"]);
    }
  });

  it("name only commands and options that exist", () => {
    const lines = RECIPES.flatMap((name) => commandLines(recipe(name)));
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.flatMap(wrongWords)).toEqual([]);
  });

  it.skipIf(!existsSync("/usr/bin/systemd-analyze"))(
    "have units that systemd accepts and finds well confined, also as templates",
    async () => {
      const units = ["crawldex", "crawldex-replica"].map((name) => join(folder, `${name}.service`));
      const beside = await temporaryFolder();
      const templates = units.map((unit) => {
        const template = join(beside, basename(unit).replace(".service", "@.service"));
        writeFileSync(template, readFileSync(unit, "utf8").replace("PORT=3000", "PORT=%i"));
        return template;
      });
      const analyzed = (...words: string[]) =>
        spawnSync("systemd-analyze", words, { encoding: "utf8" });
      const { status, stderr } = analyzed("verify", "--man=no", ...units, ...templates);
      expect([status, stderr]).toEqual([0, ""]);
      const { stdout } = analyzed("security", "--offline=true", ...units);
      const exposures = [...stdout.matchAll(/exposure level for [\w-]+\.service: ([\d.]+)/g)];
      expect(exposures).toHaveLength(2);
      for (const [, exposure] of exposures) expect(Number(exposure)).toBeLessThan(4);
    },
  );

  it("have containers whose volumes, ports and probes fit together", () => {
    const { services, volumes } = parse(recipe("compose.yaml"));
    const mounts = Object.values(services as Record<string, { volumes: string[] }>).flatMap(
      (service) => service.volumes.map((volume) => volume.split(":")[0]),
    );
    expect(Object.keys(volumes)).toEqual(["store", "cache"]);
    expect([...new Set(mounts)].sort()).toEqual(["../published", "cache", "store"]);
    const cached = services.serve.command.slice(-2);
    expect(cached).toEqual(["--cache-dir", "/cache"]);
    const { replica } = parse(recipe("compose.replica.yaml")).services;
    expect(replica).toMatchObject({ image: services.serve.image, build: services.serve.build });
    expect(replica.volumes).toEqual(["replica:/data"]);
    for (const service of [...Object.values(services), replica]) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      });
    }
    expect(services.serve.environment).toHaveProperty("CRAWLDEX_THREADS");
    expect(replica.environment).toContain("CRAWLDEX_THREADS");
    const image = recipe("Dockerfile");
    const [, last = ""] = image.split(/^FROM .* AS .*$/m);
    expect(last).toMatch(/^USER node$[\s\S]*^HEALTHCHECK [\s\S]*^ENTRYPOINT /m);
    expect(last.match(/^USER /gm)).toHaveLength(1);
    expect(image).toContain("PORT=3000");
    expect(image).toContain("EXPOSE 3000");
    expect(services.serve.ports).toEqual(["127.0.0.1:3000:3000"]);

    const objects = parseAllDocuments(recipe("kubernetes.yaml")).map((each) => each.toJS());
    expect(objects.map(({ kind }) => kind)).toEqual([
      "PersistentVolumeClaim",
      "Deployment",
      "Service",
      "CronJob",
    ]);
    const { template } = objects[1].spec;
    const [container] = template.spec.containers;
    expect(container.readinessProbe.httpGet).toEqual({ path: "/readyz", port: "http" });
    expect(container.livenessProbe.httpGet).toEqual({ path: "/healthz", port: "http" });
    expect(container.args.slice(-2)).toEqual(cached);
    const mounted = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    expect(mounted).toEqual(["/data", "/cache"]);
    expect(container.ports).toEqual([{ name: "http", containerPort: 3000 }]);
    expect(objects[1].spec.selector.matchLabels).toEqual(template.metadata.labels);
    expect(objects[2].spec.selector).toEqual(template.metadata.labels);
    expect(container.volumeMounts[0].mountPath).toBe("/data");
  });

  it("have an image whose context has what it needs, and no data, secrets, tests or builds", () => {
    for (const path of ["published/a.json", "data/a.csv", "snapshots/current.json", ".env"])
      expect([path, isInContext(path)]).toEqual([path, false]);
    for (const path of ["crawldex.key", ".git/config", "dist/cli", "node_modules/x", "test/x.ts"])
      expect([path, isInContext(path)]).toEqual([path, false]);
    const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const packed: string[] = files.filter((name: string) => !/^!?dist/.test(name));
    for (const path of [...packed, "cli/index.ts", ".build/compile.ts", "LICENSE", "README.md"])
      expect([path, isInContext(path)]).toEqual([path, true]);
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
      "snapshots",
      "site",
      "site.crawldex.json",
    ]);
    expect(steps.flatMap(({ run }) => run ?? []).slice(-2)).toEqual([
      "crawldex build published",
      "crawldex export site",
    ]);
  });

  it("have an action that installs this version, and puts no input into a script, where a shell would run it", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(ACTION.inputs.package?.default).toBe(`crawldex@${version}`);
    const page = PAGES.find(({ path }) => path === "docs/deploying.md");
    expect(page?.text).toContain(`/crawldex@v${version}\n`);
    const text = readFileSync(join(ROOT, "action.yml"), "utf8");
    for (const name of Object.keys(ACTION.inputs)) expect(text).toContain(`inputs.${name}`);
    const { jobs } = parse(readFileSync(join(ROOT, ".github/workflows/ci.yml"), "utf8"));
    const tried = jobs.action.steps.find(({ uses }: { uses?: string }) => uses === "./");
    expect(Object.keys(ACTION.inputs)).toEqual(expect.arrayContaining(Object.keys(tried.with)));
    const scripts = ACTION.runs.steps.flatMap(({ run }) => run ?? []);
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
    expect(scripts.flatMap(commandLines).flatMap(wrongWords)).toEqual([]);
    expect(scripts.flatMap(commandLines).length).toBeGreaterThan(3);
  });
});

it("the container for development installs with Node of the image, and shows the usual port", () => {
  const container = JSON.parse(readFileSync(join(ROOT, ".devcontainer/devcontainer.json"), "utf8"));
  const [, major] = /^FROM node:(\d+)/m.exec(recipe("Dockerfile")) ?? [];
  expect(container.image).toMatch(new RegExp(`^mcr\\.microsoft\\.com/.*:${major}$`));
  expect(container.postCreateCommand).toBe("npm ci");
  expect(container.forwardPorts).toEqual([SERVE.port.usual]);
});

describe("the templates", () => {
  const files = glob.sync("templates/**", { cwd: ROOT, dot: true });

  it("are named by the page about deploying, and name only commands, options and inputs that exist", () => {
    const page = PAGES.find(({ path }) => path === "docs/deploying.md");
    const names = new Set(files.map((path) => path.split("/")[1]));
    for (const name of names) expect(page?.text).toContain(`| \`templates/${name}\` | `);
    const texts = files.map((path) => readFileSync(join(ROOT, path), "utf8"));
    expect(texts.flatMap(commandLines).flatMap(wrongWords)).toEqual([]);
    const { dependencies } = JSON.parse(
      readFileSync(join(ROOT, "templates/cloudflare/package.json"), "utf8"),
    );
    expect(`crawldex@${dependencies.crawldex}`).toBe(ACTION.inputs.package?.default);
    for (const path of files.filter((each) => each.endsWith(".yml"))) {
      const { jobs } = parse(readFileSync(join(ROOT, path), "utf8"));
      const steps = Object.values(jobs).flatMap((job) => (job as { steps: object[] }).steps);
      const given = steps.flatMap((step: { uses?: string; with?: object }) =>
        step.uses?.endsWith(`/crawldex@v${dependencies.crawldex}`)
          ? Object.keys(step.with ?? {})
          : [],
      );
      expect(given.length).toBeGreaterThan(0);
      expect(Object.keys(ACTION.inputs)).toEqual(expect.arrayContaining(given));
    }
  });
});
