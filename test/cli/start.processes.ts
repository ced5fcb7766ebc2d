import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../fixtures.js";
import { ROOT } from "../house/sources.js";
import { COMMAND, crawldexProcess } from "./spawned.js";

/** Runs `npm start` without compiling, and waits for its address, or for its end. */
async function started(args: readonly string[], env: NodeJS.ProcessEnv) {
  const cwd = await temporaryFolder();
  const words = [join(ROOT, "dist/cli/start.js"), ...args];
  const child = spawn(process.execPath, words, { cwd, env: { ...process.env, ...env } });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let said = "";
  child.stderr.on("data", (data: Buffer) => {
    said += data.toString();
  });
  for await (const line of createInterface(child.stdout)) {
    const [, url] = / at (http:\S+)/.exec(line) ?? [];
    if (url !== undefined) return { cwd, url, said };
  }
  return { cwd, url: null, said };
}

it("npm start publishes a sample into the store and serves it at PORT", async () => {
  for (const [args, env, store] of [
    [[], {}, "snapshots"],
    [["mine"], {}, "mine"],
    [[], { CRAWLDEX_STORE: "other" }, "other"],
  ] as const) {
    const { cwd, url, said } = await started(args, { PORT: "0", ...env });
    expect(said).toContain("no snapshot yet: building one from the sample directory");
    const { id } = JSON.parse(await readFile(join(cwd, store, "current.json"), "utf8"));
    const ready = await fetch(`${url}/readyz`);
    expect(await ready.json()).toEqual({
      ready: true,
      snapshot: id,
      publishedAt: expect.any(String),
    });
  }
});

it("npm start refuses a bad PORT before it builds anything", async () => {
  const { url, said } = await started([], { PORT: "http" });
  expect(url).toBeNull();
  expect(said).toContain("from env 'PORT' is invalid");
  expect(said).not.toContain("building");
});

describe("the main job, command by command", () => {
  it("sample, validate, build, serve, answer, end on SIGTERM with exit 0", async () => {
    const folder = await temporaryFolder();
    const run = async (...args: string[]) => {
      const ended = await crawldexProcess([...args, "--json"], folder);
      expect(ended.stderr).toBe("");
      return JSON.parse(ended.stdout) as Record<string, unknown>;
    };
    expect(await run("sample", "published", "--listings", "40")).toMatchObject({ listings: 40 });
    expect(await run("validate", "published")).toMatchObject({ ok: true, listings: 40 });
    const { id } = await run("build", "published");
    const current = await readFile(join(folder, "snapshots/current.json"), "utf8");
    expect(JSON.parse(current)).toEqual({ format: 1, id });

    const server = spawn(process.execPath, [COMMAND, "serve", "--port", "0", "--json"], {
      cwd: folder,
    });
    onTestFinished(() => {
      server.kill("SIGKILL");
    });
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const { url } = JSON.parse(line.toString("utf8")) as { url: string };
    const ready = await fetch(`${url}/readyz`);
    expect(await ready.json()).toEqual({
      ready: true,
      snapshot: id,
      publishedAt: expect.any(String),
    });
    expect((await fetch(`${url}/api/sites?limit=1`)).status).toBe(200);
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });
});
