import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastGlob from "fast-glob";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { PAGES } from "../docs/pages.js";
import { canUnshare } from "../hosts/servers/unit.js";
import { ROOT } from "../house/sources.js";
import { Image } from "./image.js";
import { blockWith, installedClone, prepared, USED } from "./machine.js";

const recipe = (name: string) => readFileSync(join(ROOT, "deploy", name), "utf8");
const statusOf = async (url: string) => (await fetch(url)).status;

it("the README's commands install the command, and publish, serve and export with it", async () => {
  const { machine, clone } = await installedClone();
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect((await machine.run("crawldex --version", clone)).trim()).toBe(version);
  const cwd = machine.folder("home/own");
  for (const command of blockWith("README.md", "crawldex init").trim().split("\n")) {
    if (!command.startsWith("crawldex serve")) await machine.run(command, cwd);
    else expect(await statusOf(`${await machine.serve(command, cwd)}/api/sites`)).toBe(200);
  }
  expect(readdirSync(join(cwd, "site"))).toContain("index.html");
});

it("the README's command without installing builds", async () => {
  const { machine, cwd } = await prepared();
  const readme = PAGES.find(({ path }) => path === "README.md")?.text ?? "";
  const [, command = ""] = /Without installing: `([^`]+)`/.exec(readme) ?? [];
  expect(await machine.run(command, cwd)).toContain("is current");
});

it("the commands for systemd install a unit, which serves the store that they build", async () => {
  const { machine, cwd } = await prepared();
  cpSync(join(ROOT, "deploy"), join(cwd, "deploy"), { recursive: true });
  machine.folder("etc/systemd/system");
  const printed = await machine.run(blockWith("docs/deploying.md", "daemon-reload"), cwd);
  expect(printed).toMatch(/^systemctl enable --now crawldex$/m);
  const unit = readFileSync(join(machine.root, "etc/systemd/system/crawldex.service"), "utf8");
  const settings = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [
    name,
    value?.replace(/^\//, `${machine.root}/`),
  ]);
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const url = await machine.serve(command, machine.root, Object.fromEntries(settings));
  expect(await statusOf(`${url}/readyz`)).toBe(200);
});

it("the Dockerfile's steps make an image that builds, serves and is healthy", async () => {
  const { cwd } = await prepared();
  const image = await Image.of(recipe("Dockerfile"));
  cpSync(join(cwd, "published"), join(image.root, "published"), { recursive: true });
  const { services } = parse(recipe("compose.yaml"));
  await image.run(services.build.command);
  const url = await image.serve(services.serve.command);
  await image.check(url);
  expect((await fetch(`${url}/api/sites`)).headers.get("etag")).not.toBeNull();
  if (!canUnshare) return;

  // As the compose file runs it: confined, without a right to the store, on several threads.
  const [store, cache] = services.serve.volumes;
  expect([store, cache]).toEqual(["store:/data:ro", "cache:/cache"]);
  const confined = await image.serveConfined(
    [...services.serve.command, "--threads", "2"],
    ["cache"],
  );
  await image.check(confined);
  expect(await statusOf(`${confined}/api/sites`)).toBe(200);
  expect(readdirSync(join(image.root, "cache"))).toContain("written");
});

it.each(["publish.yml", "github/pages.yml"])(
  "the steps of %s install, build and export",
  async (name) => {
    const { machine, cwd } = await prepared();
    const [job] = Object.values(parse(recipe(name)).jobs) as { steps: { run?: string }[] }[];
    const scripts = job?.steps.flatMap(({ run }) => run ?? []) ?? [];
    expect(scripts).toContainEqual(expect.stringMatching(/^npm install --global /));
    for (const script of scripts) await machine.run(script, cwd, { GITHUB_ACTIONS: "true" });
    expect(readdirSync(join(cwd, "site"))).toContain("index.html");
  },
);

it("no other commands of the documentation install anything", () => {
  // Extras' tests run some, in processes of their own.
  for (const file of fastGlob.globSync("test/extras/*/*.install.ts", { cwd: ROOT })) {
    const calls = readFileSync(join(ROOT, file), "utf8").matchAll(
      /blockWith\("([^"]+)", "([^"]+)"\)/g,
    );
    for (const [, page = "", part = ""] of calls) blockWith(page, part);
  }
  const blocks = PAGES.flatMap(({ blocks }) => blocks).filter(({ language }) => language === "sh");
  const others = blocks.filter(({ text }) => /\bnp[mx] /.test(text) && !USED.has(text));
  // They start the project in a clone: `.ci/run` does the same.
  expect(others.map(({ text }) => text)).toEqual(["npm ci && npm start\n", "npm ci && npm test\n"]);
});
